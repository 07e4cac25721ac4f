//! Cells that leave the answer open: unknown ones, which allow every answer of the test, and lists such as
//! `red|white`.
//!
//! A list is split before tests are made from its column, so that thresholds and ranges apply to each number of a
//! list.

use crate::instance::InstanceError;
use crate::instance::shorten::shortened;
use crate::{Column, Interner, Labels, MissingCells, ObjectId, Reading};

/// Mark that is taken for a separator by itself.
const USUAL_MARK: &str = "|";

/// Whether the column lists answers: of the parts between marks, at least half stand alone in other cells.
pub(super) fn has_lists(column: &Column) -> bool {
    let parts = || column.labels.iter().filter(|label| label.contains(USUAL_MARK)).flat_map(split);
    let (all, alone) = parts().fold((0, 0), |(all, alone), part| {
        (all + 1, alone + usize::from(!part.is_empty() && column.labels.find(part).is_some()))
    });
    all > 0 && alone * 2 >= all && parts().all(|part| !part.is_empty() && part != "?")
}

fn split(label: &str) -> impl Iterator<Item = &str> {
    label.split(USUAL_MARK).map(str::trim)
}

/// Parts that the labels of a column list.
pub(super) struct Parts {
    /// Texts of the parts, in order of first appearance.
    pub(super) labels: Labels,
    /// Parts listed by each label of the column; `None` if any answer may be given.
    pub(super) of_label: Vec<Option<Vec<u32>>>,
}

impl Parts {
    pub(super) fn of(
        column: &Column,
        reading: &Reading,
        (missing_cells, any): (MissingCells, Option<usize>),
        place: impl Fn(ObjectId) -> (usize, String),
    ) -> Result<Self, InstanceError> {
        let missing = column.missing.map(|missing| missing.code as usize);
        let mut interner = Interner::default();
        let mut of_label = Vec::with_capacity(column.labels.len());
        for (label, text) in column.labels.iter().enumerate() {
            if Some(label) == any {
                of_label.push(None);
                continue;
            }
            if Some(label) == missing {
                let own = missing_cells != MissingCells::Any;
                of_label.push(own.then(|| vec![interner.intern("?")]));
                continue;
            }
            let mut parts = Vec::new();
            let mark = reading.several.as_deref().filter(|mark| !mark.is_empty());
            let texts: Vec<&str> =
                mark.map_or_else(|| vec![text], |mark| text.split(mark).map(str::trim).collect());
            for part in texts.iter().copied() {
                let is_listed = texts.len() > 1;
                let number = interner.intern(part);
                if is_listed && (part.is_empty() || part == "?" || parts.contains(&number)) {
                    let first = column.codes.iter().position(|code| code as usize == label).unwrap_or(0);
                    let (row, object) = place(ObjectId::at(first));
                    let (column, text) = (column.name.clone(), shortened(text));
                    return Err(match part {
                        "" | "?" => InstanceError::EmptyPart { row, column, object, text },
                        part => {
                            let part = shortened(part);
                            InstanceError::RepeatedPart { row, column, object, text, part }
                        }
                    });
                }
                parts.push(number);
            }
            of_label.push(Some(parts));
        }
        Ok(Self { labels: interner.finish(), of_label })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Instance, InstanceError, MissingCells, Numeric, ObjectId, Reading, Table, TestId};

    fn read(cells: &[&str], reading: &Reading) -> Result<Instance, InstanceError> {
        let names: Vec<String> = (0..cells.len()).map(|at| format!("o{at}")).collect();
        let rows: Vec<[&str; 2]> =
            names.iter().zip(cells).map(|(name, cell)| [name.as_str(), *cell]).collect();
        let mut table: Vec<&[&str]> = vec![&["object", "t"]];
        table.extend(rows.iter().map(|row| &row[..]));
        Instance::new(Table::from_rows(&table), reading).map(|(instance, _)| instance)
    }

    fn any(numeric: Numeric) -> Reading {
        Reading { missing: MissingCells::Any, several: Some("|".to_owned()), numeric, ..Reading::default() }
    }

    /// Possible answers of every object, as text.
    fn sets(instance: &Instance, test: u32) -> Vec<String> {
        let test = instance.test(TestId(test));
        let text = |object: ObjectId| {
            let possible: Vec<&str> =
                test.possible(object).iter().map(|answer| test.answers.get(answer.index())).collect();
            assert_eq!(test.choices(object), possible.len());
            possible.join("+")
        };
        (0..test.codes.len()).map(|at| text(ObjectId::at(at))).collect()
    }

    #[test]
    fn lists_and_unknown_cells_are_sets_of_answers() {
        let instance = read(&["red | white", "red", "?", "blue", ""], &any(Numeric::Exact)).unwrap();
        assert!(instance.has_several());
        // The two unknown objects are joined: no test ever tells them apart.
        assert_eq!(sets(&instance, 0), ["red+white", "red", "red+white+blue", "blue"]);
        let test = instance.test(TestId(0));
        assert!(
            test.allows(ObjectId(0), crate::AnswerId(1)) && !test.allows(ObjectId(1), crate::AnswerId(1))
        );
    }

    #[test]
    fn a_list_of_everything_is_as_good_as_unknown() {
        let instance = read(&["a|b", "?", "a"], &any(Numeric::Exact)).unwrap();
        assert_eq!(instance.inseparable().collect::<Vec<_>>(), [["o0", "o1"]]);
    }

    #[test]
    fn tables_without_open_cells_stay_plain() {
        let instance = read(&["a", "b", "c"], &any(Numeric::Exact)).unwrap();
        assert!(!instance.has_several());
        let instance = read(&["", "", "?"], &any(Numeric::Exact)).unwrap();
        assert!(!instance.has_several() && instance.test(TestId(0)).arity() == 1);
    }

    #[test]
    fn an_unknown_number_is_unknown_at_every_cut() {
        let instance = read(&["1", "2|4", "4", "?"], &any(Numeric::Thresholds)).unwrap();
        assert_eq!(instance.test(TestId(0)).name, "t > 1.5");
        assert_eq!(sets(&instance, 0), ["no", "yes", "yes", "no+yes"]);
        assert_eq!(sets(&instance, 1), ["no", "no+yes", "yes", "no+yes"]);
        let bins = read(&["1", "2", "4", "?"], &any(Numeric::Bins(3))).unwrap();
        assert_eq!(sets(&bins, 0)[3], "≤ 1+2–3+≥ 4");
    }

    #[test]
    fn empty_and_repeated_parts_are_refused_with_the_cell() {
        let error = |cell: &str| read(&["x", cell], &any(Numeric::Exact)).unwrap_err().to_string();
        for cell in ["a||b", "a|", "|", "a|?"] {
            let error = error(cell);
            assert!(error.contains("row 3, column `t`: object `o1`") && error.contains(cell), "{error}");
        }
        assert!(error("a|b| a").contains("lists `a` twice"), "{}", error("a|b| a"));
    }

    #[test]
    fn confirmation_is_refused() {
        let reading = Reading { confirm: true, ..any(Numeric::Exact) };
        assert_eq!(read(&["a", "a|b"], &reading).unwrap_err(), InstanceError::ConfirmSeveral);
    }
}
