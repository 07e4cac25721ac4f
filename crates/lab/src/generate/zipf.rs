//! Priors that fall as a power of the rank.

use super::error::require;
use super::{GenerateError, draft};
use fewest::random::{RandomStream, Stream};
use fewest_model::{Column, ColumnBuilder};

/// Refuses an exponent that is negative or not finite.
pub(super) fn require_delta(delta: f64) -> Result<(), GenerateError> {
    require(delta.is_finite() && delta >= 0.0, "delta", delta, "a number ≥ 0")
}

/// Column `prior` with `1^-δ … M^-δ` in random order; `None` for δ = 0, where all objects have equal weights.
pub(super) fn prior_column(objects: u32, delta: f64, seed: u64) -> Option<Column> {
    if delta == 0.0 {
        return None;
    }
    let mut ranks: Vec<u32> = (1..=objects).collect();
    RandomStream::new(seed, Stream::Prior).shuffle(&mut ranks);
    let mut column = ColumnBuilder::new("prior", draft::UNPLACED);
    ranks.into_iter().for_each(|rank| {
        column.push(&weight_text(f64::from(rank).powf(-delta)));
    });
    Some(column.finish())
}

/// Text of `weight` with twelve digits: machines differ in the last digit of a power, and no table should show it.
pub(super) fn weight_text(weight: f64) -> String {
    let rounded: f64 = format!("{weight:.11e}").parse().expect("a printed number reads back");
    draft::number_text(rounded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_short_and_plain() {
        let texts = [1.0, 0.25, 1.0 / 3.0, 1e-9].map(weight_text);
        assert_eq!(texts, ["1", "0.25", "0.333333333333", "1e-9"]);
    }

    #[test]
    fn priors_are_the_powers_of_the_ranks_in_some_order() {
        let (objects, delta) = (500, 1.5);
        let column = prior_column(objects, delta, 11).unwrap();
        let read = |code: u32| column.labels.get(code as usize).parse::<f64>().unwrap();
        let drawn: Vec<f64> = column.codes.iter().map(read).collect();
        let mut sorted = drawn.clone();
        sorted.sort_by(|left, right| right.total_cmp(left));
        for (rank, weight) in (1..=objects).zip(&sorted) {
            let power = 1.0 / f64::from(rank).powf(delta);
            assert!((weight - power).abs() <= 1e-11 * power, "rank {rank}");
        }
        assert_ne!(drawn, sorted);
    }

    #[test]
    fn no_fall_is_no_column() {
        assert!(prior_column(5, 0.0, 1).is_none());
    }
}
