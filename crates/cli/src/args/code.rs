//! Arguments of `fewest code`.

use super::parse::lambda;
use clap::Args;
use fewest::Lambda;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct CodeArgs {
    /// The table whose prior is coded: CSV, TSV or Parquet; `-` is standard input
    #[arg(required_unless_present = "probs", conflicts_with = "probs")]
    pub(crate) table: Option<PathBuf>,
    /// Code this distribution: weights ≥ 0 by comma
    #[arg(long, value_name = "P,P,…", value_parser = probabilities)]
    pub(crate) probs: Option<Probabilities>,
    /// Code the distribution of this column instead of the prior
    #[arg(long, value_name = "COLUMN", conflicts_with = "probs")]
    pub(crate) column: Option<String>,
    /// The column of priors, weights ≥ 0 [default: `prior`, if there is one]
    #[arg(long, value_name = "COLUMN", conflicts_with = "probs")]
    pub(crate) prior: Option<String>,
    /// The column that names the objects [default: the first]
    #[arg(long, value_name = "COLUMN", conflicts_with = "probs")]
    pub(crate) object: Option<String>,
    /// Letters of the code, from 2 to 36
    #[arg(long, value_name = "R", default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=36))]
    pub(crate) radix: u8,
    /// Also print the code that is best for exponential cost with this λ, from 1 (expected) to `inf` (worst)
    #[arg(long, value_name = "X", value_parser = lambda)]
    pub(crate) lambda: Option<Lambda>,
    /// Code this message: symbols by comma
    #[arg(long, value_name = "S,S,…")]
    pub(crate) message: Option<String>,
    /// Send random messages of up to this many symbols
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(0..=10_000_000))]
    pub(crate) longest: u32,
}

/// Weights of a distribution, not normalised.
#[derive(Clone, Debug)]
pub(crate) struct Probabilities(pub(crate) Vec<f64>);

fn probabilities(text: &str) -> Result<Probabilities, String> {
    let weight =
        |part: &str| part.trim().parse().ok().filter(|weight: &f64| weight.is_finite() && *weight >= 0.0);
    let weights: Option<Vec<f64>> = text.split(',').map(weight).collect();
    match weights {
        Some(weights) if weights.iter().any(|weight| *weight > 0.0) => Ok(Probabilities(weights)),
        _ => {
            Err("expected weights ≥ 0 by comma, at least one of them above 0, such as 0.5,0.3,0.2".to_owned())
        }
    }
}
