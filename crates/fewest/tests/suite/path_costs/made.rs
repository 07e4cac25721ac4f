//! Made tables with their prices.

use fewest::{AnswerCost, AnswerId, BundlePrice, InBundle, Instance, Reading, Table, TestId};
use std::collections::BTreeMap;

/// Small random numbers (SplitMix64).
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ (bits >> 31)) % sides as u64) as usize
    }
}

/// Prices of a made table, as its maker knows them: not read back from the instance.
#[derive(Clone, Debug)]
pub(super) struct Prices {
    /// Own cost by test and text of the answer.
    own: Vec<BTreeMap<String, f64>>,
    bundle: Vec<Option<usize>>,
    setup: Vec<f64>,
}

impl Prices {
    /// What an object pays that gives these answers to these tests.
    pub(super) fn path(&self, instance: &Instance, asked: &[(TestId, AnswerId)]) -> f64 {
        let own: f64 = asked.iter().map(|(test, answer)| self.own(instance, *test, *answer)).sum();
        let opened =
            |bundle: &usize| asked.iter().any(|(test, _)| self.bundle[test.index()] == Some(*bundle));
        own + (0..self.setup.len()).filter(opened).map(|bundle| self.setup[bundle]).sum::<f64>()
    }

    fn own(&self, instance: &Instance, test: TestId, answer: AnswerId) -> f64 {
        self.own[test.index()][instance.test(test).answer_text(answer)]
    }

    pub(super) fn step(&self, instance: &Instance, test: TestId, answer: AnswerId, open: &[usize]) -> f64 {
        let setup = self.bundle[test.index()].filter(|bundle| !open.contains(bundle));
        self.own(instance, test, answer) + setup.map_or(0.0, |bundle| self.setup[bundle])
    }

    pub(super) fn after(&self, test: TestId, open: &[usize]) -> Vec<usize> {
        let mut open: Vec<usize> = open.iter().copied().chain(self.bundle[test.index()]).collect();
        open.sort_unstable();
        open.dedup();
        open
    }
}

/// Answers of a test.
const ANSWERS: [&str; 3] = ["x", "y", "z"];

/// Header and rows of a random small table, and its number of tests.
fn rows(dice: &mut Dice, several: bool) -> (Vec<Vec<String>>, usize) {
    let (objects, tests) = (2 + dice.roll(5), 1 + dice.roll(5));
    let mut rows = vec![vec!["object".to_owned(), "prior".to_owned()]];
    let groups = dice.roll(2) == 0;
    if groups {
        rows[0].push("group".to_owned());
    }
    rows[0].extend((0..tests).map(|test| format!("t{test}")));
    for object in 0..objects {
        let mut row = vec![
            format!("o{object}"),
            format!("{}", [0, 1, 1, 2, 3, 7][dice.roll(6)].max(usize::from(object == 0))),
        ];
        if groups {
            row.push(format!("g{}", dice.roll(3)));
        }
        for _ in 0..tests {
            let answer = ANSWERS[dice.roll(2 + dice.0 as usize % 2)];
            row.push(if several && dice.roll(6) == 0 { "?".to_owned() } else { answer.to_owned() });
        }
        rows.push(row);
    }
    (rows, tests)
}

/// A random small table with bundles, costs by answer, or both.
pub(super) fn random(dice: &mut Dice, several: bool) -> (Instance, Prices) {
    let (rows, tests) = rows(dice, several);
    let kind = dice.roll(3);
    let bundles = if kind == 1 { 0 } else { 1 + dice.roll(2) };
    let setup: Vec<f64> = (0..bundles).map(|_| [0.0, 0.5, 2.0, 3.0, 5.0][dice.roll(5)]).collect();
    let mut prices = Prices { own: Vec::new(), bundle: Vec::new(), setup };
    let mut reading = Reading { missing: fewest::MissingCells::Any, ..Reading::default() };
    let first = rows[0].len() - tests;
    for test in 0..tests {
        let bundle = Some(dice.roll(3)).filter(|bundle| *bundle < bundles);
        let may_be_free = bundle.is_some_and(|bundle| prices.setup[bundle] > 0.0);
        let mut cost = || {
            let cost = [0.0, 0.25, 1.0, 1.0, 2.0, 4.0][dice.roll(6)];
            if cost == 0.0 && !may_be_free { 1.5 } else { cost }
        };
        let flat = cost();
        let name = format!("t{test}");
        let occurs = |answer: &str| rows[1..].iter().any(|row| row[first + test] == answer);
        let mut own: BTreeMap<String, f64> =
            ANSWERS.iter().map(|answer| ((*answer).to_owned(), flat)).collect();
        own.insert("?".to_owned(), flat);
        if kind != 0 {
            for answer in ANSWERS.iter().filter(|answer| occurs(answer)) {
                let cost = cost();
                own.insert((*answer).to_owned(), cost);
                reading.answer_costs.push(AnswerCost {
                    test: name.clone(),
                    answer: (*answer).to_owned(),
                    cost,
                });
            }
        }
        if let Some(bundle) = bundle {
            let price = BundlePrice::Setup(prices.setup[bundle]);
            reading.bundles.push(InBundle { test: name.clone(), bundle: format!("b{bundle}"), price });
        }
        reading.costs.push((name, flat));
        prices.own.push(own);
        prices.bundle.push(bundle);
    }
    let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
    (Instance::new(Table::from_rows(&rows), &reading).unwrap().0, prices)
}
