//! p-values of small tables, for which χ² is only a rough approximation: by counting all tables, or by drawing some.

use crate::random::{RandomStream, Stream};
use statrs::function::factorial::ln_binomial;

/// Whether χ² is unreliable: an expected count is below 1, or more than a fifth of them are below 5. \[Cochran1954\]
///
/// Empty lines and columns do not count.
pub fn has_small_counts(table: &[Vec<f64>]) -> bool {
    let Some(margins) = Margins::of(table) else { return false };
    let expected =
        margins.lines.iter().flat_map(|line| margins.columns.iter().map(move |column| line * column));
    let (mut cells, mut below_five, mut below_one) = (0usize, 0usize, false);
    for product in expected {
        let expected = product / margins.total;
        cells += 1;
        below_five += usize::from(expected < 5.0);
        below_one |= expected < 1.0;
    }
    below_one || below_five * 5 > cells
}

/// Fisher's exact test of a table with two lines and two columns: the probability of a table that is at most as
/// likely as this one, with the same margins. \[Fisher1922\] `None` for other tables and for counts that are not
/// whole.
///
/// ```
/// // Three of four cups told apart by taste: 1/70 + 16/70 twice.
/// let p = fewest::measure::fisher_exact(&[vec![3.0, 1.0], vec![1.0, 3.0]]).unwrap();
/// assert!((p - 34.0 / 70.0).abs() < 1e-12);
/// ```
pub fn fisher_exact(table: &[Vec<f64>]) -> Option<f64> {
    let margins = Margins::of(table)?;
    let [first, second] = margins.lines[..] else { return None };
    let [left, _] = margins.columns[..] else { return None };
    let whole = |value: f64| (value.fract() == 0.0 && value < 1e9).then_some(value as u64);
    let (first, second, left) = (whole(first)?, whole(second)?, whole(left)?);
    let observed = margins.cells[0][0] as u64;
    let all = ln_binomial(first + second, left);
    let chance = |x: u64| (ln_binomial(first, x) + ln_binomial(second, left - x) - all).exp();
    let (low, high) = (left.saturating_sub(second), first.min(left));
    // Tables that are equally likely must count as such despite rounding.
    let limit = chance(observed) * (1.0 + 1e-7);
    let at_most: f64 = (low..=high).map(chance).filter(|chance| *chance <= limit).sum();
    Some(at_most.min(1.0))
}

/// Number of extreme draws after which drawing ends; more would only sharpen a p-value that is large anyway.
const ENOUGH: usize = 20;
/// Most draws.
const DRAWS: usize = 999;
/// Most rows that are drawn, which are all but those of the largest line: more would take too long.
const MOST_DRAWN: f64 = 10_000.0;
/// Most rows of a table: drawing from more would take too much memory.
const MOST_ROWS: f64 = 1e6;

/// Share of tables with the same margins whose χ² is at least as large, from random ones; stops early if the share is
/// large. \[BesagClifford1991\] `None` if the counts are not whole or too many.
///
/// The second number counts the tables that were as extreme; 0 tells only that the p-value is small.
pub fn permutation_p_value(table: &[Vec<f64>], seed: u64) -> Option<(f64, usize)> {
    let margins = Margins::of(table)?;
    let drawn = margins.total - margins.lines.iter().copied().fold(0.0, f64::max);
    if drawn > MOST_DRAWN
        || margins.total > MOST_ROWS
        || margins.cells.iter().flatten().any(|count| count.fract() != 0.0)
    {
        return None;
    }
    let sizes: Vec<usize> = margins.lines.iter().map(|line| *line as usize).collect();
    // The largest line takes what the others leave, so only they are drawn.
    let largest = (0..sizes.len()).max_by_key(|line| sizes[*line])?;
    let counts = margins.columns.iter().enumerate();
    let mut items: Vec<usize> = counts.flat_map(|(column, count)| vec![column; *count as usize]).collect();
    // With fixed margins χ² grows with Σ x² / (line × column).
    let spread = |cells: &[Vec<f64>]| -> f64 {
        let line = |(cells, size): (&Vec<f64>, &f64)| -> f64 {
            cells.iter().zip(&margins.columns).map(|(x, column)| x * x / column).sum::<f64>() / size
        };
        cells.iter().zip(&margins.lines).map(line).sum()
    };
    let observed = spread(&margins.cells) * (1.0 - 1e-12);
    let mut dice = RandomStream::new(seed, Stream::Permutations);
    let mut cells = vec![vec![0.0; margins.columns.len()]; sizes.len()];
    let mut extreme = 0;
    for draw in 1..=DRAWS {
        let mut left = margins.columns.clone();
        let mut drawn = 0;
        for line in (0..sizes.len()).filter(|line| *line != largest) {
            cells[line].fill(0.0);
            for _ in 0..sizes[line] {
                let other = drawn + dice.below((items.len() - drawn) as u32) as usize;
                items.swap(drawn, other);
                cells[line][items[drawn]] += 1.0;
                left[items[drawn]] -= 1.0;
                drawn += 1;
            }
        }
        cells[largest] = left;
        extreme += usize::from(spread(&cells) >= observed);
        if extreme == ENOUGH {
            return Some((ENOUGH as f64 / draw as f64, extreme));
        }
    }
    Some(((extreme + 1) as f64 / (DRAWS + 1) as f64, extreme))
}

/// Margins of a table without its empty lines and columns.
struct Margins {
    cells: Vec<Vec<f64>>,
    lines: Vec<f64>,
    columns: Vec<f64>,
    total: f64,
}

impl Margins {
    /// Computes the margins; `None` if the table has no degrees of freedom.
    fn of(table: &[Vec<f64>]) -> Option<Self> {
        let width = table.first()?.len();
        let sum = |line: &Vec<f64>| line.iter().sum::<f64>();
        let used: Vec<usize> = (0..width).filter(|at| table.iter().any(|line| line[*at] > 0.0)).collect();
        let lines = table.iter().filter(|line| sum(line) > 0.0);
        let cells: Vec<Vec<f64>> = lines.map(|line| used.iter().map(|at| line[*at]).collect()).collect();
        let lines: Vec<f64> = cells.iter().map(sum).collect();
        let columns: Vec<f64> = (0..used.len()).map(|at| cells.iter().map(|line| line[at]).sum()).collect();
        let total = lines.iter().sum();
        (lines.len() >= 2 && columns.len() >= 2).then_some(Self { cells, lines, columns, total })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::chi_squared;
    use proptest::prelude::*;

    fn choose(n: u64, k: u64) -> f64 {
        (0..k).fold(1.0, |product, at| product * (n - at) as f64 / (at + 1) as f64)
    }

    proptest! {
        #[test]
        fn fisher_counts_tables(a in 0..7u64, b in 0..7u64, c in 0..7u64, d in 0..7u64) {
            let table = [[a, b], [c, d]].map(|line| line.map(|count| count as f64).to_vec());
            if let Some(p) = fisher_exact(&table) {
                let ways = |x: u64| choose(a + b, x) * choose(c + d, a + c - x);
                let possible = (0..=a + c).filter(|x| *x <= a + b && a + c - x <= c + d);
                let all: f64 = possible.clone().map(ways).sum();
                let at_most: f64 = possible.map(ways).filter(|ways_x| *ways_x <= ways(a) * (1.0 + 1e-9)).sum();
                prop_assert!((p - at_most / all).abs() < 1e-9, "{p} {}", at_most / all);
            } else {
                prop_assert!(a + b == 0 || c + d == 0 || a + c == 0 || b + d == 0);
            }
        }

        /// Compares draws with the share of all orders of the rows that are as extreme, by trying all of them.
        #[test]
        fn draws_come_close_to_all_permutations(cells in prop::collection::vec(0..3u8, 6)) {
            let table: Vec<Vec<f64>> = cells.chunks(3).map(|line| line.iter().map(|c| f64::from(*c)).collect()).collect();
            let (first, n) = (table[0].iter().sum::<f64>() as usize, cells.iter().map(|c| usize::from(*c)).sum::<usize>());
            if let Some((p, _)) = permutation_p_value(&table, 1) {
                let items: Vec<usize> =
                    (0..3).flat_map(|at| vec![at; (table[0][at] + table[1][at]) as usize]).collect();
                let (mut all, mut extreme) = (0.0, 0.0);
                let observed = chi_squared(&table).statistic;
                for set in (0u32..1 << n).filter(|set| set.count_ones() as usize == first) {
                    let mut lines = vec![vec![0.0; 3]; 2];
                    items.iter().enumerate().for_each(|(at, item)| lines[1 - (set >> at & 1) as usize][*item] += 1.0);
                    all += 1.0;
                    extreme += f64::from(chi_squared(&lines).statistic >= observed - 1e-9);
                }
                let exact: f64 = extreme / all;
                // Five standard deviations of the least number of draws behind an estimate.
                prop_assert!((p - exact).abs() < 5.0 * exact * (1.0f64 / 20.0).sqrt() + 0.02, "{p} {exact}");
            }
        }
    }

    #[test]
    fn small_counts_are_seen() {
        assert!(has_small_counts(&[vec![3.0, 1.0], vec![1.0, 3.0]]));
        assert!(!has_small_counts(&[vec![30.0, 10.0], vec![10.0, 30.0]]));
        assert!(has_small_counts(&[vec![3000.0, 1.0], vec![1000.0, 0.0]]));
        assert!(!has_small_counts(&[vec![3.0, 0.0], vec![1.0, 0.0]]));
    }

    #[test]
    fn tables_that_do_not_fit_are_left_to_others() {
        assert_eq!(fisher_exact(&[vec![1.0, 2.0, 3.0], vec![1.0, 2.0, 3.0]]), None);
        assert_eq!(fisher_exact(&[vec![1.5, 2.0], vec![1.0, 2.0]]), None);
        assert_eq!(permutation_p_value(&[vec![1.5, 2.0], vec![1.0, 2.0]], 0), None);
        assert_eq!(permutation_p_value(&[vec![1e6, 2.0], vec![1.0, 2.0]], 0), None);
        assert_eq!(permutation_p_value(&[vec![1e4, 2e4], vec![1e4, 2e4]], 0), None);
        assert!(permutation_p_value(&[vec![5e5, 2.0], vec![1.0, 2.0]], 0).is_some());
        assert_eq!(permutation_p_value(&[vec![1.0, 2.0]], 0), None);
    }
}
