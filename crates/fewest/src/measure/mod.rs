//! Information measures: pure functions of weights that know no instance.

mod arithmetic;
mod chi_squared;
mod code;
mod divergence;
mod entropy;
mod exact_test;
mod huffman;
mod joint;
mod mutual_information;
mod renyi;

pub use arithmetic::ArithmeticCode;
pub use chi_squared::{ChiSquared, chi_squared};
pub use code::{arithmetic_digits, canonical_words, fano_lengths, kraft_sum, shannon_lengths};
pub use divergence::divergence_bits;
pub use entropy::entropy_bits;
pub use exact_test::{fisher_exact, has_small_counts, permutation_p_value};
pub use huffman::{exponential_huffman_lengths, huffman_lengths, least_depth, mean_length};
pub use joint::Joint;
pub use mutual_information::mutual_information_bits;
pub use renyi::{Order, renyi_bits};
