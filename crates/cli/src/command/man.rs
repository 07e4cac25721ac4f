//! `fewest man`: the manual pages.

use crate::args::Cli;
use crate::failure::Failure;
use crate::print::Printer;
use clap::CommandFactory;
use clap_mangen::Man;
use std::path::Path;

pub(crate) fn run(folder: Option<&Path>, printer: &Printer) -> Result<(), Failure> {
    let mut command = Cli::command();
    command.build();
    let Some(folder) = folder else {
        return printer.bytes_to_output(|mut out| Man::new(command).render(&mut out));
    };
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        let name = format!("fewest-{}", sub.get_name());
        let page = Man::new(sub.clone().name(name.clone().leak() as &str).display_name(&name));
        printer.save(&folder.join(format!("{name}.1")), |mut out| page.render(&mut out))?;
    }
    printer.save(&folder.join("fewest.1"), |mut out| Man::new(command).render(&mut out))
}
