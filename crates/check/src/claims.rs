//! Last claim: the costs of the tree.

use crate::CheckError;
use fewest_model::Costs;

/// Relative error that a claim may have.
///
/// A claim was added up in another order and may have been printed and parsed, so its last digits can differ without
/// a mistake: a few parts in 1e16 for each addition. The cost of another tree differs by at least one object's share
/// of one test, which at a million objects is still far above this.
pub(crate) const TOLERANCE: f64 = 1e-9;

/// Verifies that all three claimed costs are those found.
pub(crate) fn costs_are_true(claimed: &Costs, found: &Costs) -> Result<(), CheckError> {
    expected_is_true(claimed.expected, found.expected)?;
    worst_is_true(claimed.worst, found.worst)?;
    exponential_is_true(claimed, found)
}

fn expected_is_true(claimed: f64, found: f64) -> Result<(), CheckError> {
    if agree(claimed, found) { Ok(()) } else { Err(CheckError::Expected { claimed, found }) }
}

fn worst_is_true(claimed: f64, found: f64) -> Result<(), CheckError> {
    if agree(claimed, found) { Ok(()) } else { Err(CheckError::Worst { claimed, found }) }
}

fn exponential_is_true(claimed: &Costs, found: &Costs) -> Result<(), CheckError> {
    let (lambda, claimed, found) = (claimed.lambda.value(), claimed.exponential, found.exponential);
    if agree(claimed, found) { Ok(()) } else { Err(CheckError::Exponential { lambda, claimed, found }) }
}

/// Whether two numbers are equal up to [`TOLERANCE`]; a claim that is not a number agrees with nothing.
pub(crate) fn agree(claimed: f64, found: f64) -> bool {
    claimed == found || (found.is_finite() && (claimed - found).abs() <= TOLERANCE * found.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_printed_digit_is_forgiven_and_the_ninth_is_not() {
        assert!(agree(2.1043366598 * (1.0 + 1e-15), 2.1043366598) && agree(0.0, 0.0));
        assert!(!agree(2.1043366598 * (1.0 + 2e-9), 2.1043366598));
        assert!(!agree(1e-300, 0.0));
    }

    #[test]
    fn what_is_not_a_number_is_refused() {
        assert!(!agree(f64::NAN, 1.0) && !agree(f64::INFINITY, 1.0) && !agree(1.0, f64::NAN));
        assert!(!agree(1.0, f64::INFINITY) && agree(f64::INFINITY, f64::INFINITY));
    }
}
