//! `fewest completions`: a script for the shell.

use crate::args::Cli;
use crate::failure::Failure;
use crate::print::Printer;
use clap::CommandFactory;
use clap_complete::{Shell, generate};

pub(crate) fn run(shell: Shell, printer: &Printer) -> Result<(), Failure> {
    // Into memory first: the generator panics on a failed write.
    let mut script = Vec::new();
    generate(shell, &mut Cli::command(), "fewest", &mut script);
    printer.bytes_to_output(|out| out.write_all(&script))
}
