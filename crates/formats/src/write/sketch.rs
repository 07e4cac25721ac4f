//! What a table says, as formats with characters and states hold it.

use crate::loss::{Loss, Losses};
use fewest_model::{Column, Table};
use std::collections::BTreeMap;

/// Objects and tests of a table.
#[derive(Debug)]
pub(super) struct Sketch<'a> {
    pub(super) objects: Vec<Object<'a>>,
    pub(super) tests: Vec<Test<'a>>,
}

#[derive(Debug)]
pub(super) struct Object<'a> {
    pub(super) name: &'a str,
    pub(super) group: Option<&'a str>,
}

#[derive(Debug)]
pub(super) struct Test<'a> {
    pub(super) name: &'a str,
    pub(super) question: &'a str,
    pub(super) needs: &'a str,
    /// Tests with the answers that make this one applicable, by number; all of them have to hold.
    pub(super) premises: Vec<(usize, Vec<usize>)>,
    pub(super) is_number: bool,
    pub(super) answers: Vec<&'a str>,
    pub(super) cells: Vec<Cell>,
}

/// What a table says of an object and a test.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    Unknown,
    Inapplicable,
    Any,
    /// Numbers of the answers that may be given, in rising order.
    Answers(Vec<usize>),
    Range(f64, f64),
}

impl<'a> Sketch<'a> {
    /// Reads a table; `is_list` says that cells may list answers. What no such format holds is counted.
    pub(super) fn new(table: &'a Table, is_list: bool, losses: &mut Losses) -> Self {
        let group = table.column("group");
        let text = |column: &'a Column, row: usize| column.labels.get(column.codes.get(row) as usize);
        let objects = table.objects.iter().enumerate().map(|(row, name)| Object {
            name,
            group: group.map(|column| text(column, row)).filter(|group| *group != "?"),
        });
        losses.add(Loss::Prior, table.column("prior").map_or(0, |_| table.objects.len()));
        let mut sketch = Self { objects: objects.collect(), tests: Vec::new() };
        let columns: Vec<(usize, &Column)> = table
            .columns
            .iter()
            .enumerate()
            .filter(|(_, column)| !["group", "prior"].contains(&column.name.as_str()))
            .collect();
        for (at, column) in &columns {
            let about = |what: &str| {
                let row = table.about.iter().find(|about| about.what == what);
                row.map_or("", |about| about.cells[*at].as_str())
            };
            losses.add(
                Loss::About,
                ["cost", "bundle", "setup"].iter().filter(|what| !about(what).is_empty()).count(),
            );
            sketch.tests.push(test(column, about("question"), about("needs"), is_list, losses));
        }
        sketch.add_premises(table, &columns, losses);
        sketch
    }

    fn add_premises(&mut self, table: &Table, columns: &[(usize, &Column)], losses: &mut Losses) {
        let Some(row) = table.about.iter().find(|about| about.what == "if") else { return };
        for (test, (at, _)) in columns.iter().enumerate() {
            let premises = row.cells[*at].split(" & ").map(str::trim).filter(|premise| !premise.is_empty());
            let found: Vec<Option<(usize, Vec<usize>)>> =
                premises.map(|premise| self.premise(premise)).collect();
            losses.add(Loss::Rule, found.iter().filter(|premise| premise.is_none()).count());
            self.tests[test].premises = found.into_iter().flatten().collect();
        }
    }

    /// Test and answers of a premise such as `colour=red|white`.
    fn premise(&self, text: &str) -> Option<(usize, Vec<usize>)> {
        let (name, answers) = text.split_once('=')?;
        let at = self.tests.iter().position(|test| test.name == name.trim())?;
        let place = |answer: &str| self.tests[at].answers.iter().position(|other| *other == answer.trim());
        Some((at, answers.split('|').map(place).collect::<Option<Vec<usize>>>()?))
    }
}

fn test<'a>(
    column: &'a Column,
    question: &'a str,
    needs: &'a str,
    is_list: bool,
    losses: &mut Losses,
) -> Test<'a> {
    let splits = is_list || lists(column);
    let is_number = is_number(column, splits);
    let mut answers: Vec<&str> = Vec::new();
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut of_label: Vec<Cell> = Vec::new();
    for label in column.labels.iter() {
        of_label.push(match label {
            "?" => Cell::Unknown,
            "-" => Cell::Inapplicable,
            "*" => Cell::Any,
            label if is_number => {
                let (low, high) = ends(label).unwrap_or((0.0, 0.0));
                Cell::Range(low, high)
            }
            label => {
                let parts: Vec<&str> =
                    if splits { label.split('|').map(str::trim).collect() } else { vec![label] };
                let mut chosen: Vec<usize> = parts
                    .into_iter()
                    .map(|part| {
                        *numbers.entry(part).or_insert_with(|| {
                            answers.push(part);
                            answers.len() - 1
                        })
                    })
                    .collect();
                chosen.sort_unstable();
                chosen.dedup();
                Cell::Answers(chosen)
            }
        });
    }
    let cells: Vec<Cell> = column.codes.iter().map(|code| of_label[code as usize].clone()).collect();
    if answers.is_empty() && !is_number {
        losses.add(Loss::Value, 0);
    }
    Test { name: &column.name, question, needs, premises: Vec::new(), is_number, answers, cells }
}

/// Whether cells of the column list answers: of the parts between bars, at least half stand alone in other cells.
fn lists(column: &Column) -> bool {
    let parts = || {
        column
            .labels
            .iter()
            .filter(|label| label.contains('|'))
            .flat_map(|label| label.split('|').map(str::trim))
    };
    let (all, alone) = parts().fold((0, 0), |(all, alone), part| {
        (all + 1, alone + usize::from(column.labels.find(part).is_some()))
    });
    all > 0 && alone * 2 >= all && parts().all(|part| !part.is_empty() && part != "?")
}

/// Whether the column holds measured numbers: ranges, numbers that are not whole, or many different ones.
fn is_number(column: &Column, splits: bool) -> bool {
    /// Different whole numbers that are still states.
    const STATES: usize = 12;
    let known = || column.labels.iter().filter(|label| !["?", "-", "*"].contains(label));
    let all = known().all(|label| ends(label).is_some() && !(splits && label.contains('|')));
    let measured =
        known().any(|label| label.contains("..") || label.contains('.')) || known().count() > STATES;
    all && measured && known().next().is_some()
}

/// Ends of a range such as `3..5`, or of one number.
fn ends(label: &str) -> Option<(f64, f64)> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    match label.split_once("..") {
        Some((low, high)) => number(low).zip(number(high)),
        None => number(label).map(|one| (one, one)),
    }
}

/// Counts texts that a format without texts loses.
pub(super) fn count_texts(texts: &crate::texts::Texts) -> usize {
    texts.objects.len() + texts.tests.len() + texts.answers.values().map(BTreeMap::len).sum::<usize>()
}
