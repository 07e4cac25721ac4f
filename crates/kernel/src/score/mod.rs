//! Sums over the cells of all yes/no tests of a node, from which criteria are estimated.

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

/// Tests that may be the best, with scratch space for finding them.
#[derive(Debug, Default)]
pub(crate) struct Prefilter {
    /// Columns of these tests, in order.
    pub(crate) left: Vec<u32>,
    #[cfg(all(target_arch = "x86_64", not(feature = "scalar")))]
    tables: PrefilterTables,
}

simd! {
    /// Finds the tests that may have the largest gain, see `prefilter_avx2.rs`. Returns false if it did not: without
    /// AVX2, or if it does not pay.
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
    /// Sets the score of every test that splits nothing to -1: none or all of `count` objects give its second answer.
    /// Returns the largest score, and whether all scores are numbers.
    pub fn mask_and_max(scores: &mut [f64], seconds: &[u32], count: u32) -> (f64, bool) {
        rank::mask_and_max(scores, seconds, count)
    }
}

simd! {
    /// Index of the first score that is not below `least` even with `more` added to it; NaN is not below.
    pub fn first_not_below(scores: &[f64], more: f64, least: f64) -> Option<usize> {
        rank::first_not_below(scores, more, least)
    }
}
