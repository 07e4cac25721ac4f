//! `fewest generate`: made tables.

use crate::args::{GenerateArgs, Kind, PriorArgs};
use crate::endings::Kind as Ending;
use crate::failure::Failure;
use crate::print::Printer;
use fewest_formats::write::{write_csv, write_tsv};
use fewest_lab::generate::{
    Answers, Beta, Coins, Dyadic, Mastermind, Prior, Random, SetCover, Singletons, Sorting, Subsets,
    TestCosts, Thresholds,
};

pub(crate) fn run(args: &GenerateArgs, printer: &Printer) -> Result<(), Failure> {
    let seed = printer.seed;
    let some = |groups: u32| (groups > 0).then_some(groups);
    let table = match &args.kind {
        &Kind::Beta { objects, tests, groups, beta_w, beta_b, gamma_w, delta } => {
            let gamma_w = gamma_w.map_or(Beta::default().gamma_w, |(low, high)| low..=high);
            Beta { objects, tests, groups: some(groups), beta_w, beta_b, gamma_w, delta, seed }.generate()
        }
        &Kind::Random { objects, tests, answers, density, groups, costs, delta } => {
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
        Kind::Thresholds { objects, prior } => {
            Thresholds { objects: *objects, prior: prior.into(), seed }.generate()
        }
        &Kind::SetCover { elements, sets, density, extra, costs } => {
            let costs = (costs > 1).then_some(costs);
            SetCover { elements, sets, density, extra, costs, seed }.generate()
        }
        &Kind::Dyadic { objects } => Dyadic { objects }.generate(),
        Kind::Subsets { objects, prior } => {
            Subsets { objects: *objects, prior: prior.into(), seed }.generate()
        }
        Kind::Singletons { objects, weights, costs } => {
            let usual = Singletons::default();
            let prior = weights.clone().map_or(usual.prior, Prior::Weights);
            let costs = costs.clone().map(TestCosts::List).or(usual.costs);
            Singletons { objects: *objects, prior, costs, seed }.generate()
        }
        &Kind::Sorting { n } => Sorting { items: n }.generate(),
        &Kind::Mastermind { pegs, colors } => Mastermind { pegs, colors }.generate(),
        &Kind::Coins { n, genuine } => Coins { coins: n, genuine }.generate(),
    };
    let table = table.map_err(Failure::wrong)?;
    printer.bytes_to_output(|out| match printer.kind {
        Some(Ending::Tsv) => write_tsv(out, &table),
        _ => write_csv(out, &table),
    })
}

impl From<&PriorArgs> for Prior {
    fn from(args: &PriorArgs) -> Self {
        args.weights.clone().map_or(Self::Zipf(args.delta), Self::Weights)
    }
}
