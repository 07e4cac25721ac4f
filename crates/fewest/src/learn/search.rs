//! Search for the best question at a node.

use super::grid::{MANY_ROWS, Prepared, Ranges};
use super::scan::{CLAMP, Cut, Scan, is_better};
use super::score::split_bits;
use super::{Categories, Examples, FitOptions, MissingAnswer, Question, Score, Values};
use fewest_model::midpoint;

/// Most words of a column for which a question has one answer for each word.
const MANY_WAYS: usize = 16;
/// Most class orders for subsets: with more classes, only the orders by the most frequent ones are tried.
const ORDERS: usize = 8;

/// Question with its gain, and the number of questions it was chosen from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Candidate {
    pub(super) question: Question,
    pub(super) gain: f64,
    /// Entropy of the answer, in bits.
    pub(super) bits: f64,
    pub(super) tried: usize,
    /// Number of words that the set was chosen from, for questions about a set of words; otherwise 0.
    pub(super) words: usize,
}

/// Rows of a node and their classes.
pub(super) struct Here<'a> {
    pub(super) rows: &'a [u32],
    pub(super) classes: &'a [f64],
    /// Counts for the columns that are not sorted, one table after the other.
    pub(super) counts: &'a [f64],
}

/// Counts of a column of words at a node.
struct Column<'a> {
    field: usize,
    /// Words that occur.
    present: Vec<usize>,
    /// Counts by word and class.
    lines: &'a [f64],
    width: usize,
    /// Counts of the rows with a missing cell, by class.
    missing: &'a [f64],
}

impl<'a> Column<'a> {
    fn new(field: usize, arity: usize, counts: &'a [f64], width: usize) -> Self {
        let (lines, missing) = counts.split_at(arity * width);
        let occurs = |word: &usize| lines[word * width..][..width].iter().any(|count| *count > 0.0);
        Self { field, present: (0..arity).filter(occurs).collect(), lines, width, missing }
    }

    fn line(&self, word: usize) -> &'a [f64] {
        &self.lines[word * self.width..][..self.width]
    }

    fn is_missing(&self) -> bool {
        self.missing.iter().any(|count| *count > 0.0)
    }
}

/// Search for questions; keeps its scratch space from node to node.
pub(super) struct Search<'a> {
    pub(super) examples: &'a Examples,
    pub(super) prepared: &'a [Prepared],
    /// Start of each column's table in the counts.
    offsets: Vec<usize>,
    options: &'a FitOptions,
    pairs: Vec<(f64, u32)>,
}

impl<'a> Search<'a> {
    pub(super) fn new(examples: &'a Examples, prepared: &'a [Prepared], options: &'a FitOptions) -> Self {
        let width = examples.classes().len();
        let mut offsets = vec![0];
        for field in prepared {
            offsets.push(offsets[offsets.len() - 1] + field.lines() * width);
        }
        Self { examples, prepared, offsets, options, pairs: Vec::new() }
    }

    /// Length of the counts of a node.
    pub(super) fn counts_len(&self) -> usize {
        self.offsets[self.prepared.len()]
    }

    /// Counts `rows` by word or range and class, for every column that is not sorted.
    pub(super) fn count(&self, rows: &[u32], counts: &mut Vec<f64>) {
        counts.clear();
        counts.resize(self.counts_len(), 0.0);
        let width = self.examples.classes().len();
        let weights = self.examples.weights();
        // Looked up once for all columns.
        let target = self.examples.target();
        let classes: Vec<u32> = rows.iter().map(|&row| target[row as usize]).collect();
        let classes = classes.as_slice();
        for (field, prepared) in self.prepared.iter().enumerate() {
            let table = &mut counts[self.offsets[field]..self.offsets[field + 1]];
            match prepared {
                Prepared::Sorted => (),
                Prepared::Ranges(ranges) => add_up(table, rows, width, &ranges.codes, classes, weights),
                Prepared::Words { codes, .. } => add_up(table, rows, width, codes, classes, weights),
            }
        }
    }

    /// Finds the best question, if any gains something; `cost` returns the cost of asking for a column here.
    pub(super) fn best(&mut self, here: &Here<'_>, cost: impl Fn(usize) -> f64) -> Option<Candidate> {
        let found: Vec<Candidate> =
            (0..self.prepared.len()).filter_map(|field| self.of_field(field, here)).collect();
        let tried = found.iter().map(|candidate| candidate.tried).sum();
        let average = found.iter().map(|candidate| candidate.gain).sum::<f64>() / found.len().max(1) as f64;
        let value = |candidate: &Candidate| {
            let score = match self.options.score {
                Score::Information | Score::Gini => candidate.gain,
                Score::GainRatio if candidate.gain < average * (1.0 - 1e-9) || candidate.bits < CLAMP => 0.0,
                Score::GainRatio => candidate.gain / candidate.bits,
            };
            score / cost(candidate.question.field())
        };
        let mut best: Option<(f64, usize)> = None;
        for (at, candidate) in found.iter().enumerate() {
            let value = value(candidate);
            if value > 0.0 && best.is_none_or(|(old, _)| is_better(value, old)) {
                best = Some((value, at));
            }
        }
        let chosen = found.into_iter().nth(best?.1)?;
        Some(Candidate { tried, ..self.refined(chosen, here) })
    }

    fn of_field(&mut self, field: usize, here: &Here<'_>) -> Option<Candidate> {
        let counts = &here.counts[self.offsets[field]..self.offsets[field + 1]];
        match &self.prepared[field] {
            Prepared::Sorted => self.sorted(field, here),
            Prepared::Ranges(ranges) => {
                let width = here.classes.len();
                let (lines, missing) = counts.split_at(ranges.ends.len() * width);
                let mut scan = self.scan(here.classes, missing);
                for (place, line) in lines.chunks_exact(width).enumerate() {
                    if line.iter().any(|count| *count > 0.0) {
                        scan.add_all(line);
                        scan.cut(place);
                    }
                }
                let (cut, tried) = (scan.best?, scan.tried);
                let cut_at = between(ranges, lines, width, cut.place)?;
                Some(found(Question::Above { field, cut: cut_at }, cut, tried))
            }
            Prepared::Words { arity, .. } => self.words(field, *arity, counts, here),
        }
    }

    fn scan<'m>(&self, classes: &[f64], missing: &'m [f64]) -> Scan<'m> {
        Scan::new(self.options.score, self.options.missing, self.options.min_leaf, classes, missing)
    }

    /// Tries every cut between different numbers.
    fn sorted(&mut self, field: usize, here: &Here<'_>) -> Option<Candidate> {
        let Values::Numbers(values) = &self.examples.fields()[field].values else {
            unreachable!("only numbers are sorted")
        };
        let mut pairs = std::mem::take(&mut self.pairs);
        pairs.clear();
        let mut missing = vec![0.0; here.classes.len()];
        for &row in here.rows {
            let value = values[row as usize];
            match value.is_nan() {
                true => missing[self.examples.class(row as usize)] += self.examples.weight(row as usize),
                false => pairs.push((value, row)),
            }
        }
        pairs.sort_unstable_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
        let mut scan = self.scan(here.classes, &missing);
        self.cut_everywhere(&pairs, &mut scan);
        let best = scan.best.map(|cut| {
            let at = midpoint(pairs[cut.place].0, pairs[cut.place + 1].0);
            found(Question::Above { field, cut: at }, cut, scan.tried)
        });
        self.pairs = pairs;
        best
    }

    /// Adds rows by rising value, and tries a cut wherever the next value is greater.
    fn cut_everywhere(&self, pairs: &[(f64, u32)], scan: &mut Scan<'_>) {
        for (place, &(value, row)) in pairs.iter().enumerate() {
            scan.add(self.examples.class(row as usize), self.examples.weight(row as usize));
            if pairs.get(place + 1).is_some_and(|next| next.0 > value) {
                scan.cut(place);
            }
        }
    }

    /// Moves a cut between ranges to the best position within the two ranges beside it.
    fn refined(&mut self, coarse: Candidate, here: &Here<'_>) -> Candidate {
        let Question::Above { field, cut } = coarse.question else { return coarse };
        let Prepared::Ranges(ranges) = &self.prepared[field] else { return coarse };
        let Values::Numbers(values) = &self.examples.fields()[field].values else { return coarse };
        let width = here.classes.len();
        let counts = &here.counts[self.offsets[field]..self.offsets[field + 1]];
        let (lines, missing) = counts.split_at(ranges.ends.len() * width);
        let is_used = |range: &usize| lines[range * width..][..width].iter().any(|count| *count > 0.0);
        // The first range above the cut, and the last one with rows below it.
        let first_above = ranges.ends.partition_point(|(_, high)| *high <= cut);
        let (Some(below), Some(above)) =
            ((0..first_above).rev().find(is_used), (first_above..ranges.ends.len()).find(is_used))
        else {
            return coarse;
        };
        let mut scan = self.scan(here.classes, missing);
        lines[..below * width].chunks_exact(width).for_each(|line| scan.add_all(line));
        let mut pairs = std::mem::take(&mut self.pairs);
        pairs.clear();
        let close = |row: &u32| {
            let range = usize::from(ranges.codes[*row as usize]);
            range == below || range == above
        };
        pairs.extend(here.rows.iter().filter(|row| close(row)).map(|&row| (values[row as usize], row)));
        pairs.sort_unstable_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
        self.cut_everywhere(&pairs, &mut scan);
        let better = scan.best.filter(|cut| is_better(cut.gain, coarse.gain));
        let refined = better.map(|cut| {
            let at = midpoint(pairs[cut.place].0, pairs[cut.place + 1].0);
            found(Question::Above { field, cut: at }, cut, coarse.tried)
        });
        self.pairs = pairs;
        refined.unwrap_or(coarse)
    }

    fn words(&self, field: usize, arity: usize, counts: &[f64], here: &Here<'_>) -> Option<Candidate> {
        let column = Column::new(field, arity, counts, here.classes.len());
        let own = column.is_missing() && self.options.missing == MissingAnswer::Own;
        match self.options.categories {
            _ if column.present.len() + usize::from(own) < 2 => None,
            Categories::Many => self.many_ways(&column, here),
            Categories::Auto if arity <= self.most_ways() => self.many_ways(&column, here),
            Categories::One => self.one_word(&column, here),
            Categories::Auto | Categories::Subsets => self.subsets(&column, here),
        }
    }

    /// Most words for which a question has one answer each: with many rows, sets of words leave more rows for later
    /// questions.
    fn most_ways(&self) -> usize {
        if self.examples.len() > MANY_ROWS { 2 } else { MANY_WAYS }
    }

    /// Question with one answer for each word.
    fn many_ways(&self, column: &Column<'_>, here: &Here<'_>) -> Option<Candidate> {
        let mut parts: Vec<Vec<f64>> =
            column.present.iter().map(|word| column.line(*word).to_vec()).collect();
        let sum = |part: &[f64]| part.iter().sum::<f64>();
        if sum(column.missing) > 0.0 {
            match self.options.missing {
                MissingAnswer::Own => parts.push(column.missing.to_vec()),
                MissingAnswer::Likelier => {
                    let heavier =
                        |best: usize, at: usize| if sum(&parts[at]) > sum(&parts[best]) { at } else { best };
                    let heaviest = (0..parts.len()).fold(0, heavier);
                    parts[heaviest]
                        .iter_mut()
                        .zip(column.missing)
                        .for_each(|(count, missing)| *count += missing);
                }
            }
        }
        // As for binary questions, at least two answers must be frequent enough.
        if parts.len() < 2 || parts.iter().filter(|part| sum(part) >= self.options.min_leaf).count() < 2 {
            return None;
        }
        let total: f64 = here.classes.iter().sum();
        let worth = |part: &[f64]| self.options.score.worth(part.iter().copied(), sum(part));
        let gain = (parts.iter().map(|part| worth(part)).sum::<f64>() - worth(here.classes)) / total;
        let bits = split_bits(parts.iter().map(|part| sum(part)), total);
        (gain >= CLAMP).then_some(Candidate {
            question: Question::Which { field: column.field },
            gain,
            bits,
            tried: 1,
            words: 0,
        })
    }

    /// Best question about one word against all others.
    fn one_word(&self, column: &Column<'_>, here: &Here<'_>) -> Option<Candidate> {
        let (mut best, mut tried): (Option<(Cut, usize)>, usize) = (None, 0);
        for &word in &column.present {
            let mut scan = self.scan(here.classes, column.missing);
            scan.add_all(column.line(word));
            scan.cut(0);
            tried += scan.tried;
            if let Some(cut) = scan.best
                && best.is_none_or(|(old, _)| is_better(cut.gain, old.gain))
            {
                best = Some((cut, word));
            }
        }
        best.map(|(cut, word)| found(Question::Is { field: column.field, word: word as u32 }, cut, tried))
    }

    /// Best question about a set of words against all others: words in the order of a class's share, cut like
    /// numbers.
    ///
    /// For two classes the best of all sets is among these cuts [Breiman1984, Theorem 4.5]; for more, the orders by
    /// each of the most frequent classes are a heuristic.
    fn subsets(&self, column: &Column<'_>, here: &Here<'_>) -> Option<Candidate> {
        let Column { field, ref present, .. } = *column;
        let mut frequent: Vec<usize> =
            (0..here.classes.len()).filter(|class| here.classes[*class] > 0.0).collect();
        frequent.sort_by(|left, right| {
            here.classes[*right].total_cmp(&here.classes[*left]).then(left.cmp(right))
        });
        // With two classes one share is the other's complement.
        frequent.truncate(if frequent.len() == 2 { 1 } else { ORDERS });
        let totals: Vec<f64> = present.iter().map(|word| column.line(*word).iter().sum()).collect();
        let (mut best, mut tried): (Option<(Cut, Vec<u32>)>, usize) = (None, 0);
        for class in frequent {
            let mut order: Vec<usize> = (0..present.len()).collect();
            let share = |at: usize| column.line(present[at])[class] / totals[at];
            order.sort_by(|left, right| share(*left).total_cmp(&share(*right)).then(left.cmp(right)));
            let mut scan = self.scan(here.classes, column.missing);
            for (place, &at) in order.iter().enumerate() {
                scan.add_all(column.line(present[at]));
                if place + 1 < order.len() {
                    scan.cut(place);
                }
            }
            tried += scan.tried;
            if let Some(cut) = scan.best
                && best.as_ref().is_none_or(|(old, _)| is_better(cut.gain, old.gain))
            {
                // The question names the set with fewer words.
                let (low, high) = order.split_at(cut.place + 1);
                let named = if low.len() <= high.len() { low } else { high };
                let mut words: Vec<u32> = named.iter().map(|at| present[*at] as u32).collect();
                words.sort_unstable();
                best = Some((cut, words));
            }
        }
        let (cut, words) = best?;
        let question = match words.as_slice() {
            [word] => Question::Is { field, word: *word },
            _ => Question::Among { field, words },
        };
        let gain = cut.gain - self.chance(present.len(), here.classes);
        let candidate = Candidate { gain, words: present.len(), ..found(question, cut, tried) };
        (gain >= CLAMP).then_some(candidate)
    }

    /// Expected gain of the best set of many words by chance alone; 0 if words are few.
    ///
    /// If words are independent of the class, asking for the word itself gains about `(L − 1)(K − 1) / (2 n ln 2)`
    /// bits (twice the gain in nats times n has a χ² distribution), and the better half of the words has 2/π of that.
    /// Without this correction, a column of hundreds of words would win wherever rows are few.
    fn chance(&self, words: usize, classes: &[f64]) -> f64 {
        if words <= MANY_WAYS {
            return 0.0;
        }
        let total: f64 = classes.iter().sum();
        let present = classes.iter().filter(|count| **count > 0.0).count();
        let free = (words - 1) as f64 / total * std::f64::consts::FRAC_2_PI;
        match self.options.score {
            Score::Information | Score::GainRatio => {
                free * (present.max(1) - 1) as f64 / (2.0 * std::f64::consts::LN_2)
            }
            Score::Gini => free * (1.0 - classes.iter().map(|count| (count / total).powi(2)).sum::<f64>()),
        }
    }
}

/// Adds every row to the line of its code and the column of its class; `classes` are those of `rows`.
fn add_up<C: Copy + Into<usize>>(
    table: &mut [f64],
    rows: &[u32],
    width: usize,
    codes: &[C],
    classes: &[u32],
    weights: Option<&[f64]>,
) {
    let places = rows.iter().zip(classes).map(|(&row, &class)| {
        let row = row as usize;
        (row, codes[row].into() * width + class as usize)
    });
    match weights {
        None => places.for_each(|(_, place)| table[place] += 1.0),
        Some(weights) => places.for_each(|(row, place)| table[place] += weights[row]),
    }
}

fn found(question: Question, cut: Cut, tried: usize) -> Candidate {
    Candidate { question, gain: cut.gain, bits: cut.bits, tried, words: 0 }
}

/// Cut halfway between the last range with rows up to `place` and the first one after it.
fn between(ranges: &Ranges, lines: &[f64], width: usize, place: usize) -> Option<f64> {
    let mut rest = lines.chunks_exact(width).enumerate().skip(place + 1);
    let (next, _) = rest.find(|(_, line)| line.iter().any(|count| *count > 0.0))?;
    Some(midpoint(ranges.ends[place].1, ranges.ends[next].0))
}
