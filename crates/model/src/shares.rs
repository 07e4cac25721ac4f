//! Objects still possible if objects may give several answers: each with the part of its weight that reaches the
//! node.

use crate::{AnswerId, Candidates, Instance, ObjectId, Run, TestId};

/// The objects still possible at a node, each with `w_i = p_i Π_j [v_j ∈ A(i,j)] / |A(i,j)|` over the tests asked.
///
/// Counterpart of [`Candidates`], which serve if every object has one answer. The order is by group and then by row,
/// and every split keeps it.
#[derive(Clone, Debug, PartialEq)]
pub struct Shares {
    objects: Vec<ObjectId>,
    weights: Vec<f64>,
    runs: Vec<Run>,
    weight: f64,
}

impl Shares {
    /// Returns all objects of `instance`, each with its whole weight.
    pub fn all(instance: &Instance) -> Self {
        let objects = Candidates::all(instance).objects().to_vec();
        let weights = objects.iter().map(|object| instance.weight(*object)).collect();
        Self::of_sorted(instance, objects, weights)
    }

    /// Returns the shares of the objects of which `keep` is true.
    #[must_use]
    pub fn keep(self, instance: &Instance, keep: impl Fn(ObjectId) -> bool) -> Self {
        let pairs = self.objects.into_iter().zip(self.weights).filter(|(object, _)| keep(*object));
        let (objects, weights) = pairs.unzip();
        Self::of_sorted(instance, objects, weights)
    }

    fn of_sorted(instance: &Instance, objects: Vec<ObjectId>, weights: Vec<f64>) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        for ((at, &object), &weight) in (0u32..).zip(&objects).zip(&weights) {
            let group = instance.group_of(object);
            match runs.last_mut().filter(|run| run.group == group) {
                Some(run) => {
                    run.range.end = at + 1;
                    run.weight += weight;
                }
                None => runs.push(Run { group, range: at..at + 1, weight }),
            }
        }
        let weight = runs.iter().map(|run| run.weight).sum();
        Self { objects, weights, runs, weight }
    }

    /// Objects, by group and then by row.
    pub fn objects(&self) -> &[ObjectId] {
        &self.objects
    }

    /// Weight of each object at this node, in units.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Groups that are still possible, each with its range of the objects.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Sum of the weights, in units.
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// Whether all objects belong to one group.
    pub fn is_pure(&self) -> bool {
        self.runs.len() <= 1
    }

    /// Splits the shares by answer to `test`: one part for each possible answer, in order of answers.
    pub fn split(&self, instance: &Instance, test: TestId) -> Vec<(AnswerId, Self)> {
        let test = instance.test(test);
        let mut parts: Vec<(Vec<ObjectId>, Vec<f64>)> = vec![Default::default(); test.arity()];
        for (&object, &weight) in self.objects.iter().zip(&self.weights) {
            let possible = test.possible(object);
            for answer in possible.iter() {
                let (objects, weights) = &mut parts[answer.index()];
                objects.push(object);
                weights.push(weight / possible.len() as f64);
            }
        }
        let given = (0..).map(AnswerId).zip(parts).filter(|(_, (objects, _))| !objects.is_empty());
        given
            .map(|(answer, (objects, weights))| (answer, Self::of_sorted(instance, objects, weights)))
            .collect()
    }
}
