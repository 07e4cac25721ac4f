//! `fewest generate`: tables from a seed.

use crate::args::{GenerateArgs, Kind};
use crate::failure::Failure;
use crate::print::Printer;
use fewest::generate::{Answers, Beta, Dyadic, Random, SetCover, Thresholds};
use fewest_formats::write::write_csv;

pub(crate) fn run(args: &GenerateArgs, printer: &Printer) -> Result<(), Failure> {
    let seed = printer.seed;
    let some = |groups: u32| (groups > 0).then_some(groups);
    let table = match args.kind {
        Kind::Beta { objects, tests, groups, beta_w, beta_b, gamma_w, delta } => {
            let gamma_w = gamma_w.map_or(Beta::default().gamma_w, |(low, high)| low..=high);
            Beta { objects, tests, groups: some(groups), beta_w, beta_b, gamma_w, delta, seed }.generate()
        }
        Kind::Random { objects, tests, answers, density, groups, costs, delta } => {
            let answers = density.map_or(Answers::Uniform(answers), Answers::Density);
            Random {
                objects,
                tests,
                answers,
                groups: some(groups),
                costs: (costs > 1).then_some(costs),
                delta,
                seed,
            }
            .generate()
        }
        Kind::Thresholds { objects, delta } => Thresholds { objects, delta, seed }.generate(),
        Kind::SetCover { elements, sets, density, extra, costs } => {
            let costs = (costs > 1).then_some(costs);
            SetCover { elements, sets, density, extra, costs, seed }.generate()
        }
        Kind::Dyadic { objects } => Dyadic { objects }.generate(),
    };
    let table = table.map_err(Failure::wrong)?;
    printer.bytes_to_output(|out| write_csv(out, &table))
}
