//! Measures and codes, with numbers worked out by hand.

use fewest::Lambda;
use fewest::measure::{
    ArithmeticCode, Joint, Order, arithmetic_digits, canonical_words, chi_squared,
    exponential_huffman_lengths, fano_lengths, has_small_counts, huffman_lengths, permutation_p_value,
    shannon_lengths,
};
use std::f64::consts::PI;

fn close(found: f64, wanted: f64) -> bool {
    (found - wanted).abs() <= 1e-12 * wanted.abs()
}

#[test]
fn what_a_column_leaves_open_of_the_line() {
    // The first column has one line only; the second, with three quarters of the weight, has lines 1 : 2, which leave
    // log₂ 3 − 2/3 bits.
    let joint = Joint::of(&[vec![1.0, 1.0], vec![0.0, 2.0]]);
    assert!(close(joint.lines_given_columns_bits(), 0.75 * (3f64.log2() - 2.0 / 3.0)));
    // Each line leaves half a bit open on average: H(Y | first line) = 1, H(Y | second) = 0.
    assert!(close(joint.columns_given_lines_bits(), 0.5));
    assert_eq!(Joint::of(&[vec![0.0, 0.0]]).lines_given_columns_bits(), 0.0);
}

#[test]
fn the_order_is_the_rate_over_the_rate_and_the_logarithm() {
    let order = |lambda: f64, rate: f64| {
        let order = Order::new(Lambda::new(lambda).unwrap(), rate);
        (order.alpha(), order.complement())
    };
    assert_eq!(order(1.0, 1.0), (1.0, 0.0));
    assert_eq!(order(f64::INFINITY, 3.0), (0.0, 1.0));
    for (lambda, rate, alpha) in [(4.0, 2.0, 0.5), (2.0, 3.0, 0.75), (8.0, 1.0, 0.25)] {
        let (found, complement) = order(lambda, rate);
        assert!(close(found, alpha) && close(complement, 1.0 - alpha), "λ = {lambda}: {found} {complement}");
    }
}

/// Weights without a common scale, so that the whole-number method does not apply.
#[test]
fn shannon_s_lengths_of_any_weights() {
    // Shares 0.70441, 0.22422, 0.07137: −log₂ is 0.5055, 2.157 and 3.808; −log₃ is 0.319, 1.361 and 2.402.
    let weights = [PI, 1.0, 0.0, 1.0 / PI];
    assert_eq!(shannon_lengths(&weights, 2), [Some(1), Some(3), None, Some(4)]);
    assert_eq!(shannon_lengths(&weights, 3), [Some(1), Some(2), None, Some(3)]);
    // A half, a quarter and two eighths but for rounding.
    let halves = [PI, PI / 2.0, PI / 4.0, PI / 4.0];
    assert_eq!(shannon_lengths(&halves, 2), [Some(1), Some(2), Some(3), Some(3)]);
    // −log₂ 1e-300 = 996.58, and log₂ of the sum is 1.03.
    assert_eq!(shannon_lengths(&[1.0, PI / 3.0, 1e-300], 2)[2], Some(998));
    assert!(canonical_words(&shannon_lengths(&weights, 2), 2).is_some());
}

#[test]
fn fano_s_lengths_do_not_depend_on_the_order() {
    // In falling order 0.45 | 0.25 0.2 0.1, then 0.25 | 0.2 0.1.
    assert_eq!(fano_lengths(&[0.1, 0.25, 0.45, 0.2]), [3, 2, 1, 3]);
    // 4 | 1 1 1 1 has no difference; of equal cuts the first: 1 1 | 1 1.
    assert_eq!(fano_lengths(&[1.0, 1.0, 4.0, 1.0, 1.0]), [3, 3, 1, 3, 3]);
}

#[test]
fn letters_of_a_message_are_not_rounded_up_for_rounding() {
    assert_eq!(arithmetic_digits([0.5, 0.25, 0.125].into_iter(), 2), 6);
    assert_eq!(arithmetic_digits([0.1; 3].into_iter(), 10), 3);
    assert_eq!(arithmetic_digits([0.1, 0.3].into_iter(), 10), 2);
    assert_eq!(arithmetic_digits(std::iter::empty(), 2), 0);
}

#[test]
fn a_letter_s_cost_is_a_power_of_lambda() {
    let weights = [0.45, 0.25, 0.2, 0.1];
    let lengths =
        |lambda: f64, cost: f64| exponential_huffman_lengths(&weights, 2, Lambda::new(lambda).unwrap(), cost);
    // Σ p λ^(c l) with λ^c = 2^0.01 is Huffman's own problem, with 2^4 the flattest code is best.
    assert_eq!(lengths(2.0, 0.01), [1, 2, 3, 3]);
    assert_eq!(lengths(1.0001, 1.0), [1, 2, 3, 3]);
    assert_eq!(lengths(1.0001, 1e5), [2; 4]);
    // The second merge weighs the sum of its members and no more: 2 + 2, 3 + 3, and these two before 9.
    assert_eq!(huffman_lengths(&[2.0, 2.0, 3.0, 3.0, 9.0], 2), [3, 3, 3, 3, 1]);
}

/// Table that lines and columns of these sums have if they are independent.
fn independent(lines: &[f64], columns: &[f64]) -> Vec<Vec<f64>> {
    let total: f64 = lines.iter().sum();
    lines.iter().map(|line| columns.iter().map(|column| line * column / total).collect()).collect()
}

#[test]
fn small_counts_are_those_below_one_or_too_many_below_five() {
    // All are 5.
    assert!(!has_small_counts(&independent(&[10.0, 10.0], &[10.0, 10.0])));
    assert!(has_small_counts(&independent(&[10.0, 10.0], &[9.0, 11.0])));
    // One of six is below 5, and it is 1; then it is 0.8.
    assert!(!has_small_counts(&independent(&[20.0, 180.0], &[10.0, 95.0, 95.0])));
    assert!(has_small_counts(&independent(&[20.0, 180.0], &[8.0, 96.0, 96.0])));
    // Two of ten, a fifth and no more: 2, 2, 5, 5.5, 5.5.
    assert!(!has_small_counts(&independent(&[20.0, 180.0], &[20.0, 20.0, 50.0, 55.0, 55.0])));
    // Two of twelve are 0.8.
    assert!(has_small_counts(&independent(&[20.0, 20.0, 760.0], &[32.0, 256.0, 256.0, 256.0])));
}

#[test]
fn permutations_of_the_extremes() {
    // No table of independent lines is as extreme as this one: 1 of 1000, itself.
    assert_eq!(permutation_p_value(&[vec![20.0, 0.0], vec![0.0, 20.0]], 1), Some((0.001, 0)));
    // Every table is as extreme as an independent one, so the first 20 draws suffice.
    for table in [independent(&[12.0, 12.0], &[4.0, 20.0]), independent(&[4.0, 20.0], &[6.0, 18.0])] {
        assert_eq!(permutation_p_value(&table, 1), Some((1.0, 20)));
    }
}

/// Compares with the p-value of all tables, each with its probability, ranked by the statistic.
#[test]
fn permutations_rank_tables_by_chi_squared() {
    // Two lines of 4 and 8 rows, columns of 2, 4 and 6. Of 12 rows the first line takes 4: C(12, 4) = 495 ways.
    let columns = [2u32, 4, 6];
    let choose = |n: u32, k: u32| (0..k).map(|at| f64::from(n - at) / f64::from(at + 1)).product::<f64>();
    let mut tables = Vec::new();
    for a in 0..=2u32 {
        for b in 0..=(4 - a).min(4) {
            let c = 4 - a - b;
            let first = [a, b, c].map(f64::from);
            let second = [2 - a, 4 - b, 6 - c].map(f64::from);
            let ways: f64 = [a, b, c].iter().zip(columns).map(|(x, column)| choose(column, *x)).product();
            tables.push((vec![first.to_vec(), second.to_vec()], ways / 495.0));
        }
    }
    assert!((tables.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-12);
    for (table, _) in &tables {
        let observed = chi_squared(table).statistic;
        let as_far = |other: &Vec<Vec<f64>>| chi_squared(other).statistic >= observed - 1e-9;
        let exact: f64 = tables.iter().filter(|(other, _)| as_far(other)).map(|(_, share)| share).sum();
        // Many seeds, so that the mean is near the truth.
        let found: Vec<f64> =
            (0..60).map(|seed| permutation_p_value(table, seed).unwrap()).map(|(p, _)| p).collect();
        let mean = found.iter().sum::<f64>() / found.len() as f64;
        assert!((mean - exact).abs() < 0.15 * exact + 0.002, "{table:?}: {mean} {exact}");
    }
}

#[test]
fn every_symbol_that_occurs_can_be_coded_and_no_other() {
    let code = ArithmeticCode::new(&[1e-300, 1.0, 1e-300]).unwrap();
    for message in [vec![0], vec![2], vec![1, 0, 1, 2, 2, 1], vec![0, 2, 0]] {
        let bits = code.encode(&message).unwrap();
        assert_eq!(code.decode(&bits, message.len()), message);
    }
    // Ten tenths, added one by one, are a little less than 1; the rest does not belong to a symbol that never occurs.
    let mut weights = vec![0.1; 10];
    weights.push(0.0);
    let code = ArithmeticCode::new(&weights).unwrap();
    assert_eq!(code.encode(&[10]), None);
    assert_eq!(code.decode(&code.encode(&[9, 0, 9]).unwrap(), 3), [9, 0, 9]);
    assert_eq!(ArithmeticCode::new(&[f64::MAX, f64::MAX]), None);
    assert_eq!(ArithmeticCode::new(&[0.0, 0.0]), None);
}
