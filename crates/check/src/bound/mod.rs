//! Checker of bounds: verifies that no tree can cost less than is claimed.
//!
//! A proof is a list of claims "no tree for this set of objects, within this budget, has a value below that". They
//! are verified in order; each may use those before it and the obvious bounds, so no claim can rest on itself.
//! Nothing of the search that found them is needed, and none of its code.
//!
//! A tree for a set of at least two groups asks some test that splits the set, and continues as a tree for each
//! answer's part with the rest of the budget. So the least over all splitting tests of the bounds of their parts is a
//! bound (`Reason::EveryTest`). A tree for a set is also one for each of its parts, if the questions that split
//! nothing there are left out, and no object pays more; so the value of parts is no more than that of the whole
//! (`Reason::Parts`; specification section 11.7). `Reason::MajorityPath` has its own file.
//!
//! If an object must be confirmed by the test of its name, every path to it holds that test. The value of a single
//! object is then the cost of asking that test, unless it was the last question. Everything else stays the same:
//! confirmations only add to the cost of trees, so bounds on trees without them bound those with them.

mod budget;
mod depths;
mod majority_path;
mod measure;
mod nested;
mod obvious;
mod own;
mod parts;
mod path_costs;
mod problem;
mod proved;

use crate::CheckError;
use crate::claims::{TOLERANCE, agree};
use crate::names::{object_name, test_name};
use budget::Budgets;
use fewest_model::{Claim, Costs, Instance, Objective, Pricing, Proof, Reason, TestId};
use measure::Measure;
use obvious::{Obvious, Reach};
pub use own::{own_bound, own_proof};
use parts::{Part, Parts, Split, bits};
use problem::Problem;
use proved::Proved;

/// A bound that the checker has verified.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProvedBound {
    /// Objective whose cost is bounded.
    pub objective: Objective,
    /// Largest worst cost of the trees that the bound is about; infinite for all trees.
    pub cap: f64,
    /// Lower bound on the cost of every tree.
    pub value: f64,
    /// Number of claims verified for it.
    pub claims: usize,
}

/// Verifies that no tree for `instance` costs less than `proof` says.
///
/// # Errors
/// Returns the first claim that does not follow, or the value that is proved if it is less than claimed.
///
/// ```
/// use fewest_model::{Instance, Objective, Proof, Reading, Table};
///
/// let table = Table::from_rows(&[&["object", "legs"], &["bear", "4"], &["hen", "2"]]);
/// let (instance, _) = Instance::new(table, &Reading::default()).unwrap();
/// let proof = |value| Proof { objective: Objective::Worst, cap: f64::INFINITY, value, prices: Vec::new(), claims: Vec::new() };
/// assert_eq!(fewest_check::check_bound(&instance, &proof(1.0)).unwrap().value, 1.0);
/// assert_eq!(
///     fewest_check::check_bound(&instance, &proof(2.0)).unwrap_err().to_string(),
///     "no strategy is said to cost less than 2, but only 1 is proved"
/// );
/// ```
pub fn check_bound(instance: &Instance, proof: &Proof) -> Result<ProvedBound, CheckError> {
    if proof.value.is_nan() {
        return Err(CheckError::BoundNoNumber);
    }
    if proof.cap.is_nan() || proof.cap < 0.0 {
        return Err(CheckError::CapNoNumber { cap: proof.cap });
    }
    let objects = instance.object_count();
    if let Some(at) = proof.prices.iter().position(|prices| prices.len() != objects) {
        return Err(CheckError::Prices { list: at + 1, found: proof.prices[at].len(), objects });
    }
    let Proof { objective, cap, value, .. } = *proof;
    if value <= 0.0 && proof.claims.is_empty() {
        // No strategy costs less than 0, for any weights and costs.
        return Ok(ProvedBound { objective, cap, value, claims: 0 });
    }
    let problem = Problem::new(instance);
    let mut judge = Judge::new(instance, &problem, proof);
    let is_shown = |found: f64| value <= found || agree(value, found);
    if !judge.is_moderate() {
        return match proof.claims.is_empty() && is_shown(own::in_any_units(instance, objective)) {
            true => Ok(ProvedBound { objective, cap, value, claims: 0 }),
            false => Err(CheckError::Immoderate),
        };
    }
    if let Some(at) = proof.claims.iter().position(|claim| claim.open.is_some()) {
        let fault = "says which bundles are open, but no cost of the table depends on the path";
        // Where tests may not be asked everywhere, plain costs are told in the same form.
        let plain = instance.has_premises().then(|| Pricing::plain(instance.costs().units()));
        let pricing = instance.pricing().or(plain.as_ref());
        let pricing = pricing.ok_or(CheckError::PathClaim { claim: at + 1, fault })?;
        return path_costs::check(instance, pricing, &problem, proof);
    }
    for at in 0..proof.claims.len() {
        judge.verify(at)?;
    }
    let found = judge.all_objects();
    let shown = judge.measure.shown(found, &problem);
    if !is_shown(shown) {
        // The bound without any claim may be larger than the one by the claims.
        let shown = judge.measure.shown(judge.at_once(found), &problem);
        if !is_shown(shown) {
            return Err(CheckError::Unproved { claimed: proof.value, found: shown });
        }
    }
    Ok(ProvedBound { objective, cap, value, claims: proof.claims.len() })
}

/// Refuses a bound above the cost of the tree at hand, without looking at any claim.
pub(crate) fn is_not_above(costs: &Costs, proof: &Proof) -> Result<(), CheckError> {
    let cost = costs.get(proof.objective);
    let spoken_of = costs.worst <= proof.cap * (1.0 + TOLERANCE);
    if spoken_of && proof.value > cost && !agree(proof.value, cost) {
        return Err(CheckError::BoundAboveCost { claimed: proof.value, cost });
    }
    Ok(())
}

/// State of the verification of a proof.
struct Judge<'a> {
    instance: &'a Instance,
    problem: &'a Problem,
    proof: &'a Proof,
    measure: Measure,
    obvious: Obvious,
    cap: f64,
    budgets: Budgets,
    proved: Proved,
    /// Current set, with its parts.
    parts: Parts,
    /// Number of objects of each kind in the current set; all 0 between claims.
    present: Vec<u32>,
}

/// Number of a claim, counted from 1, size of its set and claimed value.
#[derive(Clone, Copy)]
struct ClaimHead {
    claim: usize,
    objects: u32,
    value: f64,
}

impl<'a> Judge<'a> {
    fn new(instance: &'a Instance, problem: &'a Problem, proof: &'a Proof) -> Self {
        let measure = Measure::new(proof.objective, problem);
        let obvious = Obvious::new(problem, measure);
        let cap = proof.cap * problem.cost_scale;
        let budgets = Budgets::new(problem, cap);
        Self {
            instance,
            problem,
            proof,
            measure,
            obvious,
            cap: budgets.normal(cap),
            budgets,
            proved: Proved::new(problem.kinds.len().div_ceil(64)),
            parts: Parts::new(problem, measure, obvious.alpha),
            present: vec![0; problem.kinds.len()],
        }
    }

    /// Whether weights, costs and λ are small enough for the checker's arithmetic.
    fn is_moderate(&self) -> bool {
        let growth = match self.measure {
            Measure::Expected | Measure::Worst => 0.0,
            Measure::Exponential { growth, .. } => growth,
        };
        self.problem.is_moderate(growth)
    }

    /// Verifies one claim, given that all before it are true.
    fn verify(&mut self, at: usize) -> Result<(), CheckError> {
        let claim = &self.proof.claims[at];
        if claim.value.is_nan() {
            return Err(CheckError::ClaimNoNumber { claim: at + 1 });
        }
        if claim.budget.is_nan() || claim.budget < 0.0 {
            return Err(CheckError::BudgetNoNumber { claim: at + 1, budget: claim.budget });
        }
        let head = ClaimHead { claim: at + 1, objects: self.take(at + 1, claim)?, value: claim.value };
        self.parts.compute(self.problem);
        let budget = self.budgets.normal(claim.budget);
        let reach = Reach::of(&self.parts, self.problem);
        let simple = self.simple(&self.parts.whole, reach.as_ref(), budget, None);
        let reason = match claim.reason {
            Reason::EveryTest => self.every_test(head, reach.as_ref(), budget),
            Reason::Parts(test) => self.parts_of(head, test, reach.as_ref(), budget),
            Reason::MajorityPath => self.majority_path(head, reach.as_ref()),
        };
        let found = match reason {
            // A set of one group needs no question, so the value of questions does not count.
            Ok(found) if self.parts.whole.groups > 1 => found.value.max(simple),
            Ok(_) => simple,
            Err(error) => return Err(error),
        };
        if !self.measure.allows(claim.value, found) {
            return Err(self.too_much(head, claim.reason, found, reason.ok().and_then(|found| found.test)));
        }
        let Part { hash, kinds, .. } = self.parts.whole;
        self.proved.add(&self.parts.set, (hash, kinds), budget, claim.value.min(found));
        Ok(())
    }

    /// Makes the set of a claim the current set, and counts its objects.
    fn take(&mut self, number: usize, claim: &Claim) -> Result<u32, CheckError> {
        let objects = self.problem.kind_of.len();
        let words = objects.div_ceil(64);
        if claim.objects.len() != words {
            let found = claim.objects.len();
            return Err(CheckError::SetSize { claim: number, found, words, objects });
        }
        self.parts.set.fill(0);
        let mut count = 0;
        for (word, bits) in claim.objects.iter().enumerate() {
            let mut bits = *bits;
            while bits != 0 {
                let object = 64 * word + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let Some(&kind) = self.problem.kind_of.get(object) else {
                    return Err(CheckError::SetBeyond { claim: number, object, objects });
                };
                self.present[kind as usize] += 1;
                self.parts.set[kind as usize / 64] |= 1 << (kind % 64);
                count += 1;
            }
        }
        if count == 0 {
            return Err(CheckError::SetEmpty { claim: number });
        }
        let mut parted = None;
        for kind in bits(&self.parts.set) {
            if std::mem::take(&mut self.present[kind]) != self.problem.kinds[kind].size {
                parted = Some(kind);
            }
        }
        match parted {
            None => Ok(count),
            Some(kind) => {
                let object = object_name(self.instance, self.problem.kinds[kind].first);
                Err(CheckError::TwinsParted { claim: number, object })
            }
        }
    }

    /// Best bound on all objects within the cap, after all claims were verified.
    fn all_objects(&mut self) -> f64 {
        self.parts.set.fill(0);
        (0..self.problem.kinds.len()).for_each(|kind| self.parts.set[kind / 64] |= 1 << (kind % 64));
        self.parts.compute(self.problem);
        let reach = Reach::of(&self.parts, self.problem);
        let whole = self.parts.whole;
        let all = |set: &[u64]| set == self.parts.set;
        let claimed = self.proved.best((whole.hash, whole.kinds), self.cap, self.budgets, all);
        self.simple(&whole, reach.as_ref(), self.cap, None).max(claimed)
    }

    /// Bound from one pass over all objects, which must be the current set; or `proved` if that is more.
    fn at_once(&self, proved: f64) -> f64 {
        if self.parts.whole.groups <= 1 {
            return proved;
        }
        let reach = Reach::of(&self.parts, self.problem);
        let head = ClaimHead { claim: 0, objects: 0, value: f64::NEG_INFINITY };
        let mut found = proved;
        for reason in
            [self.every_test(head, reach.as_ref(), self.cap), self.majority_path(head, reach.as_ref())]
        {
            found = reason.map_or(found, |reason| found.max(reason.value));
        }
        if let (Measure::Expected, Some(reach)) = (self.measure, &reach) {
            let code = own::huffman(self.problem.group_weights(), reach.radix) * reach.cheapest;
            let lifted = self.parts.splits.iter().map(|split| self.after(split, reach));
            let lifted = lifted.fold(f64::INFINITY, f64::min);
            found = found.max(self.obvious.round_expected(code)).max(self.obvious.round_expected(lifted));
        }
        found
    }

    /// Expected cost of all objects if `split` is asked first and its parts cost as much as the obvious bound or the
    /// best code for their groups.
    fn after(&self, split: &Split, reach: &Reach) -> f64 {
        let test = &self.problem.tests[split.test];
        let mut by_answer = own::group_weights_by_answer(self.problem, test);
        let part = |part: &Part| {
            let weights = std::mem::take(&mut by_answer[part.answer as usize]);
            let code = own::huffman(weights, reach.radix) * reach.cheapest;
            self.simple(part, Some(reach), f64::INFINITY, Some(split.test)).max(code)
        };
        let parts: f64 = self.parts.of(split).iter().map(part).sum();
        test.cost * self.parts.whole.mass + parts
    }

    /// Obvious lower bound of `part` of the current set; `last` is the test that was just asked.
    fn simple(&self, part: &Part, reach: Option<&Reach>, budget: f64, last: Option<usize>) -> f64 {
        let Some(reach) = reach.filter(|_| part.groups > 1) else {
            return self.single_object_value(part, budget, last);
        };
        if budget < f64::INFINITY && self.budgets.exceeded(self.obvious.worst(part, reach), budget) {
            return f64::INFINITY;
        }
        self.obvious.value(self.measure, part, reach)
    }

    /// Value of a leaf, or of asking the confirming test if the object must still be confirmed.
    fn single_object_value(&self, part: &Part, budget: f64, last: Option<usize>) -> f64 {
        let leaf = self.measure.leaf(part.mass);
        match self.problem.kinds[part.kind as usize].confirming {
            Some(test) if part.kinds == 1 && last != Some(test) => {
                let cost = self.problem.tests[test].cost;
                if self.budgets.exceeded(cost, budget) {
                    return f64::INFINITY;
                }
                self.measure.ask(cost, part.mass, leaf)
            }
            _ => leaf,
        }
    }

    /// Lower bound of `part`, which gives one answer to `test`: obvious, or by an earlier claim.
    fn value(&self, part: &Part, test: usize, reach: &Reach, budget: f64, last: Option<usize>) -> f64 {
        let simple = self.simple(part, Some(reach), budget, last);
        if part.groups == 1 || simple == f64::INFINITY {
            return simple;
        }
        let is_it = |set: &[u64]| self.parts.is_part(set, test, &self.problem.tests[test], part.answer);
        simple.max(self.proved.best((part.hash, part.kinds), budget, self.budgets, is_it))
    }

    /// Least over the splitting tests of the bounds of their parts.
    fn every_test(&self, head: ClaimHead, reach: Option<&Reach>, budget: f64) -> Result<Found, CheckError> {
        let mut least = Found { value: f64::INFINITY, test: None };
        let Some(reach) = reach else { return Ok(least) };
        for split in &self.parts.splits {
            let (test, parts) = (split.test, self.parts.of(split));
            let cost = self.problem.tests[test].cost;
            if self.budgets.exceeded(cost, budget) {
                continue;
            }
            let rest = self.budgets.after(budget, cost);
            let ask = |values: &[f64]| {
                self.measure.ask(cost, self.parts.whole.mass, self.measure.join(values.iter().copied()))
            };
            let simple: Vec<f64> =
                parts.iter().map(|part| self.simple(part, Some(reach), rest, Some(test))).collect();
            let mut value = ask(&simple);
            if value < head.value {
                let best = parts.iter().map(|part| self.value(part, test, reach, rest, Some(test)));
                value = ask(&best.collect::<Vec<f64>>());
            }
            if value < least.value {
                least = Found { value, test: Some(test) };
            }
        }
        Ok(least)
    }

    /// Lower bound of the parts of one test together.
    fn parts_of(
        &self,
        head: ClaimHead,
        test: TestId,
        reach: Option<&Reach>,
        budget: f64,
    ) -> Result<Found, CheckError> {
        let tests = self.problem.tests.len();
        if test.index() >= tests {
            return Err(CheckError::ClaimUnknownTest { claim: head.claim, number: test.0, tests });
        }
        if budget < f64::INFINITY {
            return Err(CheckError::PartsWithBudget { claim: head.claim });
        }
        let split = self.parts.splits.iter().find(|split| split.test == test.index());
        let (Some(split), Some(reach)) = (split, reach) else {
            return Ok(Found { value: f64::NEG_INFINITY, test: Some(test.index()) });
        };
        let values: Vec<f64> = self
            .parts
            .of(split)
            .iter()
            .map(|part| self.value(part, test.index(), reach, budget, None))
            .collect();
        Ok(Found { value: self.measure.join(values.into_iter()), test: Some(test.index()) })
    }

    /// Lower bound by the majority path.
    fn majority_path(&self, head: ClaimHead, reach: Option<&Reach>) -> Result<Found, CheckError> {
        let Some(reach) = reach else { return Ok(Found { value: f64::NEG_INFINITY, test: None }) };
        if let Some((first, second)) = reach.uneven {
            let [first, second] = [first, second].map(|test| test_name(self.instance, TestId::at(test)));
            return Err(CheckError::MajorityPathUneven { claim: head.claim, first, second });
        }
        let value = match self.measure {
            Measure::Expected => majority_path::expected(
                &self.parts,
                self.problem,
                &self.proof.prices,
                reach,
                &self.obvious,
                head.value,
            ),
            Measure::Worst => majority_path::worst(&self.parts, self.problem, &self.proof.prices, reach),
            Measure::Exponential { .. } => {
                return Err(CheckError::MajorityPathExponential { claim: head.claim });
            }
        };
        Ok(Found { value, test: None })
    }

    /// Error for a claim that follows the rules but claims too much.
    fn too_much(&self, head: ClaimHead, reason: Reason, found: f64, test: Option<usize>) -> CheckError {
        let ClaimHead { claim, objects, value: claimed } = head;
        let test = test.map(|test| test_name(self.instance, TestId::at(test)));
        match (reason, test) {
            _ if self.parts.whole.groups == 1 => {
                CheckError::ClaimOfOneGroup { claim, objects, claimed, found }
            }
            (Reason::EveryTest, Some(test)) => {
                CheckError::ClaimOfTests { claim, objects, claimed, test, found }
            }
            (Reason::Parts(_), Some(test)) => {
                CheckError::ClaimOfParts { claim, objects, claimed, test, found }
            }
            (Reason::EveryTest | Reason::Parts(_) | Reason::MajorityPath, _) => {
                CheckError::ClaimOfMajorityPath { claim, objects, claimed, found }
            }
        }
    }
}

/// Result of a reason, and the test that decides.
#[derive(Clone, Copy)]
struct Found {
    value: f64,
    test: Option<usize>,
}
