//! All split patterns of a few objects, scored instead of the tests.

use super::node::NodeRows;
use super::view::NodeView;
use crate::count::columns_by_pattern;
use crate::lane::{LANE_BITS, Lane, ZEROS};

/// Most objects whose 2ⁿ split patterns fit one lane half: scoring 128 patterns is cheaper than scoring the tests.
const MAX_OBJECTS: usize = 7;

/// Rows of all patterns: row `i` holds, for each pattern from 0 to 127, whether object `i` gives the second answer
/// there.
const ALL_PATTERNS: [Lane; MAX_OBJECTS] = [
    Lane([0xaaaa_aaaa_aaaa_aaaa; 4]),
    Lane([0xcccc_cccc_cccc_cccc; 4]),
    Lane([0xf0f0_f0f0_f0f0_f0f0; 4]),
    Lane([0xff00_ff00_ff00_ff00; 4]),
    Lane([0xffff_0000_ffff_0000; 4]),
    Lane([0xffff_ffff_0000_0000; 4]),
    Lane([0, u64::MAX, 0, u64::MAX]),
];

/// Packed tests by split pattern: for every pattern of a few objects, the tests that split them in this way.
///
/// In pattern `i`, the objects whose bits are set in `i` give the second answer.
#[derive(Debug, Default)]
pub struct SplitPatterns {
    /// Number of patterns.
    count: usize,
    /// Tests of each pattern, for each lane of tests.
    tests: Vec<Lane>,
}

impl SplitPatterns {
    /// Returns the first packed test that splits the objects by `pattern`.
    pub fn first(&self, pattern: usize) -> Option<usize> {
        self.tests.chunks_exact(self.count).enumerate().find_map(|(lane, tests)| {
            let word = tests[pattern].iter().position(|word| *word != 0)?;
            Some(lane * LANE_BITS + word * 64 + tests[pattern][word].trailing_zeros() as usize)
        })
    }
}

impl NodeRows<'_> {
    /// Views the split patterns of the objects as if each were a test. Returns `None` for more than `most` or seven
    /// objects.
    pub fn as_patterns(&self, most: usize, patterns: &mut SplitPatterns) -> Option<NodeView<'_>> {
        if self.len() > MAX_OBJECTS.min(most) {
            return None;
        }
        patterns.count = 1 << self.len();
        patterns.tests.resize(self.stride << self.len(), ZEROS);
        columns_by_pattern(self.rows, self.stride, &mut patterns.tests);
        Some(NodeView { stride: 1, rows: &ALL_PATTERNS[..self.len()], ..self.rows() })
    }
}
