//! Another reading of a table whose contents are kept: nothing is uploaded again.

use super::tables::{add, options_of, stored, with_digest};
use crate::error::Problem;
use crate::options::TableOptions;
use crate::state::App;
use crate::tables::digest;
use fewest::Spell;

/// Reads the contents of table `id` with some options changed, and returns the id of the table that results. The
/// earlier reading stays with its strategies and sessions.
///
/// An option in `changes` replaces all its earlier values; an empty value stands for the default.
///
/// # Errors
/// When there is no such table, or its contents cannot be read this way.
pub(crate) async fn reread(
    app: &App,
    id: &str,
    changes: &[(String, String)],
    spell: Spell,
) -> Result<String, Problem> {
    let (row, content) = stored(app, id).await?;
    let options = changed(options_of(&row)?, changes)?;
    if let Some(known) = with_digest(app, &digest(&content, &options)).await? {
        return Ok(known);
    }
    Ok(add(app, options, content.into(), Some(id.to_owned()), spell).await?.id)
}

/// Reads a file that is held with some options changed, and returns the id of the table that results.
///
/// # Errors
/// When the file is no longer held, or cannot be read this way.
pub(crate) async fn read_held(
    app: &App,
    id: &str,
    changes: &[(String, String)],
    spell: Spell,
) -> Result<String, Problem> {
    let file = app
        .held()
        .get(id)
        .ok_or_else(|| Problem::bad_request("the file is no longer kept; open it again"))?;
    let options = changed(file.options, changes)?;
    let table = add(app, options, file.content, None, spell).await?;
    app.held().drop_file(id);
    Ok(table.id)
}

fn changed(mut options: TableOptions, changes: &[(String, String)]) -> Result<TableOptions, Problem> {
    changes.iter().for_each(|(name, _)| options.reset(name));
    for (name, value) in changes {
        options.set(name, value)?;
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn a_change_replaces_the_values_of_its_options_and_of_no_others() {
        let first =
            [("ignore", "a"), ("ignore", "b"), ("group", "kind"), ("missing", "any"), ("transpose", "true")];
        let options = TableOptions::from_pairs(first).unwrap();
        let change = pairs(&[("ignore", "c"), ("missing", ""), ("transpose", "")]);
        let expected = TableOptions::from_pairs([("ignore", "c"), ("group", "kind")]).unwrap();
        assert_eq!(changed(options.clone(), &change).unwrap(), expected);
        assert_eq!(changed(options.clone(), &[]).unwrap(), options);
        assert_eq!(changed(options, &pairs(&[("missing", "maybe")])).unwrap_err().status, 400);
    }
}
