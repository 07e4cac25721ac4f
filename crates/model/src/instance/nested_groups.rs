//! Groups of several levels: a path of columns such as `family/genus/species`, of which one level is chosen.

use super::InstanceError;
use crate::{
    Choice, Column, ColumnBuilder, Labels, Reading, Role, Table, did_you_mean, known_columns, nearest,
};
use std::collections::BTreeMap;

/// Makes one column of groups of a path of columns, if the reading names one; returns the reading with that column. The
/// columns of the path are no tests, also those below the level that is chosen.
pub(super) fn settle(table: &mut Table, reading: &Reading) -> Result<Option<Reading>, InstanceError> {
    let path = match &reading.group {
        Role::Column(path) if path.contains('/') && table.column(path).is_none() => path,
        _ => return no_path(reading),
    };
    let ranks: Vec<&str> = path.split('/').map(str::trim).collect();
    let position = |rank: &&str| {
        let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        names.iter().position(|name| name == rank).ok_or_else(|| InstanceError::NoSuchColumn {
            option: Choice::Group,
            name: (*rank).to_owned(),
            known: known_columns(rank, &names),
        })
    };
    let places = ranks.iter().map(position).collect::<Result<Vec<usize>, _>>()?;
    let level = match &reading.group_rank {
        None => ranks.len(),
        Some(rank) => {
            1 + ranks.iter().position(|other| other == rank).ok_or_else(|| no_rank(&ranks, rank))?
        }
    };
    let columns: Vec<&Column> = places[..level].iter().map(|at| &table.columns[*at]).collect();
    let groups = joined(path, &columns);
    let mut reading = Reading { group: Role::Column(path.clone()), group_rank: None, ..reading.clone() };
    reading.ignore.extend(ranks[1..].iter().map(|rank| (*rank).to_owned()));
    table.columns[places[0]] = groups;
    Ok(Some(reading))
}

/// A rank needs a path to choose from.
fn no_path(reading: &Reading) -> Result<Option<Reading>, InstanceError> {
    match &reading.group_rank {
        None => Ok(None),
        Some(rank) => Err(InstanceError::NoRank { rank: rank.clone(), known: String::new() }),
    }
}

fn no_rank(ranks: &[&str], rank: &str) -> InstanceError {
    let hint = did_you_mean(nearest(ranks.iter().copied(), rank));
    let known = if hint.is_empty() { format!("; the ranks are `{}`", ranks.join("`, `")) } else { hint };
    InstanceError::NoRank { rank: rank.to_owned(), known }
}

/// Column of the groups of the last level. A group is known by its whole path, and called by its own name if no other group
/// has that; an object whose path ends early belongs to the last group that is named.
fn joined(path: &str, columns: &[&Column]) -> Column {
    let label = |column: &Column, row: usize| {
        let code = column.codes.get(row);
        let is_known = column.missing.is_none_or(|missing| missing.code != code);
        is_known.then(|| column.labels.get(code as usize).to_owned())
    };
    let rows = columns[0].codes.len();
    let paths: Vec<Vec<String>> =
        (0..rows).map(|row| columns.iter().map_while(|column| label(column, row)).collect()).collect();
    let mut named: BTreeMap<&str, &[String]> = BTreeMap::new();
    let mut shared = Labels::default();
    for path in &paths {
        if let Some(name) = path.last()
            && named.insert(name, path).is_some_and(|other| other != path)
            && shared.find(name).is_none()
        {
            shared.push(name);
        }
    }
    let mut groups = ColumnBuilder::new(path, columns[0].position);
    for path in &paths {
        match path.last() {
            Some(name) if shared.find(name).is_none() => groups.push(name),
            _ => groups.push(&path.join(" / ")),
        };
    }
    groups.finish()
}

#[cfg(test)]
mod tests {
    use crate::{Instance, InstanceError, Reading, Role, Table};

    fn read(path: &str, rank: Option<&str>) -> Result<Instance, InstanceError> {
        let table = Table::from_rows(&[
            &["object", "family", "genus", "species", "size"],
            &["a", "cats", "great", "lion", "1"],
            &["b", "cats", "great", "tiger", "2"],
            &["c", "cats", "small", "lynx", "3"],
            &["d", "dogs", "great", "wolf", "4"],
            &["e", "dogs", "", "", "5"],
        ]);
        let (group, group_rank) = (Role::Column(path.to_owned()), rank.map(str::to_owned));
        Instance::new(table, &Reading { group, group_rank, ..Reading::default() })
            .map(|(instance, _)| instance)
    }

    fn groups(instance: &Instance) -> Vec<String> {
        instance.objects().map(|object| instance.group_names(instance.group_of(object)).join("+")).collect()
    }

    #[test]
    fn a_level_of_a_path_is_chosen_and_no_column_of_it_is_asked() {
        for (path, rank, expected) in [
            ("family/genus/species", None, ["lion", "tiger", "lynx", "wolf", "dogs"]),
            (
                "family/genus/species",
                Some("genus"),
                ["cats / great", "cats / great", "small", "dogs / great", "dogs"],
            ),
            ("family/genus/species", Some("family"), ["cats", "cats", "cats", "dogs", "dogs"]),
        ] {
            let instance = read(path, rank).unwrap();
            assert_eq!(groups(&instance), expected);
            assert_eq!(instance.test_count(), 1);
        }
        assert_eq!(read("family/genus", None).unwrap().test_count(), 2);
    }

    #[test]
    fn unknown_levels_are_refused_with_the_nearest() {
        let error = |path: &str, rank| read(path, rank).unwrap_err().to_string();
        assert!(
            error("family/genius", None).contains("`genius`: there is no such column; did you mean `genus`?")
        );
        let found = error("family/genus", Some("famly"));
        assert!(found.contains("famly") && found.contains("did you mean `family`?"), "{found}");
        assert!(error("family", Some("family")).contains("family/genus"));
    }
}
