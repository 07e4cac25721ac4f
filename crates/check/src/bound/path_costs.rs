//! Claims about costs that depend on the path: set-ups that tests share, and costs by answer.
//!
//! Such a claim says: no tree for this set of objects, where these bundles are paid already and no path costs more
//! than the budget, has a value below that. A tree asks some test that splits the set; its parts pay the cost of
//! their answer and the set-up, unless that is paid, and go on where the test's bundle is open (`Reason::EveryTest`).
//! A tree for a set serves each part at no higher cost (`Reason::Parts`).
//!
//! What is known for other open bundles helps as well. Where fewer are open, trees cost more, by the missing set-ups at
//! most: so the value for open bundles O is at least that for O', less the set-ups of O that are not in O'. Bundles that
//! hold no test that splits the set do not count.

use super::measure::Measure;
use super::problem::Problem;
use super::{ProvedBound, budget::SLACK};
use crate::CheckError;
use crate::applies;
use crate::claims::agree;
use crate::names::test_name;
use fewest_model::{AnswerId, Claim, Instance, ObjectId, OpenBundles, Pricing, Proof, Reason, TestId};
use std::collections::BTreeMap;

/// Relative amount by which bounds are lowered for rounding.
const ROUNDING: f64 = 1e-12;

const MIXED: &str = "does not say which bundles are open, as other claims do";
const NO_REASON: &str = "rests on the majority path, which is no reason where costs depend on the path";

/// Set of objects, one bit each.
type Set = Vec<u64>;

/// Verifies a proof in which every claim says what bundles are open.
pub(super) fn check(
    instance: &Instance,
    pricing: &Pricing,
    problem: &Problem,
    proof: &Proof,
) -> Result<ProvedBound, CheckError> {
    let measure = Measure::new(proof.objective, problem);
    let growth = match measure {
        Measure::Exponential { growth, .. } => growth,
        Measure::Expected | Measure::Worst => 0.0,
    };
    let slack = if proof.cap.is_finite() { SLACK * proof.cap * problem.cost_scale } else { 0.0 };
    let mut judge = Judge { instance, pricing, measure, growth, slack, proved: BTreeMap::new() };
    for (at, claim) in proof.claims.iter().enumerate() {
        let Some(open) = &claim.open else {
            return Err(CheckError::PathClaim { claim: at + 1, fault: MIXED });
        };
        judge.verify(at + 1, claim, open)?;
    }
    let all = of_objects(instance, instance.objects());
    let nothing = OpenBundles::default();
    let found = judge.known(&all, &nothing, proof.cap * problem.cost_scale);
    let shown = measure.shown(found, problem);
    if shown < proof.value && !agree(shown, proof.value) {
        return Err(CheckError::Unproved { claimed: proof.value, found: shown.max(0.0) });
    }
    let Proof { objective, cap, value, .. } = *proof;
    Ok(ProvedBound { objective, cap, value, claims: proof.claims.len() })
}

struct Judge<'a> {
    instance: &'a Instance,
    pricing: &'a Pricing,
    measure: Measure,
    /// Growth `ln λ` per unit of cost; 0 if the cost is not exponential.
    growth: f64,
    /// Allowance for rounding when costs are compared with budgets.
    slack: f64,
    /// Claims that were verified, by set: open bundles, budget and value.
    proved: BTreeMap<Set, Vec<(OpenBundles, f64, f64)>>,
}

/// Test that splits a set, with the part for each answer.
struct Split {
    test: TestId,
    parts: Vec<(AnswerId, Set)>,
}

impl Judge<'_> {
    fn verify(&mut self, number: usize, claim: &Claim, open: &OpenBundles) -> Result<(), CheckError> {
        if claim.value.is_nan() {
            return Err(CheckError::ClaimNoNumber { claim: number });
        }
        if claim.budget.is_nan() || claim.budget < 0.0 {
            return Err(CheckError::BudgetNoNumber { claim: number, budget: claim.budget });
        }
        let set = self.take(number, claim)?;
        let open: OpenBundles = open.iter().filter(|bundle| *bundle < self.pricing.bundles().len()).collect();
        let splits = self.splits(&set);
        let objects = bits(&set).count() as u32;
        let weights = self.group_weights(&set);
        let (mut found, test) = match claim.reason {
            _ if weights.len() == 1 => (self.measure.leaf(weights[0]), None),
            Reason::EveryTest => self.every_test(&set, &splits, &open, claim.budget),
            Reason::Parts(test) => self.parts(number, &splits, test, &open, claim.budget)?,
            Reason::MajorityPath => return Err(CheckError::PathClaim { claim: number, fault: NO_REASON }),
        };
        if weights.len() > 1 {
            found = found.max(self.floor(&splits, &open, &weights, claim.budget));
        }
        if !self.measure.allows(claim.value, found) {
            let claimed = claim.value;
            return Err(match test.map(|test| test_name(self.instance, test)) {
                _ if weights.len() == 1 => {
                    CheckError::ClaimOfOneGroup { claim: number, objects, claimed, found }
                }
                Some(test) if claim.reason == Reason::EveryTest => {
                    CheckError::ClaimOfTests { claim: number, objects, claimed, test, found }
                }
                Some(test) => CheckError::ClaimOfParts { claim: number, objects, claimed, test, found },
                None => CheckError::ClaimOfMajorityPath { claim: number, objects, claimed, found },
            });
        }
        self.proved.entry(set).or_default().push((open, claim.budget, claim.value.min(found)));
        Ok(())
    }

    /// Set of a claim.
    fn take(&self, number: usize, claim: &Claim) -> Result<Set, CheckError> {
        let objects = self.instance.object_count();
        let words = objects.div_ceil(64);
        if claim.objects.len() != words {
            let found = claim.objects.len();
            return Err(CheckError::SetSize { claim: number, found, words, objects });
        }
        match bits(&claim.objects).find(|object| *object >= objects) {
            Some(object) => Err(CheckError::SetBeyond { claim: number, object, objects }),
            None if bits(&claim.objects).next().is_none() => Err(CheckError::SetEmpty { claim: number }),
            None => Ok(claim.objects.clone()),
        }
    }

    /// All tests that split a set.
    fn splits(&self, set: &Set) -> Vec<Split> {
        let split = |test: TestId| {
            let mut parts: BTreeMap<AnswerId, Vec<ObjectId>> = BTreeMap::new();
            for object in bits(set).map(ObjectId::at) {
                parts.entry(self.instance.answer(object, test)).or_default().push(object);
            }
            let parts =
                parts.into_iter().map(|(answer, part)| (answer, of_objects(self.instance, part.into_iter())));
            Split { test, parts: parts.collect() }
        };
        self.instance.test_ids().map(split).filter(|split| split.parts.len() > 1).collect()
    }

    /// Weight of each group in a set.
    fn group_weights(&self, set: &Set) -> Vec<f64> {
        let mut weights: BTreeMap<u32, f64> = BTreeMap::new();
        for object in bits(set).map(ObjectId::at) {
            *weights.entry(self.instance.group_of(object).0).or_insert(0.0) += self.instance.weight(object);
        }
        weights.into_values().collect()
    }

    /// Least over the tests of what their parts pay, and the test that decides.
    ///
    /// Tests that may not be asked here count in the floors below, for they may be asked later.
    fn every_test(
        &self,
        set: &Set,
        splits: &[Split],
        open: &OpenBundles,
        budget: f64,
    ) -> (f64, Option<TestId>) {
        let mut least = (f64::INFINITY, None);
        let may_ask = |split: &&Split| {
            let objects = bits(set).map(ObjectId::at);
            applies::to_all(self.instance, split.test, objects, &[]).is_ok()
        };
        for Split { test, parts } in splits.iter().filter(may_ask) {
            let bundle = self.pricing.bundles().iter().position(|bundle| bundle.tests.contains(test));
            let setup = match bundle {
                Some(bundle) if !open.contains(bundle) => self.pricing.bundles()[bundle].setup,
                _ => 0.0,
            };
            let after: OpenBundles = open.iter().chain(bundle).collect();
            let values = parts.iter().map(|(answer, part)| {
                let step = self.pricing.own(*test, *answer) + setup;
                if step > budget + self.slack {
                    return f64::INFINITY;
                }
                let weights = self.group_weights(part);
                let rest = (budget - step).max(0.0);
                let below = match weights.len() {
                    1 => self.measure.leaf(weights[0]),
                    _ => self.known(part, &after, rest).max(self.floor(splits, &after, &weights, rest)),
                };
                self.measure.ask(step, weights.iter().sum(), below)
            });
            let values: Vec<f64> = values.collect();
            let value = self.measure.join(values.into_iter());
            if value < least.0 {
                least = (value, Some(*test));
            }
        }
        least
    }

    /// Value of the parts of one test together.
    fn parts(
        &self,
        number: usize,
        splits: &[Split],
        test: TestId,
        open: &OpenBundles,
        budget: f64,
    ) -> Result<(f64, Option<TestId>), CheckError> {
        let tests = self.instance.test_count();
        if test.index() >= tests {
            return Err(CheckError::ClaimUnknownTest { claim: number, number: test.0, tests });
        }
        let Some(split) = splits.iter().find(|split| split.test == test) else {
            return Ok((f64::NEG_INFINITY, Some(test)));
        };
        let values = split.parts.iter().map(|(_, part)| {
            let weights = self.group_weights(part);
            match weights.len() {
                1 => self.measure.leaf(weights[0]),
                _ => self.known(part, open, budget).max(self.floor(splits, open, &weights, budget)),
            }
        });
        let values: Vec<f64> = values.collect();
        Ok((self.measure.join(values.into_iter()), Some(test)))
    }

    /// Best value that earlier claims prove for a set.
    fn known(&self, set: &Set, open: &OpenBundles, budget: f64) -> f64 {
        let Some(claims) = self.proved.get(set) else { return f64::NEG_INFINITY };
        let is_relevant = |bundle: &usize| {
            let tests = &self.pricing.bundles()[*bundle].tests;
            tests.iter().any(|test| {
                let mut answers = bits(set).map(|object| self.instance.answer(ObjectId::at(object), *test));
                let first = answers.next();
                answers.any(|answer| Some(answer) != first)
            })
        };
        let relevant: Vec<usize> = open.iter().filter(is_relevant).collect();
        let mass: f64 = bits(set).map(|object| self.instance.weight(ObjectId::at(object))).sum();
        let mut best = f64::NEG_INFINITY;
        for (claimed, limit, value) in claims {
            let missing = relevant.iter().filter(|bundle| !claimed.contains(**bundle));
            let missing: f64 = missing.map(|bundle| self.pricing.bundles()[*bundle].setup).sum();
            if *limit >= budget + missing - 1e-5 * self.slack {
                let less = match self.measure {
                    Measure::Expected => missing * mass,
                    Measure::Worst => missing,
                    Measure::Exponential { .. } => missing * self.growth,
                };
                best = best.max(if less > 0.0 { value - less } else { *value });
            }
        }
        best
    }

    /// Lower bound of a part of a set that `splits` split, by the entropy of its groups; infinite if the budget does
    /// not suffice. Each test is priced at its cost by answer and, where its bundle is not open, an equal share of the
    /// set-up among the tests that split the set.
    fn floor(&self, splits: &[Split], open: &OpenBundles, weights: &[f64], budget: f64) -> f64 {
        let (mut rate, mut cheapest, mut radix) = (0.0f64, f64::INFINITY, 2);
        for Split { test, parts } in splits {
            let bundles = self.pricing.bundles().iter().enumerate();
            let bundle =
                bundles.filter(|(number, _)| !open.contains(*number)).find(|(_, b)| b.tests.contains(test));
            let share = bundle.map_or(0.0, |(_, bundle)| {
                let sharing = splits.iter().filter(|split| bundle.tests.contains(&split.test)).count();
                bundle.setup / sharing as f64 * (1.0 - ROUNDING)
            });
            let prices: Vec<f64> =
                parts.iter().map(|(answer, _)| self.pricing.own(*test, *answer) + share).collect();
            cheapest = prices.iter().copied().fold(cheapest, f64::min);
            radix = radix.max(prices.len());
            rate = rate.max(most_bits(&prices));
        }
        let groups = weights.len();
        let mut depth = 0.0;
        let mut leaves = 1usize;
        while leaves < groups {
            (leaves, depth) = (leaves.saturating_mul(radix), depth + 1.0);
        }
        let worst = (depth * cheapest).max((groups as f64).log2() / rate * (1.0 - ROUNDING));
        if worst > budget + self.slack {
            return f64::INFINITY;
        }
        let mass: f64 = weights.iter().sum();
        match self.measure {
            Measure::Worst => worst,
            Measure::Expected => {
                let term = |weight: f64| if weight > 0.0 { weight * weight.log2() } else { 0.0 };
                let bits = term(mass) - weights.iter().copied().map(term).sum::<f64>();
                let bits = bits - ROUNDING * (term(mass).abs() + mass);
                (bits / rate).max(mass * cheapest * (1.0 - ROUNDING)).max(0.0)
            }
            Measure::Exponential { .. } => {
                let once = mass.ln() + self.growth * cheapest;
                let alpha = rate / (rate + self.growth / std::f64::consts::LN_2);
                let found = match rate.is_infinite() {
                    true => once,
                    false => {
                        let powers = weights.iter().filter(|weight| **weight > 0.0);
                        let powers: f64 = powers.map(|weight| weight.powf(alpha)).sum();
                        ((powers.ln() - (groups as f64 + 8.0) * f64::EPSILON) / alpha).max(once)
                    }
                };
                found - 1e-14 * (1.0 + found.abs())
            }
        }
    }
}

/// Most bits per unit of cost of a test with these costs by answer: the root of `Σ 2^(−s c) = 1`, rounded up.
fn most_bits(costs: &[f64]) -> f64 {
    let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
    if least <= 0.0 {
        return f64::INFINITY;
    }
    let sum = |s: f64| costs.iter().map(|cost| (-s * cost).exp2()).sum::<f64>();
    // Newton's method from below rises to the root, for the sum is convex; one more step of safety at the end.
    let most = (costs.len() as f64).log2() / least;
    let mut low = (costs.len() as f64).log2() / costs.iter().copied().fold(0.0, f64::max);
    for _ in 0..100 {
        let slope: f64 = costs.iter().map(|cost| -cost * std::f64::consts::LN_2 * (-low * cost).exp2()).sum();
        low = (low - (sum(low) - 1.0) / slope).clamp(low, most);
    }
    let high = low * (1.0 + ROUNDING);
    if sum(high) <= 1.0 { high } else { most * (1.0 + ROUNDING) }
}

fn of_objects(instance: &Instance, objects: impl Iterator<Item = ObjectId>) -> Set {
    let mut set = vec![0; instance.object_count().div_ceil(64)];
    objects.for_each(|object| set[object.index() / 64] |= 1 << (object.index() % 64));
    set
}

/// Members of a set.
fn bits(set: &[u64]) -> impl Iterator<Item = usize> {
    (0..64 * set.len()).filter(|at| set[at / 64] >> (at % 64) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_bits_solve_their_equation() {
        for costs in [&[1.0, 1.0][..], &[1.0, 2.0], &[3.0, 0.5, 7.0], &[100.0, 0.01]] {
            let rate = most_bits(costs);
            let sum: f64 = costs.iter().map(|cost| (-rate * cost).exp2()).sum();
            assert!((1.0 - 1e-9..=1.0 + 1e-12).contains(&sum), "{costs:?}: {rate} {sum}");
        }
        assert_eq!(most_bits(&[0.0, 1.0]), f64::INFINITY);
    }
}
