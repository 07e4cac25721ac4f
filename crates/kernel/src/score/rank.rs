//! Best of many scores, for any processor.

/// Index of the first score that is not below `least` even with `more` added to it; NaN is not below.
#[inline(always)]
pub(crate) fn first_not_below(scores: &[f64], more: f64, least: f64) -> Option<usize> {
    // In blocks, without a branch for each score.
    let mut start = 0;
    for some in scores.chunks(16) {
        let mut below = 0;
        for score in some {
            below += u64::from(score + more < least);
        }
        if (below as usize) < some.len() {
            let first = some.iter().take_while(|score| **score + more < least).count();
            return Some(start + first);
        }
        start += some.len();
    }
    None
}

/// Sets the score of every test that splits nothing (none or all of `count` objects give its second answer) to -1.
/// Returns the largest score, and whether all scores are numbers.
#[inline(always)]
pub(crate) fn mask_and_max(scores: &mut [f64], seconds: &[u32], count: u32) -> (f64, bool) {
    for (score, second) in scores.iter_mut().zip(seconds) {
        *score = if second.wrapping_sub(1) < count - 1 { *score } else { -1.0 };
    }
    // Eight partial maxima, and then the maximum of these.
    let (mut tops, mut gaps) = ([-1.0f64; 8], [0.0f64; 8]);
    let (eights, rest) = scores.as_chunks::<8>();
    for scores in eights {
        for at in 0..8 {
            tops[at] = if scores[at] > tops[at] { scores[at] } else { tops[at] };
            // NaN as soon as one score is not finite.
            gaps[at] += scores[at] * 0.0;
        }
    }
    for score in rest {
        tops[0] = if *score > tops[0] { *score } else { tops[0] };
        gaps[0] += *score * 0.0;
    }
    let top = tops.into_iter().fold(-1.0, f64::max);
    (top, gaps.into_iter().all(|gap| !gap.is_nan()))
}
