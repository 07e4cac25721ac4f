//! The statements of a saved strategy about itself, beside its tree: size of the problem, lower bound, gap.

use crate::bound::{ProvedBound, own_bound};
use crate::claims::agree;
use crate::{CheckError, Verified, bound_of_coarse_groups, costs};
use fewest_model::{Instance, ObjectId, Objective};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Statement of a strategy about its own quality.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statement {
    /// Objective that the strategy minimises.
    pub objective: Objective,
    /// Largest worst cost of the strategies that the statement is about; infinite for all of them.
    pub cap: f64,
    /// Claimed lower bound on the cost of every strategy.
    pub lower_bound: f64,
    /// Claimed relative distance above the lower bound, if stated.
    pub gap: Option<f64>,
    /// Whether the strategy is claimed to be optimal.
    pub optimal: bool,
    /// Whether the search is claimed to have ended with a proof, if stated.
    pub proved: Option<bool>,
}

/// Support of the lower bound of a statement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Support {
    /// The proof in the certificate.
    Proof(ProvedBound),
    /// The checker's own bound.
    Judge(ProvedBound),
    /// No support that the checker can see: the bound, and with it the gap and the optimality, may be true or not.
    Nothing,
}

impl Support {
    /// Returns the bound that was verified, if one was.
    pub fn bound(&self) -> Option<ProvedBound> {
        match self {
            Self::Proof(bound) | Self::Judge(bound) => Some(*bound),
            Self::Nothing => None,
        }
    }
}

/// Checks the statements about a verified tree. A statement that contradicts the tree, its certificate or itself is
/// refused. One without support is not refused; the result says so.
///
/// # Errors
/// With the first statement that is false.
pub fn check_statement(
    instance: &Instance,
    verified: &Verified,
    statement: &Statement,
) -> Result<Support, CheckError> {
    let cost = cost_of(verified, statement.objective)?;
    let Statement { cap, lower_bound: claimed, .. } = *statement;
    if cap.is_nan() || cap < 0.0 {
        return Err(CheckError::CapNoNumber { cap });
    }
    if verified.costs.worst > cap && !agree(verified.costs.worst, cap) {
        return Err(CheckError::BeyondCap { worst: verified.costs.worst, cap });
    }
    if claimed.is_nan() {
        return Err(CheckError::BoundNoNumber);
    }
    if claimed > cost && !agree(claimed, cost) {
        return Err(CheckError::OwnCost { claimed, cost });
    }
    let support = support(instance, verified, statement)?;
    gap_is_true(statement, cost)?;
    let is_best = cost <= claimed || agree(claimed, cost);
    if statement.optimal && !is_best {
        return Err(CheckError::NotOptimal { cost, bound: claimed });
    }
    match statement.proved {
        Some(proved) if proved != statement.optimal => Err(CheckError::StopContradicts { proved }),
        _ => Ok(support),
    }
}

/// Cost that the statement is about.
fn cost_of(verified: &Verified, objective: Objective) -> Result<f64, CheckError> {
    match objective {
        Objective::Exponential(lambda) if lambda != verified.costs.lambda => {
            Err(CheckError::OtherLambda { cost: verified.costs.lambda.value(), objective: lambda.value() })
        }
        objective => Ok(verified.costs.get(objective)),
    }
}

/// Finds the support of the lower bound: the certificate's proof if it shows as much for as many strategies,
/// otherwise the checker's own bound.
fn support(instance: &Instance, verified: &Verified, statement: &Statement) -> Result<Support, CheckError> {
    let Statement { objective, cap, lower_bound: claimed, .. } = *statement;
    let is_shown = |found: f64| claimed <= found || agree(claimed, found);
    let by_judge = Support::Judge(ProvedBound { objective, cap, value: claimed, claims: 0 });
    if let Some(proof) = verified.bound.filter(|proof| proof.objective == objective) {
        let covers = proof.cap >= cap || agree(proof.cap, cap);
        if covers && is_shown(proof.value) {
            return Ok(Support::Proof(proof));
        }
    }
    // No strategy costs less than 0.
    if claimed <= 0.0 {
        return Ok(by_judge);
    }
    if instance.has_several() {
        let found = bound_of_coarse_groups(instance, objective, verified.open.map(|open| open.error));
        return if is_shown(found) { Ok(by_judge) } else { Err(CheckError::Coarse { claimed, found }) };
    }
    Ok(if is_shown(own_bound(instance, objective)) { by_judge } else { Support::Nothing })
}

/// Verifies that the claimed gap is `(cost − bound) / bound`.
fn gap_is_true(statement: &Statement, cost: f64) -> Result<(), CheckError> {
    let Some(claimed) = statement.gap else { return Ok(()) };
    let bound = statement.lower_bound;
    let found = match () {
        () if cost <= bound || agree(bound, cost) => 0.0,
        () if bound <= 0.0 => f64::INFINITY,
        () => (cost - bound) / bound,
    };
    // A gap is a difference of nearly equal numbers, so the rounding of the cost dominates its error.
    let is_near = || (claimed - found).abs() <= 1e-9 * (1.0 + found.abs());
    let is_true = claimed == found || (found.is_finite() && is_near());
    if is_true { Ok(()) } else { Err(CheckError::Gap { claimed, found }) }
}

/// Size of a problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Number of rows of the table.
    pub rows: usize,
    /// Number of different rows: rows with the same answers count once.
    pub objects: usize,
    /// Number of tests.
    pub tests: usize,
    /// Number of groups to tell apart.
    pub groups: usize,
    /// Entropy of the groups, in bits.
    pub entropy_bits: f64,
}

/// Verifies that the problem has the claimed size.
///
/// # Errors
/// With the first number that differs from the table's.
pub fn check_size(instance: &Instance, claimed: &Size) -> Result<(), CheckError> {
    let found = size(instance);
    let counts = [
        ("rows", claimed.rows, found.rows),
        ("different objects", claimed.objects, found.objects),
        ("tests", claimed.tests, found.tests),
        ("groups", claimed.groups, found.groups),
    ];
    if let Some((what, claimed, found)) = counts.into_iter().find(|(_, claimed, found)| claimed != found) {
        return Err(CheckError::Size { what, claimed, found });
    }
    let (claimed, found) = (claimed.entropy_bits, found.entropy_bits);
    // Shares are rounded before their logarithms are taken, so an entropy near 0 has few correct digits.
    let is_true = agree(claimed, found) || (claimed - found).abs() <= 1e-12;
    if is_true { Ok(()) } else { Err(CheckError::Entropy { claimed, found }) }
}

fn size(instance: &Instance) -> Size {
    let mut groups: BTreeMap<u32, f64> = BTreeMap::new();
    for object in instance.objects() {
        *groups.entry(instance.group_of(object).0).or_insert(0.0) += instance.weight(object);
    }
    let total = costs::sum(groups.values().copied());
    let surprise = |share: f64| if share > 0.0 { -share * share.log2() } else { 0.0 };
    Size {
        rows: instance.objects().map(|object| instance.object_names(object).count()).sum(),
        objects: different_rows(instance),
        tests: instance.test_ids().len(),
        groups: groups.len(),
        entropy_bits: costs::sum(groups.values().map(|mass| surprise(mass / total))),
    }
}

/// Number of objects that differ from all earlier ones in some cell.
fn different_rows(instance: &Instance) -> usize {
    let cells: Vec<_> = instance.test_ids().map(|test| instance.test(test).cells()).collect();
    let compare = |left: &ObjectId, right: &ObjectId| {
        let mut pairs = cells.iter().map(|cells| cells.get(left.index()).cmp(&cells.get(right.index())));
        pairs.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    let mut objects: Vec<ObjectId> = instance.objects().collect();
    objects.sort_unstable_by(compare);
    let changes = objects.windows(2).filter(|pair| compare(&pair[0], &pair[1]) != Ordering::Equal);
    objects.len().min(1) + changes.count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;
    use fewest_model::{AnswerId, Branches, Certificate, Node, NodeId, Reading, Table, TestId, Tree};

    /// Instance with two objects and one test: every cost is 1.
    fn verified() -> (Instance, Verified) {
        let table = Table::from_rows(&[&["object", "t"], &["a", "0"], &["b", "1"]]);
        let (instance, _) = Instance::new(table, &Reading::default()).unwrap();
        let answers = Branches::from([(AnswerId(0), NodeId(1)), (AnswerId(1), NodeId(2))]);
        let leaf = |object| Node::leaf(&[ObjectId(object)]);
        let nodes = vec![Node::Ask { test: TestId(0), answers }, leaf(0), leaf(1)];
        let verified = check(&instance, &Tree::new(nodes).unwrap(), &Certificate::default()).unwrap();
        (instance, verified)
    }

    const GOOD: Statement = Statement {
        objective: Objective::Expected,
        cap: f64::INFINITY,
        lower_bound: 1.0,
        gap: Some(0.0),
        optimal: true,
        proved: Some(true),
    };

    #[test]
    fn what_the_table_shows_at_once_needs_no_proof() {
        let (instance, verified) = verified();
        let support = check_statement(&instance, &verified, &GOOD).unwrap();
        assert!(matches!(support, Support::Judge(ProvedBound { value: 1.0, claims: 0, .. })), "{support:?}");
    }

    #[test]
    fn every_false_statement_is_refused() {
        let (instance, verified) = verified();
        let refused = |statement: Statement| check_statement(&instance, &verified, &statement).unwrap_err();
        assert_eq!(refused(Statement { cap: 0.5, ..GOOD }), CheckError::BeyondCap { worst: 1.0, cap: 0.5 });
        assert_eq!(
            refused(Statement { lower_bound: 1.5, ..GOOD }),
            CheckError::OwnCost { claimed: 1.5, cost: 1.0 }
        );
        assert_eq!(
            refused(Statement { gap: Some(0.1), ..GOOD }),
            CheckError::Gap { claimed: 0.1, found: 0.0 }
        );
        assert_eq!(
            refused(Statement { lower_bound: 0.5, gap: Some(1.0), ..GOOD }),
            CheckError::NotOptimal { cost: 1.0, bound: 0.5 }
        );
        assert_eq!(
            refused(Statement { optimal: false, ..GOOD }),
            CheckError::StopContradicts { proved: true }
        );
        assert_eq!(
            refused(Statement { proved: Some(false), ..GOOD }),
            CheckError::StopContradicts { proved: false }
        );
        let three = fewest_model::Lambda::new(3.0).unwrap();
        assert_eq!(
            refused(Statement { objective: Objective::Exponential(three), ..GOOD }),
            CheckError::OtherLambda { cost: 2.0, objective: 3.0 }
        );
        assert!(refused(Statement { cap: f64::NAN, ..GOOD }).to_string().contains("NaN"));
        assert_eq!(refused(Statement { lower_bound: f64::NAN, ..GOOD }), CheckError::BoundNoNumber);
    }

    #[test]
    fn a_bound_of_nothing_leaves_an_infinite_gap() {
        let (instance, verified) = verified();
        let humble = Statement {
            lower_bound: 0.0,
            gap: Some(f64::INFINITY),
            optimal: false,
            proved: Some(false),
            ..GOOD
        };
        assert!(check_statement(&instance, &verified, &humble).is_ok());
        let wrong = Statement { gap: Some(7.0), ..humble };
        assert!(check_statement(&instance, &verified, &wrong).is_err());
        let none = Statement { gap: Some(f64::NAN), ..humble };
        assert!(check_statement(&instance, &verified, &none).is_err());
    }

    #[test]
    fn the_size_is_counted_again() {
        let table = Table::from_rows(&[
            &["object", "group", "t", "u"],
            &["a", "x", "0", "1"],
            &["b", "x", "0", "1"],
            &["c", "y", "1", "1"],
            &["d", "z", "1", "1"],
        ]);
        let (instance, _) = Instance::new(table, &Reading::default()).unwrap();
        // c and d are joined; a and b are equal.
        let good = Size { rows: 4, objects: 2, tests: 2, groups: 2, entropy_bits: 1.0 };
        assert_eq!(check_size(&instance, &good), Ok(()));
        assert_eq!(instance.distinct_count(), 2);
        for bad in [
            Size { rows: 3, ..good },
            Size { objects: 4, ..good },
            Size { tests: 1, ..good },
            Size { groups: 3, ..good },
            Size { entropy_bits: 1.1, ..good },
        ] {
            assert!(check_size(&instance, &bad).is_err(), "{bad:?}");
        }
    }
}
