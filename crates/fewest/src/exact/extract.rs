//! Translation between trees and the memo: known trees are entered, and the best one is extracted.

use super::algebra::CostAlgebra;
use super::control::Stopped;
use super::grid::{Grid, ones};
use super::memo::MemoEntry;
use super::search::{Worker, child_of};
use super::state::{State, within};
use fewest_model::{Branches, Claim, Instance, Node, NodeId, ObjectId, Reason, TestId, Tree};
use hashbrown::HashMap;

/// Whole problem: the grid, and the objects of the instance that each of its objects stands for.
pub(super) struct ReducedProblem<'i> {
    pub(super) instance: &'i Instance,
    pub(super) grid: Grid,
    members: Vec<Vec<ObjectId>>,
    places: Vec<u32>,
    /// Column of each test, or of the one that stands for it; `None` for a test that splits nothing.
    columns: Vec<Option<u32>>,
    /// Limit on the cost of any path.
    pub(super) cap: f64,
}

/// Tests chosen for sets, by key.
pub(super) type Chosen = HashMap<u128, u32>;

impl<'i> ReducedProblem<'i> {
    pub(super) fn new(instance: &'i Instance, cap: f64, spread: impl Fn(f64) -> f64) -> Self {
        let (grid, places) = Grid::new(instance, spread);
        let mut members = vec![Vec::new(); grid.weights.len()];
        for (object, place) in instance.objects().zip(&places) {
            members[*place as usize].push(object);
        }
        let mut columns = vec![None; instance.test_count()];
        for (at, column) in (0u32..).zip(&grid.tests) {
            column.stands_for.iter().for_each(|test| columns[*test as usize] = Some(at));
        }
        Self { instance, grid, members, places, columns, cap }
    }

    /// State before anything is asked.
    pub(super) fn root<'g, A: CostAlgebra>(
        &'g self,
        all: &'g [u64],
        worker: &mut Worker<'_, '_, A>,
    ) -> State<'g> {
        let summary = worker.counter.summary(&self.grid, all, &worker.search.algebra);
        State { grid: &self.grid, set: all, summary, key: self.root_key(all), budget: self.cap }
    }

    /// Key of the set of all objects.
    pub(super) fn root_key(&self, all: &[u64]) -> u128 {
        self.grid.key(all) ^ within(self.cap)
    }

    /// Objects of the instance that a set of the root grid stands for, as bits.
    pub(super) fn bits(&self, members: impl Iterator<Item = usize>) -> Vec<u64> {
        let mut bits = vec![0u64; self.instance.object_count().div_ceil(64)];
        for object in members.flat_map(|at| &self.members[at]) {
            bits[object.index() / 64] |= 1 << (object.index() % 64);
        }
        bits
    }

    /// Prices of the instance's objects, if claims rest on them.
    pub(super) fn shown_prices(&self, claims: &[Claim]) -> Vec<Vec<u8>> {
        let is_used = claims.iter().any(|claim| claim.reason == Reason::MajorityPath);
        let shown = |prices: &Vec<u8>| self.places.iter().map(|place| prices[*place as usize]).collect();
        self.grid.shown_prices.iter().filter(|_| is_used).map(shown).collect()
    }

    /// Enters the value of every subtree of `tree` into the memo; budgets are rounded as the search rounds them.
    pub(super) fn tell<A: CostAlgebra>(&self, tree: &Tree, worker: &mut Worker<'_, '_, A>) {
        let algebra = &worker.search.algebra;
        let nodes = tree.nodes();
        let budgets =
            tree.down(self.cap, |budget, test| budget - self.instance.costs().units()[test.index()]);
        let names = tree.up(|objects| self.name_leaf(objects));
        let mut values = vec![algebra.none(); nodes.len()];
        for (at, node) in nodes.iter().enumerate().rev() {
            let Named { key, mass, count } = names[at];
            values[at] = match node {
                Node::Leaf { .. } if budgets[at] < 0.0 => f64::INFINITY,
                Node::Leaf { .. } => algebra.leaf(mass),
                Node::Ask { test, answers } => {
                    let below = answers.iter().map(|(_, child)| values[child.index()]);
                    let below = below.fold(algebra.none(), |sum, value| algebra.join(sum, value));
                    algebra.ask(self.instance.costs().units()[test.index()], mass, below)
                }
            };
            let Node::Ask { test, .. } = node else { continue };
            if let (Some(column), true) = (self.columns[test.index()], count > 1) {
                let entry = MemoEntry {
                    upper: values[at],
                    test: self.grid.tests[column as usize].test,
                    ..MemoEntry::unknown(count)
                };
                worker.search.memo.put(key ^ within(budgets[at]), entry);
            }
        }
    }

    fn name_leaf(&self, objects: &[ObjectId]) -> Named {
        let mut named = Named::default();
        let mut places: Vec<u32> = objects.iter().map(|object| self.places[object.index()]).collect();
        places.sort_unstable();
        places.dedup();
        for place in places {
            let place = place as usize;
            named += Named { key: self.grid.keys[place], mass: self.grid.weights[place], count: 1 };
        }
        named
    }

    /// Extracts the best tree known, with the tests of `chosen` if it has one.
    pub(super) fn write<A: CostAlgebra>(
        &self,
        worker: &mut Worker<'_, '_, A>,
        chosen: &Chosen,
    ) -> Result<Tree, Stopped> {
        let all = self.grid.all();
        let root = self.root(&all, worker);
        let mut nodes: Vec<Node> = Vec::new();
        // Sets to be extracted, each with the position in the tree that waits for it.
        let mut open = vec![(all.clone(), root.summary, root.key, self.cap)];
        let mut waiting: Vec<Option<(usize, usize)>> = vec![None];
        while let Some((set, summary, key, budget)) = open.pop() {
            let place = NodeId::at(nodes.len());
            if let Some(Some((parent, branch))) = waiting.pop()
                && let Node::Ask { answers, .. } = &mut nodes[parent]
            {
                answers[branch].1 = place;
            }
            let state = State { grid: &self.grid, set: &set, summary, key, budget };
            if summary.groups <= 1 {
                let objects: Vec<ObjectId> =
                    ones(&set).flat_map(|at| self.members[at].iter().copied()).collect();
                nodes.push(Node::leaf(&objects));
                continue;
            }
            let test = match chosen.get(&key) {
                Some(test) => *test,
                None => worker.first_test(state)?,
            };
            let Some(number) = self.columns[test as usize] else { return Err(Stopped) };
            let column = &self.grid.tests[number as usize];
            let mut answers = Branches::new();
            let parent = nodes.len();
            for child in worker.counter.children(&state, column, &worker.search.algebra) {
                let mut below = vec![0u64; self.grid.words];
                let child = child_of(&state, column, &child, &mut below);
                let (summary, key, budget) = (child.summary, child.key, child.budget);
                let first = ones(&below).next().map_or(ObjectId(0), |at| self.members[at][0]);
                let answer = self.instance.answer(first, TestId(column.test));
                waiting.push(Some((parent, answers.len())));
                answers.push((answer, NodeId(0)));
                open.push((below, summary, key, budget));
            }
            nodes.push(Node::Ask { test: TestId(column.test), answers });
        }
        Tree::new(nodes).map(|tree| tree.confirmed(self.instance)).map_err(|_| Stopped)
    }
}

/// Key and summary of a set, summed up from the leaves of a tree.
#[derive(Clone, Copy, Default)]
struct Named {
    key: u128,
    mass: f64,
    count: u32,
}

impl std::ops::AddAssign for Named {
    fn add_assign(&mut self, other: Self) {
        self.key ^= other.key;
        self.mass += other.mass;
        self.count += other.count;
    }
}

impl<A: CostAlgebra> Worker<'_, '_, A> {
    /// First test of the best tree known for an impure set.
    fn first_test(&mut self, state: State<'_>) -> Result<u32, Stopped> {
        if let Some(entry) = self.search.memo.get(state.key).filter(|entry| entry.test != u32::MAX) {
            return Ok(entry.test);
        }
        // Evicted, or never visited because any test is optimal there.
        if self.search.memo.forgotten() > 0
            && self.improve(state, 0).is_ok()
            && let Some(entry) = self.search.memo.get(state.key).filter(|entry| entry.test != u32::MAX)
        {
            return Ok(entry.test);
        }
        let mut options = self.counter.options(&state, &self.search.algebra, f64::INFINITY, false);
        options.sort();
        let first = options.choices.first().ok_or(Stopped)?;
        Ok(state.grid.tests[first.column as usize].test)
    }

    /// Chooses for every set of the best tree the first test, in order of bounds and columns, that is part of a best
    /// tree. The choice does not depend on what was found first, so one problem has one result, on any number of
    /// threads.
    pub(super) fn settle(&mut self, state: State<'_>, chosen: &mut Chosen) -> Result<(), Stopped> {
        let search = self.search;
        if state.summary.groups <= 1 || chosen.contains_key(&state.key) {
            return Ok(());
        }
        let value = self.solve(state, f64::INFINITY)?;
        let bar = value + search.algebra.step(value) / 2.0;
        let mut options = self.counter.options(&state, &search.algebra, bar, false);
        options.sort();
        for at in 0..options.choices.len() {
            let choice = options.choices[at];
            self.counter.name(&state, &choice, options.children(&choice));
            let column = &state.grid.tests[choice.column as usize];
            let children = options.children(&choice);
            if self.evaluate(&state, column, children, bar)? >= bar {
                continue;
            }
            chosen.insert(state.key, column.test);
            let mut set = vec![0u64; state.grid.words];
            let children = children.to_vec();
            for child in children {
                self.settle(child_of(&state, column, &child, &mut set), chosen)?;
            }
            return Ok(());
        }
        Ok(())
    }
}
