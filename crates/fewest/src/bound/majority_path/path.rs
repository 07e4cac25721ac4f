//! Cost of a tree whose majority path loses its objects no faster than given limits.
//!
//! Let `x_j` be the mass that leaves the path at its `j`-th question and `r` the most answers of a test. The objects
//! that leave there have paid for `j` questions, and are in at most `r − 1` parts that are still to be told apart. By
//! entropy this takes at least `(φ(x_j) − x_j log₂(r − 1))/log₂ r`, minus their groups' own terms, with `φ(x) = x
//! log₂ x`. In total
//!
//! `log₂ r · E ≥ Σ_j x_j log₂(x_j / p_j) − Σ_k φ(w_k)`, with `p_j = (r − 1) r^{−j}`,
//!
//! and the mass that stays to the end is the last term, with `p = r^{−K}` after `K` questions. The `p` add up to 1,
//! so this is entropy and a divergence: the price of the fact that no choice of questions moves objects off the path
//! as fast as would be best. It is convex in the `x`. If at most `departed_k` can have left after `k` questions, it
//! is least where the sums of the `x` are the greatest convex function of `p_1 + … + p_j` below these limits: along
//! each of its straight pieces `x_j / p_j` is constant.

use super::growth::Growth;

/// Least `Σ x log₂(x / p)` over all ways to leave the path: at most `departed[k]` of `total` have left after `k + 1`
/// questions. The path goes on as long as more than `largest_group` may be on it; `departed` never falls.
pub(crate) fn by_entropy(departed: &[f64], total: f64, largest_group: f64, radix: usize) -> f64 {
    let bits = (radix as f64).log2();
    let mut pieces: Vec<Piece> = Vec::new();
    let mut gone = 0.0;
    for (at, departed) in departed.iter().enumerate() {
        if total - gone <= largest_group {
            break;
        }
        let departed = departed.clamp(gone, total);
        push(&mut pieces, Piece { first: at, end: Some(at + 1), mass: departed - gone }, bits);
        gone = departed;
    }
    let asked = pieces.last().map_or(0, |piece| piece.end.unwrap_or(0));
    push(&mut pieces, Piece { first: asked, end: None, mass: total - gone }, bits);
    pieces.iter().filter(|piece| piece.mass > 0.0).map(|piece| piece.mass * piece.slope(bits)).sum()
}

/// Straight piece: the questions from `first` to before `end`, counted from 0, and the mass that leaves there;
/// without an end, all that follow.
#[derive(Clone, Copy)]
struct Piece {
    first: usize,
    end: Option<usize>,
    mass: f64,
}

impl Piece {
    /// Logarithm of mass over width, which is `r^{−first} − r^{−end}`.
    fn slope(&self, bits: f64) -> f64 {
        let lost = self.end.map_or(0.0, |end| (-bits * (end - self.first) as f64).exp2());
        (self.mass / (1.0 - lost)).log2() + bits * self.first as f64
    }
}

/// Adds a piece, and joins it with those before it that are steeper.
fn push(pieces: &mut Vec<Piece>, mut piece: Piece, bits: f64) {
    while let Some(last) = pieces.last().copied().filter(|last| last.slope(bits) >= piece.slope(bits)) {
        pieces.pop();
        piece = Piece { first: last.first, end: piece.end, mass: last.mass + piece.mass };
    }
    pieces.push(piece);
}

/// Least sum of depths for `count` objects that are alike, each its own group, and tests of two answers.
///
/// One more object among those that leave at question `j` costs `j`, plus 0, 2, 3, 3, 4, 4, 4, 4 …, the increments of
/// the least sum of depths. Increments only rise, and the limits on how many have left form a polymatroid, so the
/// greedy choice of the cheapest open place is optimal. `growth` holds larger increments if more is known of the
/// objects that left.
pub(crate) fn by_depths(departed: &[u64], count: u64, growth: &Growth) -> u64 {
    let going = |at: &usize| *at == 0 || count - departed[*at - 1].min(count) > 1;
    let asked = (0..departed.len()).take_while(going).count();
    let free = Growth::default();
    // Number of objects that leave at each question; the last place is for those that stay.
    let mut leaving = vec![0u64; asked + 1];
    let (mut open, mut sum, mut price) = (count, 0, 0u64);
    while open > 0 {
        let mut room = open;
        let mut gone: u64 = leaving.iter().sum();
        for at in (0..=asked).rev() {
            // Objects that stay have been asked no more than those that leave last.
            let questions = asked.min(at + 1) as u64;
            if at < asked {
                room = room.min(departed[at].saturating_sub(gone));
            }
            gone -= leaving[at];
            let growth = if at < asked { growth } else { &free };
            let places = price.checked_sub(questions).map_or(0, |more| growth.places(more));
            let more = places.saturating_sub(leaving[at]).min(room);
            leaving[at] += more;
            room -= more;
            open -= more;
            sum += more * price;
        }
        price += 1;
    }
    sum
}

/// Least sum of depths of `leaves` leaves of a binary tree.
pub(crate) fn least_depths(leaves: u64) -> u64 {
    let depth = leaves.max(1).ilog2();
    leaves * u64::from(depth) + 2 * (leaves - (1 << depth).min(leaves))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    fn phi(x: f64) -> f64 {
        if x > 0.0 { x * x.log2() } else { 0.0 }
    }

    /// Tries all ways to leave in whole numbers, from the objects left before question `at` and their cost.
    fn least(
        departed: &[u64],
        left: u64,
        total: u64,
        at: usize,
        stay: &dyn Fn(u64) -> f64,
        leave: &dyn Fn(u64) -> f64,
    ) -> f64 {
        if at == departed.len() || left <= 1 {
            return stay(left);
        }
        let most = departed[at].min(total).saturating_sub(total - left);
        let ways = (0..=most)
            .map(|x| left as f64 + leave(x) + least(departed, left - x, total, at + 1, stay, leave));
        ways.fold(f64::INFINITY, f64::min)
    }

    fn limits(random: &mut ChaCha8Rng) -> (Vec<u64>, u64) {
        let total = 2 + random.next_u64() % 12;
        let mut departed: Vec<u64> =
            (0..1 + random.next_u64() % 6).map(|_| random.next_u64() % (total + 2)).collect();
        departed.sort_unstable();
        (departed, total)
    }

    fn depths(n: u64) -> f64 {
        (2..=n).map(|n| n.next_power_of_two().trailing_zeros() as u64 + 1).sum::<u64>() as f64
    }

    #[test]
    fn no_way_to_leave_has_a_smaller_sum_of_depths() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..2_000 {
            let (departed, total) = limits(&mut random);
            let expected = least(&departed, total, total, 0, &depths, &depths);
            assert_eq!(
                by_depths(&departed, total, &Growth::default()) as f64,
                expected,
                "{departed:?} of {total}"
            );
        }
    }

    #[test]
    fn no_way_to_leave_is_worth_less_than_the_convex_one() {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        for radix in [2, 3, 5] {
            let bits = f64::from(radix).log2();
            let leave = |x: u64| (phi(x as f64) - x as f64 * f64::from(radix - 1).log2()) / bits;
            let stay = |x: u64| phi(x as f64) / bits;
            let mut equal = 0;
            for _ in 0..1_000 {
                let (departed, total) = limits(&mut random);
                let limits: Vec<f64> = departed.iter().map(|departed| *departed as f64).collect();
                let value = by_entropy(&limits, total as f64, 1.0, radix as usize) / bits;
                let expected = least(&departed, total, total, 0, &stay, &leave);
                assert!(value <= expected + 1e-9, "{departed:?} of {total}: {value} beside {expected}");
                equal += u32::from(value > expected - 1e-9);
                // Finer and finer whole numbers come arbitrarily near.
                assert!(value >= (phi(total as f64) - 1e-9) / bits);
            }
            // If the optimum is in whole numbers, the two are equal.
            assert!(equal > 100, "{equal}");
        }
    }

    #[test]
    fn without_limits_it_is_entropy_and_with_one_at_a_time_it_is_a_list() {
        assert!((by_entropy(&[], 8.0, 1.0, 2) - 24.0).abs() < 1e-12);
        assert!((0..70).all(|n| least_depths(n) as f64 == depths(n)));
        assert_eq!(by_depths(&[], 8, &Growth::default()), 24);
        // One object leaves at each question: depths 1, 2, 3, 4 and 4.
        let one_each: Vec<f64> = (1..9).map(f64::from).collect();
        assert!((by_entropy(&one_each, 5.0, 1.0, 2) - 14.0).abs() < 1e-12);
        assert_eq!(by_depths(&[1, 2, 3, 4, 5], 5, &Growth::default()), 14);
    }
}
