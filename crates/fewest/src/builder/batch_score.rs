//! Best test of a node, found from sums over all tests at once.
//!
//! Which path ranks the tests of a node:
//!
//! | node | path |
//! | --- | --- |
//! | two objects of equal weight | `pair_test`: the first test that differs |
//! | up to 7 objects (6 if weights differ or tests are few) | `best_of_patterns`: scores of all split patterns |
//! | up to 255 objects of equal weight, AVX2, one sum needed | the kernel's prefilter, then sums of those left |
//! | large, counts known (`GroupedRows`) | sums from the counts |
//! | any other | `NodeSums` over all packed tests |
//! | tests with more than two answers | a contingency table each (`score_others`) |
//!
//! Sums yield each benefit up to rounding, and scores that differ by a billionth are equal anyway. So nearly always
//! they decide which test wins. If they do not, the few tests in question are counted one by one (`decide`); and if a
//! criterion sees no difference at all, the policy decides. The choice is the same on every path.

use super::packing::Packing;
use crate::Policy;
use crate::criterion::CLAMP;
use crate::policy::{Greedy, REL};
use fewest_kernel::{
    GroupedRows, NodeRows, NodeSums, NodeView, PackedRows, SplitPatterns, Term, TermTables, first_not_below,
    mask_and_max,
};
use fewest_model::{Candidates, Contingency, Instance, ObjectId, TestId, Weighing};

/// Share of all weight below which weights may have lost their digits.
const LEAST_MASS: f64 = 1e-250;

/// Most objects, if their weights differ or tests are few, that have few enough split patterns to score each.
const MAX_PATTERN_OBJECTS: usize = 6;
/// Number of tests from which scoring the patterns of one object more pays.
const MIN_MANY_TESTS: usize = 2 << MAX_PATTERN_OBJECTS;

/// Greedy policy that ranks all tests of a node at once.
pub(crate) struct BatchScorer<'a> {
    greedy: &'a Greedy<'a>,
    terms: TermTables,
    is_weighted: bool,
    /// Tests with at most two answers: the columns of the packed rows.
    tests: Vec<TestId>,
    /// Tests with more answers, which are counted one by one.
    others: Vec<TestId>,
    /// Divisor of each benefit, unless all are 1.
    costs: Option<Vec<f64>>,
    least_cost: f64,
}

/// Rows of a node, whichever way they are stored.
trait RowSource {
    /// Rows of the node, or their counts.
    fn rows(&self) -> NodeView<'_>;
    /// Converts the objects to candidates, for code that looks at one test at a time.
    fn candidates(&self, instance: &Instance) -> Candidates;
}

impl RowSource for NodeRows<'_> {
    fn rows(&self) -> NodeView<'_> {
        self.rows()
    }

    fn candidates(&self, instance: &Instance) -> Candidates {
        self.candidates(instance)
    }
}

impl RowSource for GroupedRows<'_> {
    fn rows(&self) -> NodeView<'_> {
        self.rows()
    }

    fn candidates(&self, instance: &Instance) -> Candidates {
        self.candidates(instance)
    }
}

/// Scratch space for the scores of one node.
#[derive(Default)]
pub(crate) struct ScoreScratch {
    estimates: Estimates,
    table: Contingency,
    patterns: SplitPatterns,
    /// Scores of all split patterns of a few equal objects, by sizes of groups.
    known: Vec<Option<Scored>>,
}

/// Scores of all tests from sums.
#[derive(Default)]
struct Estimates {
    sums: NodeSums,
    scores: Vec<f64>,
    /// Largest of the scores.
    best_score: f64,
    /// Whether some scores are unknown (NaN).
    has_gaps: bool,
}

/// Function that sums up tests.
type Counting = fn(&mut NodeSums, &NodeView<'_>, &TermTables, usize);

/// Scores of all split patterns of a few objects.
#[derive(Default)]
struct Scored {
    scores: Vec<f64>,
    /// Patterns in order; the best of those that occur come first.
    order: Vec<u8>,
    /// Whether the rest is in order of scores as well.
    is_sorted: bool,
    has_gaps: bool,
    /// Largest error of the scores.
    slack: f64,
}

/// Best score, and the largest error of scores.
#[derive(Clone, Copy)]
struct ScoreInterval {
    best_score: f64,
    slack: f64,
}

impl ScoreInterval {
    /// Whether a score may be one of the best.
    fn may_win(self, score: f64) -> bool {
        // NaN compares false.
        let is_less = score + self.slack < self.least();
        !is_less
    }

    /// Score below which a test is surely not one of the best.
    fn least(self) -> f64 {
        (self.best_score - self.slack) * (1.0 - REL)
    }

    /// Index of the first score that may be one of the best.
    fn first(self, scores: &[f64]) -> Option<usize> {
        first_not_below(scores, self.slack, self.least())
    }

    /// Whether a score surely is one of the best.
    fn wins(self, score: f64) -> bool {
        score - self.slack >= (self.best_score + self.slack) * (1.0 - REL)
    }
}

impl<'a> BatchScorer<'a> {
    /// Packs the objects for `greedy`; `None` if its criterion has no estimates, or if the choice depends on more
    /// than scores.
    pub(crate) fn new(greedy: &'a Greedy<'a>, packing: &Packing) -> Option<(Self, PackedRows)> {
        let instance = greedy.instance();
        let wanted = greedy.criterion().sums_needed().filter(|_| !instance.needs_confirmation())?;
        let terms = TermTables::new(wanted, instance.object_count());
        let is_weighted = greedy.criterion().weighing() == Weighing::Prior && !instance.has_equal_weights();
        let weights: Option<Vec<f64>> =
            is_weighted.then(|| instance.objects().map(|object| instance.prior(object)).collect());
        let packed = packing.rows(instance, weights.as_deref(), greedy.moments());
        let tests = packed.tests().to_vec();
        if tests.is_empty() {
            return None;
        }
        let others = instance.test_ids().filter(|test| tests.binary_search(test).is_err()).collect();
        let costs: Vec<f64> = tests.iter().map(|test| greedy.cost(*test)).collect();
        let least_cost = costs.iter().copied().fold(f64::INFINITY, f64::min);
        let costs = costs.iter().any(|cost| *cost != 1.0).then_some(costs);
        Some((Self { greedy, terms, is_weighted, tests, others, costs, least_cost }, packed))
    }

    /// Groups the rows of the root, if they are many and only the counts of each group and answer of packed tests
    /// matter.
    pub(crate) fn grouped<'p>(&self, root: NodeRows<'p>) -> Result<GroupedRows<'p>, NodeRows<'p>> {
        let looks_at_groups =
            self.greedy.criterion().sums_needed().is_some_and(|wanted| wanted.cells != Term::Nothing);
        if self.is_weighted || !self.others.is_empty() || !looks_at_groups {
            return Err(root);
        }
        GroupedRows::new(root, self.tests.len())
    }

    /// Test at `column` of the packed rows.
    pub(crate) fn test(&self, column: usize) -> TestId {
        self.tests[column]
    }

    /// Column of a test in the packed rows, if it is there.
    pub(crate) fn column(&self, test: TestId) -> Option<usize> {
        let is_usual = self.tests.get(test.index()) == Some(&test);
        if is_usual { Some(test.index()) } else { self.tests.binary_search(&test).ok() }
    }

    /// Whether, of tests that split objects in the same way, the first packed one is the best: all are packed and
    /// cost the same.
    fn first_is_best(&self) -> bool {
        self.costs.is_none() && self.others.is_empty()
    }

    /// Finds the test that the policy asks for two objects of equal weight, and the objects in order of answers: all
    /// tests that tell them apart are as good as the first.
    pub(crate) fn pair_test(&self, part: &NodeRows<'_>) -> Option<(TestId, [ObjectId; 2])> {
        if self.is_weighted || !self.first_is_best() {
            return None;
        }
        let (column, objects) = part.difference()?;
        Some((self.tests[column], objects))
    }

    /// Finds the test that the policy asks at `part`, which is not pure.
    pub(crate) fn best(&self, part: &NodeRows<'_>, scratch: &mut ScoreScratch) -> Option<TestId> {
        self.best_of_patterns(part, scratch)
            .or_else(|| self.best_of_sums(part, scratch))
            .or_else(|| self.greedy.next(&part.candidates(self.greedy.instance())))
    }

    /// Best test for a few objects; `None` if the sums do not decide. Of tests that split them in the same way the
    /// first is as good as any, and there are few split patterns.
    fn best_of_patterns(&self, part: &NodeRows<'_>, scratch: &mut ScoreScratch) -> Option<TestId> {
        if !self.first_is_best() {
            return None;
        }
        let ScoreScratch { estimates, table, patterns, known } = scratch;
        let most = if self.is_weighted || self.tests.len() < MIN_MANY_TESTS {
            MAX_PATTERN_OBJECTS
        } else {
            MAX_PATTERN_OBJECTS + 1
        };
        let rows = part.as_patterns(most, patterns)?;
        // If objects weigh the same, scores depend only on the sizes of their groups, and are kept.
        let key = if self.is_weighted { 0 } else { borders(&rows) };
        known.resize_with(1 << 8, || None);
        if key == 0 || known[key].is_none() {
            let old = known[key].take().unwrap_or_default();
            known[key] = self.score_patterns(&rows, patterns, key > 0, estimates, old);
        }
        self.best_pattern(part, patterns, known[key].as_ref()?, table)
    }

    /// Scores all patterns into `scored`. They are sorted if they will be `seen_again`.
    fn score_patterns(
        &self,
        rows: &NodeView<'_>,
        patterns: &SplitPatterns,
        seen_again: bool,
        estimates: &mut Estimates,
        mut scored: Scored,
    ) -> Option<Scored> {
        scored.slack = self.estimate(NodeSums::count, rows, 1 << rows.len(), estimates)?;
        scored.has_gaps = estimates.has_gaps;
        scored.scores.clone_from(&estimates.scores);
        scored.order.clear();
        // The first pattern and the last split nothing.
        scored.order.extend((1..u8::MAX).take(scored.scores.len() - 2));
        let scores = &scored.scores;
        let rank = |pattern: &u8| {
            Some(scores[usize::from(*pattern)]).filter(|score| !score.is_nan()).unwrap_or(-2.0)
        };
        scored.is_sorted = seen_again && !scored.has_gaps;
        if seen_again {
            scored.order.sort_unstable_by(|a, b| rank(b).total_cmp(&rank(a)));
            return Some(scored);
        }
        scored.order.retain(|pattern| patterns.first(usize::from(*pattern)).is_some());
        let best = scored.order.iter().enumerate().max_by(|a, b| rank(a.1).total_cmp(&rank(b.1)));
        if let Some((best, _)) = best {
            scored.order.swap(0, best);
        }
        Some(scored)
    }

    fn best_pattern(
        &self,
        part: &NodeRows<'_>,
        patterns: &SplitPatterns,
        scored: &Scored,
        table: &mut Contingency,
    ) -> Option<TestId> {
        let score = |pattern: &u8| scored.scores[usize::from(*pattern)];
        let mut there = scored
            .order
            .iter()
            .filter_map(|pattern| Some((self.tests[patterns.first(usize::from(*pattern))?], score(pattern))));
        let all = there.clone();
        let range = ScoreInterval { best_score: there.next()?.1, slack: scored.slack };
        if range.best_score - range.slack <= 2.0 * CLAMP || range.best_score.is_nan() {
            return None;
        }
        let open = all
            .take_while(|(_, score)| !scored.is_sorted || range.may_win(*score))
            .filter(|(_, score)| range.may_win(*score));
        let (first, score) = open.clone().min_by_key(|(test, _)| *test)?;
        if range.wins(score) && !scored.has_gaps {
            return Some(first);
        }
        let mut open: Vec<TestId> = open.map(|(test, _)| test).collect();
        open.sort_unstable();
        self.decide(&open, part, table)
    }

    /// Finds the test that the policy asks at `grouped`, which is not pure, and its column; `None` if its counts are
    /// not known.
    pub(crate) fn best_of_grouped(
        &self,
        grouped: &GroupedRows<'_>,
        scratch: &mut ScoreScratch,
    ) -> Option<(TestId, usize)> {
        if !grouped.is_counted() {
            return None;
        }
        let best = self.best_of_sums(grouped, scratch);
        let test = best.or_else(|| self.greedy.next(&grouped.candidates(self.greedy.instance())))?;
        Some((test, self.column(test)?))
    }

    /// Best test; `None` if the sums do not decide.
    fn best_of_sums(&self, part: &impl RowSource, scratch: &mut ScoreScratch) -> Option<TestId> {
        let ScoreScratch { estimates, table, .. } = scratch;
        let (rows, tests) = (part.rows(), self.tests.len());
        // If costs differ, the test with the largest gain need not be the best.
        let prefiltered =
            if self.first_is_best() { estimates.sums.prefilter(&rows, &self.terms) } else { None };
        let count: Counting = match prefiltered {
            Some([only]) => return Some(self.tests[*only as usize]),
            Some(_) => |sums, rows, terms, _| sums.sum_prefiltered(rows, terms),
            None => NodeSums::count,
        };
        let slack = self.estimate(count, &rows, tests, estimates)?;
        let Estimates { sums, scores, best_score, has_gaps } = estimates;
        let test = |at: usize| self.tests[sums.chosen.get(at).map_or(at, |column| *column as usize)];
        let others = self.score_others(part, table);
        let best_score = others.iter().map(|(_, score)| *score).fold(*best_score, f64::max);
        // Below this margin no test has a provable benefit: fall back to exact counting.
        let is_clear = (best_score - slack) * self.least_cost > 2.0 * CLAMP;
        let range = ScoreInterval { best_score, slack };
        let first = range.first(scores);
        match first {
            _ if !is_clear => None,
            Some(first) if others.is_empty() && range.wins(scores[first]) && !*has_gaps => Some(test(first)),
            _ => {
                let packed = scores.iter().enumerate().map(|(at, score)| (test(at), *score));
                let mut open: Vec<TestId> = packed
                    .chain(others)
                    .filter(|(_, score)| range.may_win(*score))
                    .map(|(test, _)| test)
                    .collect();
                // Packed tests are in order.
                if !self.others.is_empty() {
                    open.sort_unstable();
                }
                self.decide(&open, part, table)
            }
        }
    }

    /// Computes the score of every test, -1 for those that split nothing, and returns their largest error.
    fn estimate(
        &self,
        count: Counting,
        rows: &NodeView<'_>,
        tests: usize,
        estimates: &mut Estimates,
    ) -> Option<f64> {
        let slack = self.estimate_by(count, rows, tests, estimates)?;
        let range = ScoreInterval { best_score: estimates.best_score, slack };
        let may_win = estimates.scores.iter().filter(|score| range.may_win(**score));
        // Fine sums are cheaper than counting several tests one by one.
        if estimates.sums.is_coarse() && may_win.take(2).count() > 1 {
            return self.estimate_by(NodeSums::count_finely, rows, tests, estimates);
        }
        Some(slack)
    }

    fn estimate_by(
        &self,
        count: Counting,
        rows: &NodeView<'_>,
        tests: usize,
        estimates: &mut Estimates,
    ) -> Option<f64> {
        let Estimates { sums, scores, has_gaps, best_score } = estimates;
        count(sums, rows, &self.terms, tests);
        if self.is_weighted && sums.mass < LEAST_MASS {
            return None;
        }
        scores.resize(if sums.chosen.is_empty() { tests } else { sums.chosen.len() }, 0.0);
        let blur = self.greedy.criterion().estimate(sums, scores);
        for (score, cost) in scores.iter_mut().zip(self.costs.iter().flatten()) {
            *score /= cost;
        }
        let (best, are_known) = mask_and_max(scores, &sums.second_counts, sums.count);
        (*best_score, *has_gaps) = (best, !are_known);
        Some(blur * sums.slack() / self.least_cost)
    }

    /// Scores of the tests that are not packed.
    fn score_others(&self, part: &impl RowSource, table: &mut Contingency) -> Vec<(TestId, f64)> {
        if self.others.is_empty() {
            return Vec::new();
        }
        let candidates = part.candidates(self.greedy.instance());
        let score = |test: &TestId| Some((*test, self.greedy.score_of(*test, &candidates, table)?));
        self.others.iter().filter_map(score).collect()
    }

    /// Finds the best of the `open` tests, counted one by one.
    fn decide(&self, open: &[TestId], part: &impl RowSource, table: &mut Contingency) -> Option<TestId> {
        if let [only] = open {
            return Some(*only);
        }
        let candidates = part.candidates(self.greedy.instance());
        let mut score = |test: &TestId| self.greedy.score_of(*test, &candidates, table);
        let scores: Vec<f64> = open.iter().map(|test| score(test).unwrap_or(0.0)).collect();
        let best = scores.iter().copied().fold(0.0, f64::max);
        open.iter().zip(&scores).find(|(_, score)| **score >= best * (1.0 - REL)).map(|(test, _)| *test)
    }
}

/// Sizes of the groups of a few objects, as one number.
fn borders(rows: &NodeView<'_>) -> usize {
    rows.runs().iter().fold(1, |borders, run| borders << run.len | 1 << (run.len - 1))
}
