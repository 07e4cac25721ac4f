//! Cells that leave the answer open: unknown ones, which stand for every answer of the test, and lists such as `red|white`.
//!
//! A list is taken apart before anything is made of its column, so that a list of numbers is cut by thresholds and
//! ranges part by part.

use super::InstanceError;
use super::sets::Sets;
use super::shorten::shortened;
use crate::numeric::make_questions;
use crate::{Codes, Column, Interner, Labels, Missing, MissingCells, ObjectId, Reading};

/// A test made of a column.
pub(super) struct Question {
    pub(super) name: String,
    pub(super) answers: Labels,
    pub(super) codes: Codes,
    /// `None` where every object has one answer.
    pub(super) sets: Option<Sets>,
}

/// The tests that `column` stands for; `place` gives the row and the name of an object for messages.
pub(super) fn questions(
    column: Column,
    reading: &Reading,
    place: impl Fn(ObjectId) -> (usize, String),
) -> Result<Vec<Question>, InstanceError> {
    let Parts { labels, of_label } = Parts::of(&column, reading, place)?;
    if labels.is_empty() {
        // Nothing is known of anybody: a test with one answer, which is no use but does no harm.
        let codes = (0..column.codes.len()).map(|_| 0).collect();
        let question =
            Question { name: column.name, answers: ["?"].into_iter().collect(), codes, sets: None };
        return Ok(vec![question]);
    }
    // Each part of each cell is a row of its own: so parts are numbered, cut and counted as cells are.
    let open: &[u32] = &[];
    let cells = column.codes.iter().flat_map(|label| of_label[label as usize].as_deref().unwrap_or(open));
    let rows: Codes = cells.copied().collect();
    let missing = labels.find("?").map(|code| Missing { code: code as u32, count: 1, first: ObjectId(0) });
    let listed =
        Column { name: column.name.clone(), position: column.position, labels, codes: rows.clone(), missing };
    let questions = make_questions(listed, reading.numeric);
    Ok(questions.into_iter().map(|question| spread(question, &rows, &column.codes, &of_label)).collect())
}

/// What the labels of a column list.
struct Parts {
    /// The texts that are listed, in order of first appearance.
    labels: Labels,
    /// For each label of the column the parts that it lists; `None` where any answer may be given.
    of_label: Vec<Option<Vec<u32>>>,
}

impl Parts {
    fn of(
        column: &Column,
        reading: &Reading,
        place: impl Fn(ObjectId) -> (usize, String),
    ) -> Result<Self, InstanceError> {
        let missing = column.missing.map(|missing| missing.code as usize);
        let mut interner = Interner::default();
        let mut of_label = Vec::with_capacity(column.labels.len());
        for (label, text) in column.labels.iter().enumerate() {
            if Some(label) == missing {
                let own = reading.missing != MissingCells::Any;
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

/// The test of a question about parts, for objects whose cells list parts.
fn spread(question: Column, rows: &Codes, cells: &Codes, of_label: &[Option<Vec<u32>>]) -> Question {
    let Column { name, labels: answers, codes, .. } = question;
    let mut answer_of_part = vec![0; rows.iter().max().map_or(0, |most| most as usize + 1)];
    rows.iter().zip(codes.iter()).for_each(|(part, answer)| answer_of_part[part as usize] = answer);
    let every: Vec<u32> = (0..answers.len() as u32).collect();
    let set = |parts: &Option<Vec<u32>>| match parts {
        None => every.clone(),
        Some(parts) => {
            let mut set: Vec<u32> = parts.iter().map(|part| answer_of_part[*part as usize]).collect();
            set.sort_unstable();
            set.dedup();
            set
        }
    };
    let of_label: Vec<Vec<u32>> = of_label.iter().map(set).collect();
    let codes = cells.iter().map(|label| of_label[label as usize][0]).collect();
    let is_open = of_label.iter().any(|set| set.len() > 1);
    let sets = is_open.then(|| Sets::new(cells.iter().map(|label| &of_label[label as usize][..])));
    Question { name, answers, codes, sets }
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

    /// The possible answers of every object, as text.
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
        assert_eq!(sets(&bins, 0)[3], "≤ 1.5+1.5 to 3+> 3");
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
