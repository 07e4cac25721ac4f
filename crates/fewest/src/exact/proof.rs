//! Certificates: claims about sets, from the memo, each resting on those before it.
//!
//! The memo keeps a bound for every set, and bounds only rise. So the bounds from which another one was derived are
//! still there, or better ones, when the search is over. Evicted entries are computed again.

use super::algebra::CostAlgebra;
use super::control::Stopped;
use super::extract::ReducedProblem;
use super::grid::ones;
use super::search::{Worker, child_of};
use super::state::{Choice, Options, State};
use fewest_model::{Claim, Reason, TestId};
use hashbrown::HashMap;

/// Claims that are being collected.
pub(super) struct Writer<'g, 'i> {
    problem: &'g ReducedProblem<'i>,
    /// Wanted and proved bound of each set, by key: the proved one is slightly less if values are rounded.
    proved: HashMap<u128, (f64, f64)>,
    pub(super) claims: Vec<Claim>,
    /// Most claims that fit the memory.
    max_claims: usize,
}

impl<'g, 'i> Writer<'g, 'i> {
    /// Makes a writer of at most `bytes` of claims.
    pub(super) fn new(problem: &'g ReducedProblem<'i>, bytes: usize) -> Self {
        let max_claims = bytes / (128 + problem.instance.object_count() / 8);
        Self { problem, proved: HashMap::new(), claims: Vec::new(), max_claims }
    }

    fn claim(&mut self, state: &State<'_>, wanted: f64, value: f64, reason: Reason) -> f64 {
        let members = ones(state.set).map(|object| state.grid.origin[object] as usize);
        let objects = self.problem.bits(members);
        self.claims.push(Claim { objects, budget: state.budget, value, reason, open: None });
        self.proved.insert(state.key, (wanted.max(value), value));
        value
    }
}

impl<A: CostAlgebra> Worker<'_, '_, A> {
    /// Claims the bound that one pass over every question yields.
    pub(super) fn justify_obvious(&mut self, state: State<'_>, writer: &mut Writer<'_, '_>) -> f64 {
        let options = self.counter.options(&state, &self.search.algebra, f64::NEG_INFINITY, false);
        writer.claim(
            &state,
            f64::NEG_INFINITY,
            self.search.algebra.safe_lower(options.dropped),
            Reason::EveryTest,
        )
    }

    /// Claims that no tree for `state` has a value below `wanted`. Returns the value that was proved, which is
    /// `wanted` unless rounding prevents it.
    pub(super) fn justify(
        &mut self,
        state: State<'_>,
        wanted: f64,
        writer: &mut Writer<'_, '_>,
    ) -> Result<f64, Stopped> {
        if let Some(&(_, proved)) = writer.proved.get(&state.key).filter(|entry| entry.0 >= wanted) {
            return Ok(proved);
        }
        self.step()?;
        if writer.claims.len() >= writer.max_claims {
            return Err(Stopped);
        }
        let search = self.search;
        let mut options = self.counter.options(&state, &search.algebra, wanted, true);
        if options.majority_path >= wanted {
            return Ok(writer.claim(
                &state,
                wanted,
                search.algebra.safe_lower(options.majority_path),
                Reason::MajorityPath,
            ));
        }
        if options.parts >= wanted {
            let test = TestId(state.grid.tests[options.best_split as usize].test);
            return Ok(writer.claim(
                &state,
                wanted,
                search.algebra.safe_lower(options.parts),
                Reason::Parts(test),
            ));
        }
        let choices = options.choices.clone();
        let floors = choices.iter().map(|choice| {
            (choice.column, options.children(choice).iter().map(|child| child.lower).collect::<Vec<f64>>())
        });
        let floors: HashMap<u32, Vec<f64>> = floors.collect();
        if search.switches.parts && !state.grid.own {
            self.recall_all(&state, &mut options);
            if let Some(proved) = self.justify_by_parts(&state, wanted, &mut options, &floors, writer)? {
                return Ok(proved);
            }
        }
        let mut least = options.dropped;
        for at in 0..options.choices.len() {
            let choice = options.choices[at];
            let column = &state.grid.tests[choice.column as usize];
            if self.recall(&state, &choice, &mut options) < wanted {
                // Evicted, or found in another way: the search finds it again.
                self.evaluate(&state, column, options.children(&choice), wanted)?;
            }
            let values = self.justify_children(&state, &choice, &mut options, &floors, writer)?;
            let below =
                values.iter().fold(search.algebra.none(), |sum, value| search.algebra.join(sum, *value));
            least = least.min(search.algebra.ask(column.cost, state.summary.mass, below));
        }
        Ok(writer.claim(&state, wanted, search.algebra.safe_lower(least), Reason::EveryTest))
    }

    /// Claims `wanted` by the parts of the best split, if their bounds suffice.
    fn justify_by_parts(
        &mut self,
        state: &State<'_>,
        wanted: f64,
        options: &mut Options,
        floors: &HashMap<u32, Vec<f64>>,
        writer: &mut Writer<'_, '_>,
    ) -> Result<Option<f64>, Stopped> {
        if options.parts < wanted {
            return Ok(None);
        }
        let best = options.choices.iter().find(|choice| choice.column == options.best_split).copied();
        let Some(choice) = best else { return Ok(None) };
        let values = self.justify_children(state, &choice, options, floors, writer)?;
        let algebra = &self.search.algebra;
        let value = values.iter().fold(algebra.none(), |sum, value| algebra.join(sum, *value));
        let test = TestId(state.grid.tests[choice.column as usize].test);
        let claim = || writer.claim(state, wanted, algebra.safe_lower(value), Reason::Parts(test));
        Ok((value >= wanted).then(claim))
    }

    /// Claims the known bounds of the parts of a question. Returns the value that was proved.
    fn justify_children(
        &mut self,
        state: &State<'_>,
        choice: &Choice,
        options: &mut Options,
        floors: &HashMap<u32, Vec<f64>>,
        writer: &mut Writer<'_, '_>,
    ) -> Result<Vec<f64>, Stopped> {
        let column = &state.grid.tests[choice.column as usize];
        let mut values = floors[&choice.column].clone();
        let mut set = vec![0u64; state.grid.words];
        for (value, child) in values.iter_mut().zip(options.children(choice).to_vec()) {
            // The floor needs no claim.
            if child.lower > *value {
                let below = child_of(state, column, &child, &mut set);
                *value = self.justify(below, child.lower, writer)?.max(*value);
            }
        }
        Ok(values)
    }
}
