//! Tables that are refused.

use super::{GOOD, refused_by_all};
use crate::common::{Folder, report};

/// Name, table, options, and the words of the message besides the file.
type TableCase<'a> = (&'a str, &'a [u8], &'a [&'a str], &'a [&'a str]);

const BAD_TABLES: &[TableCase<'_>] = &[
    ("empty", b"", &[], &["the file is empty", "a header and a row for each object"]),
    ("only blank lines", b"\n\r\n   \n\n", &[], &["the file is empty", "a header and a row for each object"]),
    ("only a byte order mark", b"\xEF\xBB\xBF", &[], &["the file is empty"]),
    ("header only", b"o,a,b\n", &[], &["no objects", "add a row for each object"]),
    (
        "costs beyond all numbers",
        b"o,a,b\n@cost,1e308,1.5e308\nx,0,1\ny,1,0\n",
        &[],
        &["the costs add up", "`b`", "a larger unit"],
    ),
    ("only rows that speak of tests", b"o,a\n@cost,2\n", &[], &["no objects", "add a row"]),
    (
        "short row",
        b"o,a,b\nx,0,1\ny,1\n",
        &[],
        &["row 3 has 2 cells where the header has 3", "fill up the row"],
    ),
    (
        "long row",
        b"o,a,b\nx,0,1\ny,1,0,1\n",
        &[],
        &["row 3 has 4 cells", "header has 3", "put quotes around"],
    ),
    ("short row about tests", b"o,a,b\n@cost,1\nx,0,1\n", &[], &["row 2 has 2 cells", "fill up the row"]),
    ("row after blank lines", b"o,a\n\n\nx,0\n\ny,1,2\n", &[], &["row 6 has 3 cells where the header has 2"]),
    (
        "object twice",
        b"o,a\nx,0\ny,1\nx,1\n",
        &["--verbatim"],
        &["rows 2 and 4 are both called `x`", "its own name"],
    ),
    (
        "object twice but for blanks",
        b"o,a\nx,0\n x ,1\n",
        &["--verbatim"],
        &["rows 2 and 3 are both called `x`"],
    ),
    ("column twice", b"o,a,b,a\nx,0,0,0\n", &[], &["columns 2 and 4 are both called `a`", "rename one"]),
    (
        "column without name",
        b"o,a,,b\nx,0,0,0\n",
        &["--verbatim"],
        &["row 1, column 3", "name it in the header"],
    ),
    (
        "object without name",
        b"o,a\nx,0\n ,1\n",
        &[],
        &["row 3, column `o`", "fill the cell, or delete the row"],
    ),
    (
        "prior NaN",
        b"o,prior,a\nx,1,0\ny,NaN,1\n",
        &["--verbatim"],
        &["row 3, column `prior`", "`y`", "`NaN`", "a number ≥ 0"],
    ),
    (
        "prior negative",
        b"o,prior,a\nx,-0.5,0\ny,1,1\n",
        &[],
        &["row 2, column `prior`", "`-0.5`", "a number ≥ 0"],
    ),
    (
        "prior infinite",
        b"o,prior,a\nx,1,0\ny,inf,1\n",
        &[],
        &["row 3, column `prior`", "`inf`", "a number ≥ 0"],
    ),
    ("prior overflows", b"o,prior,a\nx,1e999,0\ny,1,1\n", &[], &["row 2, column `prior`", "`1e999`", "≥ 0"]),
    (
        "prior text",
        b"o,prior,a\nx,often,0\ny,1,1\n",
        &[],
        &["row 2, column `prior`", "`often`", "such as 3 or 0.25"],
    ),
    (
        "prior empty",
        b"o,prior,a\nx,1,0\ny,,1\n",
        &["--verbatim"],
        &["row 3, column `prior`", "object `y`", "a number ≥ 0"],
    ),
    (
        "prior unknown",
        b"o,prior,a\nx,1,0\ny,?,1\n",
        &["--verbatim"],
        &["row 3, column `prior`", "object `y`", "no prior"],
    ),
    ("prior decimal comma", b"o;prior;a\nx;0,5;0\ny;1;1\n", &[], &["row 2, column `prior`", "`0,5`", "0.25"]),
    (
        "priors all zero",
        b"o,prior,a\nx,0,0\ny,0.0,1\n",
        &[],
        &["column `prior`", "all priors are 0", "above 0"],
    ),
    ("prior of another name", b"o,p,a\nx,1,0\ny,no,1\n", &["--prior", "p"], &["row 3, column `p`", "`no`"]),
    (
        "cost row zero",
        b"o,a,b\n@cost,0,1\nx,0,0\n",
        &[],
        &["row 2, column `a`", "the cost is `0`", "a number > 0"],
    ),
    ("cost row negative", b"o,a,b\nx,0,0\n@cost,1,-2\n", &[], &["row 3, column `b`", "`-2`", "a number > 0"]),
    (
        "cost row NaN",
        b"o,a\n@cost,nan\nx,0\n",
        &[],
        &["row 2, column `a`", "the cost is `nan`", "such as 1 or 2.5"],
    ),
    ("cost row infinite", b"o,a\n@cost,inf\nx,0\n", &[], &["row 2, column `a`", "the cost is `inf`"]),
    ("cost row text", b"o,a\n@cost,cheap\nx,0\n", &[], &["row 2, column `a`", "the cost is `cheap`"]),
    ("cost row twice", b"o,a\n@cost,1\nx,0\n@cost,2\n", &[], &["rows 2 and 4 are both `@cost`", "keep one"]),
    (
        "unknown row",
        b"o,a\n@colour,red\nx,0\n",
        &[],
        &["row 2: `@colour` is unknown", "`@cost`, `@bundle`, `@setup`, `@question`, `@if`"],
    ),
    (
        "unknown --group",
        GOOD,
        &["--group", "kinds"],
        &["--group `kinds`", "no such column", "did you mean `kind`?"],
    ),
    (
        "unknown --prior",
        GOOD,
        &["--prior", "zzzzzz"],
        &["--prior `zzzzzz`", "the columns are `kind`, `sure`, `a`, `b`"],
    ),
    (
        "unknown --object",
        GOOD,
        &["--object", "nowhere"],
        &["--object `nowhere`", "the columns are `o`, `kind`"],
    ),
    ("unknown --ignore", GOOD, &["--ignore", "A"], &["--ignore `A`", "no such column", "did you mean `a`?"]),
    (
        "unknown --tests",
        GOOD,
        &["--tests", "a,legs"],
        &["--tests `legs`", "no such column", "the columns are"],
    ),
    ("no --tests", GOOD, &["--tests", ",,"], &["--tests", "names no test", "give names by comma"]),
    (
        "--tests of groups",
        GOOD,
        &["--group", "kind", "--tests", "kind"],
        &["--tests `kind`", "the groups", "no test"],
    ),
    ("--tests of objects", GOOD, &["--tests", "o"], &["--tests `o`", "names of the objects", "no test"]),
    (
        "one column, two parts",
        GOOD,
        &["--group", "sure", "--prior", "sure"],
        &["column `sure`", "both the groups and the priors", "its own column"],
    ),
    (
        "objects as groups",
        GOOD,
        &["--object", "kind", "--group", "kind", "--verbatim"],
        &["rows 2 and 3 are both called `k`"],
    ),
    (
        "no groups",
        GOOD,
        &["--identify", "groups"],
        &["no groups", "no column `group`", "--group", "--identify objects"],
    ),
    (
        "empty group",
        b"o,group,a\nx,g,0\ny,,1\n",
        &[],
        &["row 3, column `group`", "`y` has no group", "--identify objects"],
    ),
    (
        "unknown group",
        b"o,group,a\nx,?,0\ny,g,1\n",
        &[],
        &["row 2, column `group`", "`x` has no group", "fill"],
    ),
    (
        "missing cell",
        b"o,a,b\nx,0,1\ny,1,\n",
        &["--missing", "error"],
        &["1 cell is empty", "row 3, column `b`", "`y`", "--missing answer", "--missing any"],
    ),
    (
        "missing cells",
        b"o,a,b\nx,0,1\ny,?,\nz,,1\n",
        &["--missing", "error"],
        &["3 cells are empty or `?`", "row 3, column `a`", "`y`"],
    ),
    (
        "--inseparable refuse",
        b"o,a\nx,0\ny,0\nz,1\n",
        &["--inseparable", "refuse"],
        &["`x` and `y`", "add a test", "--inseparable join"],
    ),
    (
        "quote left open",
        b"o,a\nx,0\ny,\"1\nz,1\n",
        &[],
        &["row 3, column `a`", "never closed", "add the closing quote"],
    ),
    ("quote left open in the header", b"o,\"a\nx,0\n", &[], &["row 1, column 2", "never closed"]),
    (
        "text after a quote",
        b"o,a\nx,\"0\"1\ny,1\n",
        &[],
        &["row 2, column `a`", "text follows the closing quote", "\"\""],
    ),
    ("NUL byte", b"o,a,b\nx,0,1\0\n", &[], &["row 2, column `b`", "a NUL byte", "UTF-8"]),
    ("NUL bytes all over", b"\0\0\0\0\0\0", &[], &["row 1, column 1", "a NUL byte"]),
    (
        "UTF-8 with bytes of Windows-1252",
        b"o,a\n\xC3\xA4,0\n\xE4,1\n",
        &[],
        &["row 3, column `o`", "save the file as UTF-8"],
    ),
    (
        "Windows-1252 with UTF-8",
        b"o,a,b\nx,\xE4,1\ny,1,\xC3\xA4\n",
        &[],
        &["row 3, column `b`", "save the file as UTF-8"],
    ),
    (
        "no letter of Windows-1252",
        b"o,a\nx,0\ny,\x81\n",
        &[],
        &["row 3, column `a`", "neither UTF-8 nor Windows-1252"],
    ),
    (
        "a truncated letter",
        b"o,a\n\xC3\xA4,0\ny,\xE2\x82\n",
        &[],
        &["row 3, column `a`", "save the file as UTF-8"],
    ),
    ("a spreadsheet", b"PK\x03\x04\x14\0\x06\0\x08\0\0\0", &[], &["save the table as CSV"]),
    ("Parquet without content", b"PAR1PAR1", &[], &["Parquet", "save the table as CSV"]),
    (
        "two thresholds of one name",
        b"o,a,a > 1.5\nx,1,no\ny,2,yes\nz,4,no\n",
        &["--numeric", "thresholds"],
        &["`a > 1.5`", "rename"],
    ),
];

#[test]
fn a_bad_table_is_refused_with_its_place_and_the_way_out() {
    let mut faults = Vec::new();
    for (name, table, options, says) in BAD_TABLES {
        let folder = Folder::new();
        folder.write("t.csv", table);
        // A list of tests is on the command line, so the message must not blame the table.
        let file = if options.ends_with(&[",,"]) { "error: --tests" } else { "error: t.csv: " };
        let says: Vec<&str> = [file].iter().chain(*says).copied().collect();
        faults.extend(refused_by_all(&folder, name, options, &says));
    }
    report(&faults);
}

#[test]
fn cells_that_list_nothing_or_one_answer_twice_are_refused() {
    let folder = Folder::new();
    folder.write("t.csv", "o,a,b\nx,1|2,0\ny,1||2,1\n");
    let says = ["t.csv: row 3, column `a`: object `y` has `1||2`", "empty or `?`", "--several another mark"];
    let mut faults: Vec<_> =
        refused_by_all(&folder, "empty part", &["--several", "|"], &says).into_iter().collect();
    folder.write("t.csv", "o,a,b\nx,1|2,0\ny,1|2|1,1\n");
    let says = ["t.csv: row 3, column `a`: object `y` has `1|2|1`, which lists `1` twice", "once"];
    faults.extend(refused_by_all(&folder, "repeated part", &["--several", "|"], &says));
    report(&faults);
}
