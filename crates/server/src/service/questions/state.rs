//! State of a session: the next question, other questions, and the candidates.

use super::{Answer, answer_in_words};
use crate::json::JsonNumber;
use fewest::session::{Choice, Contradiction, Doubt, Fit, Session, Snapshot, Step};
use fewest::{Instance, TestId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// State of a session, computed from its answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Situation {
    /// Next question; left out where there are enough answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) question: Option<Question>,
    /// Whether there is nothing more to ask.
    pub(crate) should_stop: bool,
    /// Reason to stop: `identified`, `certain`, `few-left`, `too-dear`, `nothing-to-ask` or `contradiction`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// Other questions that could be asked, the best first.
    pub(crate) alternatives: Vec<Alternative>,
    /// Candidates, the likeliest first.
    pub(crate) candidates: Vec<Candidate>,
    /// Number of all candidates.
    pub(crate) candidates_left: usize,
    /// Possible groups, the likeliest first.
    pub(crate) groups: Vec<Group>,
    /// Number of all possible groups.
    pub(crate) groups_left: usize,
    /// Cost of the questions so far.
    pub(crate) cost: JsonNumber,
    /// All answers, in the order in which their tests were first answered.
    pub(crate) answers: Vec<Answer>,
    /// Answers that no object gives together, if that is so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) contradiction: Option<ContradictionInfo>,
}

/// Question to ask next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Question {
    /// Name of the test.
    pub(crate) test: String,
    /// Text of the question.
    pub(crate) text: String,
    /// Cost of asking.
    pub(crate) cost: JsonNumber,
    /// Possible answers, with the probability of each and the objects that it leaves.
    pub(crate) answers: Vec<PossibleAnswer>,
    /// Expected gain of the question.
    pub(crate) why: Gain,
}

/// Possible answer to a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct PossibleAnswer {
    /// Text of the answer.
    pub(crate) value: String,
    /// Probability of the answer.
    pub(crate) probability: JsonNumber,
    /// Number of candidates that may give the answer.
    pub(crate) objects: usize,
    /// Number of groups, or of objects where these are identified, that may give the answer.
    pub(crate) groups: usize,
}

/// Expected gain of a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Gain {
    /// Expected information about the group or object to identify, in bits.
    pub(crate) gain_bits: JsonNumber,
    /// Expected number of possible groups, or objects, that the answer rules out.
    pub(crate) ruled_out: JsonNumber,
    /// Score of the rule; comparable within one ranking.
    pub(crate) score: JsonNumber,
    /// Expected cost from this question to the end, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) expected_cost_left: Option<JsonNumber>,
}

impl From<&Choice> for Gain {
    fn from(choice: &Choice) -> Self {
        Self {
            gain_bits: choice.gain_bits.into(),
            ruled_out: choice.ruled_out.into(),
            score: choice.score.into(),
            expected_cost_left: choice.remaining.map(JsonNumber::from),
        }
    }
}

/// Another question that could be asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Alternative {
    /// Name of the test.
    pub(crate) test: String,
    /// Text of the question.
    pub(crate) text: String,
    /// Cost of asking.
    pub(crate) cost: JsonNumber,
    #[serde(flatten)]
    pub(crate) gain: Gain,
}

/// Object that is still possible.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Candidate {
    /// Name of the object; several names where no test tells objects apart.
    pub(crate) object: Vec<String>,
    /// Name of its group; several names where no test tells groups apart.
    pub(crate) group: Vec<String>,
    /// Probability of the object.
    pub(crate) probability: JsonNumber,
    /// Number of answers that would be wrong if this were the object.
    pub(crate) mismatches: u32,
}

/// Group that is still possible.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Group {
    /// Name of the group; several names where no test tells groups apart.
    pub(crate) group: Vec<String>,
    /// Probability of the group.
    pub(crate) probability: JsonNumber,
    /// Number of its objects that are still possible.
    pub(crate) objects: usize,
}

/// Contradiction: answers that no object gives together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct ContradictionInfo {
    /// Tests whose answers fit no object together; without any one of these answers, some object fits.
    pub(crate) tests: Vec<String>,
    /// All answers by the probability that they are wrong, the most doubtful first.
    pub(crate) doubts: Vec<DoubtInfo>,
    /// Objects by the number of answers that they fit, the largest first.
    #[serde(default)]
    pub(crate) nearest: Vec<NearestInfo>,
}

/// Object that fits most of the answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct NearestInfo {
    /// Name of the object; several names where no test tells objects apart.
    pub(crate) object: Vec<String>,
    /// Name of its group; several names where no test tells groups apart.
    pub(crate) group: Vec<String>,
    /// Number of answers that the object fits.
    pub(crate) fits: usize,
    /// Number of all answers, without "I don't know"; the cuts of one measured column count as one.
    pub(crate) of: usize,
}

/// Doubt about an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct DoubtInfo {
    /// Name of the test.
    pub(crate) test: String,
    /// Probability that the answer is wrong, given all answers.
    pub(crate) probability: JsonNumber,
}

/// Computes the state of the session of `snapshot`; each list has at most `most` items.
pub(crate) fn situation(snapshot: &Snapshot<'_, '_>, most: usize) -> Situation {
    let (session, instance) = (snapshot.session(), snapshot.session().instance());
    let (ranking, candidates, groups) =
        (snapshot.ranking(most.max(1)), snapshot.candidates(), snapshot.groups());
    let (question, reason) = match snapshot.step() {
        Step::Ask(test) => (ranking.first().map(|choice| question(snapshot, test, choice)), None),
        Step::Done(reason) => (None, Some(reason)),
    };
    let contradiction = session.answers().iter().any(|given| !given.reply.answers().is_empty());
    let contradiction = (contradiction && candidates.is_empty()).then(|| session.contradiction()).flatten();
    Situation {
        should_stop: question.is_none(),
        reason: reason.map(|reason| reason.name().to_owned()),
        alternatives: ranking.iter().skip(1).take(most).map(|choice| alternative(instance, choice)).collect(),
        candidates_left: candidates.len(),
        candidates: candidates.iter().take(most).map(|found| candidate(instance, found)).collect(),
        groups_left: groups.len(),
        groups: groups
            .iter()
            .take(most)
            .map(|share| Group {
                group: names(instance.group_names(share.group)),
                probability: share.probability.into(),
                objects: share.objects,
            })
            .collect(),
        cost: session.cost().into(),
        answers: session.answers().iter().map(|given| answer_in_words(instance, given)).collect(),
        contradiction: contradiction.map(|found| contradiction_info(session, &found, most)),
        question,
    }
}

fn contradiction_info(session: &Session<'_>, found: &Contradiction, most: usize) -> ContradictionInfo {
    let instance = session.instance();
    let name = |at: usize| instance.test(session.answers()[at].test).name.clone();
    let nearest = |fit: &Fit| NearestInfo {
        object: instance.object_names(fit.object).map(str::to_owned).collect(),
        group: names(instance.group_names(instance.group_of(fit.object))),
        fits: fit.fits,
        of: fit.of,
    };
    let doubt = |doubt: &Doubt| DoubtInfo { test: name(doubt.at), probability: doubt.probability.into() };
    ContradictionInfo {
        tests: found.answers.iter().map(|at| name(*at)).collect(),
        doubts: found.doubts.iter().map(doubt).collect(),
        nearest: session.nearest(most).iter().map(nearest).collect(),
    }
}

fn question(snapshot: &Snapshot<'_, '_>, test: TestId, choice: &Choice) -> Question {
    let instance = snapshot.session().instance();
    let column = instance.test(test);
    let answers = snapshot.splits(test).into_iter().map(|split| PossibleAnswer {
        value: column.answers.get(split.answer.index()).to_owned(),
        probability: split.probability.into(),
        objects: split.objects,
        groups: split.classes,
    });
    Question {
        test: column.name.clone(),
        text: text(instance, test),
        cost: choice.cost.into(),
        answers: answers.collect(),
        why: choice.into(),
    }
}

pub(super) fn alternative(instance: &Instance, choice: &Choice) -> Alternative {
    Alternative {
        test: instance.test(choice.test).name.clone(),
        text: text(instance, choice.test),
        cost: choice.cost.into(),
        gain: choice.into(),
    }
}

fn candidate(instance: &Instance, found: &fewest::session::Candidate) -> Candidate {
    Candidate {
        object: instance.object_names(found.object).map(str::to_owned).collect(),
        group: names(instance.group_names(instance.group_of(found.object))),
        probability: found.probability.into(),
        mismatches: found.mismatches,
    }
}

pub(super) fn names(names: Vec<&str>) -> Vec<String> {
    names.into_iter().map(str::to_owned).collect()
}

/// Text of the question for a test: the one of the table, or the name of the test.
pub(super) fn text(instance: &Instance, test: TestId) -> String {
    let test = instance.test(test);
    test.question.clone().unwrap_or_else(|| format!("{}?", test.name))
}
