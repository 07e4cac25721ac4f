//! Costs that depend on the path: set-ups that the tests of a bundle share, and costs by answer.

use crate::{AnswerId, Scaled, TestId};
use smallvec::SmallVec;

/// Tests that share a set-up: the first of them on a path pays it, later ones only their own cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Bundle {
    /// Name of the bundle.
    pub name: String,
    /// Tests of the bundle, in order.
    pub tests: Vec<TestId>,
    /// Set-up, in units of cost.
    pub setup: f64,
}

/// Costs of an instance in which some cost depends on the path, in units of
/// [`Instance::costs`](crate::Instance::costs).
#[derive(Clone, Debug, PartialEq)]
pub struct Pricing {
    bundles: Vec<Bundle>,
    bundle_of: Vec<Option<u32>>,
    own: Vec<OwnCost>,
}

/// Cost of a test without its set-up, in units.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum OwnCost {
    /// The same for every answer.
    Flat(f64),
    /// One for each answer.
    ByAnswer(Box<[f64]>),
}

impl OwnCost {
    fn of(&self, answer: AnswerId) -> f64 {
        match self {
            Self::Flat(cost) => *cost,
            Self::ByAnswer(costs) => costs[answer.index()],
        }
    }

    fn values(&self) -> &[f64] {
        match self {
            Self::Flat(cost) => std::slice::from_ref(cost),
            Self::ByAnswer(costs) => costs,
        }
    }

    fn least(&self) -> f64 {
        self.values().iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// Bundles whose set-up is paid on a path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OpenBundles(SmallVec<[u64; 1]>);

impl OpenBundles {
    /// Whether the set-up of bundle number `bundle` is paid.
    pub fn contains(&self, bundle: usize) -> bool {
        self.0.get(bundle / 64).is_some_and(|word| word >> (bundle % 64) & 1 == 1)
    }

    /// Opens bundle number `bundle`.
    pub fn insert(&mut self, bundle: usize) {
        if self.0.len() <= bundle / 64 {
            self.0.resize(bundle / 64 + 1, 0);
        }
        self.0[bundle / 64] |= 1 << (bundle % 64);
    }

    /// Keeps the bundles of which `keep` is true.
    pub fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        let kept = self.iter().filter(|bundle| keep(*bundle)).collect();
        *self = kept;
    }

    /// Numbers of the open bundles, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let bits = |word: u64| (0..64).filter(move |bit| word >> bit & 1 == 1);
        self.0.iter().enumerate().flat_map(move |(at, word)| bits(*word).map(move |bit| 64 * at + bit))
    }

    /// Whether every bundle open here is open in `other`.
    pub fn is_within(&self, other: &Self) -> bool {
        self.iter().all(|bundle| other.contains(bundle))
    }

    /// Whether no bundle is open.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }
}

impl FromIterator<usize> for OpenBundles {
    fn from_iter<T: IntoIterator<Item = usize>>(bundles: T) -> Self {
        let mut open = Self::default();
        bundles.into_iter().for_each(|bundle| open.insert(bundle));
        open
    }
}

impl Pricing {
    /// Costs of tests that do not depend on the path, in the form of those that do.
    pub fn plain(units: &[f64]) -> Self {
        let own = units.iter().map(|unit| OwnCost::Flat(*unit)).collect();
        Self { bundles: Vec::new(), bundle_of: vec![None; units.len()], own }
    }

    /// Bundles, by number.
    pub fn bundles(&self) -> &[Bundle] {
        &self.bundles
    }

    /// Number of the bundle of `test`, if it is in one.
    pub fn bundle_of(&self, test: TestId) -> Option<usize> {
        self.bundle_of[test.index()].map(|bundle| bundle as usize)
    }

    /// Cost of `test` without its set-up, paid by an object that answers `answer`, in units.
    pub fn own(&self, test: TestId, answer: AnswerId) -> f64 {
        self.own[test.index()].of(answer)
    }

    /// Least own cost of `test` over its answers, in units.
    pub fn least_own(&self, test: TestId) -> f64 {
        self.own[test.index()].least()
    }

    /// All own costs and set-ups, in units: the cost of every path is a sum of some of them.
    pub fn units(&self) -> Vec<f64> {
        let own = self.own.iter().flat_map(|own| own.values().iter().copied());
        own.chain(self.bundles.iter().map(|bundle| bundle.setup)).collect()
    }

    /// Whether the cost of `test` depends on the answer.
    pub fn depends_on_answer(&self, test: TestId) -> bool {
        self.own[test.index()].values().windows(2).any(|pair| pair[0] != pair[1])
    }

    /// Set-up that `test` would pay where the bundles `open` are paid, in units.
    pub fn setup(&self, test: TestId, open: &OpenBundles) -> f64 {
        match self.bundle_of(test) {
            Some(bundle) if !open.contains(bundle) => self.bundles[bundle].setup,
            _ => 0.0,
        }
    }

    /// Cost of `test` where the bundles `open` are paid, for an object that answers `answer`, in units.
    pub fn step(&self, test: TestId, answer: AnswerId, open: &OpenBundles) -> f64 {
        self.own(test, answer) + self.setup(test, open)
    }

    /// Bundles that are paid after `test` was asked where `open` were.
    pub fn after(&self, test: TestId, open: &OpenBundles) -> OpenBundles {
        let mut open = open.clone();
        self.bundle_of(test).into_iter().for_each(|bundle| open.insert(bundle));
        open
    }
}

/// Largest common multiple of the sizes of bundles by which units are refined.
const MAX_REFINEMENT: u64 = 1 << 20;

/// Largest sum of refined units: all sums of them stay exact.
const EXACT: f64 = (1u64 << 50) as f64;

/// Share by which a divided set-up is lowered, so that rounding never makes the shares more than the whole.
const ROUNDING: f64 = 1e-12;

/// Costs as they were given, in the table's own numbers.
pub(super) struct Given {
    /// Cost of each test for every answer, or one for all.
    pub(super) own: Vec<Vec<f64>>,
    /// Bundle of each test.
    pub(super) bundle_of: Vec<Option<usize>>,
    /// Name of each bundle.
    pub(super) names: Vec<String>,
    /// Set-up of each bundle: a number, or a difference of two.
    pub(super) setups: Vec<(f64, f64)>,
}

impl Given {
    /// Scales all numbers together. Also returns a plain cost for each test: its least own cost and an equal share
    /// of its set-up. A path asks each test of a bundle at most once, so no path costs less than its plain costs
    /// add up to.
    pub(super) fn scale(self) -> (Scaled, Pricing) {
        let Self { own, bundle_of, names, setups } = self;
        let numbers =
            || own.iter().flatten().copied().chain(setups.iter().flat_map(|(all, less)| [*all, *less]));
        let scaled = Scaled::new(numbers().collect());
        let tests_of = |bundle: usize| {
            let tests = bundle_of.iter().enumerate().filter(move |(_, of)| **of == Some(bundle));
            tests.map(|(test, _)| TestId::at(test)).collect::<Vec<TestId>>()
        };
        let tests: Vec<Vec<TestId>> = (0..names.len()).map(tests_of).collect();
        let refinement = refinement(&scaled, tests.iter().map(Vec::len));
        let mut units = scaled.units().iter().map(|unit| unit * refinement.unwrap_or(1.0));
        let mut take = |count: usize| -> Vec<f64> { units.by_ref().take(count).collect() };
        let own: Vec<OwnCost> = own
            .iter()
            .map(|costs| match &take(costs.len())[..] {
                [cost] => OwnCost::Flat(*cost),
                costs => OwnCost::ByAnswer(costs.into()),
            })
            .collect();
        let bundles: Vec<Bundle> = names
            .into_iter()
            .zip(tests)
            .map(|(name, tests)| {
                let pair = take(2);
                Bundle { name, tests, setup: (pair[0] - pair[1]).max(0.0) }
            })
            .collect();
        let share = |bundle: usize| {
            let share = bundles[bundle].setup / bundles[bundle].tests.len() as f64;
            if refinement.is_some() { share } else { share * (1.0 - ROUNDING) }
        };
        let plain = own.iter().zip(&bundle_of).map(|(own, bundle)| own.least() + bundle.map_or(0.0, share));
        let scale = scaled.scale() * refinement.unwrap_or(1.0);
        let plain = Scaled::from_parts(plain.collect(), scale, refinement.is_some());
        let bundle_of = bundle_of.iter().map(|bundle| bundle.map(|bundle| bundle as u32)).collect();
        (plain, Pricing { bundles, bundle_of, own })
    }
}

/// Factor that makes every set-up divisible by the size of its bundle, if units are whole and stay so.
fn refinement(scaled: &Scaled, mut sizes: impl Iterator<Item = usize>) -> Option<f64> {
    let common = sizes.try_fold(1u64, |common, size| {
        let size = size.max(1) as u64;
        let common = common / gcd(common, size) * size;
        (common <= MAX_REFINEMENT).then_some(common)
    })?;
    let fits = scaled.units().iter().sum::<f64>() * (common as f64) < EXACT;
    (scaled.is_exact() && fits).then_some(common as f64)
}

fn gcd(left: u64, right: u64) -> u64 {
    if right == 0 { left } else { gcd(right, left % right) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_costs_are_whole_and_never_more_than_a_path() {
        let given = Given {
            own: vec![vec![0.0], vec![1.5], vec![2.0, 0.5], vec![4.0]],
            bundle_of: vec![Some(0), Some(0), Some(0), None],
            names: vec!["blood".to_owned()],
            setups: vec![(10.0, 0.0)],
        };
        let (plain, pricing) = given.scale();
        // Tenths, times the three tests of the bundle.
        assert_eq!((plain.scale(), plain.is_exact()), (30.0, true));
        assert_eq!(plain.units(), [100.0, 145.0, 115.0, 120.0]);
        let none = OpenBundles::default();
        assert_eq!(pricing.step(TestId(2), AnswerId(0), &none), 360.0);
        let open = pricing.after(TestId(0), &none);
        assert_eq!(pricing.step(TestId(2), AnswerId(1), &open), 15.0);
        assert_eq!(pricing.step(TestId(0), AnswerId(0), &open), 0.0);
        assert!(pricing.depends_on_answer(TestId(2)) && !pricing.depends_on_answer(TestId(1)));
    }

    #[test]
    fn a_set_up_may_be_a_difference_of_decimals() {
        let given = Given {
            own: vec![vec![15.51], vec![20.68]],
            bundle_of: vec![Some(0), Some(0)],
            names: vec!["a".to_owned()],
            setups: vec![(17.61, 15.51)],
        };
        let (plain, pricing) = given.scale();
        assert_eq!(pricing.bundles()[0].setup / plain.scale(), 2.1);
    }

    #[test]
    fn open_bundles_are_a_set() {
        let mut open: OpenBundles = [3, 70].into_iter().collect();
        assert!(open.contains(70) && !open.contains(2) && open.iter().eq([3, 70]));
        assert!([3].into_iter().collect::<OpenBundles>().is_within(&open));
        open.retain(|bundle| bundle < 64);
        assert_eq!(open, [3].into_iter().collect());
        open.retain(|_| false);
        assert_eq!(open, OpenBundles::default());
    }
}
