//! Trees in JSON, nested as people expect them, written and read without deep recursion.

use super::Number;
use crate::{NamedNode, NamedTree};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use std::fmt::{Formatter, Result as Formatted};
use std::io::{Result, Write};

/// Deepest tree that is read, in questions: no session asks more in a row, and a deeper file would exhaust the
/// memory.
const DEEPEST: usize = 100_000;

/// Writes `tree` without recursion, from a stack of the steps still to do.
pub(super) fn write(out: &mut impl Write, tree: &NamedTree) -> Result<()> {
    enum Step<'a> {
        Node(usize),
        Branch { answer: &'a str, first: bool },
        Close,
    }
    let mut waiting = vec![Step::Node(0)];
    while let Some(step) = waiting.pop() {
        match step {
            Step::Close => out.write_all(b"}}")?,
            Step::Branch { answer, first } => {
                out.write_all(if first { b"" } else { b"," })?;
                serde_json::to_writer(&mut *out, answer)?;
                out.write_all(b":")?;
            }
            Step::Node(at) => match &tree.nodes[at] {
                NamedNode::Leaf { groups, objects, weight } => {
                    serde_json::to_writer(&mut *out, &Leaf { groups, objects, weight: Number(*weight) })?;
                }
                NamedNode::Ask { test, question, cost, weight, answers } => {
                    let head = Head {
                        ask: test,
                        question: question.as_deref(),
                        cost: Number(*cost),
                        weight: Number(*weight),
                    };
                    let head = serde_json::to_string(&head)?;
                    write!(out, "{},\"answers\":{{", head.trim_end_matches('}'))?;
                    waiting.push(Step::Close);
                    for (number, (answer, child)) in answers.iter().enumerate().rev() {
                        waiting.push(Step::Node(*child));
                        waiting.push(Step::Branch { answer, first: number == 0 });
                    }
                }
            },
        }
    }
    Ok(())
}

#[derive(serde::Serialize)]
struct Head<'a> {
    ask: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<&'a str>,
    cost: Number,
    weight: Number,
}

#[derive(serde::Serialize)]
struct Leaf<'a> {
    groups: &'a [String],
    objects: &'a [String],
    weight: Number,
}

impl<'de> Deserialize<'de> for NamedTree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let mut nodes = Vec::new();
        let root = NodeSeed { nodes: &mut nodes, depth: 0 }.deserialize(deserializer)?;
        Ok(parents_first(nodes, root))
    }
}

/// Reads one node into the list, after its children, and returns its index.
struct NodeSeed<'a> {
    nodes: &'a mut Vec<NamedNode>,
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for NodeSeed<'_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> std::result::Result<usize, D::Error> {
        if self.depth > DEEPEST {
            return Err(D::Error::custom(format!("the tree is more than {DEEPEST} questions deep")));
        }
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for NodeSeed<'_> {
    type Value = usize;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> Formatted {
        formatter.write_str("a node: {\"ask\", \"answers\", …} or {\"groups\", \"objects\", …}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<usize, A::Error> {
        let (mut test, mut question, mut cost, mut weight) = (None, None, None, None);
        let (mut answers, mut groups, mut objects) = (None, None, None);
        let mut seen = Vec::with_capacity(7);
        while let Some(key) = map.next_key::<String>()? {
            // A repeated field is refused: which of the two is meant would be unclear.
            if seen.contains(&key) {
                return Err(A::Error::custom(format!("a node has `{}` twice", key.escape_debug())));
            }
            match key.as_str() {
                "ask" => test = Some(map.next_value::<String>()?),
                "question" => question = Some(map.next_value::<String>()?),
                "cost" => cost = Some(map.next_value::<Number>()?.0),
                "weight" => weight = Some(map.next_value::<Number>()?.0),
                "groups" => groups = Some(map.next_value::<Vec<String>>()?),
                "objects" => objects = Some(map.next_value::<Vec<String>>()?),
                "answers" => {
                    answers =
                        Some(map.next_value_seed(AnswersSeed { nodes: self.nodes, depth: self.depth + 1 })?);
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            }
            seen.push(key);
        }
        let missing = A::Error::missing_field;
        let weight = weight.ok_or_else(|| missing("weight"))?;
        let node = match (test, objects) {
            (Some(test), None) => {
                let answers = answers.ok_or_else(|| missing("answers"))?;
                NamedNode::Ask { test, question, cost: cost.ok_or_else(|| missing("cost"))?, weight, answers }
            }
            (None, Some(objects)) => {
                NamedNode::Leaf { groups: groups.ok_or_else(|| missing("groups"))?, objects, weight }
            }
            _ => return Err(A::Error::custom("a node has either \"ask\" or \"objects\"")),
        };
        self.nodes.push(node);
        Ok(self.nodes.len() - 1)
    }
}

/// Reads the branches of a node.
struct AnswersSeed<'a> {
    nodes: &'a mut Vec<NamedNode>,
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for AnswersSeed<'_> {
    type Value = Vec<(String, usize)>;

    fn deserialize<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> std::result::Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for AnswersSeed<'_> {
    type Value = Vec<(String, usize)>;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> Formatted {
        formatter.write_str("an object with a node for each answer")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Self::Value, A::Error> {
        let mut answers = Vec::new();
        while let Some(answer) = map.next_key::<String>()? {
            let child = map.next_value_seed(NodeSeed { nodes: &mut *self.nodes, depth: self.depth })?;
            answers.push((answer, child));
        }
        Ok(answers)
    }
}

/// Reorders the nodes: the root first, and each child after its parent.
fn parents_first(mut nodes: Vec<NamedNode>, root: usize) -> NamedTree {
    let mut order = vec![root];
    let mut at = 0;
    while at < order.len() {
        let first = order.len();
        order.extend(nodes[order[at]].children());
        if let NamedNode::Ask { answers, .. } = &mut nodes[order[at]] {
            answers.iter_mut().zip(first..).for_each(|((_, child), place)| *child = place);
        }
        at += 1;
    }
    let mut nodes: Vec<Option<NamedNode>> = nodes.into_iter().map(Some).collect();
    let nodes =
        order.into_iter().map(|place| nodes[place].take().expect("each node has one parent")).collect();
    NamedTree { nodes }
}
