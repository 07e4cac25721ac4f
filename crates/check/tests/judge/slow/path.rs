//! Bound by the majority path: how many objects each question can separate from those that stay together longest.

use super::Slow;
use super::arithmetic::{depths, hull, lifted, phi, questions, share_out, step, until_one_is_left};
use fewest_model::ObjectId;
use std::collections::BTreeSet;

impl Slow<'_> {
    /// Tests that split a set, one of those that make the same parts, each with the objects without the majority
    /// answer.
    pub(super) fn leaving(&self, set: &[ObjectId], size: &dyn Fn(&[ObjectId]) -> f64) -> Vec<Vec<ObjectId>> {
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

    /// Limits on the size that can have left after one question, two and so on.
    pub(super) fn off(&self, set: &[ObjectId], size: &dyn Fn(&[ObjectId]) -> f64, whole: bool) -> Vec<f64> {
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

    pub(super) fn path_worst(&self, set: &[ObjectId]) -> f64 {
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

    pub(super) fn path_expected(&self, set: &[ObjectId]) -> f64 {
        let best = self.best(set);
        let count = |part: &[ObjectId]| self.kinds(part).len() as f64;
        let questions = match self.plain(set).filter(|_| best.answers == 2) {
            Some(weight) => weight * self.path_of_equals(set, &count),
            None => self.path_by_entropy(set, best.answers),
        };
        lifted(questions * best.cheapest, self.product_step())
    }

    pub(super) fn path_of_equals(&self, set: &[ObjectId], count: &dyn Fn(&[ObjectId]) -> f64) -> f64 {
        let all = self.kinds(set).len();
        let off: Vec<usize> = self.off(set, count, true).into_iter().map(|off| off as usize).collect();
        let off = until_one_is_left(off, all);
        let free = share_out(&off, all, &|leave| depths(leave, 2));
        // The objects that leave at a test have a path of their own.
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
        // From many to few, and no further once three have brought no gain.
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

    pub(super) fn path_by_entropy(&self, set: &[ObjectId], radix: usize) -> f64 {
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
}
