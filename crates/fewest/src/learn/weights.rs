//! Weights of labelled examples: from a column, and by class.

use super::{ExamplesError, Field, MISSING, Values};

/// Weight of an example of each class.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ClassWeights {
    /// All classes have the same weight per example.
    #[default]
    Equal,
    /// All classes have the same sum of weights.
    Balanced,
    /// Classes have the listed weights; others count 1.
    Listed(Vec<(String, f64)>),
}

/// Takes the column of weights called `name` out of `fields`, if there is one.
pub(super) fn weights(fields: &mut Vec<Field>, name: &str) -> Result<Option<Vec<f64>>, ExamplesError> {
    let Some(at) = fields.iter().position(|field| field.name == name) else { return Ok(None) };
    let field = fields.remove(at);
    let wrong = |row: usize, text: String| bad_weight(name, row, text);
    let weights: Vec<f64> = match &field.values {
        Values::Numbers(_) if field.stray.is_some() => return Err(ExamplesError::stray(&field)),
        Values::Numbers(values) => values.clone(),
        Values::Words { labels, codes } => {
            let number = |(row, &code): (usize, &u32)| {
                let text = if code == MISSING { "?" } else { labels.get(code as usize) };
                text.parse::<f64>().map_err(|_| wrong(row, text.to_owned()))
            };
            codes.iter().enumerate().map(number).collect::<Result<_, _>>()?
        }
    };
    check_weights(&weights, name)?;
    Ok(Some(weights))
}

fn bad_weight(name: &str, row: usize, text: String) -> ExamplesError {
    ExamplesError::Weight { name: name.to_owned(), row: row + 1, text }
}

/// Checks that weights are finite, at least 0 and not all 0; `name` is that of their column.
pub(super) fn check_weights(weights: &[f64], name: &str) -> Result<(), ExamplesError> {
    let bad = weights.iter().position(|weight| !(weight.is_finite() && *weight >= 0.0));
    match bad {
        Some(row) if weights[row].is_nan() => Err(bad_weight(name, row, "?".to_owned())),
        Some(row) => Err(bad_weight(name, row, weights[row].to_string())),
        None if weights.iter().all(|weight| *weight == 0.0) => {
            Err(ExamplesError::NoWeight { name: name.to_owned() })
        }
        None => Ok(()),
    }
}

/// Multiplies the weights of the rows by those of their classes.
pub(super) fn with_class_weights(
    weights: Option<Vec<f64>>,
    by_class: &ClassWeights,
    classes: &[String],
    target: &[u32],
) -> Result<Option<Vec<f64>>, ExamplesError> {
    let weight = |row: usize| weights.as_ref().map_or(1.0, |weights| weights[row]);
    let factors: Vec<f64> = match by_class {
        ClassWeights::Equal => return Ok(weights),
        ClassWeights::Balanced => {
            let mut totals = vec![0.0; classes.len()];
            target.iter().enumerate().for_each(|(row, class)| totals[*class as usize] += weight(row));
            let all: f64 = totals.iter().sum();
            let share = |total: &f64| if *total > 0.0 { all / (classes.len() as f64 * total) } else { 0.0 };
            totals.iter().map(share).collect()
        }
        ClassWeights::Listed(listed) => {
            let mut factors = vec![1.0; classes.len()];
            for (name, factor) in listed {
                let class = classes.iter().position(|class| class == name).ok_or_else(|| {
                    ExamplesError::NoSuchClass { name: name.clone(), classes: classes.to_vec() }
                })?;
                if !(factor.is_finite() && *factor > 0.0) {
                    return Err(ExamplesError::ClassWeight { name: name.clone(), weight: *factor });
                }
                factors[class] = *factor;
            }
            factors
        }
    };
    let weighed = target.iter().enumerate().map(|(row, class)| weight(row) * factors[*class as usize]);
    Ok(Some(weighed.collect()))
}
