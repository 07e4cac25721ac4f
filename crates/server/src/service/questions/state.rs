//! Where a session is: the next question, what else could be asked, and what is possible.

use super::{Answer, answer_in_words};
use crate::json::JsonNumber;
use fewest::session::{Choice, Snapshot, Step};
use fewest::{Instance, TestId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Where a session is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Situation {
    /// What to ask next; nothing where there are enough answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) question: Option<Question>,
    /// Whether there is nothing more to ask.
    pub(crate) should_stop: bool,
    /// Why: `identified`, `certain`, `few-left`, `too-dear`, `nothing-to-ask` or `contradiction`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// What else could be asked, the best first.
    pub(crate) alternatives: Vec<Alternative>,
    /// What is possible, the likeliest first.
    pub(crate) candidates: Vec<Candidate>,
    /// How many objects are possible in all.
    pub(crate) candidates_left: usize,
    /// The groups that are possible, the likeliest first.
    pub(crate) groups: Vec<Group>,
    /// How many groups are possible in all.
    pub(crate) groups_left: usize,
    /// What the questions cost so far.
    pub(crate) cost: JsonNumber,
    /// All answers, in the order in which their tests were first answered.
    pub(crate) answers: Vec<Answer>,
    /// The answers that fit no object together, where that is so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) contradiction: Option<ContradictionInfo>,
}

/// What to ask.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Question {
    /// The test.
    pub(crate) test: String,
    /// The text to ask it with.
    pub(crate) text: String,
    /// What it costs.
    pub(crate) cost: JsonNumber,
    /// The answers, with how likely each is and what it leaves.
    pub(crate) answers: Vec<PossibleAnswer>,
    /// What it tells.
    pub(crate) why: Gain,
}

/// An answer that may be given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct PossibleAnswer {
    /// The answer.
    pub(crate) value: String,
    /// How likely it is.
    pub(crate) probability: JsonNumber,
    /// How many objects that are possible may give it.
    pub(crate) objects: usize,
    /// How many groups, or objects, that have to be told apart may give it.
    pub(crate) groups: usize,
}

/// What a question tells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Gain {
    /// Bits about what is to be found.
    pub(crate) gain_bits: JsonNumber,
    /// How many of the groups, or objects, that are possible its answer rules out on average.
    pub(crate) ruled_out: JsonNumber,
    /// The score of the rule, comparable within one ranking.
    pub(crate) score: JsonNumber,
    /// What everything from this question on would cost on average, where that is known.
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
    /// The test.
    pub(crate) test: String,
    /// The text to ask it with.
    pub(crate) text: String,
    /// What it costs.
    pub(crate) cost: JsonNumber,
    #[serde(flatten)]
    pub(crate) gain: Gain,
}

/// An object that is possible.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Candidate {
    /// Its name; several where no test tells them apart.
    pub(crate) object: Vec<String>,
    /// Its group; several where no test tells them apart.
    pub(crate) group: Vec<String>,
    /// How likely it is.
    pub(crate) probability: JsonNumber,
    /// How many answers would be wrong if it were the one.
    pub(crate) mismatches: u32,
}

/// A group that is possible.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Group {
    /// Its name; several where no test tells them apart.
    pub(crate) group: Vec<String>,
    /// How likely it is.
    pub(crate) probability: JsonNumber,
    /// How many of its objects are possible.
    pub(crate) objects: usize,
}

/// Answers that no object gives together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct ContradictionInfo {
    /// Tests whose answers fit no object together, though without any one of them some object fits.
    pub(crate) tests: Vec<String>,
    /// All answers by how likely each is wrong, the likeliest first.
    pub(crate) doubts: Vec<DoubtInfo>,
}

/// How likely an answer is wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct DoubtInfo {
    /// The test.
    pub(crate) test: String,
    /// How likely the answer to it is wrong, given all answers.
    pub(crate) probability: JsonNumber,
}

/// Where the session of `snapshot` is, with at most `most` of everything that is listed.
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
        contradiction: contradiction.map(|found| {
            let name = |at: &usize| instance.test(session.answers()[*at].test).name.clone();
            ContradictionInfo {
                tests: found.answers.iter().map(name).collect(),
                doubts: found
                    .doubts
                    .iter()
                    .map(|doubt| DoubtInfo { test: name(&doubt.at), probability: doubt.probability.into() })
                    .collect(),
            }
        }),
        question,
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
        cost: instance.cost(test).into(),
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

/// The text to ask a test with: what the table says, or its name.
pub(super) fn text(instance: &Instance, test: TestId) -> String {
    let test = instance.test(test);
    test.question.clone().unwrap_or_else(|| format!("{}?", test.name))
}
