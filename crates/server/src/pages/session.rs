//! Parts that the pages of a session share: answers, possible objects and groups, and objects that are ruled out.

use super::wording;
use crate::error::Problem;
use crate::service::questions::{Answer, AnswerValue, AskingOptions, answer_in_words, cut};
use fewest::session::{Fit, Given, Reply, Session, Snapshot};
use fewest::{AnswerId, GroupId, Instance, ObjectId, TestId};
use fewest_formats::answers::shown;
use fewest_formats::text::{count, percent};
use std::collections::BTreeMap;

/// Answer as a line of a list. The answers to several cuts of one measured column are one line.
pub(super) struct AnswerLine {
    /// Numbers of its answers among all, from 1.
    pub(super) answers: Vec<usize>,
    /// Name of the test, or of the measured column.
    pub(super) test: String,
    pub(super) text: String,
    pub(super) said: String,
    pub(super) is_known: bool,
}

impl AnswerLine {
    /// Number of the first answer, which is part of the address of its page.
    pub(super) fn first(&self) -> usize {
        self.answers.first().copied().unwrap_or(1)
    }
}

/// Lines of all answers of a session.
pub(super) fn lines(session: &Session<'_>) -> Vec<AnswerLine> {
    let instance = session.instance();
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for (at, given) in session.answers().iter().enumerate() {
        let column = cut_of(session, given).map(|(column, _)| column);
        let same = |part: &&mut Vec<usize>| {
            column.is_some() && cut_of(session, &session.answers()[part[0]]).map(|(name, _)| name) == column
        };
        match parts.iter_mut().find(same) {
            Some(part) => part.push(at),
            None => parts.push(vec![at]),
        }
    }
    let single = |at: usize| {
        let given = &session.answers()[at];
        let test = instance.test(given.test);
        let said = wording::said(test, answer_in_words(instance, given).value.as_ref());
        (vec![at], test.name.clone(), question(instance, given.test), said)
    };
    let mut lines = Vec::new();
    for part in parts {
        let interval = if part.len() > 1 { interval(session, &part) } else { None };
        match interval {
            Some((column, said)) => lines.push((part, column.clone(), format!("{column}?"), said)),
            None => lines.extend(part.into_iter().map(single)),
        }
    }
    let line = |(part, test, text, said): (Vec<usize>, String, String, String)| AnswerLine {
        is_known: part.iter().all(|at| session.answers()[*at].volunteered),
        answers: part.into_iter().map(|at| at + 1).collect(),
        test,
        text,
        said,
    };
    lines.into_iter().map(line).collect()
}

/// Column and value of the cut that an answer is about, if its test is one cut of a measured column.
fn cut_of<'i>(session: &Session<'i>, given: &Given) -> Option<(&'i str, f64)> {
    let measure = session.instance().test(given.test).measure.as_ref()?;
    let [cut] = measure.cuts[..] else { return None };
    Some((&measure.column, cut))
}

/// Column of some answers to its cuts, and the range that they leave, in words; `None` where they leave none.
fn interval(session: &Session<'_>, answers: &[usize]) -> Option<(String, String)> {
    let (mut above, mut below) = (f64::NEG_INFINITY, f64::INFINITY);
    let mut column = "";
    for at in answers {
        let given = &session.answers()[*at];
        let (name, cut) = cut_of(session, given)?;
        column = name;
        let measure = session.instance().test(given.test).measure.as_ref()?;
        match given.reply.single() {
            Some(answer) if answer == measure.answers[0] => below = below.min(cut),
            Some(_) => above = above.max(cut),
            None => {}
        }
    }
    let said = match (above.is_finite(), below.is_finite()) {
        (true, true) if above >= below => return None,
        (true, true) => format!("more than {above}, at most {below}"),
        (true, false) => format!("more than {above}"),
        (false, true) => format!("at most {below}"),
        (false, false) => "don’t know".to_owned(),
    };
    Some((column.to_owned(), said))
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

/// Some of many lines, and counts of all. Objects are counted as rows of the table, here and on all pages.
#[derive(Default)]
pub(super) struct Listed {
    pub(super) lines: Vec<ShareLine>,
    /// Number of all objects, or groups.
    pub(super) all: usize,
    /// Number of objects or groups without a line.
    pub(super) unlisted: usize,
    /// Number of different objects or groups that are possible: lines, if there were no limit.
    pub(super) different: usize,
}

/// Number of rows of the table that are `object`: several where no test tells them apart.
pub(super) fn rows_of(instance: &Instance, object: ObjectId) -> usize {
    instance.object_names(object).count()
}

/// Lines of at most `most` candidates that have all words of `find` in their name or group.
pub(super) fn candidates(snapshot: &Snapshot<'_, '_>, most: usize, find: &str) -> Listed {
    let (instance, found) = (snapshot.session().instance(), snapshot.candidates());
    let has_groups = matches!(instance.identify(), fewest::Identify::Groups);
    let share = |candidate: &fewest::session::Candidate| {
        let wrong = match candidate.mismatches {
            0 => String::new(),
            1 => "1 answer would be wrong".to_owned(),
            many => format!("{many} answers would be wrong"),
        };
        let about = [if has_groups { groups_of(instance, candidate.object) } else { String::new() }, wrong];
        let names: Vec<String> = instance.object_names(candidate.object).map(str::to_owned).collect();
        ShareLine {
            name: wording::names(&names),
            object: names.first().cloned().unwrap_or_default(),
            about: about.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", "),
            percent: percent(candidate.probability),
            bar: wording::bar(candidate.probability),
        }
    };
    let words = wording::words(find);
    let fitting: Vec<_> = found.iter().filter(|one| is_called(instance, one.object, &words)).collect();
    let rows = |all: &[&fewest::session::Candidate]| -> usize {
        all.iter().map(|one| rows_of(instance, one.object)).sum()
    };
    Listed {
        lines: fitting.iter().take(most).map(|one| share(one)).collect(),
        all: found.iter().map(|one| rows_of(instance, one.object)).sum(),
        unlisted: rows(&fitting[fitting.len().min(most)..]),
        different: found.len(),
    }
}

/// Whether the names or the group of an object contain all `words`.
fn is_called(instance: &Instance, object: ObjectId, words: &[String]) -> bool {
    if words.is_empty() {
        return true;
    }
    let mut texts: Vec<&str> = instance.object_names(object).collect();
    texts.extend(instance.group_names(instance.group_of(object)));
    wording::has_words(words, &texts)
}

fn groups_of(instance: &Instance, object: ObjectId) -> String {
    instance.group_names(instance.group_of(object)).join(" or ")
}

/// Lines of at most `most` objects by the number of answers that they fit: what nearly fits where nothing fits.
pub(super) fn nearest(session: &Session<'_>, most: usize) -> Vec<ShareLine> {
    let instance = session.instance();
    let has_groups = matches!(instance.identify(), fewest::Identify::Groups);
    let line = |fit: Fit| {
        let names: Vec<String> = instance.object_names(fit.object).map(str::to_owned).collect();
        ShareLine {
            name: wording::names(&names),
            object: names.first().cloned().unwrap_or_default(),
            about: if has_groups { groups_of(instance, fit.object) } else { String::new() },
            percent: format!("fits {} of {}", fit.fits, fit.of),
            bar: wording::bar(fit.fits as f64 / fit.of.max(1) as f64),
        }
    };
    session.nearest(most).into_iter().map(line).collect()
}

/// Lines of at most `most` possible groups; none where objects are identified.
pub(super) fn groups(snapshot: &Snapshot<'_, '_>, most: usize) -> Listed {
    let instance = snapshot.session().instance();
    if !matches!(instance.identify(), fewest::Identify::Groups) {
        return Listed::default();
    }
    let mut rows = BTreeMap::<GroupId, usize>::new();
    for candidate in snapshot.candidates() {
        *rows.entry(instance.group_of(candidate.object)).or_default() += rows_of(instance, candidate.object);
    }
    let found = snapshot.groups();
    let share = |share: &fewest::session::GroupShare| ShareLine {
        name: instance.group_names(share.group).join(" or "),
        object: String::new(),
        about: count(rows.get(&share.group).copied().unwrap_or(0), "object"),
        percent: percent(share.probability),
        bar: wording::bar(share.probability),
    };
    Listed {
        lines: found.iter().take(most).map(share).collect(),
        all: found.len(),
        unlisted: found.len().saturating_sub(most),
        different: found.len(),
    }
}

/// Object that is ruled out, with the reason.
pub(super) struct RuledOut {
    pub(super) name: String,
    pub(super) object: String,
    pub(super) reason: String,
}

/// Lines of at most `most` objects that are ruled out and have all words of `find`, the number of all, and the number of
/// those without a line.
pub(super) fn ruled_out(
    snapshot: &Snapshot<'_, '_>,
    most: usize,
    find: &str,
) -> (Vec<RuledOut>, usize, usize) {
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
    let words = wording::words(find);
    let rows = |all: &[ObjectId]| -> usize { all.iter().map(|object| rows_of(instance, *object)).sum() };
    let fitting: Vec<ObjectId> =
        out.iter().copied().filter(|object| is_called(instance, *object, &words)).collect();
    let lines = fitting.iter().take(most).map(line).collect();
    (lines, rows(&out), rows(&fitting[fitting.len().min(most)..]))
}

/// First answer that an object would not give, in words.
fn reason(session: &Session<'_>, object: ObjectId) -> String {
    let instance = session.instance();
    for given in session.answers() {
        let Reply::OneOf(said) = &given.reply else { continue };
        let may = session.may_answer(object, given.test);
        if !may.iter().any(|answer| said.contains(answer)) {
            let test = instance.test(given.test);
            let words = |answers: &[AnswerId]| {
                let texts = answers.iter().map(|answer| shown(test, test.answer_text(*answer)));
                texts.collect::<Vec<_>>().join(" or ")
            };
            return format!("{} {}, not {}", question(instance, given.test), words(&may), words(said));
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
            Some(AnswerValue::Number(_)) => {}
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

/// Number of a form, with a point or a comma.
pub(super) fn number(text: &str) -> Result<f64, Problem> {
    let number = text.trim().replace(',', ".").parse::<f64>().ok().filter(|number| number.is_finite());
    number
        .ok_or_else(|| Problem::unfit(format!("`{}` is not a number; write a number such as 5.5", cut(text))))
}

/// Rules of a session in words; empty where they are the defaults.
pub(super) fn rules(options: &AskingOptions) -> String {
    let mut parts = Vec::new();
    if options.strategy.is_some() {
        parts.push("it follows a plan".to_owned());
    }
    if let Some(rate) = options.error_rate {
        parts.push(format!("{} of the answers may be wrong", percent(rate)));
    }
    if let Some(certainty) = options.certainty {
        parts.push(format!("it stops when one result is {} likely", percent(certainty)));
    }
    if options.until.0 == fewest::session::Until::Object {
        parts.push("it finds the object and not only the group".to_owned());
    }
    if !options.without.is_empty() {
        parts.push(format!("it does not ask {}", options.without.join(", ")));
    }
    parts.join("; ")
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
