//! Options and files of costs that are refused.

use super::{GOOD, refused_by_all};
use crate::common::{Folder, Run, report};

#[test]
fn a_bad_file_of_costs_is_refused_with_its_place_and_the_way_out() {
    let number = "a cost is a number > 0, such as 1 or 2.5";
    let cases: &[(&str, &[u8], &[&str])] = &[
        ("zero", b"test,cost\na,0\n", &["error: costs.csv: row 2: test `a` has cost `0`", number]),
        ("negative", b"test,cost\nb,1\na,-3\n", &["error: costs.csv: row 3: test `a` has cost `-3`", number]),
        ("NaN", b"test,cost\na,NaN\n", &["error: costs.csv: row 2: test `a` has cost `NaN`", number]),
        ("infinite", b"test,cost\na,inf\n", &["error: costs.csv: row 2: test `a` has cost `inf`", number]),
        ("text", b"test,cost\na,free\n", &["error: costs.csv: row 2: test `a` has cost `free`", number]),
        ("no cost", b"test,cost\na,\n", &["error: costs.csv: row 2: test `a` has cost ``", number]),
        ("no test", b"test,cost\n,1\n", &["error: costs.csv: row 2: the test has no name", "fill the cell"]),
        (
            "unknown test",
            b"test,cost\nzzz,1\n",
            &["error: t.csv: --costs `zzz`", "no such column", "columns are"],
        ),
        (
            "no test but a group",
            b"test,cost\nkind,1\n",
            &["error: t.csv: --costs `kind`", "the groups", "no test"],
        ),
        (
            "test twice",
            b"test,cost\na,1\nb,1\na,1\n",
            &["error: costs.csv: rows 2 and 4", "test `a`", "keep one"],
        ),
        (
            "other header",
            b"name,price\na,1\n",
            &["error: costs.csv: the header is `name,price`", "`test,cost`"],
        ),
        ("no header", b"a,1\nb,2\n", &["error: costs.csv: the header is `a,1`", "`test,cost`"]),
        ("long row", b"test,cost\na,1,2\n", &["error: costs.csv: row 2 has 3 cells where the header has 2"]),
        ("empty", b"", &["error: costs.csv: the file is empty"]),
        ("NUL byte", b"test,cost\na,1\0\n", &["error: costs.csv: row 2, column ", "a NUL byte"]),
    ];
    let mut faults = Vec::new();
    for (name, costs, says) in cases {
        let folder = Folder::new();
        folder.write("t.csv", GOOD);
        folder.write("costs.csv", costs);
        let options = ["--group", "kind", "--costs", "costs.csv"];
        faults.extend(refused_by_all(&folder, name, &options, says));
    }
    let folder = Folder::new();
    folder.write("t.csv", GOOD);
    let says = ["error: costs.csv: there is no such file", "check the name"];
    faults.extend(refused_by_all(&folder, "missing", &["--costs", "costs.csv"], &says));
    let says = ["error: .: this is a directory", "name a file in it"];
    faults.extend(refused_by_all(&folder, "directory", &["--costs", "."], &says));
    folder.write("names.txt", "\n\n");
    let says = ["error: names.txt: no names", "one test on each line"];
    faults.extend(refused_by_all(&folder, "no names", &["--tests", "names.txt"], &says));
    report(&faults);
}

/// A mistake in the arguments is reported by the argument parser: one message, and below it a hint at the help.
#[test]
fn a_mistake_in_the_call_is_told_with_what_there_is_to_choose() {
    let folder = Folder::new();
    folder.write("t.csv", GOOD);
    let time = "a number and a unit, such as 30s, 500ms, 2m or 1h";
    let cases: &[(&str, &[&str])] = &[
        ("build t.csv --algorithm best", &["'best'", "--algorithm", "choose auto, gbs,", "ec2"]),
        ("build t.csv --lambda 0.5", &["'0.5'", "--lambda", "from 1 to `inf`"]),
        ("build t.csv --lambda nan", &["'nan'", "--lambda", "from 1 to `inf`"]),
        ("build t.csv --lambda two", &["'two'", "--lambda", "from 1 to `inf`"]),
        ("bounds t.csv --lambda=-2", &["'-2'", "--lambda", "from 1 to `inf`"]),
        ("build t.csv --time soon", &["'soon'", "--time", time]),
        ("build t.csv --time 3weeks", &["'3weeks'", "--time", time]),
        ("compare t.csv --time=-1s", &["'-1s'", "--time", time]),
        ("build t.csv --time 99999999999999999999h", &["--time", time]),
        (
            "build t.csv --numeric some",
            &["'some'", "--numeric", "choose auto, exact, thresholds, measure or bins:N"],
        ),
        ("build t.csv --numeric bins:1", &["'bins:1'", "--numeric", "from 2 to 1000"]),
        ("build t.csv --numeric bins:x", &["'bins:x'", "--numeric", "from 2 to 1000"]),
        ("build t.csv --threads 0", &["'0'", "--threads", "a whole number from 1 on"]),
        ("build t.csv --seed x", &["'x'", "--seed"]),
        ("build t.csv --identify all", &["'all'", "--identify"]),
        ("build t.csv --missing maybe", &["'maybe'", "--missing"]),
        ("build t.csv --inseparable drop", &["'drop'", "--inseparable"]),
        ("build t.csv --objective least", &["'least'", "--objective"]),
        ("build t.csv --color sometimes", &["'sometimes'", "--color"]),
        ("build t.csv --fast", &["'--fast'"]),
        ("build", &["required arguments"]),
        ("check t.csv", &["required arguments"]),
        ("built t.csv", &["'built'"]),
        ("generate sudoku", &["'sudoku'"]),
        ("generate thresholds --weights 1,2 --delta 1", &["--weights", "--delta"]),
        ("generate thresholds --n 2 --weights 1,x", &["'x'"]),
        ("completions tcsh9", &["'tcsh9'"]),
    ];
    let mut faults = Vec::new();
    for (line, says) in cases {
        let Run { code, out, err } = folder.call(line);
        let one = err.starts_with("error: ") && err.matches("error:").count() == 1;
        let told = says.iter().all(|part| err.contains(part)) && err.contains("--help");
        if code != Some(2) || !out.is_empty() || !one || !told || err.contains("panicked") {
            faults.push(format!("{line}: {code:?}: {err}"));
        }
    }
    report(&faults);
}

#[test]
fn numbers_that_make_no_table_are_refused() {
    let folder = Folder::new();
    let cases: &[(&str, &[&str])] = &[
        ("generate random --objects 0", &["objects is 0", "at least 1"]),
        ("generate random --answers 1", &["answers is 1", "from 2 to 1000"]),
        ("generate random --density 1.5", &["1.5"]),
        ("generate random --delta nan", &["delta is NaN", "≥ 0"]),
        ("generate beta --beta-w=-1", &["beta_w is -1", "> 0"]),
        ("generate beta --beta-b nan", &["beta_b is NaN", "> 0"]),
        ("generate beta --gamma-w 3,1", &["gamma_w is 3", "0.5 to 1"]),
        ("generate beta --objects 3 --groups 5", &["groups is 5", "at most the number of objects"]),
        ("generate thresholds --delta=-1", &["delta is -1", "≥ 0"]),
        ("generate thresholds --n 3 --weights 1,2", &["the number of weights is 2", "the number of objects"]),
        ("generate subsets --n 17", &["objects is 17", "from 1 to 16"]),
        ("generate subsets --n 2 --weights 0,0", &["the sum of the weights is 0"]),
        ("generate singletons --n 2 --costs 1,0", &["a cost is 0", "> 0"]),
        ("generate sorting --n 9", &["items is 9", "from 2 to 8"]),
        ("generate mastermind --pegs 9", &["codes is 10077696", "fewer pegs or colors"]),
        ("generate coins --n 13", &["coins is 13", "from 3 to 12"]),
    ];
    let refusal = |(line, says): &(&str, &[&str])| {
        folder.call(line).refusal(2, says).map(|fault| format!("{line}: {fault}"))
    };
    report(&cases.iter().filter_map(refusal).collect::<Vec<_>>());
}
