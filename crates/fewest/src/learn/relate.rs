//! Relation of every single column to the target: entropies, information and the test of independence.

use super::{Examples, MISSING, Values};
use crate::measure::{ChiSquared, Joint, chi_squared, divergence_bits};
use std::collections::BTreeMap;

/// Relation of one column to the target.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// The column.
    pub field: usize,
    /// Number of answers that occur; missing cells count as one.
    pub answers: usize,
    /// Entropies of column (lines) and target (columns) in bits.
    pub joint: Joint,
    /// Test whether column and target are related by more than chance; the weights count as cases.
    pub chi_squared: ChiSquared,
}

/// Computes the relation of every column of `examples` to the class; numbers are cut into at most `ranges` ranges of
/// about the same number of rows.
pub fn relate(examples: &Examples, ranges: usize) -> Vec<Relation> {
    let relation = |field: usize| {
        let table = table(examples, field, ranges);
        Relation { field, answers: table.len(), joint: Joint::of(&table), chi_squared: chi_squared(&table) }
    };
    (0..examples.fields().len()).map(relation).collect()
}

/// Weights by answer and class.
fn table(examples: &Examples, field: usize, ranges: usize) -> Vec<Vec<f64>> {
    let codes: Vec<u32> = match &examples.fields()[field].values {
        Values::Words { codes, .. } => codes.clone(),
        Values::Numbers(values) => range_codes(values, ranges),
    };
    let mut lines: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for row in examples.rows() {
        let line = lines.entry(codes[row as usize]);
        let line = line.or_insert_with(|| vec![0.0; examples.classes().len()]);
        line[examples.class(row as usize)] += examples.weight(row as usize);
    }
    lines.into_values().collect()
}

/// The range of each number; equal numbers share one.
fn range_codes(values: &[f64], ranges: usize) -> Vec<u32> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let at = |part: usize| sorted[sorted.len() * part / ranges];
    let mut cuts: Vec<f64> = if sorted.is_empty() { Vec::new() } else { (1..ranges).map(at).collect() };
    cuts.dedup();
    let code = |value: &f64| match value.is_nan() {
        true => MISSING,
        false => cuts.partition_point(|cut| cut <= value) as u32,
    };
    values.iter().map(code).collect()
}

/// Divergences of two distributions over words, in bits: `KL(p‖q)` and `KL(q‖p)`, each infinite if the second
/// excludes a word that the first does not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Divergence {
    /// Divergence `KL(p‖q)`, in bits.
    pub forward_bits: f64,
    /// Divergence `KL(q‖p)`, in bits.
    pub backward_bits: f64,
}

/// Computes the divergences of the distributions `p` and `q`, which are weights by word.
///
/// ```
/// use fewest::learn::divergence;
/// let p = [("a".to_owned(), 5.0), ("b".to_owned(), 3.0), ("c".to_owned(), 2.0)].into_iter().collect();
/// let q = [("a".to_owned(), 4.0), ("b".to_owned(), 4.0), ("c".to_owned(), 2.0)].into_iter().collect();
/// assert!((divergence(&p, &q).forward_bits - 0.0364527977).abs() < 1e-10);
/// ```
pub fn divergence(p: &BTreeMap<String, f64>, q: &BTreeMap<String, f64>) -> Divergence {
    let words: std::collections::BTreeSet<&String> = p.keys().chain(q.keys()).collect();
    let weights = |of: &BTreeMap<String, f64>| -> Vec<f64> {
        words.iter().map(|word| of.get(*word).copied().unwrap_or(0.0)).collect()
    };
    let (p, q) = (weights(p), weights(q));
    Divergence { forward_bits: divergence_bits(&p, &q), backward_bits: divergence_bits(&q, &p) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{Field, Preparation, Target};

    #[test]
    fn hair_and_eyes() {
        // specification section 14, tables: eyes by hair, as weights.
        let cells = [[68, 119, 26, 7], [15, 54, 14, 10], [5, 29, 14, 16], [20, 84, 17, 94]];
        let (eyes, hair) = (["brown", "hazel", "green", "blue"], ["black", "brown", "red", "blond"]);
        let places: Vec<(usize, usize)> =
            (0..4).flat_map(|eye| (0..4).map(move |hair| (eye, hair))).collect();
        let fields = vec![
            Field::words("hair", &places.iter().map(|place| hair[place.1]).collect::<Vec<_>>()),
            Field::words("eyes", &places.iter().map(|place| eyes[place.0]).collect::<Vec<_>>()),
            Field::numbers("prior", places.iter().map(|place| f64::from(cells[place.0][place.1])).collect()),
        ];
        let target = Target { column: "eyes".to_owned(), test: None };
        let (examples, _) = Examples::new(fields, &target, &Preparation::default()).unwrap();
        let relation = &relate(&examples, 8)[0];
        let close = |found: f64, wanted: f64| assert!((found - wanted).abs() < 5e-10, "{found} {wanted}");
        close(relation.joint.columns_bits, 1.8278615260);
        close(relation.joint.lines_bits, 1.7982269243);
        close(relation.joint.joint_bits, 3.4476480581);
        close(relation.joint.information_bits, 0.1784403922);
        close(relation.chi_squared.statistic, 138.2898416260);
        assert_eq!((relation.answers, relation.chi_squared.degrees_of_freedom), (4, 9));
    }

    #[test]
    fn numbers_fall_into_ranges_and_equal_ones_together() {
        assert_eq!(range_codes(&[5.0, 1.0, f64::NAN, 3.0, 1.0, 9.0], 2), [1, 0, MISSING, 1, 0, 1]);
        assert_eq!(range_codes(&[2.0, 2.0, 2.0], 4), [1, 1, 1]);
    }

    #[test]
    fn what_one_rules_out_and_the_other_does_not_is_infinitely_far() {
        let of = |words: &[&str]| words.iter().map(|word| ((*word).to_owned(), 1.0)).collect();
        let apart = divergence(&of(&["a", "b"]), &of(&["a"]));
        assert_eq!((apart.forward_bits, apart.backward_bits), (f64::INFINITY, 1.0));
    }
}
