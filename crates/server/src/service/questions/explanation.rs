//! Why this question, and why or why not this candidate.

use super::state::{Alternative, Gain, PossibleAnswer, alternative, names, text};
use super::{Answer, AnswerValue, answer_in_words, cut};
use crate::error::Problem;
use crate::json::JsonNumber;
use fewest::session::{Basis, CheckedAnswer, Difference, Given, Snapshot, parse};
use fewest::{AnswerId, Instance, ObjectId, TestId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Why a question is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Rationale {
    /// The test; nothing where there are enough answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) test: Option<String>,
    /// The text to ask it with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    /// What it rests on: `strategy`, `first`, `confirmation` or `rule`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) basis: Option<String>,
    /// What it tells, and what everything from here on costs on average.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<Gain>,
    /// What each answer would leave.
    pub(crate) answers: Vec<PossibleAnswer>,
    /// What else could be asked, the best first, with what that would cost.
    pub(crate) alternatives: Vec<Alternative>,
}

/// Why the next question is asked, beside the `most` best others.
pub(crate) fn rationale(snapshot: &Snapshot<'_, '_>, most: usize) -> Rationale {
    let instance = snapshot.session().instance();
    let Some(why) = snapshot.why(most) else {
        let (answers, alternatives) = (Vec::new(), Vec::new());
        return Rationale { test: None, text: None, basis: None, why: None, answers, alternatives };
    };
    let column = instance.test(why.choice.test);
    let left = why.splits.iter().map(|split| PossibleAnswer {
        value: column.answers.get(split.answer.index()).to_owned(),
        probability: split.probability.into(),
        objects: split.objects,
        groups: split.classes,
    });
    let basis = match why.basis {
        Basis::Tree => "strategy",
        Basis::First => "first",
        Basis::Confirmation => "confirmation",
        Basis::Rule => "rule",
    };
    Rationale {
        test: Some(column.name.clone()),
        text: Some(text(instance, why.choice.test)),
        basis: Some(basis.to_owned()),
        why: Some((&why.choice).into()),
        answers: left.collect(),
        alternatives: why.alternatives.iter().map(|choice| alternative(instance, choice)).collect(),
    }
}

/// Why or why not an object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Explanation {
    /// The object; several names where no test tells them apart.
    pub(crate) object: Vec<String>,
    /// Its group.
    pub(crate) group: Vec<String>,
    /// How likely it was before the first answer.
    pub(crate) prior: JsonNumber,
    /// How likely it is now; 0 if it is ruled out.
    pub(crate) probability: JsonNumber,
    /// The answers that it would give.
    #[serde(rename = "for")]
    pub(crate) agree: Vec<Held>,
    /// The answers that it would not give without an error.
    #[serde(rename = "against")]
    pub(crate) disagree: Vec<Held>,
    /// What tells it from the other object that was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) differences: Option<Vec<CandidateDifference>>,
}

/// An answer, held against what an object would answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Held {
    /// The test.
    pub(crate) test: String,
    /// What was answered; several answers where one of them is true; nothing for "I don't know".
    pub(crate) value: Option<AnswerValue>,
    /// Whether it was known without asking, and so cost nothing.
    pub(crate) volunteered: bool,
    /// What the object may answer.
    pub(crate) expected: Vec<String>,
    /// How likely the object would answer so.
    pub(crate) likelihood: JsonNumber,
}

/// A test to which two objects answer differently.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct CandidateDifference {
    /// The test.
    pub(crate) test: String,
    /// What the object may answer.
    pub(crate) object: Vec<String>,
    /// What the other may answer.
    pub(crate) other: Vec<String>,
    /// What was answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) answer: Option<Answer>,
}

/// The object that `name` names.
pub(crate) fn find_candidate(instance: &Instance, name: &str) -> Result<ObjectId, Problem> {
    let exact = instance.objects().find(|object| instance.object_names(*object).any(|found| found == name));
    exact.ok_or_else(|| {
        let names = instance.objects().flat_map(|object| instance.object_names(object));
        let meant = parse::nearest(names, name);
        let meant = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
        Problem::unfit(format!("there is no object `{}`{meant}", cut(name)))
    })
}

/// The answers for and against `object`, and what tells it from `other`.
pub(crate) fn explanation(
    snapshot: &Snapshot<'_, '_>,
    object: ObjectId,
    other: Option<ObjectId>,
) -> Explanation {
    let (session, instance) = (snapshot.session(), snapshot.session().instance());
    let found = snapshot.explain(object);
    let held = |said: CheckedAnswer| {
        let Answer { test, value, volunteered } = answer_in_words(instance, &session.answers()[said.at]);
        let expected = in_words(instance, said.test, &said.expected);
        Held { test, value, volunteered, expected, likelihood: said.likelihood.into() }
    };
    Explanation {
        object: instance.object_names(object).map(str::to_owned).collect(),
        group: names(instance.group_names(instance.group_of(object))),
        prior: found.prior.into(),
        probability: found.probability.into(),
        agree: found.agree.into_iter().map(held).collect(),
        disagree: found.disagree.into_iter().map(held).collect(),
        differences: other.map(|other| {
            let all = session.differences(object, other);
            all.into_iter().map(|found| difference(instance, found)).collect()
        }),
    }
}

fn difference(instance: &Instance, found: Difference) -> CandidateDifference {
    let Difference { test, left, right, reply } = found;
    let answer = reply.map(|reply| answer_in_words(instance, &Given { test, reply, volunteered: false }));
    CandidateDifference {
        test: instance.test(test).name.clone(),
        object: in_words(instance, test, &left),
        other: in_words(instance, test, &right),
        answer,
    }
}

fn in_words(instance: &Instance, test: TestId, answers: &[AnswerId]) -> Vec<String> {
    answers.iter().map(|answer| instance.test(test).answers.get(answer.index()).to_owned()).collect()
}
