//! A tree in names, as files hold it and people read it; it can be matched with a table again.

use fewest::{AnswerId, Branches, GroupId, Instance, Node, NodeId, ObjectId, OpenBundles, TestId, Tree};
use fewest_model::node_weights;
use fewest_model::{Choice, NOT_RECORDED, Spell, spell_plainly};
use std::collections::{BTreeMap, BTreeSet};
use thiserror::Error;

/// A tree whose nodes carry names and weights, so that it can be shown or run without its table.
///
/// Parents stand before their children, the root first.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedTree {
    /// Nodes, parents before children.
    pub nodes: Vec<NamedNode>,
}

/// A node in names.
#[derive(Clone, Debug, PartialEq)]
pub enum NamedNode {
    /// Question: a test is asked.
    Ask {
        /// Name of the test.
        test: String,
        /// Text of the question, if the table has one.
        question: Option<String>,
        /// Cost of the test.
        cost: f64,
        /// Probability of reaching this node.
        weight: f64,
        /// Each answer with the index of its child in [`NamedTree::nodes`].
        answers: Vec<(String, usize)>,
    },
    /// Leaf: nothing is left to ask.
    Leaf {
        /// Names of the identified group; several where no test tells groups apart.
        groups: Vec<String>,
        /// Names of the objects that end here.
        objects: Vec<String>,
        /// Probability of reaching this leaf.
        weight: f64,
    },
}

impl NamedNode {
    /// Probability of reaching this node.
    pub fn weight(&self) -> f64 {
        match self {
            Self::Ask { weight, .. } | Self::Leaf { weight, .. } => *weight,
        }
    }

    /// Indices of the children, in the order of the answers.
    pub fn children(&self) -> impl Iterator<Item = usize> {
        let answers = match self {
            Self::Ask { answers, .. } => &answers[..],
            Self::Leaf { .. } => &[],
        };
        answers.iter().map(|(_, child)| *child)
    }
}

/// Branch of a tree for objects of which the table holds no answer.
#[derive(Clone, Debug, PartialEq)]
pub struct GapBranch<'a> {
    /// Test that is asked there.
    pub test: &'a str,
    /// Probability of this branch.
    pub weight: f64,
}

impl NamedTree {
    /// Returns the branches on "not recorded" with a probability above `least`, the likeliest first.
    pub fn gap_branches(&self, least: f64) -> Vec<GapBranch<'_>> {
        let mut found = Vec::new();
        for node in &self.nodes {
            let NamedNode::Ask { test, answers, .. } = node else { continue };
            let gap = answers.iter().find(|(answer, _)| answer == NOT_RECORDED);
            let weight = gap.map_or(0.0, |(_, child)| self.nodes[*child].weight());
            if weight > least {
                found.push(GapBranch { test, weight });
            }
        }
        found.sort_by(|left, right| right.weight.total_cmp(&left.weight));
        found
    }
}

impl MismatchError {
    /// Returns the message, with options spelled by `spell`.
    pub fn words(&self, spell: Spell) -> String {
        match self {
            Self::Cost { test, claimed, found } => format!(
                "the strategy says that `{test}` costs {claimed}, the table says {found}; were the same {} given?",
                spell(Choice::Costs, ""),
            ),
            other => other.to_string(),
        }
    }
}

/// Reason why a named tree does not fit a table.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum MismatchError {
    /// A test that the table does not have.
    #[error("the strategy asks `{test}`, which is no test of the table")]
    Test {
        /// The test.
        test: String,
    },
    /// An answer that no object gives.
    #[error("the strategy has a branch for answer `{answer}` to `{test}`, which no object gives")]
    Answer {
        /// The test.
        test: String,
        /// The answer.
        answer: String,
    },
    /// An object that the table does not have.
    #[error("a leaf of the strategy names object `{object}`, which is not in the table")]
    Object {
        /// The object.
        object: String,
    },
    /// An object that is named twice in one leaf.
    #[error("a leaf of the strategy names object `{object}` twice")]
    Twice {
        /// The object.
        object: String,
    },
    /// An object that is named without all objects that no test tells apart from it.
    #[error("a leaf names `{object}` but not `{twin}`, although no test tells them apart")]
    Twin {
        /// Object that the leaf names.
        object: String,
        /// Object that the leaf does not name, although no test tells it apart from `object`.
        twin: String,
    },
    /// A leaf that names another group than its objects have.
    #[error("the leaf of object `{object}` names {}, but the object is in {}", quoted(.named), quoted(.found))]
    Groups {
        /// An object of the leaf.
        object: String,
        /// Groups that the leaf names.
        named: Vec<String>,
        /// Groups of the object in the table.
        found: Vec<String>,
    },
    /// A leaf that names other groups than those that end there.
    #[error("the leaf of object `{object}` names {}, but the groups of its objects are {}", quoted(.named), quoted(.found))]
    LeafGroups {
        /// An object of the leaf.
        object: String,
        /// Groups that the leaf names.
        named: Vec<String>,
        /// Groups of the leaf's objects in the table.
        found: Vec<String>,
    },
    /// A leaf without objects.
    #[error("the strategy has a leaf without objects")]
    EmptyLeaf,
    /// A cost other than the table's.
    #[error("{}", self.words(spell_plainly))]
    Cost {
        /// The test.
        test: String,
        /// Cost in the strategy.
        claimed: f64,
        /// Cost in the table.
        found: f64,
    },
    /// A question in words other than the table's.
    #[error("the strategy asks for `{test}` by {}, the table by {}", quoted_or_none(.claimed), quoted_or_none(.found))]
    Question {
        /// The test.
        test: String,
        /// Question in the strategy.
        claimed: Option<String>,
        /// Question in the table.
        found: Option<String>,
    },
    /// A weight other than the table's.
    #[error("the strategy gives {place} the weight {claimed}, the table gives {found}")]
    Weight {
        /// Node, in words: a question or a leaf.
        place: String,
        /// Weight in the strategy.
        claimed: f64,
        /// Weight in the table.
        found: f64,
    },
}

fn quoted(names: &[String]) -> String {
    if names.is_empty() { "no group".to_owned() } else { format!("`{}`", names.join(" or ")) }
}

fn quoted_or_none(text: &Option<String>) -> String {
    text.as_ref().map_or("no words of its own".to_owned(), |text| format!("`{text}`"))
}

/// Relative difference up to which numbers are equal: files hold rounded numbers.
const ROUNDING: f64 = 1e-9;
/// Absolute difference up to which probabilities are equal: each is a sum of rounded shares.
const SHARE_ROUNDING: f64 = 1e-14;

fn differ(left: f64, right: f64) -> bool {
    left.is_nan() || (left - right).abs() > ROUNDING * right.abs()
}

impl NamedTree {
    /// Names the tests, answers and objects of `tree`, as `instance` calls them.
    pub fn new(tree: &Tree, instance: &Instance) -> Self {
        let weights = tree.weights(instance);
        let costs = node_costs(tree.nodes(), instance);
        let name = |((node, weight), cost): ((&Node, &f64), f64)| {
            // Sums in another order may round to more than the total.
            let weight = (weight / instance.total_weight()).min(1.0);
            match node {
                Node::Leaf { objects } => Self::leaf(instance, objects, weight),
                Node::Ask { test, answers } => Self::ask(instance, *test, answers, (cost, weight)),
            }
        };
        Self { nodes: tree.nodes().iter().zip(&weights).zip(costs).map(name).collect() }
    }

    fn ask(
        instance: &Instance,
        test: TestId,
        answers: &[(AnswerId, NodeId)],
        (cost, weight): (f64, f64),
    ) -> NamedNode {
        let test = instance.test(test);
        let answer = |(answer, child): &(AnswerId, NodeId)| {
            (test.answers.get(answer.index()).to_owned(), child.index())
        };
        NamedNode::Ask {
            test: test.name.clone(),
            question: test.question.clone(),
            cost,
            weight,
            answers: answers.iter().map(answer).collect(),
        }
    }

    fn leaf(instance: &Instance, objects: &[ObjectId], weight: f64) -> NamedNode {
        let groups: BTreeSet<GroupId> = objects.iter().map(|object| instance.group_of(*object)).collect();
        // Two groups share a name where one of them stands for several that no test tells apart.
        let mut seen = BTreeSet::new();
        NamedNode::Leaf {
            groups: groups
                .into_iter()
                .flat_map(|group| instance.group_names(group))
                .filter(|name| seen.insert(*name))
                .map(str::to_owned)
                .collect(),
            objects: objects
                .iter()
                .flat_map(|object| instance.object_names(*object))
                .map(str::to_owned)
                .collect(),
            weight,
        }
    }

    /// Finds the tree that these names mean in `instance`. Every name, cost and weight is compared with the table.
    ///
    /// # Errors
    /// With the first thing that does not fit. Whether the tree is a strategy is decided by the checker.
    pub fn to_tree(&self, instance: &Instance) -> Result<Tree, MismatchError> {
        let tests: BTreeMap<&str, TestId> =
            instance.test_ids().map(|test| (instance.test(test).name.as_str(), test)).collect();
        let mut answers: BTreeMap<TestId, BTreeMap<&str, AnswerId>> = BTreeMap::new();
        let mut objects = BTreeMap::new();
        for object in instance.objects() {
            objects.extend(instance.object_names(object).map(|name| (name, object)));
        }
        let mut nodes = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            nodes.push(match node {
                NamedNode::Leaf { groups, objects: names, .. } => {
                    let objects = leaf_objects(instance, &objects, names)?;
                    leaf_groups(instance, &objects, groups)?;
                    Node::leaf(&objects)
                }
                NamedNode::Ask { test: name, cost, answers: branches, .. } => {
                    let unknown = || MismatchError::Test { test: name.clone() };
                    let test = *tests.get(name.as_str()).ok_or_else(unknown)?;
                    // A cost that depends on the path is compared when the whole tree is known.
                    let found = instance.cost(test);
                    if instance.pricing().is_none() && differ(*cost, found) {
                        return Err(MismatchError::Cost { test: name.clone(), claimed: *cost, found });
                    }
                    let known = answers.entry(test).or_insert_with(|| {
                        instance
                            .test(test)
                            .answers
                            .iter()
                            .enumerate()
                            .map(|(at, text)| (text, AnswerId::at(at)))
                            .collect()
                    });
                    let mut found = Branches::with_capacity(branches.len());
                    for (answer, child) in branches {
                        let unknown = || MismatchError::Answer { test: name.clone(), answer: answer.clone() };
                        found.push((*known.get(answer.as_str()).ok_or_else(unknown)?, NodeId::at(*child)));
                    }
                    found.sort_unstable();
                    Node::Ask { test, answers: found }
                }
            });
        }
        self.compare_costs(&nodes, instance)?;
        self.compare_weights(&nodes, instance)?;
        Ok(Tree::new(nodes).expect("a named tree lists parents before children"))
    }

    /// Compares the text of each question with the table.
    ///
    /// # Errors
    /// With the first question whose text differs.
    pub fn compare_questions(&self, instance: &Instance) -> Result<(), MismatchError> {
        for node in &self.nodes {
            let NamedNode::Ask { test, question, .. } = node else { continue };
            let found = instance.find_test(test).and_then(|test| instance.test(test).question.as_ref());
            if question.as_ref() != found {
                let (claimed, found) = (question.clone(), found.cloned());
                return Err(MismatchError::Question { test: test.clone(), claimed, found });
            }
        }
        Ok(())
    }

    fn compare_costs(&self, nodes: &[Node], instance: &Instance) -> Result<(), MismatchError> {
        for (node, found) in self.nodes.iter().zip(node_costs(nodes, instance)) {
            let NamedNode::Ask { test, cost, .. } = node else { continue };
            if differ(*cost, found) {
                return Err(MismatchError::Cost { test: test.clone(), claimed: *cost, found });
            }
        }
        Ok(())
    }

    fn compare_weights(&self, nodes: &[Node], instance: &Instance) -> Result<(), MismatchError> {
        for (node, weight) in self.nodes.iter().zip(node_weights(nodes, instance)) {
            let (claimed, found) = (node.weight(), weight / instance.total_weight());
            let is_near = (claimed - found).abs() <= SHARE_ROUNDING;
            if differ(claimed, found) && !is_near {
                let place = match node {
                    NamedNode::Ask { test, .. } => format!("the question `{test}`"),
                    NamedNode::Leaf { objects, .. } => format!("the leaf of `{}`", objects[0]),
                };
                return Err(MismatchError::Weight { place, claimed, found });
            }
        }
        Ok(())
    }
}

/// Cost of each node's question where it is asked, 0 for leaves: with the set-up if its bundle is not open there, and
/// the mean over the answers there if the cost depends on them.
fn node_costs(nodes: &[Node], instance: &Instance) -> Vec<f64> {
    let Some(pricing) = instance.pricing() else {
        return nodes.iter().map(|node| node.test().map_or(0.0, |test| instance.cost(test))).collect();
    };
    let weights = node_weights(nodes, instance);
    let mut open = vec![OpenBundles::default(); nodes.len()];
    let mut costs = vec![0.0; nodes.len()];
    for (at, node) in nodes.iter().enumerate() {
        let Node::Ask { test, answers } = node else { continue };
        let after = pricing.after(*test, &open[at]);
        let weight = |answer: AnswerId| {
            let child = answers.iter().find(|(own, _)| *own == answer);
            // Without any weight, all answers of the node count alike.
            child.map_or(0.0, |(_, child)| if weights[at] > 0.0 { weights[child.index()] } else { 1.0 })
        };
        costs[at] = instance.cost_here(*test, &open[at], weight);
        answers.iter().for_each(|(_, child)| open[child.index()] = after.clone());
    }
    costs
}

fn leaf_objects(
    instance: &Instance,
    known: &BTreeMap<&str, ObjectId>,
    names: &[String],
) -> Result<Vec<ObjectId>, MismatchError> {
    let mut seen = BTreeSet::new();
    let mut objects = BTreeSet::new();
    for name in names {
        let object =
            known.get(name.as_str()).ok_or_else(|| MismatchError::Object { object: name.clone() })?;
        if !seen.insert(name.as_str()) {
            return Err(MismatchError::Twice { object: name.clone() });
        }
        objects.insert(*object);
    }
    for object in &objects {
        if let Some(twin) = instance.object_names(*object).find(|name| !seen.contains(name)) {
            let named = instance.object_names(*object).find(|name| seen.contains(name)).unwrap_or_default();
            return Err(MismatchError::Twin { object: named.to_owned(), twin: twin.to_owned() });
        }
    }
    if objects.is_empty() { Err(MismatchError::EmptyLeaf) } else { Ok(objects.into_iter().collect()) }
}

fn leaf_groups(instance: &Instance, objects: &[ObjectId], named: &[String]) -> Result<(), MismatchError> {
    let set: BTreeSet<&str> = named.iter().map(String::as_str).collect();
    let names = |object: ObjectId| instance.group_names(instance.group_of(object));
    if instance.has_several() {
        // Several groups may end in one leaf, and it names them all.
        let found: BTreeSet<&str> = objects.iter().flat_map(|object| names(*object)).collect();
        if set == found && set.len() == named.len() {
            return Ok(());
        }
        let of_leaf = instance.object_names(objects[0]).next().unwrap_or_default().to_owned();
        let found = found.into_iter().map(str::to_owned).collect();
        return Err(MismatchError::LeafGroups { object: of_leaf, named: named.to_vec(), found });
    }
    for &object in objects {
        let found = names(object);
        if set != found.iter().copied().collect() || set.len() != named.len() {
            return Err(MismatchError::Groups {
                object: instance.object_names(object).next().unwrap_or_default().to_owned(),
                named: named.to_vec(),
                found: found.into_iter().map(str::to_owned).collect(),
            });
        }
    }
    Ok(())
}
