//! Costs paid along the paths of a tree.

use crate::{Instance, Node, OpenBundles, Tree};

impl Tree {
    /// Cost paid before each node, in units of [`Instance::costs`]: the tests on the path to it, and the set-ups of
    /// their bundles.
    pub fn spent(&self, instance: &Instance) -> Vec<f64> {
        match instance.pricing() {
            None => self.down(0.0, |spent, test| spent + instance.costs().units()[test.index()]),
            Some(_) => self.paid(instance).0,
        }
    }

    /// Bundles whose set-up is paid before each node; empty for all if there are no bundles.
    pub fn open_bundles(&self, instance: &Instance) -> Vec<OpenBundles> {
        self.paid(instance).1
    }

    fn paid(&self, instance: &Instance) -> (Vec<f64>, Vec<OpenBundles>) {
        let mut spent = vec![0.0; self.nodes().len()];
        let mut open = vec![OpenBundles::default(); self.nodes().len()];
        let Some(pricing) = instance.pricing() else { return (spent, open) };
        for (at, node) in self.nodes().iter().enumerate() {
            let Node::Ask { test, answers } = node else { continue };
            for (answer, child) in answers {
                spent[child.index()] = spent[at] + pricing.step(*test, *answer, &open[at]);
                open[child.index()] = pricing.after(*test, &open[at]);
            }
        }
        (spent, open)
    }
}
