//! The bound of the path of most common answers, where all tests that split a set cost the same. SPEC section 9a,
//! the cover bound, made aware of what the leaving objects still cost.
//!
//! Fix for every test `t` that splits `S` its most common answer in `S`; `m_t` is what of `S` gives another one. Every
//! tree for `S` has a path that takes the most common answer at each of its questions. Its questions differ from each
//! other, since one asked again would split nothing. So after `K` of them at least `w(S) − (m_1 + … + m_K)` is left,
//! the `m` taken from the largest down, and as long as that is more than the largest group weighs, another question
//! follows.
//!
//! **Worst cost.** What is left after `K` questions has at least `⌈left / largest group⌉` groups, and finding one of
//! so many takes another `⌈log_radix⌉` questions. It is a matter of counting, so objects of prior 0 count like others.
//!
//! **Expected cost**, in questions. Let `q_j ≤ m_{t_j}` be what leaves the path at its `j`-th question and
//! `left_j = w(S) − q_1 − … − q_j`. The first `K` questions are asked of `left_0, …, left_{K−1}`, the parts that left
//! and the rest are then worth at least their entropies, so the tree is worth at least
//! `F = Σ_{j<K} left_j + Σ_j (φ(q_j) − q_j log₂(radix − 1))/L + φ(left_K)/L − Σ_k φ(w_k)/L`, where `L = log₂ radix`,
//! `q_j` leaves in at most `radix − 1` parts, and all parts of a group together are worth at most `φ` of the whole
//! group because `φ(x) + φ(y) ≤ φ(x + y)`. How small can `F` be? Its slope in `q_j` is
//! `−(K − j) + log₂(q_j / left_K)/L − log₂(radix − 1)/L`, not positive while `q_j ≤ (radix − 1) radix^{K−j} left_K`. So
//! as long as that holds of the `K` largest `m` in order, raising every `q_j` to `m_{t_j}`, putting the larger ones first
//! and replacing them by the `K` largest `m` there are never raises `F`: what is then left is a bound, for every such `K`.
//!
//! Where objects are alike (each its own group, equal weights) and tests have two answers, the same holds with
//! `G(n)`, the least sum of depths of `n` leaves, in place of `φ/L` and without the sum over groups: its step from `n` to
//! `n + 1` is `⌊log₂ n⌋ + 2`, so `m_j ≤ 2^{K−j} left_K` is enough there, too.

use super::obvious::{Obvious, Reach, depths, log_up};
use super::parts::{Part, Parts, Split, bits, phi};
use super::problem::Problem;

/// What no tree for the set costs less than at worst, in units.
pub(crate) fn worst(parts: &Parts, problem: &Problem, reach: &Reach) -> f64 {
    let leaving = leaving(parts, problem, |part| u64::from(part.kinds));
    let largest_group = u64::from(parts.largest_group.1).max(1);
    let (mut left, mut asked, mut best) = (u64::from(parts.whole.kinds), 0u32, 0u32);
    for leaving in leaving {
        if left <= largest_group {
            break;
        }
        best = best.max(asked + log_up(left.div_ceil(largest_group), reach.radix));
        asked += 1;
        left = left.saturating_sub(leaving);
    }
    f64::from(best.max(asked)) * reach.cheapest
}

/// What no tree for the set costs less than on average, on the objects' own mass, in units.
pub(crate) fn expected(parts: &Parts, problem: &Problem, reach: &Reach, obvious: &Obvious) -> f64 {
    match parts.whole.plain() {
        Some(weight) if reach.radix == 2 => {
            obvious.expected_up(alike(parts, problem) * weight * reach.cheapest)
        }
        _ => obvious.expected_up(by_entropy(parts, problem, reach, obvious) * reach.cheapest),
    }
}

/// For objects that are alike: a sum of depths.
fn alike(parts: &Parts, problem: &Problem) -> f64 {
    let leaving = leaving(parts, problem, |part| u64::from(part.kinds));
    let (mut left, mut sum, mut best) = (u64::from(parts.whole.kinds), 0.0, 0.0f64);
    // What must be left at least for the sum to fall in all that leaves; rounded up.
    let mut need = 0u64;
    for leaving in leaving {
        if left <= 1 || leaving == 0 {
            break;
        }
        sum += left as f64 + depths(leaving, 2);
        left = left.saturating_sub(leaving);
        need = leaving.max(need.div_ceil(2));
        if need <= left {
            best = best.max(sum + depths(left, 2));
        }
    }
    best
}

/// For any objects: a mass of questions.
fn by_entropy(parts: &Parts, problem: &Problem, reach: &Reach, obvious: &Obvious) -> f64 {
    let leaving = leaving(parts, problem, |part| part.mass);
    let radix = reach.radix as f64;
    let (bits, saved) = (radix.log2(), (radix - 1.0).log2());
    let (mut left, mut sum, mut best) = (parts.whole.mass, -parts.whole.terms / bits, 0.0f64);
    let (mut asked, mut need) = (0.0, 0.0f64);
    for (leaving, number) in leaving.into_iter().zip(1u32..) {
        if left <= parts.largest_group.0 + 1e-9 * parts.whole.mass || leaving == 0.0 {
            break;
        }
        sum += left + (phi(leaving) - leaving * saved) / bits;
        asked += left;
        left -= leaving;
        need = leaving.max(need / radix);
        if need <= left * (radix - 1.0) {
            let noise = obvious.noise(&parts.whole) * 2.0
                + f64::from(number) * f64::EPSILON * 4.0 * (asked + parts.whole.mass);
            best = best.max(sum + phi(left) / bits - noise);
        }
    }
    best
}

/// What leaves the path at each test, the most first. Of tests that split the set alike one counts: after it the others
/// split nothing on the path.
fn leaving<T: Copy + PartialOrd + std::ops::Sub<Output = T>>(
    parts: &Parts,
    problem: &Problem,
    size: impl Fn(&Part) -> T,
) -> Vec<T> {
    let most = |left: T, right: T| if right > left { right } else { left };
    let common = |split: &Split| parts.of(split).iter().map(&size).reduce(most);
    let mut leaving: Vec<T> = different(parts, problem)
        .into_iter()
        .filter_map(common)
        .map(|common| size(&parts.whole) - common)
        .collect();
    leaving.sort_by(|left, right| right.partial_cmp(left).unwrap_or(std::cmp::Ordering::Equal));
    leaving
}

/// One of each kind of splitting tests that make the same parts.
fn different<'a>(parts: &'a Parts, problem: &Problem) -> Vec<&'a Split> {
    let marks = |split: &Split| {
        let mut marks: Vec<u64> = parts.of(split).iter().map(|part| part.mark).collect();
        marks.sort_unstable();
        marks
    };
    let mut marked: Vec<(Vec<u64>, &Split)> =
        parts.splits.iter().map(|split| (marks(split), split)).collect();
    marked.sort_by(|left, right| (&left.0, left.1.test).cmp(&(&right.0, right.1.test)));
    // Equal marks only say where to look.
    let alike = |left: &Split, right: &Split| {
        same_parts(&parts.set, &problem.tests[left.test].codes, &problem.tests[right.test].codes)
    };
    marked.dedup_by(|next, first| next.0 == first.0 && alike(next.1, first.1));
    marked.into_iter().map(|(_, split)| split).collect()
}

/// Whether two tests with as many answers in `set` split it alike: whenever one gives two objects one answer, so does
/// the other.
fn same_parts(set: &[u64], left: &[u32], right: &[u32]) -> bool {
    let mut pairs: Vec<(u32, u32)> = bits(set).map(|kind| (left[kind], right[kind])).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let firsts = pairs.windows(2).all(|pair| pair[0].0 != pair[1].0);
    pairs.sort_unstable_by_key(|pair| pair.1);
    firsts && pairs.windows(2).all(|pair| pair[0].1 != pair[1].1)
}
