//! Small random tables with premises, kept as plain cells so that the definitions can be applied to them slowly.

use fewest::{BundlePrice, InBundle, Instance, Numeric, Reading, Table};

/// Source of numbers that depend on the seed alone.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    /// A number below `sides`.
    pub(super) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ mixed >> 31) % sides as u64) as usize
    }
}

/// Table with premises.
#[derive(Debug)]
pub(super) struct Made {
    /// Answer of each object to each test; `None` where the test does not apply.
    pub(super) cells: Vec<Vec<Option<u8>>>,
    /// Premises of each test: another test and its answers.
    pub(super) premises: Vec<Vec<(usize, Vec<u8>)>>,
    pub(super) groups: Vec<u8>,
    pub(super) prior: Vec<usize>,
    pub(super) costs: Vec<usize>,
    /// Tests of a bundle, and its set-up.
    pub(super) bundle: Option<(Vec<bool>, usize)>,
    /// Whether a dash says that a test does not apply even if the test has no premise.
    marked: bool,
}

impl Made {
    pub(super) fn roll(dice: &mut Dice) -> Self {
        let (objects, tests) = (2 + dice.roll(6), 2 + dice.roll(5));
        let marked = dice.roll(3) == 0;
        let (mut cells, mut premises) = (Vec::<Vec<Option<u8>>>::new(), Vec::new());
        for test in 0..tests {
            let arity = 2 + dice.roll(2);
            let mut own: Vec<(usize, Vec<u8>)> = Vec::new();
            for _ in 0..if test > 0 { dice.roll(3) } else { 0 } {
                let source = dice.roll(test);
                let known: Vec<u8> = cells[source].iter().flatten().copied().collect();
                if known.is_empty() {
                    continue;
                }
                let mut answers: Vec<u8> =
                    (0..1 + dice.roll(2)).map(|_| known[dice.roll(known.len())]).collect();
                answers.sort_unstable();
                answers.dedup();
                own.push((source, answers));
            }
            let may_lack = marked || !own.is_empty();
            let cell = |object: usize| {
                let fails = own.iter().any(|(source, answers)| {
                    cells[*source][object].is_none_or(|answer| !answers.contains(&answer))
                });
                let lacks = may_lack && dice.roll(10) < if fails { 7 } else { 1 };
                (!lacks).then(|| dice.roll(arity) as u8)
            };
            let column = (0..objects).map(cell).collect();
            cells.push(column);
            premises.push(own);
        }
        let kinds = if dice.roll(2) == 0 { objects } else { 2 };
        let groups =
            (0..objects).map(|object| if kinds == 2 { dice.roll(2) } else { object } as u8).collect();
        let is_bundled = dice.roll(3) == 0;
        let bundle = is_bundled.then(|| ((0..tests).map(|_| dice.roll(2) == 0).collect(), 1 + dice.roll(4)));
        Self {
            cells,
            premises,
            groups,
            prior: (0..objects).map(|at| if at == 0 { 1 } else { dice.roll(4) }).collect(),
            costs: (0..tests).map(|_| 1 + dice.roll(3)).collect(),
            bundle: bundle.filter(|(members, _): &(Vec<bool>, usize)| members.contains(&true)),
            marked,
        }
    }

    /// Number of objects.
    pub(super) fn objects(&self) -> usize {
        self.groups.len()
    }

    /// The instance that is made of the table. Columns stand in reverse order, so that premises name later ones.
    pub(super) fn instance(&self) -> Instance {
        let tests: Vec<usize> = (0..self.cells.len()).rev().collect();
        let mut header = vec!["object".to_owned(), "group".to_owned(), "prior".to_owned()];
        header.extend(tests.iter().map(|test| format!("q{test}")));
        let mut rows = vec![header];
        for object in 0..self.objects() {
            let mut row = vec![
                format!("o{object}"),
                format!("g{}", self.groups[object]),
                self.prior[object].to_string(),
            ];
            row.extend(tests.iter().map(|test| match self.cells[*test][object] {
                None => "-".to_owned(),
                Some(answer) => format!("a{answer}"),
            }));
            rows.push(row);
        }
        let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
        let table = Table { marked: self.marked, ..Table::from_rows(&rows) };
        Instance::new(table, &self.reading()).unwrap().0
    }

    fn reading(&self) -> Reading {
        let name = |test: usize| format!("q{test}");
        let one = |(source, answers): &(usize, Vec<u8>)| {
            let answers: Vec<String> = answers.iter().map(|answer| format!("a{answer}")).collect();
            format!("q{source}={}", answers.join("|"))
        };
        let all = |(test, own): (usize, &Vec<(usize, Vec<u8>)>)| {
            (!own.is_empty()).then(|| (name(test), own.iter().map(one).collect::<Vec<_>>().join(" & ")))
        };
        let bundles = self.bundle.iter().flat_map(|(members, setup)| {
            let price = BundlePrice::Setup(*setup as f64);
            let tests = (0..members.len()).filter(|test| members[*test]);
            tests.map(move |test| InBundle { test: format!("q{test}"), bundle: "x".to_owned(), price })
        });
        Reading {
            premises: self.premises.iter().enumerate().filter_map(all).collect(),
            costs: self.costs.iter().enumerate().map(|(test, cost)| (name(test), *cost as f64)).collect(),
            bundles: bundles.collect(),
            numeric: Numeric::Exact,
            ..Reading::default()
        }
    }
}
