//! Arguments of `fewest generate`.

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    #[command(subcommand)]
    pub(crate) kind: Kind,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Kind {
    /// The random model of the group study: answers follow the group, objects stray from it
    Beta {
        /// Objects
        #[arg(long, value_name = "M", default_value_t = 400)]
        objects: u32,
        /// Tests
        #[arg(long, value_name = "N", default_value_t = 200)]
        tests: u32,
        /// Groups; 0: every object is its own
        #[arg(long, value_name = "K", default_value_t = 15)]
        groups: u32,
        /// How freely objects stray from their group: the larger, the more
        #[arg(long, value_name = "B", default_value_t = 1.0)]
        beta_w: f64,
        /// How freely groups stray from each other: the larger, the more
        #[arg(long, value_name = "B", default_value_t = 1.0)]
        beta_b: f64,
        /// Draw γ_w from this range instead of 0.5 to 1
        #[arg(long, value_name = "LOW,HIGH", value_parser = range)]
        gamma_w: Option<(f64, f64)>,
        /// Zipf's exponent of the prior; 0: all objects weigh the same
        #[arg(long, value_name = "D", default_value_t = 0.0)]
        delta: f64,
    },
    /// Independent random answers
    Random {
        /// Objects
        #[arg(long, value_name = "M", default_value_t = 100)]
        objects: u32,
        /// Tests
        #[arg(long, value_name = "N", default_value_t = 40)]
        tests: u32,
        /// Answers per test
        #[arg(long, value_name = "R", default_value_t = 2)]
        answers: u32,
        /// With two answers: the probability of answer 1
        #[arg(long, value_name = "P")]
        density: Option<f64>,
        /// Groups; 0: every object is its own
        #[arg(long, value_name = "K", default_value_t = 0)]
        groups: u32,
        /// Give each test a random whole cost from 1 to this
        #[arg(long, value_name = "C", default_value_t = 1)]
        costs: u32,
        /// Zipf's exponent of the prior; 0: all objects weigh the same
        #[arg(long, value_name = "D", default_value_t = 0.0)]
        delta: f64,
    },
    /// Objects on a line and tests `x > j`: the optimum is the alphabetic tree
    Thresholds {
        /// Objects
        #[arg(long, visible_alias = "n", value_name = "M", default_value_t = 16)]
        objects: u32,
        #[command(flatten)]
        prior: PriorArgs,
    },
    /// Elements and sets of them, and an object in no set: to prove it is to find a set cover
    SetCover {
        /// Elements
        #[arg(long, value_name = "N", default_value_t = 30)]
        elements: u32,
        /// Sets
        #[arg(long, value_name = "M", default_value_t = 20)]
        sets: u32,
        /// The probability that an element is in a set
        #[arg(long, value_name = "P", default_value_t = 0.2)]
        density: f64,
        /// The prior of the object in no set, such as 0.99 [default: all objects weigh the same]
        #[arg(long, value_name = "P")]
        extra: Option<f64>,
        /// Give each set a random whole cost from 1 to this
        #[arg(long, value_name = "C", default_value_t = 1)]
        costs: u32,
    },
    /// Priors 1/2, 1/4, 1/8, …: the best on average is the worst at worst
    Dyadic {
        /// Objects
        #[arg(long, value_name = "M", default_value_t = 16)]
        objects: u32,
    },
    /// Every split of the objects in two: the optimum is Huffman's code
    Subsets {
        /// Objects, at most 16
        #[arg(long, visible_alias = "n", value_name = "M", default_value_t = 8)]
        objects: u32,
        #[command(flatten)]
        prior: PriorArgs,
    },
    /// One test for each object, with random weights and costs: the optimum is an order by prior/cost
    Singletons {
        /// Objects
        #[arg(long, visible_alias = "n", value_name = "M", default_value_t = 10)]
        objects: u32,
        /// What the objects weigh, by comma, as many as there are objects [default: random from 1 to 100]
        #[arg(long, value_name = "W,W,…", value_delimiter = ',')]
        weights: Option<Vec<f64>>,
        /// What their tests cost, by comma, as many as there are objects [default: random from 1 to 10]
        #[arg(long, value_name = "C,C,…", value_delimiter = ',')]
        costs: Option<Vec<f64>>,
    },
    /// All orders of n items and all comparisons of two: to identify is to sort
    Sorting {
        /// Items, from 2 to 8
        #[arg(long, value_name = "N", default_value_t = 6)]
        n: u32,
    },
    /// All codes as objects and as guesses; read the table with `--confirm` to play until the code is guessed
    Mastermind {
        /// Places of a code
        #[arg(long, value_name = "N", default_value_t = 4)]
        pegs: u32,
        /// Colors for each place; at most 10000 codes in all
        #[arg(long, value_name = "N", default_value_t = 6)]
        colors: u32,
    },
    /// One heavy or light coin among n, and every weighing on a balance
    Coins {
        /// Coins, from 3 to 12; every coin more has almost three times as many weighings
        #[arg(long, value_name = "N", default_value_t = 8)]
        n: u32,
        /// All coins may be genuine
        #[arg(long)]
        genuine: bool,
    },
}

/// Prior of generated objects.
#[derive(Debug, Args)]
pub(crate) struct PriorArgs {
    /// Zipf's exponent of the prior; 0: all objects weigh the same
    #[arg(long, value_name = "D", default_value_t = 0.0)]
    pub(crate) delta: f64,
    /// What the objects weigh, by comma, as many as there are objects
    #[arg(long, value_name = "W,W,…", value_delimiter = ',', conflicts_with = "delta")]
    pub(crate) weights: Option<Vec<f64>>,
}

fn range(text: &str) -> Result<(f64, f64), String> {
    let parts = text
        .split_once(',')
        .and_then(|(low, high)| Some((low.trim().parse().ok()?, high.trim().parse().ok()?)));
    parts.ok_or_else(|| "a range is two numbers, such as 0.5,0.8".to_owned())
}
