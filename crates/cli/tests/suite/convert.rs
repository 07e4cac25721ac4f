//! `fewest convert`: what is written, what is said to be lost, and what is never written over.

use crate::common::Folder;

const TABLE: &str =
    "object,group,wings,legs\n@cost,,2,3\nant,insect,no,6\nbee,insect,yes,6\nhen,bird,yes,2\n";

#[test]
fn a_table_goes_through_every_format_and_back() {
    let folder = Folder::with(&[("t.csv", TABLE)]);
    for name in ["t2.json", "t2.xml", "t2.nex", "t2.tsv"] {
        folder.out(&format!("-q convert t.csv {name}"));
        let again = folder.out(&format!("-q convert {name} again.csv --json"));
        assert!(again.contains("\"objects\": 3"), "{name}: {again}");
        assert!(
            folder.out("-q inspect again.csv --identify objects").contains("3 objects, 2 tests"),
            "{name}"
        );
    }
}

#[test]
fn losses_are_listed_and_refused_with_strict() {
    let folder = Folder::with(&[("t.csv", TABLE)]);
    let text = folder.out("-q convert t.csv t.nex");
    assert!(
        text.contains("in writing: 2 costs or other facts about tests") && text.contains("3 groups"),
        "{text}"
    );
    let strict = folder.call("-q convert t.csv s.nex --strict");
    assert_eq!(strict.refusal(1, &["not written", "--strict"]), None);
    assert!(!folder.path("s.nex").exists());
}

#[test]
fn texts_lie_beside_a_table_and_nothing_that_was_read_is_overwritten() {
    let folder = Folder::with(&[
        ("t.csv", TABLE),
        ("t.tests.csv", "test,question,help\nwings,Does it fly?,Look at its back.\n"),
    ]);
    let text = folder.out("-q convert t.csv u.csv");
    assert!(text.contains("u.csv, u.tests.csv"), "{text}");
    for (line, name) in [("convert t.csv t.csv", "t.csv"), ("convert t.csv t.tests.csv", "t.tests.csv")] {
        assert_eq!(folder.call(line).refusal(2, &["would overwrite", name]), None, "{line}");
    }
    assert_eq!(folder.call("convert t.csv t.docx").refusal(2, &[".xlsx", "endings"]), None);
    assert!(folder.out("build u.csv --identify objects").contains("Does it fly?"));
}

#[test]
fn a_delta_folder_is_a_table() {
    let folder = Folder::with(&[
        ("chars", "*SHOW x\n*CHARACTER LIST\n#1. wings/\n 1. no/\n 2. yes/\n"),
        ("items", "*SHOW x\n*ITEM DESCRIPTIONS\n# Ant/ 1,1\n# Bee/ 1,2\n"),
    ]);
    for source in [".", "chars", "items"] {
        let text = folder.out(&format!("-q inspect {source}"));
        assert!(text.contains("2 objects, 1 test"), "{source}: {text}");
    }
}
