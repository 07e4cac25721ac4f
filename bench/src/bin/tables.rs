//! Writes the tables that the peers are measured on, as CSV, into a folder.
//!
//! `cargo run --release -p fewest-bench --bin tables -- FOLDER SHRINK NAME…`, with one object in SHRINK. Random tables of the group study's model (β = 1,
//! seed 1), the same on every machine; a file that is there already is left as it is.

#![allow(clippy::print_stdout, reason = "a program that reports")]

use fewest_bench::Result;
use fewest_formats::write::{write_csv, write_whole};
use fewest_lab::generate::Beta;
use std::path::Path;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("into which folder?")?;
    let shrink: u32 = arguments.next().ok_or("shrunk by what? 1: not at all")?.parse()?;
    for name in arguments {
        let path = Path::new(&folder).join(format!("{name}.csv"));
        if !path.exists() {
            let whole = model(&name)?;
            let table = Beta { objects: whole.objects / shrink, ..whole }.generate()?;
            write_whole(&path, |out| write_csv(out, &table))?;
            println!("{}", path.display());
        }
    }
    Ok(())
}

/// The table called `name`.
fn model(name: &str) -> Result<Beta> {
    let beta = |objects, tests, groups| Beta { objects, tests, groups, seed: 1, ..Beta::default() };
    Ok(match name {
        "t2" => beta(100_000, 500, Some(100)),
        // Few objects are likely: the weights follow Zipf's law.
        "t2w" => Beta { delta: 1.0, ..beta(100_000, 500, Some(100)) },
        "t3" => beta(1_000_000, 200, Some(20)),
        // Objects stray far from their groups, so that the tree is deep.
        "t4" => Beta { gamma_w: 0.5..=0.8, ..beta(100_000, 200, Some(20)) },
        // Every object is its own group.
        "g2" => beta(10_000, 200, None),
        _ => return Err(format!("there is no table `{name}`").into()),
    })
}
