//! Small examples of the papers, with the trees that different algorithms build for them.

use fewest::exact::{self, Switches, Task};
use fewest::{Goal, Limit, trials};
use fewest_model::{Candidates, Costs, Instance, Lambda, Objective, Reading, Table, TestId, Tree};

/// Example: a small table and trees for it.
#[derive(Clone, Debug)]
pub struct Example {
    /// Short name.
    pub name: &'static str,
    /// Title.
    pub title: &'static str,
    /// Text about what the example shows.
    pub about: &'static str,
    /// Instance of the table.
    pub instance: Instance,
    /// Trees, in the order in which they are shown.
    pub trees: Vec<Shown>,
}

/// Tree and its algorithm.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Name of the algorithm, or `printed in the paper`.
    pub by: String,
    /// Tree to show.
    pub tree: Tree,
    /// Costs of the tree, with λ = 2.
    pub costs: Costs,
}

/// Returns the first paper's group example, the second paper's example with costs, and priors that halve.
pub fn examples() -> Vec<Example> {
    vec![groups(), costs(), halves()]
}

fn groups() -> Example {
    let instance = read(
        &[
            &["object", "group", "q1", "q2", "q3"],
            &["a", "1", "0", "1", "1"],
            &["b", "1", "1", "1", "0"],
            &["c", "1", "0", "1", "0"],
            &["d", "2", "1", "0", "0"],
        ],
        &[],
    );
    let trees = shown(&instance, &["gbs", "ggbs"]);
    Example {
        name: "groups",
        title: "Four objects in two groups",
        about: "Splitting the objects evenly (gbs) takes 1.5 questions on average; splitting the groups (ggbs) takes 1.",
        instance,
        trees,
    }
}

fn costs() -> Example {
    let instance = read(
        &[
            &["object", "group", "prior", "t1", "t2", "t3"],
            &["1", "A", "0.1", "1", "1", "2"],
            &["2", "A", "0.2", "1", "2", "1"],
            &["3", "B", "0.4", "2", "2", "1"],
            &["4", "C", "0.25", "1", "2", "2"],
            &["5", "C", "0.05", "2", "2", "2"],
        ],
        &[("t1", 2.0), ("t2", 1.0), ("t3", 3.0)],
    );
    // The tree printed in the paper: t2, then t3, then t1.
    let printed = in_order(&instance, &["t2", "t3", "t1"]);
    let printed = Shown {
        by: "printed in the paper".to_owned(),
        costs: Costs::of(&printed, &instance, Lambda::TWO),
        tree: printed,
    };
    let mut trees = vec![printed];
    trees.extend(shown(&instance, &["dectree", "optimum"]));
    Example {
        name: "costs",
        title: "Five objects, three classes, tests of cost 2, 1 and 3",
        about: "The printed tree costs 4.9 on average and 6 at worst; 4.6 and 5 are the best possible, in one tree.",
        instance,
        trees,
    }
}

fn halves() -> Example {
    let header = ["object", "prior", "q1", "q2", "q3", "q4", "q5", "q6", "q7"];
    let mut rows: Vec<Vec<String>> = vec![header.map(str::to_owned).to_vec()];
    for (object, prior) in ["0.5", "0.25", "0.125", "0.125"].into_iter().enumerate() {
        let mut row = vec![format!("o{}", object + 1), prior.to_owned()];
        row.extend((1..=7u32).map(|test| (test >> object & 1).to_string()));
        rows.push(row);
    }
    let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let instance = read(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>(), &[]);
    let trees = shown(&instance, &["gbs", "lambda-gbs"]);
    Example {
        name: "halves",
        title: "Priors 1/2, 1/4, 1/8, 1/8 and every split of four objects",
        about: "gbs is the best on average (1.75) and needs 3 at worst; lambda-gbs takes 2 always: which cost counts is your choice.",
        instance,
        trees,
    }
}

fn read(rows: &[&[&str]], costs: &[(&str, f64)]) -> Instance {
    let costs = costs.iter().map(|(test, cost)| ((*test).to_owned(), *cost)).collect();
    let reading = Reading { costs, ..Reading::default() };
    Instance::new(Table::from_rows(rows), &reading).expect("the examples are sound").0
}

/// Trees of these algorithms; `optimum` is the best for the expected cost.
fn shown(instance: &Instance, names: &[&str]) -> Vec<Shown> {
    let trials = trials(instance, &Goal::default(), &Limit::none());
    let one = |name: &&str| {
        let tree = match trials.iter().find(|trial| trial.origin.name() == *name) {
            Some(trial) => trial.tree.clone(),
            None => best(instance, trials.iter().map(|trial| &trial.tree).collect()),
        };
        Shown { by: (*name).to_owned(), costs: Costs::of(&tree, instance, Lambda::TWO), tree }
    };
    names.iter().map(one).collect()
}

fn best(instance: &Instance, trees: Vec<&Tree>) -> Tree {
    let task = Task {
        instance,
        objective: Objective::Expected,
        cap: f64::INFINITY,
        trees,
        deadline: None,
        memory: super::MEMORY,
        threads: 1,
        switches: Switches::ALL,
        proof: false,
    };
    exact::solve(&task, |_| true).tree.expect("without a cap there is a tree")
}

/// Tree that asks these tests in this order, each where it splits the remaining objects.
fn in_order(instance: &Instance, names: &[&str]) -> Tree {
    let tests: Vec<TestId> = names.iter().filter_map(|name| instance.find_test(name)).collect();
    let next = |set: &Candidates| {
        let splits = |test: &&TestId| set.split(instance, **test).len() > 1;
        if set.is_pure() { None } else { tests.iter().find(splits).copied() }
    };
    Tree::unfold(instance, |level| Some(level.iter().map(next).collect())).expect("there is no limit")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs_of<'a>(examples: &'a [Example], name: &str, by: &str) -> &'a Costs {
        let example = examples.iter().find(|example| example.name == name).unwrap();
        &example.trees.iter().find(|shown| shown.by == by).unwrap().costs
    }

    #[test]
    fn costs_are_those_of_the_specification() {
        // specification section 14, E1 to E3: expected, worst, exponential at λ = 2.
        let examples = examples();
        for (name, by, expected, worst, exponential) in [
            ("groups", "gbs", 1.5, 2.0, 1.5849625007),
            ("groups", "ggbs", 1.0, 1.0, 1.0),
            ("costs", "optimum", 4.6, 5.0, 4.6780719051),
            ("costs", "dectree", 5.5, 6.0, 5.8529975876),
            ("halves", "gbs", 1.75, 3.0, 2.0),
            ("halves", "lambda-gbs", 2.0, 2.0, 2.0),
        ] {
            let found = costs_of(&examples, name, by);
            assert!(
                (found.expected - expected).abs() < 1e-9 && found.worst == worst,
                "{name} {by}: {found:?}"
            );
            assert!((found.exponential - exponential).abs() < 5.1e-11, "{name} {by}: {found:?}");
        }
        let printed = costs_of(&examples, "costs", "printed in the paper");
        assert!((printed.expected - 4.9).abs() < 1e-9 && printed.worst == 6.0);
    }
}
