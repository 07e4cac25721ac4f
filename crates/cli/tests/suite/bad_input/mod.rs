//! Bad input is refused with exit code 2 and one message that names the file, the row, the column and what to do;
//! unusual but valid input is accepted.

mod calls;
mod files;
mod odd_but_fine;
mod tables;

use crate::common::Folder;

/// Good table; options can give its columns `kind` and `sure` roles that they do not fit.
const GOOD: &[u8] = b"o,kind,sure,a,b\nx,k,1,0,1\ny,k,2,1,1\nz,l,3,1,0\n";

/// Strategy that says nothing about how its table was read.
const PLAN: &str = r#"{"version":1,
"instance":{"objects":1,"rows":1,"tests":0,"groups":1,"identify":"objects","entropy_bits":0},
"objective":{"name":"expected"},"algorithm":"gbs",
"cost":{"expected":0,"worst":0,"exponential":{"lambda":2,"value":0}},"lower_bound":{"value":0,"by":"shannon"},
"optimal":true,"tree":TREE}"#;

fn plan(tree: &str) -> String {
    PLAN.replace("TREE", tree)
}

/// Commands that read a table.
const COMMANDS: [&str; 6] = ["build", "inspect", "compare", "front", "bounds", "check"];

/// Runs every command that reads a table on `t.csv`, and returns the faults of the refusals.
fn refused_by_all(folder: &Folder, name: &str, options: &[&str], says: &[&str]) -> Vec<String> {
    folder.write("plan.json", plan(r#"{"groups":["x"],"objects":["x"],"weight":1}"#));
    let run = |command: &&str| {
        let mut args = vec![*command, "t.csv"];
        args.extend((*command == "check").then_some("plan.json"));
        args.extend(options);
        let fault = folder.run(&args).refusal(2, says)?;
        Some(format!("{name}: {command}: {fault}"))
    };
    COMMANDS.iter().filter_map(run).collect()
}
