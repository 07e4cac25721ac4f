//! Logarithms and powers of many numbers at once.

mod portable;
#[cfg(test)]
mod tests;

pub(crate) use portable::{WHOLE, information};

use crate::dispatch::simd;

simd! {
    /// Adds `x log₂ x` of every part `x` and of its complement `whole − x`.
    pub(crate) fn add_information(parts: &[f64], whole: f64, sums: &mut [f64]) {
        portable::add_information(parts, whole, sums);
    }
}

simd! {
    /// Replaces every number above 0 by its `log₂`, right to about fifteen digits: good for estimates.
    pub fn log2_each(numbers: &mut [f64]) {
        portable::log2_each(numbers);
    }
}

simd! {
    /// Adds a power of every number, 0 for negative ones, right to about thirteen digits: good for estimates.
    pub fn add_powers(numbers: &[f64], exponent: f64, sums: &mut [f64]) {
        portable::add_powers(numbers.iter().copied(), exponent, sums);
    }
}

simd! {
    /// Adds a power of the complement `whole − x` of every part `x`.
    pub fn add_powers_of_rests(whole: f64, parts: &[f64], exponent: f64, sums: &mut [f64]) {
        portable::add_powers(parts.iter().map(|part| whole - part), exponent, sums);
    }
}
