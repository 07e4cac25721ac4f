//! Command line of fewest: arguments become typed options, the library does the work, and the result is printed.

mod args;
mod bare_table;
mod command;
mod endings;
mod failure;
mod files;
mod fold;
mod interrupt;
mod kinds;
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
use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Runs a command line, the name of the program first, and returns its exit code.
pub fn run(arguments: Vec<OsString>) -> u8 {
    let cli = match Cli::try_parse_from(bare_table::with_command(arguments)) {
        Ok(cli) => cli,
        Err(error) => return failure::usage(&error),
    };
    match Printer::new(&cli.common, &cli.command).and_then(|printer| execute(cli, &printer)) {
        Ok(()) => 0,
        Err(failure) => failure.report(),
    }
}

/// Reason why a command that another program runs ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// Wrong arguments.
    Usage(String),
    /// Wrong data.
    Data(String),
    /// Negative result, such as a check that refused.
    Refused(String),
}

/// Runs a command for the files that it writes: it prints nothing, says what went wrong by an error, and ends long work
/// when `interrupt` is set.
///
/// # Errors
/// When the arguments or the data are wrong, or the result is negative.
pub fn try_run(arguments: Vec<OsString>, interrupt: Arc<AtomicBool>) -> Result<(), Wrong> {
    let cli = Cli::try_parse_from(arguments).map_err(|error| Wrong::Usage(error.render().to_string()))?;
    let silently = || Printer::new(&cli.common, &cli.command).map(Printer::silent);
    let done = silently().and_then(|printer| interrupt::with_flag(interrupt, || execute(cli, &printer)));
    done.or_else(|failure| match failure {
        Failure::Wrong(message) => Err(Wrong::Data(message)),
        Failure::Refused(message) => Err(Wrong::Refused(message)),
        Failure::Closed => Ok(()),
    })
}

fn execute(cli: Cli, printer: &Printer) -> Result<(), Failure> {
    if let Some(threads) = cli.common.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get().into());
        pool.build_global().map_err(|error| Failure::wrong(format!("--threads: {error}")))?;
    }
    match cli.command {
        Command::Build(args) => command::build::run(&args, printer),
        Command::Compare(args) => command::compare::run(&args, printer),
        Command::Front(args) => command::front::run(&args, printer),
        Command::Check(args) => command::check::run(&args, printer),
        Command::Inspect(args) => command::inspect::run(&args, printer),
        Command::Bounds(args) => command::bounds::run(&args, printer),
        Command::Ask(args) => command::ask::run(&args, printer),
        Command::Simulate(args) => command::simulate::run(&args, printer),
        Command::Show(args) => command::show::run(&args, printer),
        Command::Export(args) => command::export::run(&args, printer),
        Command::Key(args) => command::export::run_key(&args, printer),
        Command::Learn(args) => command::learn::run(&args, printer),
        Command::Predict(args) => command::predict::run(&args, printer),
        Command::Code(args) => command::code::run(&args, printer),
        Command::Algorithms => command::algorithms::run(printer),
        Command::Convert(args) => command::convert::run(&args, printer),
        Command::Generate(args) => command::generate::run(&args, printer),
        Command::Reproduce(args) => command::reproduce::run(&args, printer),
        #[cfg(feature = "serve")]
        Command::Serve(args) => command::serve::run(&args, printer),
        #[cfg(not(feature = "serve"))]
        Command::Serve(_) => Err(missing::command("serve")),
        #[cfg(feature = "mcp")]
        Command::Mcp(args) => command::mcp::run(&args, printer),
        #[cfg(not(feature = "mcp"))]
        Command::Mcp(_) => Err(missing::command("mcp")),
        Command::Completions { shell } => command::completions::run(shell, printer),
        Command::Man { folder } => command::man::run(folder.as_deref(), printer),
    }
}
