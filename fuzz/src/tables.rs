//! Tables: text, Parquet, labelled data, and the small files beside them.

use fewest::{
    Candidates, Certificate, Goal, Instance, Limit, MissingCells, Numeric, Reading, Table, Tolerance, build, check,
};
use fewest_formats::read::{
    ReadLimits, ReadOptions, read_bundles_from, read_costs_from, read_data_from, read_names_from, read_table_from,
    read_with_texts_from,
};
use fewest_formats::write::{write_clavis, write_csv, write_nexus, write_sdd};
use std::time::Duration;

/// Tables of at most this many cells are solved as well.
const SOLVED_CELLS: usize = 60;

/// How a table may be read: one way for each value of a byte.
fn reading(choice: u8) -> Reading {
    let missing = [MissingCells::Auto, MissingCells::Answer, MissingCells::Any][usize::from(choice) % 3];
    let numeric = [
        Numeric::Auto,
        Numeric::Exact,
        Numeric::Thresholds,
        Numeric::Measure,
        Numeric::Bins(3),
    ][usize::from(choice / 3) % 5];
    let several = (choice & 64 != 0).then(|| "|".to_owned());
    let tolerance = if choice & 32 != 0 { vec![(None, Tolerance::Absolute(0.5))] } else { Vec::new() };
    Reading { missing, numeric, several, tolerance, verbatim: choice & 128 != 0, ..Reading::default() }
}

/// Text with a first byte that says how it is read.
pub(crate) fn table(data: &[u8]) {
    let Some((choice, text)) = data.split_first() else { return };
    let limits = ReadLimits { rows: 2000, columns: 500, ..ReadLimits::default() };
    let reading = reading(*choice);
    let transpose = choice % 16 == 5;
    let options = ReadOptions { limits, lenient: !reading.verbatim, transpose, ..ReadOptions::default() };
    let Ok((table, _)) = read_table_from(text, "fuzz", &options) else { return };
    // Names that come twice may become a column.
    assert!(transpose || (table.objects.len() <= limits.rows && table.columns.len() <= limits.columns));
    written_and_read_again(&table);
    understood(table, &reading);
}

/// What is written as CSV is read as the same table.
fn written_and_read_again(table: &Table) {
    let mut text = Vec::new();
    write_csv(&mut text, table).expect("memory takes all");
    let options = ReadOptions::default();
    let (again, _) = read_table_from(&text[..], "again", &options).expect("what was written is a table");
    assert!(again.objects.iter().eq(table.objects.iter()));
    assert_eq!(again.columns.len(), table.columns.len());
}

/// A table that makes sense has a strategy that keeps what it says.
fn understood(table: Table, reading: &Reading) {
    let cells = table.objects.len() * table.columns.iter().map(|column| column.labels.len().max(1)).sum::<usize>();
    let Ok((instance, _)) = Instance::new(table, reading) else { return };
    assert!(!Candidates::all(&instance).objects().is_empty());
    if cells > SOLVED_CELLS {
        return;
    }
    let outcome = build(&instance, &Goal::default(), &Limit::time(Duration::from_millis(20)));
    assert!(!outcome.gap.is_nan() && outcome.gap >= 0.0, "gap {}", outcome.gap);
    if outcome.unfinished.is_none() {
        let claims = Certificate { costs: Some(outcome.costs), bound: None };
        fewest_check::check(&instance, &outcome.tree, &claims).expect("a strategy keeps what it says");
    }
}

/// Labelled data, as `learn` reads it.
pub(crate) fn labelled(data: &[u8]) {
    _ = read_data_from(data, "fuzz", "", &[]);
}

/// A Parquet file, as a table and as labelled rows.
pub(crate) fn parquet(data: &[u8]) {
    if data.starts_with(b"PAR1") {
        let limits = ReadLimits { rows: 100_000, columns: 500, ..ReadLimits::default() };
        _ = read_table_from(data, "fuzz", &ReadOptions { limits, lenient: data.len() % 2 == 0, ..ReadOptions::default() });
    }
}

/// A file in a format of others: what is read is a table that makes sense, and is written in every format.
fn exchange(data: &[u8]) {
    let limits = ReadLimits { rows: 2000, columns: 500, unpacked: 16 << 20 };
    let options = ReadOptions { limits, lenient: true, ..ReadOptions::default() };
    let Ok(read) = read_with_texts_from(data, "fuzz", &options) else { return };
    let is_list = read.several.is_some();
    let mut out = Vec::new();
    _ = write_clavis(&mut out, &read.table, &read.texts, is_list, "fuzz", "2024-01-31 00:00:00");
    _ = write_sdd(&mut out, &read.table, &read.texts, is_list, "fuzz", "2024-01-31T00:00:00");
    _ = write_nexus(&mut out, &read.table, &read.texts, is_list);
    let mut reading = Reading::default();
    read.suit(&mut reading);
    understood(read.table, &reading);
}

/// A workbook, or an archive of other files.
pub(crate) fn workbook(data: &[u8]) {
    if data.starts_with(b"PK\x03\x04") || data.starts_with(b"\xD0\xCF\x11\xE0") {
        exchange(data);
    }
}

/// An Arrow file or stream.
pub(crate) fn arrow(data: &[u8]) {
    if data.starts_with(b"ARROW1") || data.starts_with(&[0xFF; 4]) {
        exchange(data);
    }
}

/// A NEXUS file; its first word is added.
pub(crate) fn nexus(data: &[u8]) {
    exchange(&[b"#NEXUS\n", data].concat());
}

/// Directives of DELTA.
pub(crate) fn delta(data: &[u8]) {
    exchange(&[b"*SHOW x\n", data].concat());
}

/// An SDD document.
pub(crate) fn sdd(data: &[u8]) {
    exchange(&[b"<?xml version=\"1.0\"?><Datasets><Dataset>", data].concat());
}

/// A key in Clavis.
pub(crate) fn clavis(data: &[u8]) {
    if data.starts_with(b"{") {
        exchange(data);
    }
}

/// Costs of tests, and lists of names.
pub(crate) fn costs(data: &[u8]) {
    if let Ok(costs) = read_costs_from(data, "fuzz") {
        assert!(costs.costs.iter().all(|(_, cost)| cost.is_finite() && *cost >= 0.0));
        assert!(costs.answers.iter().all(|entry| entry.cost.is_finite() && entry.cost >= 0.0));
        let rows = b"object,t,u\na,x,1\nb,y,2\nc,y,1\n";
        if let Ok((table, _)) = read_table_from(&rows[..], "fuzz", &ReadOptions::default()) {
            let mut reading = Reading::default();
            costs.add_to(&mut reading);
            // Any costs are refused with a message, or are those of a problem that can be solved and checked.
            if let Ok((instance, _)) = Instance::new(table, &reading) {
                let outcome = build(&instance, &Goal::default(), &Limit::none());
                let claims = Certificate { costs: Some(outcome.costs), bound: None };
                check(&instance, &outcome.tree, &claims).expect("the costs of a tree are what its objects pay");
            }
        }
    }
    _ = read_bundles_from(data, "fuzz");
    _ = read_names_from(data, "fuzz");
}
