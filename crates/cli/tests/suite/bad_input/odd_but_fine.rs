//! Input that is unusual and accepted.

use crate::common::{Folder, Run};

/// Runs every command on a table that is unusual but valid, and returns the output of `build`.
fn accepted(folder: &Folder, table: &str, options: &str) -> Run {
    let line = |command: &str, more: &str| format!("{command} {table}{options}{more}");
    for command in ["inspect", "compare", "front", "bounds"] {
        for more in ["", " --json"] {
            let run = folder.call(&line(command, more)).ok(command);
            assert!(run.out.len() + run.err.len() < 4_000_000, "{command}: {}", run.out.len());
        }
    }
    folder.call(&line("build", " --json")).ok(table);
    let run = folder.call(&line("build", " --output plan.json")).ok(table);
    folder.call(&format!("check {table} plan.json")).ok(table);
    folder.call("show plan.json").ok(table);
    assert!(
        run.out.chars().filter(|letter| letter.is_control() && *letter != '\n').count() == 0,
        "{}",
        run.out
    );
    run
}

#[test]
fn ten_thousand_columns_are_fine() {
    let folder = Folder::new();
    let row = |name: &str, cell: &dyn Fn(usize) -> String| {
        name.to_owned() + &(0..10_000).map(|at| format!(",{}", cell(at))).collect::<String>() + "\n"
    };
    let table = row("o", &|at| format!("t{at}"))
        + &row("x", &|_| "0".to_owned())
        + &row("y", &|at| (at % 2).to_string())
        + &row("z", &|at| (at % 3).to_string());
    folder.write("t.csv", table);
    let run = accepted(&folder, "t.csv", "");
    assert!(run.out.starts_with("t.csv: 3 objects, 10000 tests\n"), "{}", run.out);
    assert!(run.out.len() < 2000, "{}", run.out.len());
}

#[test]
fn a_cell_of_a_million_letters_is_fine_and_does_not_flood_the_page() {
    let long = "long ".repeat(200_000);
    let unbroken = "ä".repeat(1_000_000);
    for (table, places) in [
        (format!("o,a\n{unbroken},0\ny,1\n"), "an object"),
        (format!("o,a\nx,{unbroken}\ny,1\n"), "an answer"),
        (format!("o,a\nx,{long}\ny,1\n"), "an answer of words"),
        (format!("o,{unbroken}\nx,0\ny,1\n"), "a test"),
        (format!("o,group,a\nx,{long},0\ny,g,1\n"), "a group"),
        (format!("o,a\n@question,{long}\nx,0\ny,1\n"), "a question"),
        (format!("o,a\n{unbroken},0\ny,0\nz,1\n"), "an object with a twin"),
    ] {
        let folder = Folder::new();
        folder.write("t.csv", table);
        let run = accepted(&folder, "t.csv", "");
        assert!(run.out.len() + run.err.len() < 5000, "{places}: {} bytes", run.out.len() + run.err.len());
        let shown = folder.out("inspect t.csv --quiet");
        assert!(shown.len() < 5000, "{places}: {} bytes", shown.len());
    }
}

#[test]
fn a_message_about_a_cell_of_a_million_letters_stays_short() {
    let long = "x".repeat(1_000_000);
    let tables = [
        format!("o,prior,a\n{long},{long},0\ny,1,1\n"),
        format!("o,group,a\n{long},,0\ny,1,1\n"),
        format!("o,{long}\n{long},\ny,1\n"),
        format!("o,{long}\n@cost,{long}\ny,1\n"),
        format!("o,a\n{long},0\n{long}\n"),
        format!("o,a\n@{long},0\nx,1\n"),
        format!("o,{long},{long}\nx,1,1\n"),
        format!("o,a\nx,\"{long}\ny,1\n"),
    ];
    for table in tables {
        let folder = Folder::new();
        folder.write("t.csv", table);
        assert_eq!(folder.call("build t.csv --missing error").refusal(2, &["error: t.csv: "]), None);
    }
    let folder = Folder::new();
    folder.write("t.csv", format!("o,a\n{long},0\n{long}2,0\n"));
    assert_eq!(folder.call("build t.csv --inseparable refuse").refusal(2, &["add a test that does"]), None);
}

#[test]
fn names_with_line_ends_and_control_characters_stay_on_their_line() {
    let folder = Folder::new();
    folder.write("t.csv", "o,\"te\nst\x1B[31m\",b\n\"x\x1B]0;title\x07\ry\",\"an\nswer\",0\ny,1,0\nz,2,0\n");
    let run = accepted(&folder, "t.csv", "");
    for drawn in ["te\\nst\\u{1b}[31m?\n├─ ", "─ an\\nswer: x\\u{1b}]0;title\\u{7}\\ry"] {
        assert!(run.out.contains(drawn), "{}", run.out);
    }
    assert!(
        folder
            .out("build t.csv --report --algorithm gain-ratio --quiet")
            .lines()
            .all(|line| !line.starts_with("st"))
    );
}

#[test]
fn tables_as_other_programs_write_them_are_fine() {
    let plain = "o,group,a\nBär,g,\"one, two\"\ny,h,1\n";
    let expected = {
        let folder = Folder::with(&[("t.csv", plain)]);
        folder.json("build t.csv")["tree"].clone()
    };
    let utf16: Vec<u8> =
        std::iter::once(0xFEFF).chain(plain.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let tables: [(&str, Vec<u8>); 7] = [
        ("a byte order mark", format!("\u{FEFF}{plain}").into()),
        ("CRLF", plain.replace('\n', "\r\n").into()),
        ("no last line end", plain.trim_end().into()),
        ("blank lines", plain.replace('\n', "\n\n").into()),
        ("blanks around", plain.replace(",g,", ", g ,").into()),
        (
            "everything in quotes",
            "\"o\",\"group\",\"a\"\n\"Bär\",\"g\",\"one, two\"\n\"y\",\"h\",\"1\"\n".into(),
        ),
        ("UTF-16", utf16),
    ];
    for (name, table) in tables {
        let folder = Folder::new();
        folder.write("t.csv", table);
        let run = accepted(&folder, "t.csv", "");
        assert_eq!(run.err, "", "{name}");
        assert_eq!(folder.json("build t.csv")["tree"], expected, "{name}");
    }
    let folder = Folder::new();
    folder.write(
        "t.csv",
        plain.replace('ä', "?").bytes().map(|b| if b == b'?' { 0xE4 } else { b }).collect::<Vec<u8>>(),
    );
    let run = accepted(&folder, "t.csv", "");
    assert_eq!(run.warnings().len(), 1, "{}", run.err);
    assert!(
        run.err.contains("t.csv: not UTF-8, so it is read as Windows-1252; save it as UTF-8"),
        "{}",
        run.err
    );
    assert_eq!(folder.json("build t.csv")["tree"], expected);
}

#[test]
fn quoted_line_ends_belong_to_the_cell() {
    let folder = Folder::with(&[("t.csv", "o,a\n\"x\ny\",\"1\r\n2\"\nz,3\n")]);
    accepted(&folder, "t.csv", "");
    let tree = &folder.json("build t.csv")["tree"];
    assert_eq!(tree["answers"]["1\r\n2"]["objects"][0], "x\ny");
}

/// Degenerate tables: the table, options, and the expected cost.
#[test]
fn tables_at_the_edge_are_fine() {
    let cases: &[(&str, &str, &str, f64)] = &[
        ("one object", "o,a\nx,0\n", "", 0.0),
        ("no tests and one object", "o\nx\n", "", 0.0),
        ("no tests and one group", "o,group\nx,g\ny,g\n", "", 0.0),
        ("no tests and two groups", "o,group\nx,g\ny,h\n", " --verbatim", 0.0),
        ("all tests ignored", "o,a\nx,0\ny,1\n", " --ignore a --verbatim", 0.0),
        ("constant columns", "o,a,b,c\nx,0,0,k\ny,0,1,k\n", "", 1.0),
        ("zero priors for some", "o,prior,a,b\nx,0,0,0\ny,3,1,0\nz,1,1,1\n", "", 1.75),
        ("all weight on one", "o,prior,a\nx,0,0\ny,7,1\n", "", 1.0),
        ("groups that cannot be told apart", "o,group,a\nx,g,0\ny,h,0\nz,h,1\n", "", 1.0),
        ("objects that cannot be told apart", "o,a\nx,0\ny,0\nz,1\n", "", 1.0),
        ("huge priors", "o,prior,a\nx,1e308,0\ny,1e308,1\nz,1e308,1\n", "", 1.0),
        ("tiny priors", "o,prior,a\nx,1e-300,0\ny,3e-300,1\n", "", 1.0),
        ("subnormal priors", "o,prior,a\nx,5e-324,0\ny,5e-324,1\n", "", 1.0),
        ("huge and tiny priors", "o,prior,a\nx,1e300,0\ny,1e-300,1\n", "", 1.0),
        ("tiny costs", "o,a\n@cost,1e-300\nx,0\ny,1\n", "", 1e-300),
        ("huge costs", "o,a\n@cost,1e300\nx,0\ny,1\n", "", 1e300),
        ("missing cells as answers", "o,a,b\nx,,0\ny,?,1\nz,1,1\n", " --missing answer", 5.0 / 3.0),
        ("a column of numbers", "o,a\nx,1.5\ny,-2e3\nz,7\n", " --numeric thresholds", 5.0 / 3.0),
        ("a column of equal numbers", "o,a,b\nx,1,0\ny,1,1\n", " --numeric bins:3", 1.0),
    ];
    for (name, table, options, expected) in cases {
        let folder = Folder::with(&[("t.csv", table)]);
        accepted(&folder, "t.csv", options);
        let found = folder.json(&format!("build t.csv{options}"));
        let cost = found["cost"]["expected"].as_f64().unwrap();
        assert!((cost - expected).abs() <= 1e-9 * expected, "{name}: {cost} where {expected} was due");
        assert!(!found.to_string().contains("null"), "{name}: {found}");
    }
}

#[test]
fn a_lambda_at_the_edge_is_fine() {
    let folder = Folder::with(&[("t.csv", "o,prior,a,b\nx,1,0,0\ny,1,1,0\nz,2,1,1\n")]);
    for lambda in ["1", "1.000000000001", "1e9", "1e300", "inf"] {
        let found = folder.json(&format!("build t.csv --objective exponential --lambda {lambda}"));
        let cost = found["cost"]["exponential"]["value"].as_f64().unwrap();
        assert!((1.5..=2.0).contains(&cost), "{lambda}: {cost}");
        folder.json(&format!("compare t.csv --lambda {lambda}"));
        folder.json(&format!("bounds t.csv --lambda {lambda}"));
    }
    folder.json("build t.csv --time 0");
    folder.json("build t.csv --time 9999999999999999s");
}
