//! Priors of the objects of a made table.

use super::error::require;
use super::{GenerateError, draft, zipf};
use fewest::random::{RandomStream, Stream};
use fewest_model::{Column, ColumnBuilder};

/// Priors of the objects of a made table.
#[derive(Clone, Debug, PartialEq)]
pub enum Prior {
    /// Weights `1^-δ … M^-δ` in random order, as of words and surnames; equal for δ = 0.
    Zipf(f64),
    /// Whole numbers from 1 to this, drawn uniformly.
    Random(u32),
    /// Given weights, one for each object.
    Weights(Vec<f64>),
}

impl Default for Prior {
    fn default() -> Self {
        Self::Zipf(0.0)
    }
}

impl Prior {
    /// Column `prior`; `None` where all objects have equal weights.
    pub(super) fn column(&self, objects: u32, seed: u64) -> Result<Option<Column>, GenerateError> {
        match self {
            Self::Zipf(delta) => {
                zipf::require_delta(*delta)?;
                Ok(zipf::prior_column(objects, *delta, seed))
            }
            Self::Random(most) => {
                require(*most >= 1, "the largest weight", f64::from(*most), "at least 1")?;
                let mut dice = RandomStream::new(seed, Stream::Prior);
                Ok(Some(column((0..objects).map(|_| f64::from(1 + dice.below(*most))))))
            }
            Self::Weights(weights) => {
                let count = weights.len();
                require(
                    count == objects as usize,
                    "the number of weights",
                    count as f64,
                    "the number of objects",
                )?;
                weights.iter().try_for_each(|&weight| {
                    require(weight.is_finite() && weight >= 0.0, "a weight", weight, "a number ≥ 0")
                })?;
                let none = weights.iter().all(|weight| *weight == 0.0);
                require(!none, "the sum of the weights", 0.0, "above 0")?;
                Ok(Some(column(weights.iter().copied())))
            }
        }
    }
}

fn column(weights: impl Iterator<Item = f64>) -> Column {
    let mut column = ColumnBuilder::new("prior", draft::UNPLACED);
    weights.for_each(|weight| {
        column.push(&draft::number_text(weight));
    });
    column.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(prior: &Prior, objects: u32) -> Vec<String> {
        let column = prior.column(objects, 3).unwrap().unwrap();
        column.codes.iter().map(|code| column.labels.get(code as usize).to_owned()).collect()
    }

    #[test]
    fn weights_are_written_as_they_were_given() {
        assert_eq!(texts(&Prior::Weights(vec![5.0, 0.1, 0.0]), 3), ["5", "0.1", "0"]);
    }

    #[test]
    fn random_weights_keep_to_their_range() {
        let drawn = texts(&Prior::Random(6), 200);
        let drawn: Vec<u32> = drawn.iter().map(|text| text.parse().unwrap()).collect();
        assert!(drawn.iter().all(|weight| (1..=6).contains(weight)));
        assert!((1..=6).all(|weight| drawn.contains(&weight)));
    }

    #[test]
    fn impossible_weights_are_refused() {
        let of = |prior: Prior| prior.column(2, 0).unwrap_err().to_string();
        assert!(of(Prior::Zipf(-1.0)).contains("delta is -1"));
        assert!(of(Prior::Random(0)).contains("the largest weight is 0"));
        assert!(of(Prior::Weights(vec![1.0])).contains("the number of weights is 1"));
        assert!(of(Prior::Weights(vec![1.0, -2.0])).contains("a weight is -2"));
        assert!(of(Prior::Weights(vec![1.0, f64::INFINITY])).contains("a weight is inf"));
        assert!(of(Prior::Weights(vec![0.0, 0.0])).contains("the sum of the weights is 0"));
    }
}
