//! Parts that the pages of a session share: answers, possible objects and groups, and objects that are ruled out.

use super::wording;
use crate::service::questions::{Answer, AnswerValue, AskingOptions, answer_in_words};
use fewest::session::{Given, Reply, Session, Snapshot};
use fewest::{AnswerId, Instance, ObjectId, TestId};
use fewest_formats::text::percent;

/// Answer as a line of a list.
pub(super) struct AnswerLine {
    pub(super) number: usize,
    pub(super) text: String,
    pub(super) said: String,
    pub(super) is_known: bool,
}

/// Lines of all answers of a session.
pub(super) fn lines(session: &Session<'_>) -> Vec<AnswerLine> {
    let line = |(at, given): (usize, &Given)| AnswerLine {
        number: at + 1,
        text: question(session.instance(), given.test),
        said: wording::said(answer_in_words(session.instance(), given).value.as_ref()),
        is_known: given.volunteered,
    };
    session.answers().iter().enumerate().map(line).collect()
}

/// Text of the question for a test.
pub(super) fn question(instance: &Instance, test: TestId) -> String {
    let test = instance.test(test);
    test.question.clone().unwrap_or_else(|| format!("{}?", test.name))
}

/// Possible object or group as a line of a list.
pub(super) struct ShareLine {
    pub(super) name: String,
    /// Name of the object to explain; empty where the line is a group.
    pub(super) object: String,
    pub(super) about: String,
    pub(super) percent: String,
    pub(super) bar: String,
}

/// Lines of at most `most` candidates, and the number of all.
pub(super) fn candidates(snapshot: &Snapshot<'_, '_>, most: usize) -> (Vec<ShareLine>, usize) {
    let (instance, found) = (snapshot.session().instance(), snapshot.candidates());
    let has_groups = matches!(instance.identify(), fewest::Identify::Groups);
    let share = |candidate: &fewest::session::Candidate| {
        let names: Vec<String> = instance.object_names(candidate.object).map(str::to_owned).collect();
        let groups = instance.group_names(instance.group_of(candidate.object)).join(" or ");
        let wrong = match candidate.mismatches {
            0 => String::new(),
            1 => "1 answer would be wrong".to_owned(),
            many => format!("{many} answers would be wrong"),
        };
        let about = [if has_groups { groups } else { String::new() }, wrong];
        ShareLine {
            name: wording::names(&names),
            object: names.first().cloned().unwrap_or_default(),
            about: about.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", "),
            percent: percent(candidate.probability),
            bar: wording::bar(candidate.probability),
        }
    };
    (found.iter().take(most).map(share).collect(), found.len())
}

/// Lines of at most `most` possible groups, and the number of all; none where objects are identified.
pub(super) fn groups(snapshot: &Snapshot<'_, '_>, most: usize) -> (Vec<ShareLine>, usize) {
    let instance = snapshot.session().instance();
    if !matches!(instance.identify(), fewest::Identify::Groups) {
        return (Vec::new(), 0);
    }
    let found = snapshot.groups();
    let share = |share: &fewest::session::GroupShare| ShareLine {
        name: instance.group_names(share.group).join(" or "),
        object: String::new(),
        about: fewest_formats::text::count(share.objects, "object"),
        percent: percent(share.probability),
        bar: wording::bar(share.probability),
    };
    (found.iter().take(most).map(share).collect(), found.len())
}

/// Object that is ruled out, with the reason.
pub(super) struct RuledOut {
    pub(super) name: String,
    pub(super) object: String,
    pub(super) reason: String,
}

/// Lines of at most `most` objects that are ruled out, and the number of all.
pub(super) fn ruled_out(snapshot: &Snapshot<'_, '_>, most: usize) -> (Vec<RuledOut>, usize) {
    let (session, out) = (snapshot.session(), snapshot.ruled_out());
    let instance = session.instance();
    let line = |object: &ObjectId| {
        let names: Vec<String> = instance.object_names(*object).map(str::to_owned).collect();
        RuledOut {
            name: wording::names(&names),
            object: names.first().cloned().unwrap_or_default(),
            reason: reason(session, *object),
        }
    };
    (out.iter().take(most).map(line).collect(), out.len())
}

/// First answer that an object would not give, in words.
fn reason(session: &Session<'_>, object: ObjectId) -> String {
    let instance = session.instance();
    let text = |test: TestId, answer: &AnswerId| instance.test(test).answers.get(answer.index()).to_owned();
    for given in session.answers() {
        let Reply::OneOf(said) = &given.reply else { continue };
        let may = session.may_answer(object, given.test);
        if !may.iter().any(|answer| said.contains(answer)) {
            let may: Vec<String> = may.iter().map(|answer| text(given.test, answer)).collect();
            let said: Vec<String> = said.iter().map(|answer| text(given.test, answer)).collect();
            return format!(
                "{} {}, not {}",
                question(instance, given.test),
                may.join(" or "),
                said.join(" or ")
            );
        }
    }
    "too many answers would be wrong".to_owned()
}

/// Query that holds only answers: `t` names a test, `v` after it an answer, and `f` says that it was volunteered.
pub(super) fn to_query(answers: &[Answer]) -> String {
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    for answer in answers {
        pairs.push(("t", &answer.test));
        match &answer.value {
            None => {}
            Some(AnswerValue::One(value)) => pairs.push(("v", value)),
            Some(AnswerValue::Several(values)) => {
                pairs.extend(values.iter().map(|value| ("v", value.as_str())))
            }
        }
        if answer.volunteered {
            pairs.push(("f", ""));
        }
    }
    serde_urlencoded::to_string(pairs).unwrap_or_default()
}

/// Answers from names and values as [`to_query`] writes them; other names are ignored.
pub(super) fn from_pairs(pairs: &[(String, String)]) -> Vec<Answer> {
    let mut answers: Vec<(String, Vec<String>, bool)> = Vec::new();
    for (name, value) in pairs {
        match (name.as_str(), answers.last_mut()) {
            ("t", _) => answers.push((value.clone(), Vec::new(), false)),
            ("v", Some((_, values, _))) => values.push(value.clone()),
            ("f", Some((_, _, volunteered))) => *volunteered = true,
            _ => {}
        }
    }
    let answer = |(test, values, volunteered)| Answer { test, value: value(values), volunteered };
    answers.into_iter().map(answer).collect()
}

/// Answer from the values of a form; `None` for "I don't know".
pub(super) fn value(mut values: Vec<String>) -> Option<AnswerValue> {
    match values.len() {
        0 => None,
        1 => values.pop().map(AnswerValue::One),
        _ => Some(AnswerValue::Several(values)),
    }
}

/// Rules of a session in words; empty where they are the defaults.
pub(super) fn rules(options: &AskingOptions) -> String {
    let mut parts = Vec::new();
    if options.strategy.is_some() {
        parts.push("follows a strategy".to_owned());
    }
    if let Some(rate) = options.error_rate {
        parts.push(format!("answers may be wrong ({})", percent(rate)));
    }
    if let Some(certainty) = options.certainty {
        parts.push(format!("stops at {}", percent(certainty)));
    }
    if options.until.0 == fewest::session::Until::Object {
        parts.push("goes on to the object".to_owned());
    }
    if !options.without.is_empty() {
        parts.push(format!("without {}", options.without.join(", ")));
    }
    parts.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_holds_the_answers_and_gives_them_back() {
        let one = |text: &str| Some(AnswerValue::One(text.to_owned()));
        let answer = |test: &str, value, volunteered| Answer { test: test.to_owned(), value, volunteered };
        let answers = [
            answer("a & b", one("yes=?"), false),
            answer("t", None, false),
            answer("v", Some(AnswerValue::Several(vec!["1".to_owned(), "2".to_owned()])), true),
        ];
        let query = to_query(&answers);
        let pairs: Vec<(String, String)> = serde_urlencoded::from_str(&query).unwrap();
        assert_eq!(from_pairs(&pairs), answers);
        assert_eq!(from_pairs(&[("v".to_owned(), "stray".to_owned())]), []);
    }
}
