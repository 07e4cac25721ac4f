//! Largest numbers of words and classes.

/// Most different words of a column; one with more is left out, because most words to predict from would be new.
pub const MAX_WORDS: usize = 1000;
/// Most classes that can be learned.
pub const MAX_CLASSES: usize = 1000;
