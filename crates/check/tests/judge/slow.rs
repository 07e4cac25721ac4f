//! What the judge sees without an earlier claim, against the formulas written out over lists of objects.
//!
//! That no bound is above the optimum is tested elsewhere; here each must be as strong as its formula says. Numbers are in
//! the units of claims.

use crate::brute_force::tables;
use crate::common::{cases, confirmed_instance, instance};
use crate::oracle::Oracle;
use fewest_check::{CheckError, check_bound, own_bound};
use fewest_model::{Claim, Instance, Lambda, ObjectId, Objective, Proof, Reason, TestId};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The judge, slow and obvious. Sets are lists of objects.
struct Slow<'a> {
    instance: &'a Instance,
    objective: Objective,
    prices: Vec<Vec<u8>>,
}

/// What the tests that split a set can do at best.
struct Best {
    /// `log₂(answers) / cost`.
    rate: f64,
    cheapest: f64,
    answers: usize,
    /// Answers that do not confirm an object of the set.
    leads: usize,
}

/// `x log₂ x`.
fn phi(x: f64) -> f64 {
    if x > 0.0 { x * x.log2() } else { 0.0 }
}

/// The next multiple of `step`.
fn lifted(value: f64, step: Option<f64>) -> f64 {
    step.map_or(value, |step| (value / step - 1e-9).ceil() * step)
}

/// The greatest number that divides all of these, if they are whole.
fn step(scaled: &fewest_model::Scaled) -> Option<f64> {
    let most = scaled.units().iter().copied().fold(0.0, f64::max) as u64;
    let divides = |step: &u64| scaled.units().iter().all(|unit| (*unit as u64).is_multiple_of(*step));
    (1..=most).rev().find(divides).filter(|_| scaled.is_exact()).map(|step| step as f64)
}

/// The least sum of depths of `leaves` leaves below nodes of at most `children` children: leaves at the root, of which the
/// shallowest becomes a node with two leaves, or with one more where a node has room.
fn depths(leaves: usize, children: usize) -> f64 {
    let mut at = vec![0u32; 1];
    let mut room: Vec<u32> = Vec::new();
    while at.len() < leaves {
        at.sort_unstable_by_key(|depth| std::cmp::Reverse(*depth));
        room.sort_unstable_by_key(|depth| std::cmp::Reverse(*depth));
        match room.last() {
            // A leaf more in a node costs its depth; opening a leaf costs its depth and two.
            Some(depth) if *depth <= at[at.len() - 1] + 2 => at.extend(room.pop()),
            _ => {
                let depth = at.pop().unwrap() + 1;
                at.extend([depth, depth]);
                room.extend(std::iter::repeat_n(depth, children - 2));
            }
        }
    }
    at.into_iter().map(f64::from).sum()
}

/// The depths at which objects end, if one ends at each question and a question leads to at most `leads` others.
fn ends(objects: usize, leads: usize) -> Vec<f64> {
    let (mut ends, mut questions, mut depth) = (Vec::new(), 1, 1.0);
    while ends.len() < objects {
        ends.extend(std::iter::repeat_n(depth, questions.min(objects - ends.len())));
        (questions, depth) = (questions * leads, depth + 1.0);
    }
    ends
}

/// `⌈log_radix count⌉`.
fn questions(count: usize, radix: usize) -> usize {
    (0..).find(|questions| radix.pow(*questions) >= count).unwrap() as usize
}

/// Huffman's code.
fn huffman(mut weights: Vec<f64>, radix: usize) -> f64 {
    while weights.len() > 1 && !(weights.len() - 1).is_multiple_of(radix - 1) {
        weights.push(0.0);
    }
    let mut paid = 0.0;
    while weights.len() > 1 {
        weights.sort_by(|left, right| right.total_cmp(left));
        let merged: f64 = weights.split_off(weights.len() - radix).iter().sum();
        weights.push(merged);
        paid += merged;
    }
    paid
}

/// The greatest convex function below points, at the place of one of them.
fn hull(points: &[(f64, f64)], at: usize) -> f64 {
    let (x, y) = points[at];
    let mut least = y;
    for (left, low) in &points[..at] {
        for (right, high) in &points[at + 1..] {
            least = least.min(low + (high - low) * (x - left) / (right - left));
        }
    }
    least
}

/// The least `Σ_j (j q_j + cost(q_j)) + K s + depths(s)` with `q_1 + … + q_j ≤ off_j`, by trying everything: what `count`
/// objects cost from question `at` on, when all but `left` are gone.
fn share_out(off: &[usize], count: usize, cost: &dyn Fn(usize) -> f64) -> f64 {
    let mut from: Vec<f64> = (0..=count).map(|left| (off.len() * left) as f64 + depths(left, 2)).collect();
    for at in (0..off.len()).rev() {
        let best = |left: usize| {
            let most = left.min(off[at].saturating_sub(count - left));
            let leave = |leave: usize| ((at + 1) * leave) as f64 + cost(leave) + from[left - leave];
            (0..=most).map(leave).fold(f64::INFINITY, f64::min)
        };
        from = (0..=count).map(best).collect();
    }
    from[count]
}

/// The questions after which at most one object is left.
fn until_one_is_left(mut off: Vec<usize>, count: usize) -> Vec<usize> {
    if let Some(at) = off.iter().position(|off| off + 1 >= count) {
        off.truncate(at + 1);
    }
    off
}

impl Slow<'_> {
    fn weight(&self, set: &[ObjectId]) -> f64 {
        set.iter().map(|object| self.instance.weight(*object)).sum()
    }

    fn cost(&self, test: TestId) -> f64 {
        self.instance.costs().units()[test.index()]
    }

    fn by<K: Ord>(&self, set: &[ObjectId], key: impl Fn(ObjectId) -> K) -> Vec<Vec<ObjectId>> {
        let mut parts: BTreeMap<K, Vec<ObjectId>> = BTreeMap::new();
        set.iter().for_each(|object| parts.entry(key(*object)).or_default().push(*object));
        parts.into_values().collect()
    }

    fn parts(&self, set: &[ObjectId], test: TestId) -> Vec<Vec<ObjectId>> {
        self.by(set, |object| self.instance.answer(object, test))
    }

    fn groups(&self, set: &[ObjectId]) -> Vec<Vec<ObjectId>> {
        self.by(set, |object| self.instance.group_of(object))
    }

    fn row(&self, object: ObjectId) -> Vec<u32> {
        self.instance.test_ids().map(|test| self.instance.answer(object, test).0).collect()
    }

    /// Objects of one group with equal rows count as one.
    fn kinds(&self, set: &[ObjectId]) -> Vec<Vec<ObjectId>> {
        self.by(set, |object| (self.instance.group_of(object), self.row(object)))
    }

    fn splitting(&self, set: &[ObjectId]) -> Vec<TestId> {
        self.instance.test_ids().filter(|test| self.parts(set, *test).len() > 1).collect()
    }

    fn best(&self, set: &[ObjectId]) -> Best {
        let tests = self.splitting(set);
        let answers = |test: TestId| self.parts(set, test).len();
        let confirms =
            |test: TestId| set.iter().any(|object| self.instance.confirming(*object) == Some(test));
        Best {
            rate: tests
                .iter()
                .map(|test| (answers(*test) as f64).log2() / self.cost(*test))
                .fold(0.0, f64::max),
            cheapest: tests.iter().map(|test| self.cost(*test)).fold(f64::INFINITY, f64::min),
            answers: tests.iter().map(|test| answers(*test)).fold(2, usize::max),
            leads: tests.iter().map(|test| answers(*test) - usize::from(confirms(*test))).fold(1, usize::max),
        }
    }

    /// `ln λ` per unit of cost.
    fn growth(&self) -> Option<f64> {
        match self.objective {
            Objective::Exponential(lambda) if lambda.value() > 1.0 && lambda.value().is_finite() => {
                Some(lambda.ln() / self.instance.costs().scale())
            }
            _ => None,
        }
    }

    fn is_worst(&self) -> bool {
        match self.objective {
            Objective::Exponential(lambda) => lambda.value().is_infinite(),
            objective => objective == Objective::Worst,
        }
    }

    fn leaf(&self, set: &[ObjectId]) -> f64 {
        if self.growth().is_some() { self.weight(set).ln() } else { 0.0 }
    }

    fn together(&self, parts: &[f64]) -> f64 {
        match self.growth() {
            _ if self.is_worst() => parts.iter().copied().fold(0.0, f64::max),
            None => parts.iter().sum(),
            Some(_) => parts.iter().map(|part| part.exp()).sum::<f64>().ln(),
        }
    }

    fn asked(&self, set: &[ObjectId], test: TestId, parts: &[f64]) -> f64 {
        self.together(parts)
            + self.cost(test)
                * match self.growth() {
                    _ if self.is_worst() => 1.0,
                    None => self.weight(set),
                    Some(growth) => growth,
                }
    }

    fn cost_step(&self) -> Option<f64> {
        step(self.instance.costs())
    }

    fn product_step(&self) -> Option<f64> {
        step(self.instance.weights()).zip(self.cost_step()).map(|(weight, cost)| weight * cost)
    }

    /// The weight of every kind, where all weigh the same and are groups of their own.
    fn plain(&self, set: &[ObjectId]) -> Option<f64> {
        let kinds = self.kinds(set);
        let first = self.weight(&kinds[0]);
        (kinds.len() == self.groups(set).len() && kinds.iter().all(|kind| self.weight(kind) == first))
            .then_some(first)
    }

    fn obvious_worst(&self, part: &[ObjectId], best: &Best) -> f64 {
        let groups = self.groups(part).len();
        let deep = match self.instance.needs_confirmation() {
            true => ends(groups, best.leads).into_iter().fold(0.0, f64::max),
            false => questions(groups, best.answers) as f64,
        };
        (deep * best.cheapest).max(lifted((groups as f64).log2() / best.rate, self.cost_step()))
    }

    /// What is obvious of a part of a set whose tests can do what `best` says.
    fn obvious(&self, part: &[ObjectId], best: &Best, budget: f64, last: Option<TestId>) -> f64 {
        if self.groups(part).len() == 1 {
            return match self.instance.confirming(part[0]) {
                Some(test) if self.kinds(part).len() == 1 && last != Some(test) => {
                    if self.cost(test) > budget {
                        return f64::INFINITY;
                    }
                    self.asked(part, test, &[self.leaf(part)])
                }
                _ => self.leaf(part),
            };
        }
        if self.obvious_worst(part, best) > budget {
            return f64::INFINITY;
        }
        let weight = self.weight(part);
        let groups = self.groups(part);
        match self.growth() {
            _ if self.is_worst() => self.obvious_worst(part, best),
            None => {
                let bits = phi(weight) - groups.iter().map(|group| phi(self.weight(group))).sum::<f64>();
                let kinds = self.kinds(part).len();
                let sum = || match self.instance.needs_confirmation() {
                    true => ends(kinds, best.leads).into_iter().sum::<f64>(),
                    false => depths(kinds, best.answers),
                };
                let depths = self.plain(part).map_or(0.0, |each| each * sum() * best.cheapest);
                lifted(bits / best.rate, self.product_step()).max(best.cheapest * weight).max(depths)
            }
            Some(growth) => {
                let all: Vec<ObjectId> = self.instance.objects().collect();
                let rate = self.best(&all).rate;
                let alpha = rate / (rate + growth / std::f64::consts::LN_2);
                let powers: f64 = groups
                    .iter()
                    .map(|group| self.weight(group))
                    .map(|w| if w > 0.0 { w.powf(alpha) } else { 0.0 })
                    .sum();
                (powers.ln() / alpha).max(weight.ln() + growth * best.cheapest)
            }
        }
    }

    /// The least of the values of what every test makes of a set.
    fn every_test(&self, set: &[ObjectId], budget: f64) -> f64 {
        let best = self.best(set);
        let value = |test: &TestId| {
            let rest = (budget - self.cost(*test)).max(0.0);
            let parts: Vec<f64> = self
                .parts(set, *test)
                .iter()
                .map(|part| self.obvious(part, &best, rest, Some(*test)))
                .collect();
            self.asked(set, *test, &parts)
        };
        let tests = self.splitting(set);
        tests.iter().filter(|test| self.cost(**test) <= budget).map(value).fold(f64::INFINITY, f64::min)
    }

    /// The tests that split a set, one of each kind that makes the same parts, with what has not the usual answer.
    fn leaving(&self, set: &[ObjectId], size: &dyn Fn(&[ObjectId]) -> f64) -> Vec<Vec<ObjectId>> {
        let mut seen = BTreeSet::new();
        let mut leaving = Vec::new();
        for test in self.splitting(set) {
            let parts = self.parts(set, test);
            if seen.insert(parts.iter().cloned().collect::<BTreeSet<_>>()) {
                let most = parts.iter().map(|part| size(part)).fold(0.0, f64::max);
                let usual = parts.iter().filter(|part| size(part) >= most * (1.0 - 1e-9)).min().unwrap();
                leaving.push(set.iter().copied().filter(|object| !usual.contains(object)).collect());
            }
        }
        leaving
    }

    /// What can have left after one question, two and so on.
    fn off(&self, set: &[ObjectId], size: &dyn Fn(&[ObjectId]) -> f64, whole: bool) -> Vec<f64> {
        let leaving = self.leaving(set, size);
        let limits = |price: &dyn Fn(&[ObjectId]) -> f64| {
            let mut sizes: Vec<f64> = leaving.iter().map(|part| price(part)).collect();
            sizes.sort_by(|left, right| right.total_cmp(left));
            let free = size(set) - price(set);
            (1..=sizes.len()).map(|count| free + sizes[..count].iter().sum::<f64>()).collect::<Vec<f64>>()
        };
        let mut off = limits(size);
        for prices in &self.prices {
            let price = |part: &[ObjectId]| {
                self.kinds(part)
                    .iter()
                    .map(|kind| size(kind) * f64::from(prices[kind[0].index()]) / 255.0)
                    .sum()
            };
            off.iter_mut().zip(limits(&price)).for_each(|(off, limit)| *off = off.min(limit));
        }
        let round = |off: f64| if whole { (off + 1e-9).floor() } else { off };
        off.into_iter().map(|off| round(off.min(size(set)))).collect()
    }

    fn path_worst(&self, set: &[ObjectId]) -> f64 {
        let count = |part: &[ObjectId]| self.kinds(part).len() as f64;
        let largest = self.groups(set).iter().map(|group| self.kinds(group).len()).max().unwrap();
        let (best, all) = (self.best(set), self.kinds(set).len());
        let left: Vec<usize> = [0.0]
            .into_iter()
            .chain(self.off(set, &count, true))
            .map(|off| all - off as usize)
            .take_while(|left| *left > largest)
            .collect();
        let more = |(asked, left): (usize, &usize)| asked + questions(left.div_ceil(largest), best.answers);
        let deepest = left.iter().enumerate().map(more).max().unwrap_or(0);
        deepest.max(left.len()) as f64 * best.cheapest
    }

    fn path_expected(&self, set: &[ObjectId]) -> f64 {
        let best = self.best(set);
        let count = |part: &[ObjectId]| self.kinds(part).len() as f64;
        let questions = match self.plain(set).filter(|_| best.answers == 2) {
            Some(weight) => weight * self.path_of_equals(set, &count),
            None => self.path_by_entropy(set, best.answers),
        };
        lifted(questions * best.cheapest, self.product_step())
    }

    fn path_of_equals(&self, set: &[ObjectId], count: &dyn Fn(&[ObjectId]) -> f64) -> f64 {
        let all = self.kinds(set).len();
        let off: Vec<usize> = self.off(set, count, true).into_iter().map(|off| off as usize).collect();
        let off = until_one_is_left(off, all);
        let free = share_out(&off, all, &|leave| depths(leave, 2));
        // Those who leave at a test have a path of their own.
        let leaving = self.leaving(set, count);
        let most = leaving.iter().map(|part| self.kinds(part).len()).max().unwrap_or(0);
        let own = |at: usize, leave: usize| {
            let size = |part: &[ObjectId]| self.kinds(part).len();
            let both = |other: &Vec<ObjectId>| {
                let both: Vec<ObjectId> =
                    leaving[at].iter().copied().filter(|object| other.contains(object)).collect();
                size(&both).min(size(&leaving[at]) - size(&both))
            };
            let others = leaving.iter().enumerate().filter(|(other, _)| *other != at);
            let mut gains: Vec<usize> =
                others.map(|(_, other)| both(other)).filter(|gain| *gain > 0).collect();
            gains.sort_unstable_by_key(|gain| std::cmp::Reverse(*gain));
            let off = (1..=gains.len()).map(|count| gains[..count].iter().sum()).collect();
            share_out(&until_one_is_left(off, leave), leave, &|leave| depths(leave, 2))
        };
        let least = |leave: usize| {
            let tests = (0..leaving.len()).filter(|at| self.kinds(&leaving[*at]).len() >= leave);
            tests.map(|at| own(at, leave)).fold(f64::INFINITY, f64::min)
        };
        // From many to few, and no further once three say nothing new.
        let mut points: Vec<(f64, f64)> = (0..=most).map(|leave| (leave as f64, depths(leave, 2))).collect();
        let mut nothing_new = 0;
        for leave in (2..=most).rev() {
            let cost = least(leave);
            nothing_new += usize::from(cost <= depths(leave, 2));
            points[leave].1 = cost;
            if nothing_new == 3 {
                break;
            }
        }
        let hulled: Vec<f64> = (0..=most).map(|leave| hull(&points, leave)).collect();
        let cost = |leave: usize| hulled.get(leave).copied().unwrap_or(f64::INFINITY);
        free.max(share_out(&off, all, &cost))
    }

    fn path_by_entropy(&self, set: &[ObjectId], radix: usize) -> f64 {
        let weight = |part: &[ObjectId]| self.weight(part);
        let mass = self.weight(set);
        let groups = self.groups(set);
        let largest = groups.iter().map(|group| self.weight(group)).fold(0.0, f64::max);
        let mut off = self.off(set, &weight, step(self.instance.weights()).is_some());
        if let Some(at) = off.iter().position(|off| mass - off <= largest * (1.0 + 1e-9)) {
            off.truncate(at + 1);
        }
        // Over the share of the leaves that a full tree has up to there.
        let share = |questions: usize| 1.0 - (radix as f64).powi(-(questions as i32));
        let points: Vec<(f64, f64)> = [(0.0, 0.0)]
            .into_iter()
            .chain(off.iter().enumerate().map(|(at, off)| (share(at + 1), *off)))
            .chain([(1.0, mass)])
            .collect();
        let mut bits = 0.0;
        for at in 1..points.len() {
            let (leave, share) = (hull(&points, at) - hull(&points, at - 1), points[at].0 - points[at - 1].0);
            bits += if leave > 0.0 { leave * (leave / share).log2() } else { 0.0 };
        }
        bits -= groups.iter().map(|group| phi(self.weight(group))).sum::<f64>();
        bits / (radix as f64).log2()
    }

    /// What a reason shows of a set.
    fn shows(&self, set: &[ObjectId], budget: f64, reason: Reason) -> f64 {
        let best = self.best(set);
        let obvious = self.obvious(set, &best, budget, None);
        if self.groups(set).len() == 1 {
            return obvious;
        }
        obvious.max(match reason {
            Reason::EveryTest => self.every_test(set, budget),
            Reason::Parts(test) if self.parts(set, test).len() > 1 => {
                let parts: Vec<f64> = self
                    .parts(set, test)
                    .iter()
                    .map(|part| self.obvious(part, &best, budget, None))
                    .collect();
                self.together(&parts)
            }
            Reason::Parts(_) => f64::NEG_INFINITY,
            Reason::MajorityPath if self.is_worst() => self.path_worst(set),
            Reason::MajorityPath => self.path_expected(set),
        })
    }

    fn has_even_costs(&self, set: &[ObjectId]) -> bool {
        let costs: Vec<f64> = self.splitting(set).iter().map(|test| self.cost(*test)).collect();
        costs.windows(2).all(|pair| pair[0] == pair[1])
    }

    /// What is seen of all objects without any claim, as users see it.
    fn own(&self) -> f64 {
        let set: Vec<ObjectId> = self.instance.objects().collect();
        let mut value = self.shows(&set, f64::INFINITY, Reason::EveryTest);
        if self.groups(&set).len() > 1 && self.growth().is_none() {
            if self.has_even_costs(&set) {
                value = value.max(self.shows(&set, f64::INFINITY, Reason::MajorityPath));
            }
            if !self.is_worst() {
                value = value.max(self.by_codes(&set));
            }
        }
        let (mass, scale) = (self.weight(&set), self.instance.costs().scale());
        match self.growth() {
            _ if self.is_worst() => value / scale,
            None => value / mass / scale,
            Some(growth) => ((value - mass.ln()) / growth / scale).max(0.0),
        }
    }

    /// The best code for the groups, and the best after one question.
    fn by_codes(&self, set: &[ObjectId]) -> f64 {
        let best = self.best(set);
        let code = |part: &[ObjectId]| {
            let weights = self.groups(part).iter().map(|group| self.weight(group)).collect();
            huffman(weights, best.answers) * best.cheapest
        };
        let after = |test: &TestId| {
            let parts = self.parts(set, *test);
            let part =
                |part: &Vec<ObjectId>| self.obvious(part, &best, f64::INFINITY, Some(*test)).max(code(part));
            self.cost(*test) * self.weight(set) + parts.iter().map(part).sum::<f64>()
        };
        let after = self.splitting(set).iter().map(after).fold(f64::INFINITY, f64::min);
        lifted(code(set), self.product_step()).max(lifted(after, self.product_step()))
    }
}

/// What the judge finds where far too much is claimed; `None` if that is true.
fn found(slow: &Slow<'_>, set: &[ObjectId], budget: f64, reason: Reason) -> Option<f64> {
    let mut objects = vec![0u64; slow.instance.object_count().div_ceil(64)];
    set.iter().for_each(|object| objects[object.index() / 64] |= 1 << (object.index() % 64));
    let claims = vec![Claim { objects, budget, value: 1e12, reason }];
    let proof = Proof {
        objective: slow.objective,
        cap: f64::INFINITY,
        value: 0.0,
        prices: slow.prices.clone(),
        claims,
    };
    match check_bound(slow.instance, &proof) {
        Ok(_) => None,
        Err(
            CheckError::ClaimOfOneGroup { found, .. }
            | CheckError::ClaimOfTests { found, .. }
            | CheckError::ClaimOfParts { found, .. }
            | CheckError::ClaimOfMajorityPath { found, .. },
        ) => Some(found),
        Err(error) => panic!("{error}"),
    }
}

fn objectives() -> Vec<Objective> {
    let lambdas = [1.0, 1.5, 2.0, 10.0, f64::INFINITY];
    let exponential = lambdas.map(|lambda| Objective::Exponential(Lambda::new(lambda).unwrap()));
    [Objective::Expected, Objective::Worst].into_iter().chain(exponential).collect()
}

fn is_near(left: f64, right: f64) -> bool {
    left == right || (left - right).abs() <= 1e-8 * (1.0 + right.abs())
}

/// Holds what the judge finds for a set against the formulas, for every objective and reason.
fn agrees(instance: &Instance, set: &[ObjectId], budget: f64, prices: &[Vec<u8>]) {
    for objective in objectives() {
        let slow = Slow { instance, objective, prices: prices.to_vec() };
        let mut reasons = vec![(Reason::EveryTest, budget)];
        reasons.extend(instance.test_ids().map(|test| (Reason::Parts(test), f64::INFINITY)));
        if slow.growth().is_none() && slow.has_even_costs(set) && slow.groups(set).len() > 1 {
            reasons.push((Reason::MajorityPath, f64::INFINITY));
        }
        for (reason, budget) in reasons {
            let (judged, slow) = (found(&slow, set, budget, reason), slow.shows(set, budget, reason));
            match judged {
                Some(judged) => assert!(
                    is_near(judged, slow),
                    "{objective:?} {reason:?} {budget}: {judged} {slow} {set:?}"
                ),
                None => assert_eq!(slow, f64::INFINITY, "{objective:?} {reason:?} {budget} {set:?}"),
            }
        }
    }
}

/// The objects whose bits are set, with all their twins.
fn with_twins(instance: &Instance, bits: &[bool]) -> Vec<ObjectId> {
    let slow = Slow { instance, objective: Objective::Worst, prices: Vec::new() };
    let all: Vec<ObjectId> = instance.objects().collect();
    let kinds = slow.kinds(&all);
    let mut set: Vec<ObjectId> = kinds
        .into_iter()
        .zip(bits.iter().cycle())
        .filter(|(_, bit)| **bit)
        .flat_map(|(kind, _)| kind)
        .collect();
    set.sort_unstable();
    if set.is_empty() { all } else { set }
}

fn own_agrees(instance: &Instance) {
    for objective in objectives() {
        let slow = Slow { instance, objective, prices: Vec::new() };
        let (judged, slow) = (own_bound(instance, objective), slow.own());
        assert!(is_near(judged, slow), "{objective:?}: {judged} {slow}");
    }
}

/// A table with tests of equal cost, mostly of equal objects, of the size that is asked for.
fn even(objects: std::ops::Range<usize>, tests: usize) -> impl Strategy<Value = String> {
    let prior = prop_oneof![Just("1"), Just("0"), Just("2"), Just("7"), Just("0.3333333333333333")];
    let rows = (prop_oneof![3 => Just(2u8), 1 => Just(3), 1 => Just(6)], 0..3u8, any::<bool>())
        .prop_flat_map(move |(answers, shape, rare)| {
            let prior = if shape > 0 { Just("1").boxed() } else { prior.clone().boxed() };
            // Where one answer is rare, the path of most common answers is long.
            let answer =
                if rare { prop_oneof![4 => Just(0), 1 => 0..answers].boxed() } else { (0..answers).boxed() };
            let row = (prop::collection::vec(answer, tests), 0..5u8, prior);
            (prop::collection::vec(row, objects.clone()), Just(shape < 2))
        });
    let cost = prop_oneof![3 => Just("1"), 1 => Just("2.5"), 1 => Just("0.6666666666666666")];
    (rows, cost, any::<bool>()).prop_map(move |((rows, may_group), cost, grouped)| {
        let grouped = grouped && may_group;
        let names: Vec<String> = (0..tests).map(|test| format!("q{test}")).collect();
        let mut text = format!("o {} prior{}\n", names.join(" "), if grouped { " group" } else { "" });
        text += &format!("@cost {} - -\n", vec![cost; tests].join(" "));
        for (at, (answers, group, prior)) in rows.iter().enumerate() {
            let answers: Vec<String> = answers.iter().map(u8::to_string).collect();
            let prior = if at == 0 { "1" } else { prior };
            let group = if grouped { format!(" g{group}") } else { String::new() };
            text += &format!("o{at} {} {prior}{group}\n", answers.join(" "));
        }
        text
    })
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn every_reason_shows_what_its_formula_says(
        table in prop_oneof![tables(), even(2..9, 7)], bits in prop::collection::vec(any::<bool>(), 8),
        spend in prop_oneof![Just(f64::INFINITY), (0..9u32).prop_map(f64::from)],
        seeds in prop::collection::vec(any::<u8>(), 0..20),
    ) {
        let instance = instance(&table);
        // Where costs have no common step, a budget that is met but for rounding is met: rather none.
        let exact = instance.costs().is_exact();
        let budget = if exact { (spend * instance.costs().scale()).floor() } else { f64::INFINITY };
        let all: Vec<ObjectId> = instance.objects().collect();
        let prices: Vec<Vec<u8>> = seeds.chunks_exact(all.len()).map(<[u8]>::to_vec).collect();
        agrees(&instance, &all, budget, &prices);
        agrees(&instance, &with_twins(&instance, &bits), budget, &prices);
        own_agrees(&instance);
    }

    #[test]
    fn rare_answers_make_long_paths(table in even(5..9, 9), bits in prop::collection::vec(prop::bool::weighted(0.8), 9)) {
        let instance = instance(&table);
        agrees(&instance, &with_twins(&instance, &bits), f64::INFINITY, &[]);
        own_agrees(&instance);
    }

    /// Equal objects and two answers, one of them rare: those that leave the path have a path of their own.
    #[test]
    fn paths_of_many_equal_objects(
        rows in (prop::bool::ANY, 8..18usize).prop_flat_map(|(rare, objects)| {
            let cell = prop::bool::weighted(if rare { 0.25 } else { 0.45 });
            prop::collection::vec(prop::collection::vec(cell, 11), objects)
        }),
    ) {
        let names: Vec<String> = (0..11).map(|test| format!("q{test}")).collect();
        let mut text = format!("o {}\n", names.join(" "));
        for (at, row) in rows.iter().enumerate() {
            let cells: Vec<String> = row.iter().map(|cell| u8::from(*cell).to_string()).collect();
            text += &format!("o{at} {}\n", cells.join(" "));
        }
        let instance = instance(&text);
        let all: Vec<ObjectId> = instance.objects().collect();
        for objective in [Objective::Expected, Objective::Worst] {
            let slow = Slow { instance: &instance, objective, prices: Vec::new() };
            prop_assume!(slow.plain(&all).is_some());
            let (judged, slow) =
                (found(&slow, &all, f64::INFINITY, Reason::MajorityPath), slow.shows(&all, f64::INFINITY, Reason::MajorityPath));
            prop_assert!(judged.is_some_and(|judged| is_near(judged, slow)), "{objective:?}: {judged:?} {slow}");
        }
    }

    /// Where most objects give the same answer, even one of six, the claims about this part are what the whole rests on.
    #[test]
    fn what_is_known_of_a_large_part_helps_the_whole(table in even(5..9, 7), capped in any::<bool>()) {
        let instance = instance(&table);
        let exact = instance.costs().is_exact();
        for objective in [Objective::Expected, Objective::Worst, Objective::Exponential(Lambda::TWO)] {
            let worst = Oracle::new(&instance, Objective::Worst).optimum(f64::INFINITY);
            let cap = if capped && exact { worst } else { f64::INFINITY };
            let proof = Oracle::new(&instance, objective).proof(cap);
            let verdict = check_bound(&instance, &proof);
            prop_assert!(verdict.is_ok(), "{objective:?}: {}", verdict.unwrap_err());
        }
    }

    #[test]
    fn in_games_every_object_ends_at_a_question(
        answers in prop::collection::vec(prop::collection::vec(0..3u8, 8), 1..7), alike in any::<bool>(),
        bits in prop::collection::vec(any::<bool>(), 7), dear in any::<bool>(),
        spend in prop_oneof![Just(f64::INFINITY), (0..6u32).prop_map(f64::from)],
    ) {
        let objects = answers.len();
        let names: Vec<String> = (0..objects + 1).map(|at| format!("o{at}")).collect();
        let costs: Vec<&str> = (0..objects + 1).map(|at| if dear && at % 2 == 0 { "3" } else { "2" }).collect();
        let mut text = format!("o {} prior\n@cost {} -\n", names.join(" "), costs.join(" "));
        for (object, answers) in answers.iter().enumerate() {
            let cell = |test: usize| if test == object { "=".to_owned() } else { answers[test].to_string() };
            let cells: Vec<String> = (0..objects + 1).map(cell).collect();
            text += &format!("o{object} {} {}\n", cells.join(" "), if alike { 1 } else { object + 1 });
        }
        let instance = confirmed_instance(&text);
        let all: Vec<ObjectId> = instance.objects().collect();
        agrees(&instance, &all, spend, &[]);
        agrees(&instance, &with_twins(&instance, &bits), spend, &[]);
        own_agrees(&instance);
    }
}

proptest! {
    #![proptest_config(cases(12))]

    /// Sets of more than 64 objects take several words.
    #[test]
    fn large_sets_are_added_up_like_small_ones(table in even(66..140, 12), bits in prop::collection::vec(any::<bool>(), 150)) {
        let instance = instance(&table);
        let set = with_twins(&instance, &bits);
        for objective in [Objective::Expected, Objective::Worst, Objective::Exponential(Lambda::TWO)] {
            let slow = Slow { instance: &instance, objective, prices: Vec::new() };
            for reason in instance.test_ids().map(Reason::Parts).chain([Reason::EveryTest]) {
                let (judged, slow) =
                    (found(&slow, &set, f64::INFINITY, reason), slow.shows(&set, f64::INFINITY, reason));
                prop_assert!(judged.is_some_and(|judged| is_near(judged, slow)), "{objective:?} {reason:?}: {judged:?} {slow}");
            }
        }
    }
}
