//! Star of each test: the answer class of a set with the most pairs, which the path follows.

use super::least_share;
use super::pair_counts::PairCounts;
use crate::criterion::pairs_between;
use fewest_kernel::{BitTiles, TILE_TESTS};
use fewest_model::{AnswerId, Candidates, Columns, Contingency, Count, Instance, TestId, View, Weighing};
use rayon::prelude::*;

/// Absolute difference below which masses are equal.
const MASS: f64 = 1e-12;

/// Number of pairs of objects in different groups, `P(A) = Σ_{k<l} |A_k||A_l|`, ignoring the prior.
pub(super) fn pairs(set: &Candidates) -> f64 {
    pairs_between(set.runs().iter().map(|run| run.count()))
}

/// Test that splits the set, with its star.
#[derive(Clone, Copy)]
pub(super) struct Star {
    pub(super) test: TestId,
    /// Answer of `S*_t`.
    pub(super) answer: AnswerId,
    /// Coverage `cov({t}) = P(S) − P(S*_t)`.
    pub(super) cover: f64,
}

/// Answer classes `S*_t` of a set `S`; `σ_t` is the rest of `S`.
pub(super) struct Stars<'a> {
    pub(super) instance: &'a Instance,
    /// Set `S`; the position of an object is that among the candidates.
    pub(super) pair_counts: PairCounts,
    /// Number of pairs `P(S)`.
    pub(super) pairs: f64,
    /// Weight of each object, by position.
    pub(super) weights: Vec<f64>,
    /// Tests that split the set, in order.
    pub(super) stars: Vec<Star>,
    /// Members of `S*_t` for each test, one bit each by position; unused if a test does not split the set.
    planes: Vec<u64>,
    /// Words per plane.
    height: usize,
}

impl<'a> Stars<'a> {
    pub(super) fn new(instance: &'a Instance, tiles: &BitTiles, set: &Candidates) -> Self {
        let height = set.len().div_ceil(64);
        let weights = set.objects().iter().map(|object| instance.weight(*object)).collect();
        let pair_counts = PairCounts::new(set.runs());
        let mut found = Self {
            instance,
            pairs: pair_counts.pairs(),
            pair_counts,
            weights,
            stars: Vec::new(),
            planes: Vec::new(),
            height,
        };
        let mut planes = vec![0; instance.test_count() * height];
        found.stars = planes
            .par_chunks_mut(TILE_TESTS * height)
            .enumerate()
            .with_min_len(least_share(set.len()).div_ceil(TILE_TESTS))
            .map_init(Contingency::default, |table, (stripe, planes)| {
                let mut splitting = tiles.columns(stripe, set.objects(), planes);
                let mut stars = Vec::with_capacity(splitting.count_ones() as usize);
                while splitting != 0 {
                    let at = splitting.trailing_zeros() as usize;
                    splitting &= splitting - 1;
                    let test = TestId::at(stripe * TILE_TESTS + at);
                    // A test that may be asked here may be asked on the whole path, but not the other way round.
                    if instance.may_ask_after(test, set.objects(), &[]) {
                        let plane = &mut planes[at * height..][..height];
                        stars.extend(found.star(set, test, plane, table));
                    }
                }
                stars
            })
            .collect::<Vec<_>>()
            .concat();
        found.planes = planes;
        found
    }

    /// Members of `S*_t`, by position.
    pub(super) fn plane(&self, test: TestId) -> &[u64] {
        &self.planes[test.index() * self.height..][..self.height]
    }

    /// Star of a test that splits the set.
    pub(super) fn star_of(&self, test: TestId) -> &Star {
        let at = self.stars.binary_search_by_key(&test, |star| star.test);
        &self.stars[at.expect("only tests that split the set are taken")]
    }

    /// Star of a test, if it splits the set. For a yes/no test, `plane` holds the objects with the second answer.
    fn star(
        &self,
        set: &Candidates,
        test: TestId,
        plane: &mut [u64],
        table: &mut Contingency,
    ) -> Option<Star> {
        let (answer, pairs) = if self.instance.test(test).codes.width() == 1 {
            self.star_of_two(plane)
        } else {
            self.star_of_many(set, test, plane, table)
        };
        // An object outside the class is in some pair, so only a test that splits nothing covers nothing.
        let cover = self.pairs - pairs;
        (cover > 0.0).then_some(Star { test, answer, cover })
    }

    /// Answer with the most pairs; among those the least mass, then the first. Flips the plane to it.
    fn star_of_two(&self, plane: &mut [u64]) -> (AnswerId, f64) {
        let pairs = self.pair_counts.split_pairs(plane);
        let is_second = pairs[1] > pairs[0]
            || pairs[1] == pairs[0] && {
                let [first, second] = [u64::MAX, 0].map(|flip| {
                    self.pair_counts.weigh(plane, flip, &self.weights) / self.instance.total_weight()
                });
                second < first - MASS
            };
        if !is_second {
            plane.iter_mut().for_each(|word| *word = !*word);
        }
        (AnswerId::at(usize::from(is_second)), pairs[usize::from(is_second)])
    }

    /// Star of a test with any number of answers.
    fn star_of_many(
        &self,
        set: &Candidates,
        test: TestId,
        plane: &mut [u64],
        table: &mut Contingency,
    ) -> (AnswerId, f64) {
        let view = View { columns: Columns::Groups, weighing: Weighing::Prior, moments: None };
        self.instance.count(test, set, view, table);
        let (answer, pairs) = star(table, set.weight() / self.instance.total_weight());
        for (word, objects) in plane.iter_mut().zip(set.objects().chunks(64)) {
            *word = 0;
            for (at, object) in objects.iter().enumerate() {
                *word |= u64::from(self.instance.answer(*object, test) == answer) << at;
            }
        }
        (answer, pairs)
    }
}

/// Row with the most pairs; among those the least mass, then the first. `mass` is the probability of the set.
fn star(table: &Contingency, mass: f64) -> (AnswerId, f64) {
    // If all weights are 0, or equal, the table counts objects.
    let mut best: Option<(AnswerId, f64, f64)> = None;
    for row in table.rows() {
        let (pairs, mass) = (pairs_between(row.cells().iter().map(|cell| cell.count)), row.share() * mass);
        let better =
            best.is_none_or(|(_, most, least)| pairs > most || (pairs == most && mass < least - MASS));
        if better {
            best = Some((row.answer(), pairs, mass));
        }
    }
    let (answer, pairs, _) = best.expect("a set has objects, and they have answers");
    (answer, pairs)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use fewest_model::{ObjectId, Reading, Table};
    use proptest::prelude::*;

    /// Instances with yes/no tests, one test of four answers and an expensive one of names.
    pub(crate) fn instances() -> impl Strategy<Value = Instance> {
        prop::collection::vec((any::<u64>(), 0u8..4, 0u8..3), 2..150).prop_map(|rows| {
            let mut text = "o,group,prior,name,many,q0,q1,q2,q3,q4,q5,q6".to_owned();
            for (at, (bits, group, prior)) in rows.iter().enumerate() {
                let prior = if at == 0 { 1 } else { *prior };
                text += &format!("\no{at},g{group},{prior},n{at},a{}", bits % 4);
                (0..7).for_each(|test| text += &format!(",{}", bits >> (test * 9) & 1));
            }
            let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
            let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
            let costs =
                [("name", 100.0), ("many", 2.0), ("q2", 1.5)].map(|(test, cost)| (test.to_owned(), cost));
            let reading = Reading { costs: costs.into(), ..Reading::default() };
            Instance::new(Table::from_rows(&rows), &reading).unwrap().0
        })
    }

    /// Counts the pairs of objects from different groups one by one.
    pub(crate) fn slow_pairs(instance: &Instance, objects: &[ObjectId]) -> f64 {
        let group = |object: &ObjectId| instance.group_of(*object);
        let differ =
            |at: usize| objects[..at].iter().filter(|other| group(other) != group(&objects[at])).count();
        (0..objects.len()).map(differ).sum::<usize>() as f64
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn stars_have_the_most_pairs_then_the_least_mass(instance in instances(), every in 1usize..4) {
            let set = Candidates::all(&instance).keep(&instance, |object| object.index().is_multiple_of(every));
            let stars = Stars::new(&instance, &BitTiles::new(&instance), &set);
            prop_assert_eq!(stars.pairs, slow_pairs(&instance, set.objects()));
            let mut splitting = Vec::new();
            for test in instance.test_ids() {
                // Answer, pairs and mass of the best class so far.
                let mut best: Option<(AnswerId, f64, f64)> = None;
                let parts = set.split(&instance, test);
                for (answer, part) in &parts {
                    let (pairs, mass) = (slow_pairs(&instance, part.objects()), part.weight() / instance.total_weight());
                    if best.is_none_or(|(_, most, least)| pairs > most || pairs == most && mass < least - MASS) {
                        best = Some((*answer, pairs, mass));
                    }
                }
                let (answer, pairs, _) = best.unwrap();
                if set.is_pure() || parts.len() < 2 {
                    continue;
                }
                splitting.push(test);
                let star = stars.star_of(test);
                prop_assert_eq!((star.answer, star.cover), (answer, stars.pairs - pairs));
                for (place, object) in set.objects().iter().enumerate() {
                    let is_in = stars.plane(test)[place / 64] >> (place % 64) & 1 == 1;
                    prop_assert_eq!(is_in, instance.answer(*object, test) == answer);
                }
            }
            prop_assert_eq!(stars.stars.iter().map(|star| star.test).collect::<Vec<_>>(), splitting);
        }
    }
}
