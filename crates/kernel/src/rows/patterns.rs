//! Every way to split a few objects, as if each were a test.

use super::node::NodeRows;
use super::pack::NodeView;
use crate::count::columns_by_pattern;
use crate::lane::{LANE_BITS, Lane, ZEROS};

/// As many objects as are told apart in few enough ways to look at each.
const FEW: usize = 7;

/// All ways to part seven objects, as if each were a test: who is in test number `i` if the bits of `i` say.
const ALL_PATTERNS: [Lane; FEW] = [
    Lane([0xaaaa_aaaa_aaaa_aaaa; 4]),
    Lane([0xcccc_cccc_cccc_cccc; 4]),
    Lane([0xf0f0_f0f0_f0f0_f0f0; 4]),
    Lane([0xff00_ff00_ff00_ff00; 4]),
    Lane([0xffff_0000_ffff_0000; 4]),
    Lane([0xffff_ffff_0000_0000; 4]),
    Lane([0, u64::MAX, 0, u64::MAX]),
];

/// Every way to part a few objects, and the packed tests that part them so.
///
/// Way `i` gives the second answer to those whose bits are set in `i`.
#[derive(Debug, Default)]
pub struct SplitPatterns {
    /// How many ways there are.
    count: usize,
    /// For 256 tests after the other: those of each way.
    tests: Vec<Lane>,
}

impl SplitPatterns {
    /// The first packed test that parts the objects so.
    pub fn first(&self, way: usize) -> Option<usize> {
        self.tests.chunks_exact(self.count).enumerate().find_map(|(lane, tests)| {
            let word = tests[way].iter().position(|word| *word != 0)?;
            Some(lane * LANE_BITS + word * 64 + tests[way][word].trailing_zeros() as usize)
        })
    }
}

impl NodeRows<'_> {
    /// For a few objects, every way to part them as if it were a test; nothing for more than `most` or seven.
    pub fn ways(&self, most: usize, ways: &mut SplitPatterns) -> Option<NodeView<'_>> {
        if self.len() > FEW.min(most) {
            return None;
        }
        ways.count = 1 << self.len();
        ways.tests.resize(self.stride << self.len(), ZEROS);
        columns_by_pattern(self.rows, self.stride, &mut ways.tests);
        Some(NodeView { stride: 1, rows: &ALL_PATTERNS[..self.len()], ..self.rows() })
    }
}
