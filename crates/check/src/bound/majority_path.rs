//! Bound by the majority path, if all tests that split a set cost the same. Specification section 11.8, the cover
//! bound, extended by the cost of the leaving objects.
//!
//! Fix for every test `t` that splits `S` its most common answer in `S`, the majority answer; `σ_t` is the part of
//! `S` that gives another one. Every tree for `S` has a path that takes the majority answer at each of its questions.
//! Its questions differ from each other, because one asked again would split nothing. After `K` of them at most the
//! `K` largest `w(σ_t)` together have left it. For prices `u_i` between 0 and 1 another limit is `Σ_i w_i (1 − u_i)`
//! and the `K` largest `Σ_{i∈σ_t} w_i u_i`: an object that has left counts `1 − u_i` in the first sum and `u_i` at
//! least once in the second. `departed_K` is the least of these limits. As long as more may be left than the largest
//! group weighs, another question follows.
//!
//! **Worst cost.** The objects left after `K` questions have at least `⌈left / largest group⌉` groups, and
//! identifying one of them takes another `⌈log_radix⌉` questions. Only counts matter here, so objects of prior 0
//! count like others.
//!
//! **Expected cost**, in questions. Let `q_j` be the mass that leaves the path at its `j`-th question, `q_1 + … + q_j ≤
//! departed_j`, and `s` the mass that stays until `K` were asked. What leaves at the `j`-th has paid for `j`, and the
//! parts that left and the rest then cost at least their entropies, so the value of the tree is at least `F = Σ_j (j
//! q_j + (φ(q_j) − q_j log₂(radix − 1))/L) + K s + φ(s)/L − Σ_k φ(w_k)/L`, where `L = log₂ radix`, `q_j` leaves in at
//! most `radix − 1` parts, and all parts of a group together have at most the `φ` of the whole group because `φ(x) +
//! φ(y) ≤ φ(x + y)`. With `P_j = 1 − radix^{−j}` and the end at 1, the first sums are `Σ q log₂(q / ΔP) / L`, which
//! is convex. To minimise `F`, draw `departed_j` over `P_j`, from 0 to the whole mass: `F` is least on the lower
//! convex hull of these points. On it `q / ΔP` rises from piece to piece, so that leaving later saves nothing, and
//! leaving earlier is not allowed where two pieces meet.
//!
//! If objects are alike (each its own group, equal weights) and tests have two answers, the same holds with `G(n)`,
//! the least sum of depths of `n` leaves, in place of `φ/L` and without the sum over groups. `G` grows by 0, then by
//! 2, 3, 3, 4, 4, 4, 4 and so on, never by less than before, and the limits on `q_1 + … + q_j` form a matroid. So the
//! greedy choice, in which each object takes the cheapest place left, costs the least. [`nested`] may make `G`
//! larger.

use super::depths::{Growth, alike};
use super::nested;
use super::obvious::{Obvious, Reach, log_ceil};
use super::parts::{Part, Parts, Split, bits};
use super::problem::Problem;

/// Price 1 as a whole number: prices are multiples of 1/255.
const PRICE_ONE: f64 = 255.0;

/// Lower bound on the worst cost of every tree for the set, in units.
pub(crate) fn worst(parts: &Parts, problem: &Problem, prices: &[Vec<u8>], reach: &Reach) -> f64 {
    let count = f64::from(parts.whole.kinds);
    let path = path(parts, problem, number);
    let departed = departed(parts, &path, problem, prices, number, |_| 1.0, true);
    let largest_group = u64::from(parts.largest_group.1).max(1);
    let (mut left, mut asked, mut best) = (u64::from(parts.whole.kinds), 0u32, 0u32);
    for departed in departed {
        if left <= largest_group {
            break;
        }
        best = best.max(asked + log_ceil(left.div_ceil(largest_group), reach.radix));
        asked += 1;
        left = (count - departed) as u64;
    }
    f64::from(best.max(asked)) * reach.cheapest
}

/// Lower bound on the expected cost of every tree for the set, on the objects' own mass, in units; computed no
/// further than `claimed` needs.
pub(crate) fn expected(
    parts: &Parts,
    problem: &Problem,
    prices: &[Vec<u8>],
    reach: &Reach,
    obvious: &Obvious,
    claimed: f64,
) -> f64 {
    let Some(weight) = parts.whole.plain().filter(|_| reach.radix == 2) else {
        let weight = |kind: usize| problem.kinds[kind].weight;
        let (mass, whole) = (|part: &Part| part.mass, problem.weight_step.is_some());
        let departed = departed(parts, &path(parts, problem, mass), problem, prices, mass, weight, whole);
        return obvious.round_expected(by_entropy(&departed, parts, reach, obvious) * reach.cheapest);
    };
    let path = path(parts, problem, number);
    let departed = departed(parts, &path, problem, prices, number, |_| 1.0, true);
    let departed: Vec<u64> = departed.into_iter().map(|departed| departed as u64).collect();
    let value = |growth: &Growth| {
        obvious.round_expected(alike(&departed, parts.whole.kinds.into(), growth) * weight * reach.cheapest)
    };
    let simple = value(&Growth::Free);
    if simple >= claimed {
        return simple;
    }
    let leaving: Vec<Vec<u64>> = path
        .iter()
        .map(|(split, majority)| {
            let mut leaving = vec![0; parts.set.len()];
            let codes = &problem.tests[split.test].codes;
            bits(&parts.set)
                .filter(|kind| codes[*kind] != majority.answer)
                .for_each(|kind| leaving[kind / 64] |= 1 << (kind % 64));
            leaving
        })
        .collect();
    simple.max(value(&Growth::Steps(nested::growth(&leaving))))
}

/// Lower bound for any objects, as mass × questions.
fn by_entropy(departed: &[f64], parts: &Parts, reach: &Reach, obvious: &Obvious) -> f64 {
    let (mass, bits) = (parts.whole.mass, (reach.radix as f64).log2());
    let top = parts.largest_group.0 + 1e-9 * mass;
    let asked =
        (0..departed.len()).find(|at| *at > 0 && mass - departed[at - 1] <= top).unwrap_or(departed.len());
    let (mut at, mut gone, mut sum, mut pieces) = (0, 0.0, 0.0, 0.0);
    while at <= asked {
        // The flattest continuation: to the limit after some number of questions, or to the end.
        let slope = |to: usize| {
            let (leaving, share) = match to > asked {
                true => (mass - gone, 1.0),
                false => (departed[to - 1] - gone, 1.0 - (-bits * (to - at) as f64).exp2()),
            };
            ((leaving / share).log2() + bits * at as f64, leaving, to)
        };
        let flatter =
            |least: (f64, f64, usize), next: (f64, f64, usize)| if next.0 <= least.0 { next } else { least };
        let Some((slope, leaving, to)) = (at + 1..=asked + 1).map(slope).reduce(flatter) else { break };
        if leaving > 0.0 {
            sum += leaving * slope;
            gone += leaving;
        }
        pieces += 1.0;
        at = to;
    }
    let noise = obvious.noise(&parts.whole) + pieces * f64::EPSILON * 4.0 * (sum.abs() + mass);
    (sum - parts.whole.terms - noise) / bits
}

/// Size of a part where objects are counted.
fn number(part: &Part) -> f64 {
    f64::from(part.kinds)
}

/// Tests that may be asked on the path, each with its majority answer. Of tests that split the set in the same way
/// one counts: after it the others split nothing there.
fn path<'p>(parts: &'p Parts, problem: &Problem, size: impl Fn(&Part) -> f64) -> Vec<(&'p Split, &'p Part)> {
    let majority = |split: &'p Split| majority(parts.of(split), problem, &size, &parts.set, split.test);
    different(parts, problem).into_iter().map(|split| (split, majority(split))).collect()
}

/// Upper limits on the size that can have left the path after one question, two and so on; whole numbers if sizes
/// are.
fn departed(
    parts: &Parts,
    path: &[(&Split, &Part)],
    problem: &Problem,
    prices: &[Vec<u8>],
    size: impl Fn(&Part) -> f64,
    weight: impl Fn(usize) -> f64,
    whole: bool,
) -> Vec<f64> {
    let total = size(&parts.whole);
    let mut departed = vec![total; path.len()];
    // Rounding error of a sum of all sizes.
    let rounding = f64::from(parts.whole.kinds) * 4.0 * f64::EPSILON * total;
    let mut limit = |mut sizes: Vec<f64>, free: f64, parts: f64| {
        sizes.sort_by(|left, right| right.total_cmp(left));
        let mut sum = free;
        for (departed, size) in departed.iter_mut().zip(sizes) {
            sum += size;
            let limit = sum / parts + rounding;
            *departed = departed.min(if whole { limit.floor() } else { limit });
        }
    };
    limit(path.iter().map(|(_, majority)| total - size(majority)).collect(), 0.0, 1.0);
    let members: Vec<usize> = bits(&parts.set).collect();
    for prices in prices {
        let worth = |kind: &usize| weight(*kind) * f64::from(prices[problem.kinds[*kind].first.index()]);
        let leaving = |(split, majority): &(&Split, &Part)| {
            let codes = &problem.tests[split.test].codes;
            members.iter().filter(|kind| codes[**kind] != majority.answer).map(worth).sum()
        };
        let free = total * PRICE_ONE - members.iter().map(worth).sum::<f64>();
        limit(path.iter().map(leaving).collect(), free, PRICE_ONE);
    }
    departed
}

/// Largest part; of those that are equal up to rounding, the one with the first object.
fn majority<'p>(
    parts: &'p [Part],
    problem: &Problem,
    size: impl Fn(&Part) -> f64,
    set: &[u64],
    test: usize,
) -> &'p Part {
    let most = parts.iter().map(&size).fold(0.0, f64::max) * (1.0 - 1e-9);
    let mut largest = parts.iter().filter(|part| size(part) >= most);
    let first = largest.next().unwrap_or(&parts[0]);
    if largest.next().is_none() {
        return first;
    }
    let object = |part: &&Part| {
        let members = bits(set).filter(|kind| problem.tests[test].codes[*kind] == part.answer);
        members.map(|kind| problem.kinds[kind].first).min()
    };
    parts.iter().filter(|part| size(part) >= most).min_by_key(object).unwrap_or(first)
}

/// Splitting tests without duplicates: one of those that make the same parts.
fn different<'a>(parts: &'a Parts, problem: &Problem) -> Vec<&'a Split> {
    let marks = |split: &Split| {
        let mut marks: Vec<u64> = parts.of(split).iter().map(|part| part.hash).collect();
        marks.sort_unstable();
        marks
    };
    let mut marked: Vec<(Vec<u64>, &Split)> =
        parts.splits.iter().map(|split| (marks(split), split)).collect();
    marked.sort_by(|left, right| (&left.0, left.1.test).cmp(&(&right.0, right.1.test)));
    // Equal hashes are only candidates for equal parts.
    let alike = |left: &Split, right: &Split| {
        same_parts(&parts.set, &problem.tests[left.test].codes, &problem.tests[right.test].codes)
    };
    marked.dedup_by(|next, first| next.0 == first.0 && alike(next.1, first.1));
    marked.into_iter().map(|(_, split)| split).collect()
}

/// Whether two tests with the same number of answers in `set` split it in the same way: objects with equal answers to
/// one have equal answers to the other.
fn same_parts(set: &[u64], left: &[u32], right: &[u32]) -> bool {
    let mut pairs: Vec<(u32, u32)> = bits(set).map(|kind| (left[kind], right[kind])).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let firsts = pairs.windows(2).all(|pair| pair[0].0 != pair[1].0);
    pairs.sort_unstable_by_key(|pair| pair.1);
    firsts && pairs.windows(2).all(|pair| pair[0].1 != pair[1].1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::measure::Measure;
    use fewest_model::{Instance, Reading, Table};
    use std::collections::{BTreeMap, BTreeSet};

    /// Parts of a set, without the names of the answers.
    fn partition(set: u64, codes: &[u32]) -> BTreeSet<u64> {
        let mut parts = BTreeMap::new();
        let members = (0..codes.len()).filter(|kind| set >> kind & 1 == 1);
        members.for_each(|kind| *parts.entry(codes[kind]).or_insert(0) |= 1 << kind);
        parts.into_values().collect()
    }

    fn roll(word: &mut u64, sides: u64) -> u64 {
        *word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*word >> 33) % sides
    }

    #[test]
    fn tests_split_in_the_same_way_if_their_parts_are_equal_sets() {
        let mut word = 1;
        let mut same = 0;
        for _ in 0..5_000 {
            let set = 1 + roll(&mut word, 63);
            let answers = 2 + roll(&mut word, 2);
            let [left, right] = [0, 1].map(|_| (0..6).map(|_| roll(&mut word, answers) as u32).collect());
            let (left, right): (Vec<u32>, Vec<u32>) = (left, right);
            let wanted = partition(set, &left) == partition(set, &right);
            assert_eq!(same_parts(&[set], &left, &right), wanted, "{set:b} {left:?} {right:?}");
            same += u32::from(wanted);
        }
        assert!((500..4_500).contains(&same), "{same}");
    }

    #[test]
    fn equal_hashes_alone_do_not_make_two_tests_one() {
        let mut word = 2;
        for _ in 0..300 {
            let mut text = "object t0 t1 t2 t3 t4 t5".to_owned();
            for object in 0..5 {
                text += &format!("\no{object}");
                (0..6).for_each(|_| text += &format!(" {}", roll(&mut word, 2)));
            }
            let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
            let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
            let Ok((instance, _)) = Instance::new(Table::from_rows(&rows), &Reading::default()) else {
                continue;
            };
            let problem = Problem::new(&instance);
            let mut parts = Parts::new(&problem, Measure::Expected, 1.0);
            let set = (1 << problem.kinds.len()) - 1;
            parts.set = vec![set];
            parts.compute(&problem);
            let partition = |split: &Split| partition(set, &problem.tests[split.test].codes);
            let all: BTreeSet<BTreeSet<u64>> = parts.splits.iter().map(partition).collect();
            // With hashes, one of each is left; if all collide, none is lost.
            assert_eq!(different(&parts, &problem).len(), all.len());
            parts.collide();
            let left: BTreeSet<BTreeSet<u64>> =
                different(&parts, &problem).into_iter().map(partition).collect();
            assert_eq!(left, all);
        }
    }
}
