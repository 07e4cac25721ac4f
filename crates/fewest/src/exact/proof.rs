//! Why the bound holds: claims about sets, from what the search knows of them, each resting on those before it.
//!
//! The search keeps a bound for every set, and bounds only rise; so what a set's bound was made of is still there, or
//! better, when the search is over. Where memory was short and something is missing, it is searched for again.

use super::aim::Aim;
use super::grid::ones;
use super::limit::Stopped;
use super::options::{Choice, Options, State};
use super::plan::Ground;
use super::search::{Worker, child_of};
use fewest_model::{Claim, Reason, TestId};
use hashbrown::HashMap;

/// Claims being collected.
pub(super) struct Writer<'g, 'i> {
    ground: &'g Ground<'i>,
    /// What was wanted and what was proved of each set, by name: a little less, where values are rounded.
    proved: HashMap<u128, (f64, f64)>,
    pub(super) claims: Vec<Claim>,
    /// How many claims there is room for.
    room: usize,
}

impl<'g, 'i> Writer<'g, 'i> {
    /// Claims of at most `bytes` in all.
    pub(super) fn new(ground: &'g Ground<'i>, bytes: usize) -> Self {
        let room = bytes / (128 + ground.instance.object_count() / 8);
        Self { ground, proved: HashMap::new(), claims: Vec::new(), room }
    }

    fn claim(&mut self, state: &State<'_>, wanted: f64, value: f64, reason: Reason) -> f64 {
        let members = ones(state.set).map(|object| state.grid.origin[object] as usize);
        let objects = self.ground.bits(members);
        self.claims.push(Claim { objects, budget: state.budget, value, reason });
        self.proved.insert(state.key, (wanted.max(value), value));
        value
    }
}

impl<A: Aim> Worker<'_, '_, A> {
    /// Writes down the bound that one look at every question gives.
    pub(super) fn justify_obvious(&mut self, state: State<'_>, writer: &mut Writer<'_, '_>) -> f64 {
        let options = self.counter.options(&state, &self.search.aim, f64::NEG_INFINITY, false);
        writer.claim(&state, f64::NEG_INFINITY, self.search.aim.humble(options.dropped), Reason::EveryTest)
    }

    /// Writes down why no tree for `state` is worth less than `wanted`; what is returned is what was proved, which is as
    /// much unless rounding stands in the way.
    pub(super) fn justify(
        &mut self,
        state: State<'_>,
        wanted: f64,
        writer: &mut Writer<'_, '_>,
    ) -> Result<f64, Stopped> {
        if let Some(&(_, proved)) = writer.proved.get(&state.key).filter(|known| known.0 >= wanted) {
            return Ok(proved);
        }
        self.step()?;
        if writer.claims.len() >= writer.room {
            return Err(Stopped);
        }
        let search = self.search;
        let mut options = self.counter.options(&state, &search.aim, wanted, true);
        if options.peel >= wanted {
            return Ok(writer.claim(&state, wanted, search.aim.humble(options.peel), Reason::Peel));
        }
        if options.parts >= wanted {
            let test = TestId(state.grid.tests[options.richest as usize].test);
            return Ok(writer.claim(&state, wanted, search.aim.humble(options.parts), Reason::Parts(test)));
        }
        let choices = options.choices.clone();
        let floors = choices.iter().map(|choice| {
            (choice.column, options.children(choice).iter().map(|child| child.lower).collect::<Vec<f64>>())
        });
        let floors: HashMap<u32, Vec<f64>> = floors.collect();
        if search.switches.parts && !state.grid.own {
            self.recall_all(&state, &mut options);
            if options.parts >= wanted {
                let richest = options.choices.iter().find(|choice| choice.column == options.richest).copied();
                if let Some(choice) = richest {
                    let total = self.justify_children(&state, &choice, &mut options, &floors, writer)?;
                    let test = TestId(state.grid.tests[choice.column as usize].test);
                    let value =
                        total.iter().fold(search.aim.none(), |sum, value| search.aim.join(sum, *value));
                    if value >= wanted {
                        return Ok(writer.claim(
                            &state,
                            wanted,
                            search.aim.humble(value),
                            Reason::Parts(test),
                        ));
                    }
                }
            }
        }
        let mut least = options.dropped;
        for at in 0..options.choices.len() {
            let choice = options.choices[at];
            let column = &state.grid.tests[choice.column as usize];
            if self.recall(&state, &choice, &mut options) < wanted {
                // Forgotten, or found another way: the search finds it again.
                self.evaluate(&state, column, options.children(&choice), wanted)?;
            }
            let values = self.justify_children(&state, &choice, &mut options, &floors, writer)?;
            let below = values.iter().fold(search.aim.none(), |sum, value| search.aim.join(sum, *value));
            least = least.min(search.aim.ask(column.cost, state.tally.mass, below));
        }
        Ok(writer.claim(&state, wanted, search.aim.humble(least), Reason::EveryTest))
    }

    /// Writes down why what the answers to a question leave is worth as much as is known; what was proved is returned.
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
            // What is obvious needs no claim.
            if child.lower > *value {
                let below = child_of(state, column, &child, &mut set);
                *value = self.justify(below, child.lower, writer)?.max(*value);
            }
        }
        Ok(values)
    }
}
