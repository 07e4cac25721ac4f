//! NodeSums over the cells of all yes/no tests of a node, from which criteria are estimated.

#[cfg(all(target_arch = "x86_64", not(feature = "scalar")))]
mod prefilter_avx2;
mod rank;
mod sums;
mod terms;
#[cfg(test)]
mod tests;

pub use sums::NodeSums;
pub use terms::{SumsNeeded, Term, TermTables};

use crate::dispatch::simd;
use crate::rows::NodeView;
#[cfg(all(target_arch = "x86_64", not(feature = "scalar")))]
use multiversion::target::match_target;
#[cfg(all(target_arch = "x86_64", not(feature = "scalar")))]
use prefilter_avx2::PrefilterTables;

/// Tests that may be the best, and room to find them.
#[derive(Debug, Default)]
pub(crate) struct Prefilter {
    /// Their columns, in order.
    pub(crate) left: Vec<u32>,
    #[cfg(all(target_arch = "x86_64", not(feature = "scalar")))]
    tables: PrefilterTables,
}

simd! {
    /// Leaves the tests that may say most about the group, and gives whether it did; see `sieve.rs`. Processors that have no step for it do not.
    pub(crate) fn prefilter(node: &NodeView<'_>, information: &[f64], found: &mut Prefilter) -> bool {
        #[cfg(all(target_arch = "x86_64", not(feature = "scalar")))]
        if let Some(done) = match_target! {
            "x86_64+avx2" => Some(prefilter_avx2::prefilter(node, information, &mut found.tables, &mut found.left)),
            _ => None,
        } {
            return done;
        }
        let _ = (node, information, found);
        false
    }
}

simd! {
    /// Sets the score of every test that splits nothing, because none or all of `count` objects give its second answer, to -1.
    /// Gives the largest score, and whether all are numbers.
    pub fn mask_and_max(scores: &mut [f64], seconds: &[u32], count: u32) -> (f64, bool) {
        rank::mask_and_max(scores, seconds, count)
    }
}

simd! {
    /// The first score that is not below `least` even with `more` added to it: NaN is not.
    pub fn first_not_below(scores: &[f64], more: f64, least: f64) -> Option<usize> {
        rank::first_not_below(scores, more, least)
    }
}
