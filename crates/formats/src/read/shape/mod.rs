//! Tables that are not one row per object with a name of its own: long tables, counters, repeated names.

mod long;
mod names;
mod transpose;

use super::assemble::Assembler;
use super::{Notice, Problem, ReadOptions, header};
use fewest_model::{Column, Table};

/// Begins a table with this header, which is row `row` of the file; also returns the positions of columns without a
/// name of their own, from 0.
pub(super) fn begin(
    mut names: Vec<String>,
    row: usize,
    options: &ReadOptions,
) -> Result<(Assembler, Vec<usize>), Problem> {
    let unnamed = if options.lenient { header::name_unnamed(&mut names) } else { Vec::new() };
    // In a table that is to be transposed, the first column holds the names of the tests.
    let untransposed = ReadOptions { object: None, ..options.clone() };
    let mut table = Assembler::new(names, row, if options.transpose { &untransposed } else { options })?;
    if options.lenient || options.transpose {
        table.allow_doubles();
    }
    Ok((table, unnamed))
}

/// Brings a table into the shape that the rest of the program expects: one row per object, each with its own name.
/// `unnamed` are the positions of columns without a name of their own, from 0.
pub(super) fn settle(
    mut table: Table,
    unnamed: &[usize],
    options: &ReadOptions,
    notices: &mut Vec<Notice>,
) -> Result<Table, Problem> {
    if options.transpose {
        return transpose::transposed(&table, options);
    }
    if !options.lenient {
        return Ok(table);
    }
    let is_ours = |column: &Column| unnamed.contains(&(column.position - 1));
    table.columns.retain(|column| !(is_ours(column) && is_empty(column)));
    let kept = table.columns.iter().filter(|column| is_ours(column)).map(|column| column.name.clone());
    let names: Vec<String> = kept.collect();
    if !names.is_empty() {
        notices.push(Notice::Unnamed { names });
    }
    if unnamed.contains(&0) && options.object.is_none() {
        names::replace_counter(&mut table, notices);
    }
    if table.objects.first_double().is_some() {
        table = match long::pivot(table, options, notices)? {
            Ok(wide) => wide,
            Err(table) => names::settle_doubles(table, options, notices),
        };
    }
    if transpose::looks_transposed(&table) {
        notices.push(Notice::LooksTransposed);
    }
    Ok(table)
}

/// Whether no cell of the column holds a text.
fn is_empty(column: &Column) -> bool {
    column.missing.is_some() && column.labels.len() == 1
}
