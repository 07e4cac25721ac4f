//! Bounds of sets from bounds of their subsets. Specification section 11.7.
//!
//! A tree for `S` is also one for every `S'` within `S`, if the questions that do not split `S'` and the subtrees
//! without objects of `S'` are left out; no object's cost rises. So `OPT(S') ≤ OPT(S)` for the worst cost and for the
//! expected cost with unnormalised priors. The expected cost is a sum over objects, so disjoint subsets even add up:
//! `OPT_E(S) ≥ Σ_j OPT_E(S_j)`.

use fewest_model::{Candidates, ObjectId};

/// Set of candidates with a lower bound on its cost.
#[derive(Clone, Copy, Debug)]
pub struct KnownBound<'a> {
    /// Candidates of the set.
    pub candidates: &'a Candidates,
    /// Lower bound. For the expected cost it is on unnormalised mass: `Σ p_i cost(i)` over the candidates alone.
    pub value: f64,
}

/// Lower bound on the worst cost of `candidates`: the largest bound among `known` subsets of them.
pub fn worst_from_parts(candidates: &Candidates, known: &[KnownBound<'_>]) -> f64 {
    let all = ids(candidates);
    let within = known.iter().filter(|known| is_within(known.candidates, &all));
    within.map(|known| known.value).fold(0.0, f64::max)
}

/// Lower bound on the expected cost of `candidates` on unnormalised mass: the sum over disjoint subsets among
/// `known`, chosen greedily by value.
pub fn expected_from_parts(candidates: &Candidates, known: &[KnownBound<'_>]) -> f64 {
    let mut free = ids(candidates);
    let mut known: Vec<&KnownBound<'_>> = known.iter().filter(|known| known.value > 0.0).collect();
    known.sort_by(|left, right| right.value.total_cmp(&left.value));
    let mut sum = 0.0;
    for part in known {
        if is_within(part.candidates, &free) {
            sum += part.value;
            let taken = ids(part.candidates);
            free.retain(|object| taken.binary_search(object).is_err());
        }
    }
    sum
}

fn ids(candidates: &Candidates) -> Vec<ObjectId> {
    let mut ids = candidates.objects().to_vec();
    ids.sort_unstable();
    ids
}

fn is_within(part: &Candidates, sorted: &[ObjectId]) -> bool {
    part.objects().iter().all(|object| sorted.binary_search(object).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::testing::instance;
    use fewest_model::TestId;

    #[test]
    fn the_largest_part_counts_at_worst_and_disjoint_parts_on_average() {
        let instance = instance("object t u\n a 0 0\n b 0 1\n c 1 0\n d 1 1", &[]);
        let all = Candidates::all(&instance);
        let by =
            |test| all.split(&instance, TestId(test)).into_iter().map(|(_, part)| part).collect::<Vec<_>>();
        let (t, u) = (by(0), by(1));
        let known = |candidates, value| KnownBound { candidates, value };
        let parts = [known(&t[0], 0.5), known(&u[0], 0.7), known(&t[1], 0.6)];
        assert_eq!(worst_from_parts(&all, &parts), 0.7);
        // {a, c} overlaps with both {a, b} and {c, d}.
        assert_eq!(expected_from_parts(&all, &parts), 0.7);
        assert_eq!(expected_from_parts(&all, &[parts[0], parts[2]]), 1.1);
        // A set that is not a subset is ignored.
        assert_eq!(worst_from_parts(&t[0], &parts), 0.5);
        assert_eq!(expected_from_parts(&t[0], &[known(&all, 2.0)]), 0.0);
    }
}
