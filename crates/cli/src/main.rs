//! Command line of fewest: arguments become typed options, the library does the work, and the result is printed.

mod args;
mod bare_table;
mod command;
mod endings;
mod failure;
mod files;
mod fold;
mod interrupt;
mod load;
mod missing;
mod print;
mod progress;
mod publish;
mod spell;
mod tree_file;
mod wording;

use args::{Cli, Command};
use clap::Parser;
use failure::Failure;
use print::Printer;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match Cli::try_parse_from(bare_table::with_command(std::env::args_os().collect())) {
        Ok(cli) => cli,
        Err(error) => return failure::usage(&error),
    };
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(cli: Cli) -> Result<(), Failure> {
    let printer = Printer::new(&cli.common, &cli.command)?;
    if let Some(threads) = cli.common.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get().into());
        pool.build_global().map_err(|error| Failure::wrong(format!("--threads: {error}")))?;
    }
    match cli.command {
        Command::Build(args) => command::build::run(&args, &printer),
        Command::Compare(args) => command::compare::run(&args, &printer),
        Command::Front(args) => command::front::run(&args, &printer),
        Command::Check(args) => command::check::run(&args, &printer),
        Command::Inspect(args) => command::inspect::run(&args, &printer),
        Command::Bounds(args) => command::bounds::run(&args, &printer),
        Command::Ask(args) => command::ask::run(&args, &printer),
        Command::Simulate(args) => command::simulate::run(&args, &printer),
        Command::Show(args) => command::show::run(&args, &printer),
        Command::Learn(args) => command::learn::run(&args, &printer),
        Command::Predict(args) => command::predict::run(&args, &printer),
        Command::Code(args) => command::code::run(&args, &printer),
        Command::Algorithms => command::algorithms::run(&printer),
        Command::Convert(args) => command::convert::run(&args, &printer),
        Command::Generate(args) => command::generate::run(&args, &printer),
        Command::Reproduce(args) => command::reproduce::run(&args, &printer),
        #[cfg(feature = "serve")]
        Command::Serve(args) => command::serve::run(&args, &printer),
        #[cfg(not(feature = "serve"))]
        Command::Serve(_) => Err(missing::command("serve")),
        Command::Completions { shell } => command::completions::run(shell, &printer),
        Command::Man { folder } => command::man::run(folder.as_deref(), &printer),
    }
}
