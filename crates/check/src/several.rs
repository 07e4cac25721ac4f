//! Check of trees in which objects may give several answers: every object follows each of its answers, with its
//! probability divided among them, and the costs are added up again from the leaves.

use crate::applies;
use crate::bill;
use crate::claims;
use crate::names::{answer_text, group_name, object_name, test_name};
use crate::{CheckError, Verified, costs, ids};
use fewest_model::{
    AnswerId, Certificate, Instance, Lambda, Node, NodeId, ObjectId, Objective, Test, TestId, Tree,
};
use std::collections::BTreeMap;

/// Information in bits below which a test tells nothing; between this and [`SOMETHING`] rounding decides.
const NOTHING: f64 = 1e-13;
/// Information in bits above which a test tells something.
const SOMETHING: f64 = 1e-11;

/// Leaves at which more could be asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Open {
    /// Number of such leaves.
    pub leaves: usize,
    /// Probability of ending in one of these leaves.
    pub weight: f64,
    /// Probability of ending in one of these leaves with another group than the likeliest there.
    pub error: f64,
}

/// Runs [`check`](crate::check) for a tree that is claimed to leave some leaves open because it would have been too
/// large: their number and probability must be as claimed. Such leaves exist only if objects may give several
/// answers.
///
/// # Errors
/// With the first error, in names of the table.
pub fn check_open(
    instance: &Instance,
    tree: &Tree,
    certificate: &Certificate,
    open: Option<Open>,
) -> Result<Verified, CheckError> {
    if !instance.has_several() {
        let verified = crate::check(instance, tree, certificate)?;
        return open.map_or(Ok(verified), |claimed| Err(differ(claimed, NONE)));
    }
    ids::all_known(instance, tree)?;
    if certificate.bound.is_some() {
        return Err(CheckError::NoProofs);
    }
    let mut tour = Tour::new(instance, tree);
    for (at, node) in tree.nodes().iter().enumerate() {
        let visitors = std::mem::take(&mut tour.at_node[at]);
        match node {
            Node::Ask { test, answers } => tour.lead_on(at, *test, answers, &visitors)?,
            Node::Leaf { objects } => tour.end(at, objects, &visitors, open.is_some())?,
        }
    }
    let claimed = open.unwrap_or(NONE);
    // Leaves at which rounding decides may count as open or not.
    let [least, most] = [tour.open, tour.open.and(tour.doubtful)];
    let is_true = (least.leaves..=most.leaves).contains(&claimed.leaves)
        && is_between(claimed.weight, least.weight, most.weight)
        && is_between(claimed.error, least.error, most.error);
    if !is_true {
        return Err(differ(claimed, tour.open));
    }
    let lambda = certificate.costs.map_or(Lambda::TWO, |claimed| claimed.lambda);
    let costs = costs::add_up_leaves(instance, &tour.leaves, lambda);
    if let Some(claimed) = &certificate.costs {
        claims::costs_are_true(claimed, &costs)?;
    }
    Ok(Verified {
        costs,
        objects: instance.object_count(),
        leaves: tour.leaves.len(),
        depth: tour.asked.iter().map(Vec::len).max().unwrap_or(0),
        bound: None,
        open,
    })
}

const NONE: Open = Open { leaves: 0, weight: 0.0, error: 0.0 };

impl Open {
    fn and(self, other: Self) -> Self {
        Self {
            leaves: self.leaves + other.leaves,
            weight: self.weight + other.weight,
            error: self.error + other.error,
        }
    }
}

/// Whether a claimed probability lies between two others, up to rounding.
fn is_between(claimed: f64, least: f64, most: f64) -> bool {
    claimed >= least - claims::TOLERANCE && claimed <= most + claims::TOLERANCE
}

fn differ(claimed: Open, found: Open) -> CheckError {
    CheckError::OpenLeaves {
        claimed_leaves: claimed.leaves,
        claimed: claimed.weight,
        claimed_error: claimed.error,
        found_leaves: found.leaves,
        found: found.weight,
        found_error: found.error,
    }
}

/// Object at a node, with the probability that it is the unknown one and gets there.
type Visitor = (ObjectId, f64);

struct Tour<'a> {
    instance: &'a Instance,
    at_node: Vec<Vec<Visitor>>,
    /// Tests asked above each node, with the answers that lead there.
    asked: Vec<Vec<(TestId, AnswerId)>>,
    /// Probability and cost of every leaf.
    leaves: Vec<(f64, f64)>,
    /// Leaves at which more could be asked.
    open: Open,
    /// Leaves at which rounding decides whether more could be asked.
    doubtful: Open,
}

impl<'a> Tour<'a> {
    fn new(instance: &'a Instance, tree: &Tree) -> Self {
        let total = costs::sum(instance.objects().map(|object| instance.weight(object)));
        let mut at_node = vec![Vec::new(); tree.nodes().len()];
        at_node[0] = instance.objects().map(|object| (object, instance.weight(object) / total)).collect();
        let asked = vec![Vec::new(); tree.nodes().len()];
        Self { instance, at_node, asked, leaves: Vec::new(), open: NONE, doubtful: NONE }
    }

    fn was_asked(&self, at: usize, test: TestId) -> bool {
        self.asked[at].iter().any(|(asked, _)| *asked == test)
    }

    /// Sends every object to the children for its answers; the test must be new, needed and tell something.
    fn lead_on(
        &mut self,
        at: usize,
        test: TestId,
        answers: &[(AnswerId, NodeId)],
        visitors: &[Visitor],
    ) -> Result<(), CheckError> {
        let instance = self.instance;
        let name = || test_name(instance, test);
        if self.was_asked(at, test) {
            return Err(CheckError::AskedTwice { test: name() });
        }
        applies::to_all(instance, test, visitors.iter().map(|(object, _)| *object), &self.asked[at])?;
        if second_group(instance, visitors).is_none() {
            let group = visitors.first().map_or(String::new(), |(object, _)| group_name(instance, *object));
            return Err(CheckError::NeedlessQuestion { test: name(), group });
        }
        if says(instance, test, visitors) == Says::Nothing {
            return Err(CheckError::IdleQuestion { test: name() });
        }
        let mut children: BTreeMap<AnswerId, NodeId> = BTreeMap::new();
        for (answer, child) in answers {
            if children.insert(*answer, *child).is_some() {
                let answer = answer_text(instance, test, *answer);
                return Err(CheckError::TwoChildren { test: name(), answer });
            }
        }
        for (object, share) in visitors {
            let arity = instance.test(test).arity();
            let mine =
                (0..arity).map(AnswerId::at).filter(|answer| instance.test(test).allows(*object, *answer));
            let mine: Vec<AnswerId> = mine.collect();
            for answer in &mine {
                let Some(child) = children.get(answer) else {
                    let (object, answer) =
                        (object_name(instance, *object), answer_text(instance, test, *answer));
                    return Err(CheckError::MissingChild { object, test: name(), answer });
                };
                self.at_node[child.index()].push((*object, share / mine.len() as f64));
            }
        }
        for (answer, child) in &children {
            if self.at_node[child.index()].is_empty() {
                let answer = answer_text(instance, test, *answer);
                return Err(CheckError::UnreachedChild { test: name(), answer });
            }
            self.asked[child.index()] = [&self.asked[at][..], &[(test, *answer)]].concat();
        }
        Ok(())
    }

    /// Verifies that the leaf lists exactly the objects that reach it, and that no test would tell anything more.
    fn end(
        &mut self,
        at: usize,
        listed: &[ObjectId],
        visitors: &[Visitor],
        may_be_open: bool,
    ) -> Result<(), CheckError> {
        let instance = self.instance;
        let mut listed = listed.to_vec();
        listed.sort_unstable();
        if let Some(pair) = listed.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(CheckError::ListedTwice { object: object_name(instance, pair[0]) });
        }
        let mut came: Vec<ObjectId> = visitors.iter().map(|(object, _)| *object).collect();
        came.sort_unstable();
        if let Some(object) = came.iter().find(|object| listed.binary_search(object).is_err()) {
            return Err(CheckError::Unlisted { object: object_name(instance, *object) });
        }
        if let Some(object) = listed.iter().find(|object| came.binary_search(object).is_err()) {
            return Err(CheckError::Unreachable { object: object_name(instance, *object) });
        }
        let share = costs::sum(visitors.iter().map(|(_, share)| *share));
        let spent = bill::path(instance, &self.asked[at]);
        self.leaves.push((share, spent));
        let Some(second) = second_group(instance, visitors) else { return Ok(()) };
        let objects = || visitors.iter().map(|(object, _)| *object);
        let is_allowed = |test: &TestId| applies::to_all(instance, *test, objects(), &self.asked[at]).is_ok();
        let left = instance.test_ids().filter(|test| !self.was_asked(at, *test)).filter(is_allowed);
        let said: Vec<(TestId, Says)> = left.map(|test| (test, says(instance, test, visitors))).collect();
        let likeliest = by_group(instance, visitors).into_values().fold(0.0, f64::max);
        let this = Open { leaves: 1, weight: share, error: (share - likeliest).max(0.0) };
        let Some((test, _)) = said.iter().find(|(_, says)| *says == Says::Something) else {
            if said.iter().any(|(_, says)| *says == Says::Hardly) {
                self.doubtful = self.doubtful.and(this);
            }
            return Ok(());
        };
        if !may_be_open {
            return Err(CheckError::EarlyLeaf {
                first: object_name(instance, visitors[0].0),
                second: object_name(instance, second),
                test: test_name(instance, *test),
            });
        }
        self.open = self.open.and(this);
        Ok(())
    }
}

/// First object of another group than the first one, if there is any.
fn second_group(instance: &Instance, visitors: &[Visitor]) -> Option<ObjectId> {
    let first = instance.group_of(visitors.first()?.0);
    visitors.iter().map(|(object, _)| *object).find(|object| instance.group_of(*object) != first)
}

fn by_group(instance: &Instance, visitors: &[Visitor]) -> BTreeMap<u32, f64> {
    let mut groups = BTreeMap::new();
    for (object, share) in visitors {
        *groups.entry(instance.group_of(*object).0).or_insert(0.0) += share;
    }
    groups
}

/// Information of a test about the groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    Nothing,
    /// Little enough that rounding decides.
    Hardly,
    Something,
}

/// Whether some answer to `test` changes the probabilities of the groups, or two objects of different groups have no
/// answer in common. If all probabilities are 0, all objects count alike.
fn says(instance: &Instance, test: TestId, visitors: &[Visitor]) -> Says {
    let test = instance.test(test);
    let total = costs::sum(visitors.iter().map(|(_, share)| *share));
    let even: Vec<Visitor>;
    let (visitors, total) = match total > 0.0 {
        true => (visitors, total),
        false => {
            even = visitors.iter().map(|(object, _)| (*object, 1.0)).collect();
            (&even[..], visitors.len() as f64)
        }
    };
    let groups = by_group(instance, visitors);
    let mut bits = 0.0f64;
    for answer in (0..test.arity()).map(AnswerId::at) {
        let able = visitors.iter().filter(|(object, _)| test.allows(*object, answer));
        let able: Vec<Visitor> =
            able.map(|(object, share)| (*object, share / test.choices(*object) as f64)).collect();
        let mass = costs::sum(able.iter().map(|(_, share)| *share));
        // Divergence of the groups after the answer from those before it.
        for (group, share) in by_group(instance, &able) {
            if share > 0.0 && groups[&group] > 0.0 {
                bits += share / total * (share / mass * (total / groups[&group])).log2();
            }
        }
    }
    match bits {
        bits if bits >= SOMETHING || parts_groups(instance, test, visitors) => Says::Something,
        bits if bits > NOTHING => Says::Hardly,
        _ => Says::Nothing,
    }
}

/// Whether two objects of different groups have no answer in common.
fn parts_groups(instance: &Instance, test: &Test, visitors: &[Visitor]) -> bool {
    // Objects of one group with the same cell are equal here.
    let mut kinds: BTreeMap<(u32, u32), ObjectId> = BTreeMap::new();
    for (object, _) in visitors {
        kinds.insert((test.cells().get(object.index()), instance.group_of(*object).0), *object);
    }
    kinds.iter().any(|((cell, group), left)| {
        kinds.iter().any(|((other_cell, other), right)| {
            group < other && cell != other_cell && !have_common(test, *left, *right)
        })
    })
}

/// Lower bound on the cost of every strategy by the entropy of coarse groups: `H(q)/s`, `log₂ K/s` or `H_α(q)/s` by
/// objective; computed independently, to check the claims of a strategy. A strategy may leave leaves open and end
/// there with another group than the likeliest with probability `error`; then all three are `(H(q) − h(e) − e log₂(K
/// − 1))/s`, by Fano's inequality.
///
/// Coarse groups: two objects with a common answer to every test may give the same answers throughout, so groups that
/// hold two such objects count as one. Where tests may not be asked everywhere, objects that differ may end together as
/// well.
pub fn bound_of_coarse_groups(instance: &Instance, objective: Objective, error: Option<f64>) -> f64 {
    let masses = coarse_masses(instance);
    let rate = |test: TestId| {
        let cost = bill::least(instance, test) / instance.costs().scale();
        (instance.test(test).arity() as f64).log2() / cost
    };
    let useful = instance.test_ids().filter(|test| instance.test(*test).arity() > 1);
    let rate = useful.map(rate).fold(0.0, f64::max);
    if rate <= 0.0 {
        return 0.0;
    }
    let surprise = |share: f64| if share > 0.0 { -share * share.log2() } else { 0.0 };
    let entropy = costs::sum(masses.iter().map(|mass| surprise(*mass)));
    let others = masses.len() as f64 - 1.0;
    let bits = match (error, objective) {
        (Some(error), _) => {
            let error = error.clamp(0.0, others / (others + 1.0));
            let which = if others > 1.0 { error * others.log2() } else { 0.0 };
            entropy - surprise(error) - surprise(1.0 - error) - which
        }
        (None, Objective::Expected) => entropy,
        (None, Objective::Worst) => (others + 1.0).log2(),
        (None, Objective::Exponential(lambda)) => match lambda.value().log2() {
            0.0 => entropy,
            f64::INFINITY => (others + 1.0).log2(),
            log_lambda => {
                let rest = log_lambda / (rate + log_lambda); // 1 − α
                let likely = masses.iter().filter(|mass| **mass > 0.0);
                costs::sum(likely.map(|mass| mass * (-rest * mass.ln()).exp_m1())).ln_1p()
                    / (rest * std::f64::consts::LN_2)
            }
        },
    };
    (bits / rate).max(0.0)
}

/// Probability of each coarse group.
fn coarse_masses(instance: &Instance) -> Vec<f64> {
    let objects: Vec<ObjectId> = instance.objects().collect();
    let mut coarse: Vec<u32> = objects.iter().map(|object| instance.group_of(*object).0).collect();
    let meets = |left: ObjectId, right: ObjectId| {
        instance.test_ids().map(|test| instance.test(test)).all(|test| have_common(test, left, right))
    };
    let together = if instance.has_premises() { who_may_end_together(instance) } else { Vec::new() };
    for set in together {
        for object in &set {
            let (kept, joined) = (coarse[set[0].index()], coarse[object.index()]);
            coarse.iter_mut().filter(|group| **group == joined).for_each(|group| *group = kept);
        }
    }
    for left in 0..objects.len() {
        for right in left + 1..objects.len() {
            if coarse[left] != coarse[right] && meets(objects[left], objects[right]) {
                let (kept, joined) = (coarse[left], coarse[right]);
                coarse.iter_mut().filter(|group| **group == joined).for_each(|group| *group = kept);
            }
        }
    }
    let mut masses: BTreeMap<u32, f64> = BTreeMap::new();
    for (object, group) in objects.iter().zip(&coarse) {
        *masses.entry(*group).or_insert(0.0) += instance.weight(*object);
    }
    let total = costs::sum(masses.values().copied());
    masses.into_values().map(|mass| mass / total).collect()
}

/// Sets of objects such that no leaf with several groups holds objects of two of them. A set is cut in two wherever some test
/// may be asked of all its objects, whatever was asked before, and no object of one side has an answer in common with one
/// of the other.
///
/// For let a leaf of several groups lie in such a set before the cut. The test may be asked there. If it was asked on the
/// path, all objects of the leaf may give the same answer, and so are on one side; else it would still tell objects of
/// different groups apart, if they were on both sides.
fn who_may_end_together(instance: &Instance) -> Vec<Vec<ObjectId>> {
    let mut finished = Vec::new();
    let mut sets: Vec<Vec<ObjectId>> = vec![instance.objects().collect()];
    while let Some(set) = sets.pop() {
        let allowed = instance
            .test_ids()
            .filter(|test| applies::to_all(instance, *test, set.iter().copied(), &[]).is_ok());
        match allowed.map(|test| one_side(instance.test(test), &set)).find(|side| side.len() < set.len()) {
            None => finished.push(set),
            Some(side) => {
                sets.push(set.into_iter().filter(|object| !side.contains(object)).collect());
                sets.push(side);
            }
        }
    }
    finished
}

/// Objects that are connected with the first one of `set` by answers in common.
fn one_side(test: &Test, set: &[ObjectId]) -> Vec<ObjectId> {
    let answers = || (0..test.arity()).map(AnswerId::at);
    let mut known: Vec<AnswerId> = answers().filter(|answer| test.allows(set[0], *answer)).collect();
    loop {
        let mine = |object: &&ObjectId| known.iter().any(|answer| test.allows(**object, *answer));
        let side: Vec<ObjectId> = set.iter().filter(mine).copied().collect();
        let more: Vec<AnswerId> =
            answers().filter(|answer| side.iter().any(|object| test.allows(*object, *answer))).collect();
        if more.len() == known.len() {
            return side;
        }
        known = more;
    }
}

/// Whether two objects have an answer in common.
fn have_common(test: &Test, left: ObjectId, right: ObjectId) -> bool {
    match test.choices(left) {
        1 => test.allows(right, test.answer(left)),
        _ => (0..test.arity())
            .map(AnswerId::at)
            .any(|answer| test.allows(left, answer) && test.allows(right, answer)),
    }
}
