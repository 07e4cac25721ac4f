//! The definitions, written slowly: where a test may be asked, and the best of all trees that keep to it.

use super::made::Made;
use fewest::Objective;
use std::collections::BTreeMap;

/// Whether `object` has an answer to `test` that may be asked for.
fn applies(made: &Made, test: usize, object: usize) -> bool {
    made.cells[test][object].is_some()
        && made.premises[test].iter().all(|(source, answers)| {
            applies(made, *source, object)
                && made.cells[*source][object].is_some_and(|answer| answers.contains(&answer))
        })
}

/// Whether `test` may be asked of the objects of `set`.
pub(super) fn may_ask(made: &Made, test: usize, set: &[usize]) -> bool {
    set.iter().all(|object| applies(made, test, *object))
}

/// Parts of `set` for each answer to `test`, if it may be asked and splits.
fn parts(made: &Made, test: usize, set: &[usize]) -> Option<Vec<Vec<usize>>> {
    if !may_ask(made, test, set) {
        return None;
    }
    let mut parts: BTreeMap<Option<u8>, Vec<usize>> = BTreeMap::new();
    set.iter().for_each(|object| parts.entry(made.cells[test][*object]).or_default().push(*object));
    (parts.len() > 1).then(|| parts.into_values().collect())
}

/// Groups of the objects that no strategy tells from each object: those of the set that is left when nothing more can be
/// asked.
pub(super) fn labels(made: &Made) -> Vec<Vec<u8>> {
    let mut labels = vec![Vec::new(); made.objects()];
    let mut waiting: Vec<Vec<usize>> = vec![(0..made.objects()).collect()];
    while let Some(set) = waiting.pop() {
        if let Some(parts) = (0..made.cells.len()).find_map(|test| parts(made, test, &set)) {
            waiting.extend(parts);
            continue;
        }
        let mut groups: Vec<u8> = set.iter().map(|object| made.groups[*object]).collect();
        groups.sort_unstable();
        groups.dedup();
        set.iter().for_each(|object| labels[*object] = groups.clone());
    }
    labels
}

/// Least value of all trees for a set, over the objects' own mass.
struct AllTrees<'a> {
    made: &'a Made,
    labels: Vec<Vec<u8>>,
    objective: Objective,
    known: BTreeMap<(Vec<usize>, bool), f64>,
}

impl AllTrees<'_> {
    fn best(&mut self, set: &[usize], is_open: bool) -> f64 {
        let mass: usize = set.iter().map(|object| self.made.prior[*object]).sum();
        if set.iter().all(|object| self.labels[*object] == self.labels[set[0]]) {
            return if let Objective::Exponential(_) = self.objective { mass as f64 } else { 0.0 };
        }
        if let Some(value) = self.known.get(&(set.to_vec(), is_open)) {
            return *value;
        }
        let mut least = f64::INFINITY;
        for test in 0..self.made.cells.len() {
            let Some(parts) = parts(self.made, test, set) else { continue };
            let bundled = self.made.bundle.as_ref().is_some_and(|(members, _)| members[test]);
            let setup =
                self.made.bundle.as_ref().filter(|_| bundled && !is_open).map_or(0, |(_, setup)| *setup);
            let step = (self.made.costs[test] + setup) as f64;
            let below: Vec<f64> = parts.iter().map(|part| self.best(part, is_open || bundled)).collect();
            let value = match self.objective {
                Objective::Expected => step * mass as f64 + below.iter().sum::<f64>(),
                Objective::Worst => step + below.iter().copied().fold(0.0, f64::max),
                Objective::Exponential(lambda) => lambda.value().powf(step) * below.iter().sum::<f64>(),
            };
            least = least.min(value);
        }
        self.known.insert((set.to_vec(), is_open), least);
        least
    }
}

/// Least cost of all trees that keep to the premises.
pub(super) fn optimum(made: &Made, objective: Objective) -> f64 {
    let all: Vec<usize> = (0..made.objects()).collect();
    let total: usize = made.prior.iter().sum();
    let mut trees = AllTrees { made, labels: labels(made), objective, known: BTreeMap::new() };
    let value = trees.best(&all, false);
    match objective {
        Objective::Expected => value / total as f64,
        Objective::Worst => value,
        Objective::Exponential(lambda) => (value / total as f64).log(lambda.value()),
    }
}
