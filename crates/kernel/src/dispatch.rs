//! Choice between instruction sets.

/// Compiles a function twice: for any processor, and for x86-64 processors with 256-bit registers (AVX2). The better
/// one is chosen at run time. Both add the same numbers in the same order, so results do not depend on the processor.
///
/// With the feature `scalar` there is only the first version, for tests.
macro_rules! simd {
    ($(#[$attribute:meta])* $visibility:vis fn $name:ident $($rest:tt)*) => {
        $(#[$attribute])*
        #[cfg_attr(
            not(feature = "scalar"),
            multiversion::multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))
        )]
        $visibility fn $name $($rest)*
    };
}

pub(crate) use simd;
