//! Explanations: reasons for a question, and reasons for and against a candidate.

use super::state::{Alternative, Gain, PossibleAnswer, alternative, names, text};
use super::{Answer, AnswerValue, answer_in_words, cut};
use crate::error::Problem;
use crate::json::JsonNumber;
use fewest::session::{Basis, CheckedAnswer, Difference, Given, Snapshot, parse};
use fewest::{AnswerId, Instance, ObjectId, TestId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Reasons for a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Rationale {
    /// Name of the test; left out where there are enough answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) test: Option<String>,
    /// Text of the question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    /// Source of the question: `strategy`, `first`, `confirmation` or `rule`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) basis: Option<String>,
    /// Expected gain of the question, and expected cost from here on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<Gain>,
    /// Possible answers, with the objects that each would leave.
    pub(crate) answers: Vec<PossibleAnswer>,
    /// Other questions, the best first, with the gain and cost of each.
    pub(crate) alternatives: Vec<Alternative>,
}

/// Returns the reasons for the next question, and the `most` best other questions.
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

/// Reasons for and against an object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Explanation {
    /// Name of the object; several names where no test tells objects apart.
    pub(crate) object: Vec<String>,
    /// Name of its group; several names where no test tells groups apart.
    pub(crate) group: Vec<String>,
    /// Probability before the first answer.
    pub(crate) prior: JsonNumber,
    /// Probability after the answers so far; 0 if the object is ruled out.
    pub(crate) probability: JsonNumber,
    /// Answers that the object would give.
    #[serde(rename = "for")]
    pub(crate) agree: Vec<Held>,
    /// Answers that the object would give only by error.
    #[serde(rename = "against")]
    pub(crate) disagree: Vec<Held>,
    /// Tests that tell the object from the other object of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) differences: Option<Vec<CandidateDifference>>,
}

/// An answer, compared with the object's answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Held {
    /// Name of the test.
    pub(crate) test: String,
    /// The answer, or several answers of which one is true; null for "I don't know".
    pub(crate) value: Option<AnswerValue>,
    /// Whether the answer was known without a question, and so cost nothing.
    pub(crate) volunteered: bool,
    /// Answers that the object may give.
    pub(crate) expected: Vec<String>,
    /// Probability that the object would give this answer.
    pub(crate) likelihood: JsonNumber,
}

/// Test to which two objects answer differently.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct CandidateDifference {
    /// Name of the test.
    pub(crate) test: String,
    /// Answers that the object may give.
    pub(crate) object: Vec<String>,
    /// Answers that the other object may give.
    pub(crate) other: Vec<String>,
    /// Answer of the session, if the test was answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) answer: Option<Answer>,
}

/// Finds the object with this name.
pub(crate) fn find_candidate(instance: &Instance, name: &str) -> Result<ObjectId, Problem> {
    let exact = instance.objects().find(|object| instance.object_names(*object).any(|found| found == name));
    exact.ok_or_else(|| {
        let names = instance.objects().flat_map(|object| instance.object_names(object));
        let meant = parse::did_you_mean(parse::nearest(names, name));
        Problem::unfit(format!("there is no object `{}`{meant}", cut(name)))
    })
}

/// Returns the answers for and against `object`, and the tests that tell it from `other`.
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
