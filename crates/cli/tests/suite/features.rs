//! Builds without some of the features: a missing part is refused in one message that says how to get it.

#![cfg(not(feature = "full"))]

use crate::common::Folder;

const TABLE: &str = "object,group,a,b\nx,1,0,1\ny,1,1,1\nz,2,1,0\n";

/// Command that installs all of fewest, as messages name it.
const INSTALL: &str = "cargo install --path crates/cli --features full";

#[cfg(not(feature = "serve"))]
#[test]
fn a_build_without_the_server_says_how_to_get_it() {
    let folder = Folder::new();
    for line in ["serve", "serve --bind 127.0.0.1:0 --data data", "serve --new-token"] {
        assert_eq!(folder.call(line).refusal(2, &["this build of fewest has no `serve`", INSTALL]), None);
    }
    assert!(folder.out("serve --help").contains("--bind"), "the help is that of the full build");
    assert!(!folder.path("data").exists());
}

#[cfg(not(feature = "png"))]
#[test]
fn a_build_without_pictures_says_so_before_it_works() {
    let folder = Folder::with(&[("t.csv", TABLE)]);
    for line in
        ["front t.csv --output p.png", "learn t.csv --tree-plot p.PNG", "inspect t.csv --output p.png"]
    {
        assert_eq!(folder.call(line).refusal(2, &["writes no PNG", ".svg", INSTALL]), None, "{line}");
    }
    assert!(folder.out("front t.csv --output p.svg").contains("Saved p.svg"));
}

#[cfg(not(feature = "pdf"))]
#[test]
fn a_build_without_pages_says_so_before_it_works() {
    let folder = Folder::with(&[("t.csv", TABLE)]);
    for line in ["build t.csv -o p.pdf", "front t.csv --output p.PDF", "learn t.csv --tree-plot p.pdf"] {
        assert_eq!(folder.call(line).refusal(2, &["writes no PDF", ".svg", INSTALL]), None, "{line}");
    }
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_says_so() {
    let folder = Folder::new();
    folder.write("t.parquet", b"PAR1\x15\x04\x15PAR1");
    for command in ["build", "inspect", "learn"] {
        let run = folder.call(&format!("{command} t.parquet"));
        assert_eq!(
            run.refusal(2, &["t.parquet: this is a Parquet file", "save the table as CSV", "--features"]),
            None
        );
    }
}
