//! Names of objects: columns that only count, and names that come more than once.

use super::super::{Notice, ReadOptions};
use fewest_model::{Column, ColumnBuilder, Labels, ObjectId, Role, Table};
use hashbrown::{HashMap, HashSet};

/// Makes the next column the names of the objects, if the first one only counts the rows and the next holds a word of
/// its own for each.
pub(super) fn replace_counter(table: &mut Table, notices: &mut Vec<Notice>) {
    let counts =
        |from: usize| table.objects.iter().enumerate().all(|(at, name)| name == (at + from).to_string());
    let is_name = |column: &Column| {
        column.missing.is_none()
            && column.labels.len() == table.objects.len()
            && column.labels.iter().all(|text| text.parse::<f64>().is_err() && !text.starts_with('@'))
    };
    let is_counter = !table.objects.is_empty() && (counts(0) || counts(1)) && table.about.is_empty();
    if is_counter && table.columns.len() > 1 && is_name(&table.columns[0]) {
        let names = table.columns.remove(0);
        table.objects = names.labels;
        notices.push(Notice::Counter { object: names.name.clone() });
        table.object_column = names.name;
    }
}

/// Settles names that come more than once: rows of one name form a group, if the table has no other groups.
pub(super) fn settle_doubles(mut table: Table, options: &ReadOptions, notices: &mut Vec<Notice>) -> Table {
    let column = table.object_column.clone();
    let group = match &options.group {
        Role::Usual if table.column("group").is_none() => Some("group".to_owned()),
        Role::Column(name) if *name == column && table.column(name).is_none() => Some(column.clone()),
        _ => None,
    };
    let rows = table.objects.len();
    let names = table.objects.iter().collect::<HashSet<_>>().len();
    if let Some(group) = group {
        let groups = as_column(&table.objects, &group);
        table.objects = numbered(&table.objects);
        add_column(&mut table, groups);
        notices.push(Notice::NamesAsGroups { column, rows, names });
    } else if 2 * names <= rows && options.object.is_none() {
        let test = as_column(&table.objects, &column);
        let mut numbers = Labels::default();
        (0..rows).for_each(|at| _ = numbers.push(&format!("row {}", table.row_of(ObjectId::at(at)))));
        table.objects = numbers;
        add_column(&mut table, test);
        "row".clone_into(&mut table.object_column);
        notices.push(Notice::NoNames { column });
    } else {
        let first = table.objects.first_double().map_or("", |(first, _)| table.objects.get(first)).to_owned();
        table.objects = numbered(&table.objects);
        notices.push(Notice::NumberedNames { column, first });
    }
    table
}

/// Column called `name` with these texts.
fn as_column(texts: &Labels, name: &str) -> Column {
    let mut column = ColumnBuilder::new(name, 1);
    texts.iter().for_each(|text| _ = column.push(text));
    column.finish()
}

/// Adds a column in front; rows about the tests say nothing of it.
fn add_column(table: &mut Table, column: Column) {
    table.columns.insert(0, column);
    table.about.iter_mut().for_each(|about| about.cells.insert(0, String::new()));
}

/// Names with a number behind each that comes more than once, such as `rose (2)`.
fn numbered(names: &Labels) -> Labels {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    names.iter().for_each(|name| *counts.entry(name).or_default() += 1);
    let mut next: HashMap<&str, usize> = HashMap::new();
    let mut renamed = Labels::default();
    for name in names.iter() {
        if counts[name] == 1 {
            renamed.push(name);
            continue;
        }
        let number = next.entry(name).or_default();
        let text = loop {
            *number += 1;
            let text = format!("{name} ({number})");
            if !counts.contains_key(text.as_str()) {
                break text;
            }
        };
        renamed.push(&text);
    }
    renamed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(rows: &[&[&str]], group: Role) -> (Table, Vec<Notice>) {
        let mut notices = Vec::new();
        let options = ReadOptions { group, ..ReadOptions::default() };
        (settle_doubles(Table::from_rows(rows), &options, &mut notices), notices)
    }

    fn names(table: &Table) -> Vec<&str> {
        table.objects.iter().collect()
    }

    #[test]
    fn rows_of_one_name_form_a_group() {
        let (table, notices) =
            settled(&[&["species", "t"], &["rose", "1"], &["rose", "2"], &["ivy", "1"]], Role::Usual);
        assert_eq!(names(&table), ["rose (1)", "rose (2)", "ivy"]);
        assert!(table.column("group").unwrap().labels.iter().eq(["rose", "ivy"]));
        assert_eq!(notices, [Notice::NamesAsGroups { column: "species".into(), rows: 3, names: 2 }]);
    }

    #[test]
    fn beside_groups_a_column_of_few_texts_is_a_test() {
        let rows: &[&[&str]] =
            &[&["sky", "play"], &["sun", "yes"], &["rain", "no"], &["sun", "yes"], &["rain", "yes"]];
        let (table, notices) = settled(rows, Role::Column("play".into()));
        assert_eq!(names(&table), ["row 2", "row 3", "row 4", "row 5"]);
        assert!(table.column("sky").is_some());
        assert_eq!(notices, [Notice::NoNames { column: "sky".into() }]);
        let (table, _) = settled(rows, Role::Column("sky".into()));
        assert!(table.column("sky").is_some() && table.column("group").is_none());
        assert_eq!(names(&table)[0], "sun (1)");
    }

    #[test]
    fn beside_groups_a_few_doubles_get_numbers() {
        let rows: &[&[&str]] = &[&["o", "group"], &["a", "x"], &["a", "y"], &["a (1)", "x"], &["b", "y"]];
        let (table, notices) = settled(rows, Role::Usual);
        assert_eq!(names(&table), ["a (2)", "a (3)", "a (1)", "b"]);
        assert_eq!(notices, [Notice::NumberedNames { column: "o".into(), first: "a".into() }]);
    }

    #[test]
    fn a_counter_gives_way_to_names() {
        let mut notices = Vec::new();
        let mut table = Table::from_rows(&[&["", "plant", "t"], &["0", "rose", "1"], &["1", "ivy", "2"]]);
        replace_counter(&mut table, &mut notices);
        assert_eq!((names(&table), table.object_column.as_str()), (vec!["rose", "ivy"], "plant"));
        let mut table = Table::from_rows(&[&["", "size", "t"], &["0", "3", "1"], &["1", "4", "2"]]);
        replace_counter(&mut table, &mut notices);
        assert_eq!((names(&table), notices.len()), (vec!["0", "1"], 1));
    }
}
