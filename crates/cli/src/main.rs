//! Program `fewest`: the command line of the library `fewest_cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(fewest_cli::run(std::env::args_os().collect()))
}
