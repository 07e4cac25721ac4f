//! Largest numbers of words and classes.

/// A column of words with more than this many is left out: most of them would be met for the first time.
pub const MAX_WORDS: usize = 1000;
/// No more classes than this can be learned.
pub const MAX_CLASSES: usize = 1000;
