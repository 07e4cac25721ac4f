//! What a tree costs whose path of usual answers loses its objects only so fast.
//!
//! Let `x_j` be what leaves the path at its `j`-th question and `r` the most answers of a test. Whoever leaves there has
//! paid for `j` questions, and what left together is in at most `r − 1` parts that are yet to be told apart: entropy says
//! at least `(φ(x_j) − x_j log₂(r − 1))/log₂ r` for them, less their groups' own terms, `φ(x) = x log₂ x`. In all
//!
//! `log₂ r · E ≥ Σ_j x_j log₂(x_j / p_j) − Σ_k φ(w_k)`, with `p_j = (r − 1) r^{−j}`,
//!
//! and whoever stays to the end is the last term, with `p = r^{−K}` after `K` questions. The `p` add up to 1, so this is
//! entropy and a divergence: what it costs that no choice of questions gets people off the path as fast as would be best.
//! It is convex in the `x`, and if at most `off_k` can have left after `k` questions it is least where the `x` add up to
//! the greatest convex function of `p_1 + … + p_j` below them: along each of its straight pieces `x_j / p_j` is the same.

use super::again::Growth;

/// The least of `Σ x log₂(x / p)` over all ways to leave the path: `off[k]` at most have left after `k + 1` questions, of
/// `total` in all. The path goes on as long as more than `top` may be on it; `off` never falls.
pub(crate) fn by_entropy(off: &[f64], total: f64, top: f64, radix: usize) -> f64 {
    let bits = (radix as f64).log2();
    let mut pieces: Vec<Piece> = Vec::new();
    let mut gone = 0.0;
    for (at, off) in off.iter().enumerate() {
        if total - gone <= top {
            break;
        }
        let off = off.clamp(gone, total);
        push(&mut pieces, Piece { first: at, end: Some(at + 1), mass: off - gone }, bits);
        gone = off;
    }
    let asked = pieces.last().map_or(0, |piece| piece.end.unwrap_or(0));
    push(&mut pieces, Piece { first: asked, end: None, mass: total - gone }, bits);
    pieces.iter().filter(|piece| piece.mass > 0.0).map(|piece| piece.mass * piece.slope(bits)).sum()
}

/// A straight piece: the questions from `first` on and before `end`, counted from 0, and what leaves there; without an
/// end, all that follows.
#[derive(Clone, Copy)]
struct Piece {
    first: usize,
    end: Option<usize>,
    mass: f64,
}

impl Piece {
    /// The logarithm of mass over width, which is `r^{−first} − r^{−end}`.
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

/// The same for `count` objects that are alike, each its own group, and tests of two answers: the least sum of depths.
///
/// One more object among those that leave at question `j` costs `j`, and 0, 2, 3, 3, 4, 4, 4, 4 … more, since that is
/// what the least sum of depths grows by. Prices only rise, and limits on how many have left are those of a polymatroid,
/// so it is best to take the cheapest place that is open again and again. `growth` says more where more is known of what
/// is hard for those who left.
pub(crate) fn by_depths(off: &[u64], count: u64, growth: &Growth) -> u64 {
    let going = |at: &usize| *at == 0 || count - off[*at - 1].min(count) > 1;
    let asked = (0..off.len()).take_while(going).count();
    let free = Growth::default();
    // By question: who leaves there; the last place is for who stays.
    let mut leaving = vec![0u64; asked + 1];
    let (mut open, mut sum, mut price) = (count, 0, 0u64);
    while open > 0 {
        let mut room = open;
        let mut gone: u64 = leaving.iter().sum();
        for at in (0..=asked).rev() {
            // Who stays has been asked no more than who leaves last.
            let questions = asked.min(at + 1) as u64;
            if at < asked {
                room = room.min(off[at].saturating_sub(gone));
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

/// The least sum of depths of so many leaves of a tree with two branches at each node.
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

    /// All ways to leave in whole numbers, one after the other: who is left before question `at`, and what that costs.
    fn least(
        off: &[u64],
        left: u64,
        total: u64,
        at: usize,
        stay: &dyn Fn(u64) -> f64,
        leave: &dyn Fn(u64) -> f64,
    ) -> f64 {
        if at == off.len() || left <= 1 {
            return stay(left);
        }
        let most = off[at].min(total).saturating_sub(total - left);
        let ways =
            (0..=most).map(|x| left as f64 + leave(x) + least(off, left - x, total, at + 1, stay, leave));
        ways.fold(f64::INFINITY, f64::min)
    }

    fn limits(random: &mut ChaCha8Rng) -> (Vec<u64>, u64) {
        let total = 2 + random.next_u64() % 12;
        let mut off: Vec<u64> =
            (0..1 + random.next_u64() % 6).map(|_| random.next_u64() % (total + 2)).collect();
        off.sort_unstable();
        (off, total)
    }

    fn depths(n: u64) -> f64 {
        (2..=n).map(|n| n.next_power_of_two().trailing_zeros() as u64 + 1).sum::<u64>() as f64
    }

    #[test]
    fn no_way_to_leave_has_a_smaller_sum_of_depths() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..2_000 {
            let (off, total) = limits(&mut random);
            let expected = least(&off, total, total, 0, &depths, &depths);
            assert_eq!(by_depths(&off, total, &Growth::default()) as f64, expected, "{off:?} of {total}");
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
                let (off, total) = limits(&mut random);
                let limits: Vec<f64> = off.iter().map(|off| *off as f64).collect();
                let value = by_entropy(&limits, total as f64, 1.0, radix as usize) / bits;
                let expected = least(&off, total, total, 0, &stay, &leave);
                assert!(value <= expected + 1e-9, "{off:?} of {total}: {value} beside {expected}");
                equal += u32::from(value > expected - 1e-9);
                // Finer and finer whole numbers come as near as one likes.
                assert!(value >= (phi(total as f64) - 1e-9) / bits);
            }
            // Where the best way is one of whole numbers the two are the same.
            assert!(equal > 100, "{equal}");
        }
    }

    #[test]
    fn without_limits_it_is_entropy_and_with_one_at_a_time_it_is_a_list() {
        assert!((by_entropy(&[], 8.0, 1.0, 2) - 24.0).abs() < 1e-12);
        assert!((0..70).all(|n| least_depths(n) as f64 == depths(n)));
        assert_eq!(by_depths(&[], 8, &Growth::default()), 24);
        // One leaves at each question: depths 1, 2, 3, 4 and 4.
        let one_each: Vec<f64> = (1..9).map(f64::from).collect();
        assert!((by_entropy(&one_each, 5.0, 1.0, 2) - 14.0).abs() < 1e-12);
        assert_eq!(by_depths(&[1, 2, 3, 4, 5], 5, &Growth::default()), 14);
    }
}
