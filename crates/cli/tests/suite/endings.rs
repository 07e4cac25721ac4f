//! The ending of `--output` decides what is written, for every command; an ending that a command cannot serve is
//! refused before any work.

use crate::common::{Folder, report};
use std::fs;

const TABLE: &str = "object,group,good,b,c\na,x,0,0,1\nb,x,0,1,0\nc,y,1,0,0\nd,y,1,1,1\n";

/// Commands, and the endings that each serves.
const SERVED: &[(&str, &[&str])] = &[
    ("build t.csv", TREE),
    ("show plan.json", TREE),
    ("learn t.csv --target group --folds 0", TREE),
    ("compare t.csv", CHART),
    ("front t.csv", CHART),
    ("inspect t.csv", CHART),
    ("inspect t.csv --target group", CHART),
    ("inspect t.csv --divergence good,b", CHART),
    ("simulate t.csv", CHART),
    ("bounds t.csv", TABLES),
    ("code t.csv", TABLES),
    ("algorithms", TABLES),
    ("predict model.json t.csv", &["csv", "json"]),
    ("generate dyadic --objects 4", &["csv", "tsv"]),
    ("check t.csv plan.json", &["json", "txt"]),
    ("reproduce figure5 --out made", &["json", "txt"]),
    ("ask t.csv", &["json"]),
];
const TREE: &[&str] = &["json", "svg", "png", "pdf", "dot", "html", "md", "csv", "txt"];
const CHART: &[&str] = &["json", "svg", "png", "pdf", "html", "md", "csv", "txt"];
const TABLES: &[&str] = &["json", "html", "md", "csv", "txt"];
const ALL: &[&str] = &[
    "json", "svg", "png", "pdf", "dot", "html", "md", "csv", "tsv", "txt", "xyz", "strategy", "gif", "xlsx",
];

fn folder() -> Folder {
    let folder = Folder::with(&[("t.csv", TABLE)]);
    folder.out("build t.csv --output plan.json");
    folder.out("learn t.csv --target group --output model.json");
    folder
}

/// Whether this build can write the kind.
fn is_built(ending: &str) -> bool {
    (ending != "png" || cfg!(feature = "png")) && (ending != "pdf" || cfg!(feature = "pdf"))
}

/// Whether bytes are what an ending says, by their own beginning and end.
fn is_kind(ending: &str, bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.lines().collect();
    let columns = |mark: char| lines.first().map_or(0, |line| line.matches(mark).count());
    match ending {
        "json" => serde_json::from_slice::<serde_json::Value>(bytes).is_ok(),
        "svg" => text.starts_with("<svg ") && text.ends_with("</svg>\n"),
        "png" => bytes.starts_with(b"\x89PNG\r\n\x1a\n"),
        "pdf" => bytes.starts_with(b"%PDF-") && text.trim_end().ends_with("%%EOF"),
        "dot" => text.starts_with("digraph ") && text.ends_with("}\n"),
        "html" => text.starts_with("<!doctype html>") && text.ends_with("</html>\n"),
        "md" => text.starts_with("# "),
        "csv" => lines.len() > 1 && columns(',') > 0 && !text.starts_with(['{', '<', '#']),
        "tsv" => lines.len() > 1 && columns('\t') > 0,
        _ => !text.starts_with(['{', '<', '#']) && !text.contains('\u{1b}') && !text.is_empty(),
    }
}

#[test]
fn every_command_writes_what_the_ending_says_or_names_what_it_can_write() {
    let folder = folder();
    let mut faults = Vec::new();
    for (command, served) in SERVED {
        for ending in ALL {
            let name = format!("new.{ending}");
            let run = folder.call_with(&format!("{command} -o {name}"), b"q\n");
            let is_there = folder.path(&name).exists();
            if served.contains(ending) && is_built(ending) {
                let bytes = fs::read(folder.path(&name)).unwrap_or_default();
                if run.code != Some(0) || !is_kind(ending, &bytes) {
                    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(60)]).into_owned();
                    faults.push(format!("{command} -o {name}: {:?} {}: {start:?}", run.code, run.err));
                }
            } else {
                let first = command.split(' ').next().unwrap();
                let writes = served.iter().map(|ending| format!(".{ending}")).collect::<Vec<_>>().join(", ");
                let says = match served.contains(ending) {
                    true => "this build of fewest writes no".to_owned(),
                    false => format!("`{name}`: `{first}` writes {writes};"),
                };
                faults.extend(run.refusal(2, &[&says]).map(|fault| format!("{command} -o {name}: {fault}")));
                if is_there {
                    faults.push(format!("{command}: {name} was written"));
                }
            }
            let _ = fs::remove_file(folder.path(&name));
        }
    }
    report(&faults);
}

#[test]
fn an_ending_is_refused_before_any_work() {
    let folder = Folder::new();
    // The table does not exist: the ending is looked at first.
    for line in ["build none.csv -o plan.strategy", "compare none.csv -o x.dot", "ask none.csv -o x.txt"] {
        assert_eq!(folder.call(line).refusal(2, &["ending"]), None, "{line}");
    }
    assert!(folder.names().is_empty());
}

#[test]
fn names_without_an_ending_hold_what_they_always_did() {
    let folder = folder();
    folder.out("build t.csv --output plan");
    assert!(is_kind("json", folder.read("plan").as_bytes()));
    folder.out("compare t.csv --output text");
    assert!(folder.read("text").starts_with("t.csv: 4 objects"));
    // The ending decides whatever the case, and `--json` still prints.
    let printed = folder.out("compare t.csv --json -o table.MD");
    assert!(is_kind("json", printed.as_bytes()) && folder.read("table.MD").contains("| algorithm |"));
}

#[test]
fn the_same_tree_is_the_same_bytes() {
    let folder = folder();
    for ending in TREE.iter().filter(|ending| is_built(ending)) {
        folder.out(&format!("show plan.json -o one.{ending}"));
        folder.out(&format!("show plan.json -o two.{ending}"));
        let read = |name: &str| fs::read(folder.path(&format!("{name}.{ending}"))).unwrap();
        // The title of a PDF is the name of the file.
        let same = if *ending == "pdf" {
            read("one").len() == read("two").len()
        } else {
            read("one") == read("two")
        };
        assert!(same, "{ending}");
    }
}

const ODD: &str =
    "object,group,\"a \"\"b\"\" <c> & |d|\"\n\"=1+1\",\"x\ny\",0\n👩‍👩‍👧,مرحبا,1\n-home,<script>,2\n";

#[test]
fn names_are_text_in_every_kind_of_file() {
    let folder = Folder::with(&[("t.csv", ODD)]);
    folder.out("build t.csv --verbatim --quiet -o plan.json");
    let text = |ending: &str| {
        folder.out(&format!("show plan.json -o tree.{ending}"));
        folder.read(&format!("tree.{ending}"))
    };
    for page in [text("html"), text("svg")] {
        assert!(!page.contains("<script") && page.contains("&lt;script&gt;"), "{page}");
        assert!(page.contains("a &quot;b&quot; &lt;c&gt; &amp; |d|") && page.contains("مرحبا"), "{page}");
    }
    assert!(text("dot").contains("label=\"a \\\"b\\\" <c> &amp; |d|?\\n"), "{}", text("dot"));
    assert!(text("csv").contains("\"a \"\"b\"\" <c> & |d|=0\""), "{}", text("csv"));
    let page = text("html");
    for absent in ["<script", "http://", "https://", "src=", "@import", "url("] {
        let own = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!own.contains(absent), "{absent}");
    }
}

#[test]
fn leaves_are_rows_with_their_costs() {
    let table = "object,group,a,b\nx,x,0,0\ny,y,0,1\nz,z,1,0\n@cost,,2,3\n";
    let folder = Folder::with(&[("t.csv", table)]);
    folder.out("build t.csv -o leaves.csv");
    let csv = folder.read("leaves.csv");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "path,groups,objects,weight,questions,cost");
    // `a` (cost 2) settles z; the others need `b` (cost 3) as well.
    assert!(lines.iter().any(|line| line.starts_with("a=1,z,z,0.333") && line.ends_with(",1,2")), "{csv}");
    assert!(
        lines.iter().any(|line| line.starts_with("\"a=0; b=1\",y,y,0.333") && line.ends_with(",2,5")),
        "{csv}"
    );
    assert_eq!(lines.len(), 4);
}

#[test]
fn a_large_tree_is_folded_and_the_fold_is_told() {
    let folder = Folder::new();
    folder.out("generate thresholds --objects 1000 --output t.csv");
    folder.out("build t.csv --algorithm gbs -o plan.json");
    let run = folder.call("show plan.json -o tree.svg").ok("show");
    assert!(run.err.contains("leaves in") && run.err.contains("--full draws all"), "{}", run.err);
    assert!(folder.read("tree.svg").len() < 200_000);
    let run = folder.call("show plan.json --full -o tree.svg").ok("show");
    assert_eq!(run.err, "");
    assert_eq!(folder.read("tree.svg").matches("class=\"end\"").count(), 1000);
    folder.out("show plan.json -o tree.html");
    assert_eq!(folder.read("tree.html").matches("class=\"leaf\"").count(), 1000);
}
