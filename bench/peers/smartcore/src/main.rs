//! Fits smartcore's decision tree (entropy, to purity) to a table of `tables`, and prints the seconds of processor time
//! that took.
//!
//! `smartcore-peer TABLE.csv`: the names first, then the column `group` if there is one, then answers `0` and `1`.

use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::tree::decision_tree_classifier::{
    DecisionTreeClassifier, DecisionTreeClassifierParameters, SplitCriterion,
};
use std::collections::BTreeMap;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::fs::read_to_string(std::env::args().nth(1).ok_or("which table?")?)?;
    let mut lines = text.lines();
    let first_test = if lines.next().ok_or("no header")?.split(',').nth(1) == Some("group") { 2 } else { 1 };
    let (mut groups, mut numbers, mut answers) = (Vec::<u32>::new(), BTreeMap::new(), Vec::<f32>::new());
    for line in lines {
        let mut cells = line.split(',');
        let group = cells.by_ref().take(first_test).last().ok_or("a row without cells")?;
        let next = numbers.len() as u32;
        groups.push(*numbers.entry(group).or_insert(next));
        answers.extend(cells.map(|cell| if cell == "1" { 1.0 } else { 0.0 }));
    }
    let (rows, tests) = (groups.len(), answers.len() / groups.len());
    // Row by row is how the answers came.
    let matrix = DenseMatrix::new(rows, tests, answers, false)?;
    let parameters = DecisionTreeClassifierParameters::default().with_criterion(SplitCriterion::Entropy);
    let start = busy_seconds()?;
    let tree = DecisionTreeClassifier::fit(&matrix, &groups, parameters)?;
    let seconds = busy_seconds()? - start;
    let right = tree.predict(&matrix)?.iter().zip(&groups).filter(|(found, group)| found == group).count();
    println!("{{\"busy_seconds\": {seconds}, \"right\": {}}}", right as f64 / rows as f64);
    Ok(())
}

/// Processor time of this thread, the only one there is.
fn busy_seconds() -> Result<f64, Box<dyn Error>> {
    std::thread::yield_now();
    let status = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    Ok(status.split_whitespace().next().ok_or("an empty status")?.parse::<f64>()? / 1e9)
}
