//! What is fuzzed: every reader of fewest, and what comes right behind it.
//!
//! A target is a function of bytes that must neither panic, nor hang, nor take memory without measure, and that must not let a
//! false statement pass. `scripts/fuzz` runs them under libFuzzer; the test below runs them over the committed corpus.

mod documents;
pub mod mutate;
mod tables;

/// A line of the list.
pub struct Target {
    /// Its name, and that of its folder in `corpus/`.
    pub name: &'static str,
    /// Whether its inputs are JSON, which has changes of its own.
    pub is_json: bool,
    /// What is done with an input.
    pub run: fn(&[u8]),
}

/// Every target.
pub const TARGETS: &[Target] = &[
    Target { name: "table", is_json: false, run: tables::table },
    Target { name: "labelled", is_json: false, run: tables::labelled },
    Target { name: "parquet", is_json: false, run: tables::parquet },
    Target { name: "workbook", is_json: false, run: tables::workbook },
    Target { name: "arrow", is_json: false, run: tables::arrow },
    Target { name: "nexus", is_json: false, run: tables::nexus },
    Target { name: "delta", is_json: false, run: tables::delta },
    Target { name: "sdd", is_json: false, run: tables::sdd },
    Target { name: "clavis", is_json: true, run: tables::clavis },
    Target { name: "costs", is_json: false, run: tables::costs },
    Target { name: "strategy", is_json: true, run: documents::strategy },
    Target { name: "certificate", is_json: true, run: documents::certificate },
    Target { name: "model", is_json: true, run: documents::model },
    Target { name: "session", is_json: true, run: documents::session },
    #[cfg(feature = "server")]
    Target { name: "options", is_json: false, run: fewest_server::fuzzing::table_options },
    #[cfg(feature = "server")]
    Target { name: "body", is_json: true, run: fewest_server::fuzzing::bodies },
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_corpus_passes() {
        for target in TARGETS {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name);
            let mut count = 0;
            for entry in std::fs::read_dir(&folder).unwrap_or_else(|_| panic!("no {}", folder.display())) {
                (target.run)(&std::fs::read(entry.unwrap().path()).unwrap());
                count += 1;
            }
            assert!(count > 0, "{} has no corpus", target.name);
        }
    }
}
