//! Certificates: claims about states, each resting on those before it.

use super::options::{State, choices};
use super::search::Search;
use crate::exact::Task;
use crate::exact::control::Stopped;
use fewest_model::{Claim, OpenBundles, Proof, Reason};
use hashbrown::HashMap;

/// Claims that are being collected.
pub(super) struct Writer {
    claims: Vec<Claim>,
    /// Value that was claimed for each state.
    proved: HashMap<(Box<[u64]>, OpenBundles, u64), f64>,
    /// Most claims that fit the memory.
    max_claims: usize,
}

impl Writer {
    /// Proves that no tree has a value below `value`; `None` if time or memory do not suffice.
    pub(super) fn prove(
        search: &mut Search<'_, '_>,
        task: &Task<'_>,
        root: &State,
        value: f64,
        shown: impl Fn(f64) -> f64,
    ) -> Option<Proof> {
        if !super::super::is_moderate(task.instance, task.objective) {
            return None;
        }
        let max_claims = task.memory / 4 / (160 + task.instance.object_count() / 8);
        let mut writer = Self { claims: Vec::new(), proved: HashMap::new(), max_claims };
        let value = writer.justify(search, root, value).ok()?;
        let Self { claims, .. } = writer;
        let (objective, cap) = (task.objective, task.cap);
        Some(Proof { objective, cap, value: shown(value).max(0.0), prices: Vec::new(), claims })
    }

    /// Claims that no tree for `state` has a value below `wanted`. Returns the value that was claimed, which is
    /// `wanted` unless rounding prevents it.
    fn justify(&mut self, search: &mut Search<'_, '_>, state: &State, wanted: f64) -> Result<f64, Stopped> {
        let key = (state.set.clone(), state.open.clone(), state.budget.to_bits());
        if let Some(value) = self.proved.get(&key).filter(|value| **value >= wanted - 1e-10 * wanted.abs()) {
            return Ok(*value);
        }
        search.control.step()?;
        if self.claims.len() >= self.max_claims {
            return Err(Stopped);
        }
        let measure = search.measure;
        let mut least = f64::INFINITY;
        let mut reason = Reason::EveryTest;
        for mut choice in choices(search.problem, measure, state) {
            if choice.is_free {
                // No cost, so the parts together are worth as much as the whole.
                reason = Reason::Parts(search.problem.columns[choice.column].test);
            }
            if choice.lower < wanted {
                let floors: Vec<f64> = choice.children.iter().map(|child| child.lower).collect();
                search.refresh(&mut choice);
                if choice.lower < wanted {
                    search.evaluate(&mut choice, wanted)?;
                }
                for (child, floor) in choice.children.iter_mut().zip(floors) {
                    if child.lower > floor {
                        child.lower = self.justify(search, &child.state, child.lower)?.max(floor);
                    }
                }
                choice.lower = choice.total(measure);
            }
            least = least.min(choice.lower);
        }
        let value = measure.round_down(least);
        let open = Some(state.open.clone());
        let objects = search.problem.objects(&state.set);
        self.claims.push(Claim { objects, budget: state.budget, value, reason, open });
        self.proved.insert(key, value);
        Ok(value)
    }
}
