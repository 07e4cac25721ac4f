//! Laws that connect the operations of each objective.

use super::slow::Kind;
use super::{Dice, Work, close, instance, with_each};
use crate::exact::algebra::CostAlgebra;
use crate::exact::extract::ReducedProblem;

/// Draws values of subtrees, and compares the operations with the definitions of the objectives.
struct Laws(Dice);

impl Laws {
    /// Value of a tree as its definition says: of objects that weigh and cost as `objects` says.
    fn value(kind: Kind, objects: &[(f64, f64)]) -> f64 {
        match kind {
            Kind::Expected => objects.iter().map(|(weight, cost)| weight * cost).sum(),
            Kind::Worst => objects.iter().map(|(_, cost)| *cost).fold(0.0, f64::max),
            Kind::Exponential(growth) => {
                objects.iter().map(|(weight, cost)| weight * (growth * cost).exp()).sum::<f64>().ln()
            }
        }
    }

    fn objects(&mut self) -> Vec<(f64, f64)> {
        (0..1 + self.0.roll(4)).map(|_| ((1 + self.0.roll(9)) as f64, self.0.roll(7) as f64)).collect()
    }
}

impl Work for Laws {
    fn with<A: CostAlgebra>(&mut self, _: &mut ReducedProblem<'_>, algebra: A, kind: Kind) {
        for _ in 0..40 {
            let (left, right) = (self.objects(), self.objects());
            let cost = (1 + self.0.roll(4)) as f64;
            let both = [left.as_slice(), &right].concat();
            let [one, other, joined] = [&left, &right, &both].map(|objects| Self::value(kind, objects));
            assert!(close(algebra.join(one, other), joined), "{kind:?} {both:?}");
            assert!(close(algebra.join(other, one), joined) && close(algebra.join(algebra.none(), one), one));
            let (weight, mass) = (left[0].0, both.iter().map(|(weight, _)| weight).sum());
            assert!(close(algebra.leaf(weight), Self::value(kind, &[(weight, 0.0)])));
            let asked: Vec<(f64, f64)> = both.iter().map(|(weight, below)| (*weight, below + cost)).collect();
            let value = Self::value(kind, &asked);
            assert!(close(algebra.ask(cost, mass, joined), value), "{kind:?} {both:?}");
            // A subtree below its limit is one with which the node stays below its own.
            for limit in [value * (0.5 + self.0.share()), value - 1e-6, value + 1e-6] {
                let room = algebra.child_limit(limit, cost, mass, other);
                assert_eq!(one < room, value < limit, "{kind:?}: {one} below {room}, {value} below {limit}");
            }
            assert_eq!(algebra.child_limit(f64::INFINITY, cost, mass, other), f64::INFINITY);
            let alone: Vec<(f64, f64)> = left.iter().map(|(weight, below)| (*weight, below + cost)).collect();
            let alone_mass = left.iter().map(|(weight, _)| weight).sum();
            let alone = Self::value(kind, &alone);
            for (limit, is_below) in [(alone - 1e-6, false), (alone + 1e-6, true)] {
                let room = algebra.child_limit(limit, cost, alone_mass, algebra.none());
                assert_eq!(one < room, is_below, "{kind:?}: {one} below {room}");
            }
            // Rounding is on the safe side and small; a step is more than rounding and less than any difference.
            let safe = algebra.safe_lower(value);
            assert!(safe <= value && safe >= value - 1e-9 * (1.0 + value.abs()), "{kind:?} {value}");
            assert!(algebra.step(value) > value - safe);
            assert_eq!(algebra.safe_lower(f64::INFINITY), f64::INFINITY);
        }
    }
}

#[test]
fn operations_follow_from_the_definitions_of_the_objectives() {
    for seed in 0..40 {
        let mut dice = Dice::new(seed);
        let instance = instance(&mut dice, 4, 4, false);
        let growth = [1e-3, 0.1, std::f64::consts::LN_2][dice.roll(3)];
        with_each(&instance, f64::INFINITY, growth, &mut Laws(dice));
    }
}
