//! Second claim: every object is led to a leaf by its answers, through questions that each tell something.
//!
//! If an object counts as identified only after the test with its name was asked, asking that test of the object
//! alone is the one question that need not tell anything, and no leaf comes before it.

use crate::CheckError;
use crate::applies;
use crate::bill::Bill;
use crate::names::{answer_text, group_name, object_name, test_name};
use fewest_model::{AnswerId, Instance, Node, NodeId, ObjectId, TestId, Tree};

/// Path of every object: its leaf, and the questions before it; all lists are by object.
pub(crate) struct Walk {
    /// Leaf that the object reached.
    pub(crate) leaf: Vec<NodeId>,
    /// Sum of the costs of the tests it was asked, in cost units.
    pub(crate) spent: Vec<f64>,
    /// Number of tests that the object was asked.
    pub(crate) asked: Vec<usize>,
    /// Whether the object was asked the test that confirms it.
    pub(crate) confirmed: Vec<bool>,
}

impl Walk {
    /// Leads all objects from the root to their leaves, each by its own answers.
    ///
    /// The objects of a node move on together. A question that tells nothing ends the walk, so no object is asked a
    /// test twice. (The test that confirms an object leaves it alone; after that no other test is asked, and a
    /// confirmation only once.) So the whole walk looks at no more cells than the table has, however deep the tree
    /// is.
    pub(crate) fn through(instance: &Instance, tree: &Tree) -> Result<Self, CheckError> {
        let count = instance.object_count();
        let mut walk = Self {
            leaf: vec![tree.root(); count],
            spent: vec![0.0; count],
            asked: vec![0; count],
            confirmed: vec![false; count],
        };
        let mut at_node: Vec<Vec<ObjectId>> = vec![Vec::new(); tree.nodes().len()];
        let mut bill = Bill::new(instance);
        at_node[tree.root().index()] = instance.objects().collect();
        // Children come after their parents, so all objects of a node have arrived when it is visited.
        for (at, node) in tree.nodes().iter().enumerate() {
            let objects = std::mem::take(&mut at_node[at]);
            match node {
                Node::Leaf { .. } => walk.end(&objects, NodeId::at(at)),
                Node::Ask { test, answers } => {
                    let question = Question { instance, test: *test, objects: &objects };
                    applies::to_all(instance, *test, objects.iter().copied(), &[])?;
                    if !question.confirms(&walk.confirmed) {
                        question.tells_something()?;
                        question.is_needed()?;
                    }
                    question.lead_on(answers, &mut at_node)?;
                    walk.pay(&objects, *test, &mut bill);
                    walk.confirm(instance, &objects, *test);
                }
            }
        }
        Ok(walk)
    }

    fn end(&mut self, objects: &[ObjectId], leaf: NodeId) {
        objects.iter().for_each(|object| self.leaf[object.index()] = leaf);
    }

    /// Adds the cost of a test to each object's sum. Units of exact costs are whole numbers with a sum below 2^53, so
    /// this is exact.
    fn pay(&mut self, objects: &[ObjectId], test: TestId, bill: &mut Bill<'_>) {
        let plain = bill.plain(test);
        for object in objects {
            self.spent[object.index()] += plain.unwrap_or_else(|| bill.charge(*object, test));
            self.asked[object.index()] += 1;
        }
    }

    /// Marks the object that `test` confirms, if it is here: only one object bears the name of `test`.
    fn confirm(&mut self, instance: &Instance, objects: &[ObjectId], test: TestId) {
        for object in objects.iter().filter(|object| instance.confirming(**object) == Some(test)) {
            self.confirmed[object.index()] = true;
        }
    }
}

/// Test and the objects that are asked it at one node: at least one, because children without objects are refused.
struct Question<'a> {
    instance: &'a Instance,
    test: TestId,
    objects: &'a [ObjectId],
}

impl Question<'_> {
    fn answer(&self, object: ObjectId) -> AnswerId {
        self.instance.answer(object, self.test)
    }

    /// Whether a single object is asked the test that confirms it for the first time.
    fn confirms(&self, confirmed: &[bool]) -> bool {
        let [object] = self.objects else { return false };
        self.instance.confirming(*object) == Some(self.test) && !confirmed[object.index()]
    }

    /// Verifies that at least two answers occur.
    fn tells_something(&self) -> Result<(), CheckError> {
        let answer = self.answer(self.objects[0]);
        if self.objects.iter().any(|object| self.answer(*object) != answer) {
            return Ok(());
        }
        let (test, answer) = self.names(answer);
        Err(CheckError::UselessQuestion { test, answer })
    }

    /// Verifies that at least two groups occur.
    fn is_needed(&self) -> Result<(), CheckError> {
        let group = self.instance.group_of(self.objects[0]);
        if self.objects.iter().any(|object| self.instance.group_of(*object) != group) {
            return Ok(());
        }
        let group = group_name(self.instance, self.objects[0]);
        Err(CheckError::NeedlessQuestion { test: test_name(self.instance, self.test), group })
    }

    /// Moves every object to the child for its answer; verifies that each answer has a child and each child an
    /// object.
    fn lead_on(
        &self,
        answers: &[(AnswerId, NodeId)],
        at_node: &mut [Vec<ObjectId>],
    ) -> Result<(), CheckError> {
        let children = self.children_by_answer(answers)?;
        for &object in self.objects {
            let answer = self.answer(object);
            match children.binary_search_by_key(&answer, |(answer, _)| *answer) {
                Ok(found) => at_node[children[found].1.index()].push(object),
                Err(_) => return Err(self.missing_child(object)),
            }
        }
        match children.iter().find(|(_, child)| at_node[child.index()].is_empty()) {
            None => Ok(()),
            Some((answer, _)) => {
                let (test, answer) = self.names(*answer);
                Err(CheckError::UnreachedChild { test, answer })
            }
        }
    }

    /// Children sorted by answer, because a test may have as many answers as there are objects.
    fn children_by_answer(
        &self,
        answers: &[(AnswerId, NodeId)],
    ) -> Result<Vec<(AnswerId, NodeId)>, CheckError> {
        let mut children = answers.to_vec();
        children.sort_unstable();
        match children.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            None => Ok(children),
            Some(pair) => {
                let (test, answer) = self.names(pair[0].0);
                Err(CheckError::TwoChildren { test, answer })
            }
        }
    }

    fn missing_child(&self, object: ObjectId) -> CheckError {
        let (test, answer) = self.names(self.answer(object));
        CheckError::MissingChild { object: object_name(self.instance, object), test, answer }
    }

    fn names(&self, answer: AnswerId) -> (String, String) {
        (test_name(self.instance, self.test), answer_text(self.instance, self.test, answer))
    }
}
