//! The best score agrees with the portable code and with the definition.

use super::*;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn scores_are_ranked(scores in prop::collection::vec((0.0f64..9.0, 0u32..5), 0..30), gap: Option<prop::sample::Index>) {
        let (mut numbers, seconds): (Vec<f64>, Vec<u32>) = scores.iter().copied().unzip();
        if let Some(gap) = gap.filter(|_| !numbers.is_empty()) {
            numbers[gap.index(scores.len())] = f64::NAN;
        }
        let slow: Vec<f64> = numbers.iter().zip(&seconds).map(|(score, second)| if (1..4).contains(second) { *score } else { -1.0 }).collect();
        // The counts may be padded.
        let padded: Vec<u32> = seconds.iter().copied().chain([2; 7]).collect();
        let (mut fast, mut plain) = (numbers.clone(), numbers);
        let found = mask_and_max(&mut fast, &padded, 4);
        prop_assert_eq!(found, rank::mask_and_max(&mut plain, &padded, 4));
        prop_assert_eq!(found, (slow.iter().copied().fold(-1.0, f64::max), slow.iter().all(|score| !score.is_nan())));
        let bits = |scores: &[f64]| scores.iter().map(|score| score.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!((bits(&fast), bits(&plain)), (bits(&slow), bits(&slow)));
    }

    #[test]
    fn the_first_score_is_found(scores in prop::collection::vec(prop_oneof![0.0f64..9.0, Just(f64::NAN)], 0..50), more in 0.0f64..1.0, least in 0.0f64..15.0) {
        let found = first_not_below(&scores, more, least);
        prop_assert_eq!(found, rank::first_not_below(&scores, more, least));
        let is_below = |score: &f64| score + more < least;
        prop_assert_eq!(found, scores.iter().position(|score| !is_below(score)));
    }
}
