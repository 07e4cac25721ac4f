//! Questions that may be asked at a state, each with its parts and their lower bounds.

use super::floor::Reach;
use super::measure::Measure;
use super::problem::{Part, Problem, Set, Split, size, splits};
use fewest_model::{AnswerId, OpenBundles};
use hashbrown::HashMap;

/// Set of kinds, the open bundles that matter there, and the limit on the cost of any path from here.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    pub(super) set: Set,
    pub(super) open: OpenBundles,
    pub(super) budget: f64,
}

/// Question at a state.
pub(super) struct Choice {
    pub(super) column: usize,
    pub(super) children: Vec<Child>,
    /// Lower bound of the value of the question.
    pub(super) lower: f64,
    /// Sum of the squares of the sizes of the parts.
    imbalance: u64,
    /// Whether the question is free for every object.
    pub(super) is_free: bool,
}

/// Part of a state after a question.
pub(super) struct Child {
    pub(super) answer: AnswerId,
    pub(super) state: State,
    /// Cost of getting there.
    pub(super) step: f64,
    pub(super) mass: f64,
    pub(super) lower: f64,
    /// Whether the lower bound is the value.
    pub(super) is_solved: bool,
}

impl Choice {
    /// Lower bound of the question from those of its parts.
    pub(super) fn total(&self, measure: Measure) -> f64 {
        measure.join(self.children.iter().map(|child| measure.pay(child.step, child.mass, child.lower)))
    }
}

/// Questions of `state` with bounds, the most promising first. If a test costs nothing it is the only one: asking it
/// can only help.
pub(super) fn choices(problem: &Problem<'_>, measure: Measure, state: &State) -> Vec<Choice> {
    let splits = splits(problem, &state.set);
    let mut reaches: HashMap<OpenBundles, Reach> = HashMap::new();
    let mut choices = Vec::new();
    for at in undominated(problem, &splits, state) {
        let split = &splits[at];
        let column = &problem.columns[split.column];
        let open = problem.pricing.after(column.test, &state.open);
        let setup = problem.pricing.setup(column.test, &state.open);
        let reach = *reaches.entry(open.clone()).or_insert_with(|| Reach::of(problem, &splits, &open));
        let child =
            |part: &Part| child(problem, measure, &reach, part, part.own + setup, (&open, state.budget));
        let children: Vec<Child> = split.parts.iter().map(child).collect();
        let imbalance = split.parts.iter().map(|part| u64::from(size(&part.set)).pow(2)).sum();
        let is_free = children.iter().all(|child| child.step == 0.0);
        let mut choice = Choice { column: split.column, children, lower: 0.0, imbalance, is_free };
        choice.lower = choice.total(measure);
        choices.push(choice);
    }
    if let Some(free) = choices.iter().position(|choice| choice.is_free) {
        return vec![choices.swap_remove(free)];
    }
    choices.sort_by(|left, right| {
        let ties = (left.imbalance, left.column).cmp(&(right.imbalance, right.column));
        left.lower.total_cmp(&right.lower).then(ties)
    });
    choices
}

/// State after an answer, with its lower bound.
fn child(
    problem: &Problem<'_>,
    measure: Measure,
    reach: &Reach,
    part: &Part,
    step: f64,
    (open, budget): (&OpenBundles, f64),
) -> Child {
    let weights = problem.group_weights(&part.set);
    let mass: f64 = weights.iter().sum();
    let budget = budget - step;
    let (lower, is_solved) = match () {
        () if budget < 0.0 => (f64::INFINITY, true),
        () if weights.len() == 1 => (measure.leaf(mass), true),
        () if reach.worst(weights.len()) > budget => (f64::INFINITY, true),
        () if mass == 0.0 && measure.is_mean() && budget == f64::INFINITY => (measure.leaf(0.0), true),
        () => (reach.floor(measure, &weights), false),
    };
    let open = if is_solved { OpenBundles::default() } else { problem.relevant(&part.set, open) };
    let state = State { set: part.set.clone(), open, budget };
    Child { answer: part.answer, state, step, mass, lower, is_solved }
}

/// Positions of the splits that may be asked and that no other one makes needless: one with the same parts that costs no
/// more. What may be asked later depends on the parts alone.
fn undominated(problem: &Problem<'_>, splits: &[Split], state: &State) -> Vec<usize> {
    let mut by_parts: HashMap<Vec<&[u64]>, Vec<usize>> = HashMap::new();
    let mut kept = Vec::new();
    for (at, split) in splits.iter().enumerate() {
        if !problem.may_ask(split, &state.set) {
            continue;
        }
        let mut parts: Vec<&[u64]> = split.parts.iter().map(|part| &*part.set).collect();
        parts.sort_unstable();
        let alike = by_parts.entry(parts).or_default();
        if alike.iter().any(|other| is_no_dearer(problem, &splits[*other], split, &state.open)) {
            continue;
        }
        alike.push(at);
        kept.push(at);
    }
    kept
}

/// Whether `first` can stand for `second`, which has the same parts. Its steps must cost no more. If `second` opens
/// another bundle, `first` and that set-up together must cost no more, for the set-up may be paid later as well.
fn is_no_dearer(problem: &Problem<'_>, first: &Split, second: &Split, open: &OpenBundles) -> bool {
    let [one, two] = [first, second].map(|split| &problem.columns[split.column]);
    let [setup_one, setup_two] = [one, two].map(|column| problem.pricing.setup(column.test, open));
    let is_open = two.bundle.is_none_or(|bundle| open.contains(bundle) || one.bundle == Some(bundle));
    let allowed = if is_open { setup_two } else { 0.0 };
    first.parts.iter().all(|part| {
        let other = second.parts.iter().find(|other| other.set == part.set);
        other.is_some_and(|other| part.own + setup_one <= other.own + allowed)
    })
}
