//! Pearson's χ² test of a contingency table.

use statrs::function::gamma::gamma_ur;

/// Distance of a table from independence of rows and columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquared {
    /// Statistic `Σ (x − e)² / e`.
    pub statistic: f64,
    /// Degrees of freedom `(rows − 1)(columns − 1)`, without empty rows and columns.
    pub degrees_of_freedom: u64,
    /// Probability of a statistic at least as large under independence.
    pub p_value: f64,
}

/// Tests counts `x` given as rows, all of one length. Empty rows and columns do not count; a table without degrees of
/// freedom has statistic 0 and p-value 1.
pub fn chi_squared(rows: &[Vec<f64>]) -> ChiSquared {
    let width = rows.first().map_or(0, Vec::len);
    let row_sums: Vec<f64> = rows.iter().map(|row| row.iter().sum()).collect();
    let column_sums: Vec<f64> = (0..width).map(|column| rows.iter().map(|row| row[column]).sum()).collect();
    let total: f64 = row_sums.iter().sum();
    let used = |sums: &[f64]| sums.iter().filter(|sum| **sum > 0.0).count() as u64;
    let degrees_of_freedom = used(&row_sums).saturating_sub(1) * used(&column_sums).saturating_sub(1);
    if degrees_of_freedom == 0 {
        return ChiSquared { statistic: 0.0, degrees_of_freedom, p_value: 1.0 };
    }
    let mut statistic = 0.0;
    for (row, row_sum) in rows.iter().zip(&row_sums).filter(|(_, sum)| **sum > 0.0) {
        for (count, column_sum) in row.iter().zip(&column_sums).filter(|(_, sum)| **sum > 0.0) {
            let expected = row_sum * (column_sum / total);
            statistic += (count - expected).powi(2) / expected;
        }
    }
    // The upper tail is computed directly: 1 − F would lose everything below 1e-16.
    let p_value =
        if statistic > 0.0 { gamma_ur(degrees_of_freedom as f64 / 2.0, statistic / 2.0) } else { 1.0 };
    ChiSquared { statistic, degrees_of_freedom, p_value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, wanted: f64) -> bool {
        (found - wanted).abs() <= 1e-9 * wanted.abs()
    }

    #[test]
    fn worked_tables() {
        // specification section 14, tables.
        let eyes_and_hair = [[68, 119, 26, 7], [15, 54, 14, 10], [5, 29, 14, 16], [20, 84, 17, 94]]
            .map(|row| row.map(f64::from).to_vec());
        let test = chi_squared(&eyes_and_hair);
        assert!(close(test.statistic, 138.2898416260) && test.degrees_of_freedom == 9);
        assert!(close(test.p_value, 2.3252867871e-25), "{}", test.p_value);
        let small = [[12, 23, 65, 5], [18, 12, 4, 4]].map(|row| row.map(f64::from).to_vec());
        let test = chi_squared(&small);
        assert!(close(test.statistic, 34.9839106393) && test.degrees_of_freedom == 3);
        assert!(close(test.p_value, 1.2278222447e-07), "{}", test.p_value);
    }

    #[test]
    fn empty_rows_and_columns_do_not_count() {
        let with_empty = chi_squared(&[vec![3.0, 0.0, 5.0], vec![0.0, 0.0, 0.0], vec![4.0, 0.0, 1.0]]);
        assert_eq!(with_empty, chi_squared(&[vec![3.0, 5.0], vec![4.0, 1.0]]));
        assert_eq!(chi_squared(&[vec![3.0, 0.0], vec![2.0, 0.0]]).p_value, 1.0);
        assert_eq!(chi_squared(&[]).degrees_of_freedom, 0);
    }
}
