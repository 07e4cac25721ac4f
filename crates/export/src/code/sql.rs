//! A strategy in SQL: tables and a view that walks all cases at once, or one expression where the strategy is small.

use super::header;
use crate::escape::{Quotes, literal};
use crate::export::{Export, ExportError};
use crate::flat::Flat;
use std::io::Write;

/// Rows of one `INSERT`.
const ROWS: usize = 400;
/// Leaves up to which one expression is bearable: databases read it in quadratic time or worse.
const CASE_LEAVES: usize = 500;

const TABLES: &str = r#"
-- Put the answers into fewest_answer, then read fewest_next:
--   INSERT INTO fewest_answer VALUES ('case 1', 'test', 'answer');
--   SELECT * FROM fewest_next;
-- state is 'ask' (test says what to ask next), 'result' (names says what was found) or 'unknown' (the answer to test
-- leads nowhere). Several names are separated by ' or '.
CREATE TABLE fewest_answer (case_id VARCHAR(200) NOT NULL, test VARCHAR(2000) NOT NULL, answer VARCHAR(2000) NOT NULL);
CREATE TABLE fewest_node (node INTEGER NOT NULL PRIMARY KEY, test VARCHAR(2000), question VARCHAR(4000), names VARCHAR(4000));
CREATE TABLE fewest_edge (node INTEGER NOT NULL, answer VARCHAR(2000) NOT NULL, child INTEGER NOT NULL);
"#;

const VIEW: &str = r#"
CREATE INDEX fewest_edge_of_node ON fewest_edge (node);
CREATE VIEW fewest_next AS
WITH RECURSIVE
  walk (case_id, node) AS (
    SELECT DISTINCT case_id, 0 FROM fewest_answer
    UNION ALL
    SELECT walk.case_id, edge.child
    FROM walk
    JOIN fewest_node AS here ON here.node = walk.node
    JOIN fewest_answer AS given ON given.case_id = walk.case_id AND given.test = here.test
    JOIN fewest_edge AS edge ON edge.node = walk.node AND edge.answer = given.answer
  ),
  parent (case_id, node) AS (
    SELECT walk.case_id, edge.node
    FROM walk
    JOIN fewest_edge AS edge ON edge.child = walk.node
  )
SELECT
  walk.case_id,
  CASE
    WHEN here.test IS NULL THEN 'result'
    WHEN given.answer IS NULL THEN 'ask'
    ELSE 'unknown'
  END AS state,
  here.test,
  here.question,
  here.names
FROM walk
JOIN fewest_node AS here ON here.node = walk.node
LEFT JOIN fewest_answer AS given ON given.case_id = walk.case_id AND given.test = here.test
LEFT JOIN parent ON parent.case_id = walk.case_id AND parent.node = walk.node
WHERE parent.node IS NULL;
"#;

pub(crate) fn write(out: &mut dyn Write, export: &Export<'_>) -> Result<(), ExportError> {
    let flat = Flat::of(export.tree);
    write!(out, "{}", header(export, "--"))?;
    out.write_all(TABLES.as_bytes())?;
    let quoted = |text: &str| literal(text, Quotes::Sql);
    let nodes: Vec<String> = flat
        .nodes
        .iter()
        .enumerate()
        .map(|(at, node)| match node.test {
            Some(test) => {
                let test = &flat.tests[test];
                let question = test.words();
                format!("({at}, {}, {}, NULL)", quoted(test.name), quoted(question))
            }
            None => {
                let names = node.result.map_or(String::new(), |result| flat.result_text(result));
                format!("({at}, NULL, NULL, {})", quoted(&names))
            }
        })
        .collect();
    insert(out, "fewest_node", &nodes)?;
    let mut edges = Vec::with_capacity(flat.edges.len());
    for (at, node) in flat.nodes.iter().enumerate() {
        let Some(test) = node.test else { continue };
        for edge in flat.edges_of(at) {
            edges.push(format!("({at}, {}, {})", quoted(flat.tests[test].answers[edge.answer]), edge.child));
        }
    }
    insert(out, "fewest_edge", &edges)?;
    out.write_all(VIEW.as_bytes())?;
    Ok(())
}

fn insert(out: &mut dyn Write, table: &str, rows: &[String]) -> Result<(), ExportError> {
    for some in rows.chunks(ROWS) {
        writeln!(out, "INSERT INTO {table} VALUES\n  {};", some.join(",\n  "))?;
    }
    Ok(())
}

/// Writes a query with one `WHEN` for each leaf; columns have the names of the tests.
pub(crate) fn write_case(out: &mut dyn Write, export: &Export<'_>) -> Result<(), ExportError> {
    let flat = Flat::of(export.tree);
    let paths = flat.paths();
    if paths.len() > CASE_LEAVES {
        return Err(ExportError::TooLarge {
            format: "sql-case",
            what: "leaves",
            found: paths.len(),
            limit: CASE_LEAVES,
            instead: "sql",
        });
    }
    write!(out, "{}", header(export, "--"))?;
    writeln!(
        out,
        "-- For a table whose columns are the tests: put its name for `objects`. NULL where no leaf is reached."
    )?;
    writeln!(out, "SELECT *,\n  CASE")?;
    for (path, result) in &paths {
        let step = |(test, answer): &(usize, usize)| {
            let test = &flat.tests[*test];
            format!("{} = {}", column(test.name), literal(test.answers[*answer], Quotes::Sql))
        };
        let steps: Vec<String> = path.iter().map(step).collect();
        let condition = if steps.is_empty() { "1 = 1".to_owned() } else { steps.join(" AND ") };
        let names = literal(&flat.result_text(*result), Quotes::Sql);
        writeln!(out, "    WHEN {condition} THEN {names}")?;
    }
    writeln!(out, "  END AS identified\nFROM objects;")?;
    Ok(())
}

/// Name of a column, between its quotes.
fn column(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
