//! Arithmetic coding: a message as one number in an interval that every symbol narrows by its share.
//!
//! After [WittenNealCleary1987], with 48-bit bounds where the paper has 16: the loss against the ideal code length is
//! below a bit and a half for a whole message, so that the rate reaches the entropy as the message grows.

/// Bits of the interval's bounds.
const BITS: u32 = 48;
const TOP: u64 = 1 << BITS;
const HALF: u64 = TOP / 2;
const QUARTER: u64 = TOP / 4;
/// Number of parts in which shares are counted.
const PARTS: u64 = 1 << 32;

/// Code for messages of symbols with given weights.
#[derive(Clone, Debug, PartialEq)]
pub struct ArithmeticCode {
    /// Start of each symbol's share in `0..PARTS`, and the end of the last.
    starts: Vec<u64>,
}

impl ArithmeticCode {
    /// Makes the code for these weights; symbols of weight 0 cannot be coded. `None` without a positive weight.
    ///
    /// ```
    /// use fewest::measure::ArithmeticCode;
    /// let code = ArithmeticCode::new(&[0.45, 0.25, 0.2, 0.1]).unwrap();
    /// let bits = code.encode(&[0, 1, 2, 3, 0]).unwrap();
    /// assert_eq!(code.decode(&bits, 5), [0, 1, 2, 3, 0]);
    /// assert!(bits.len() <= 12); // 10 suffice when the end is known
    /// ```
    pub fn new(weights: &[f64]) -> Option<Self> {
        let total: f64 = fewest_model::compensated_sum(weights.iter().copied());
        if !(total > 0.0 && total.is_finite()) || weights.len() as u64 > PARTS / 4 {
            return None;
        }
        // Every symbol that occurs gets at least one part, the rest goes by weight; the last symbol takes what is
        // left.
        let used = weights.iter().filter(|weight| **weight > 0.0).count() as u64;
        let free = (PARTS - used) as f64;
        let (mut starts, mut sum, mut before) = (Vec::with_capacity(weights.len() + 1), 0.0, 0);
        for weight in weights {
            starts.push(before + (free * (sum / total).min(1.0)) as u64);
            sum += weight;
            before += u64::from(*weight > 0.0);
        }
        starts.push(PARTS);
        // The rounding residue above the last symbol that occurs belongs to it.
        let last = weights.iter().rposition(|weight| *weight > 0.0)?;
        starts[last + 1..].fill(PARTS);
        Some(Self { starts })
    }

    /// Encodes a message; `None` if it holds a symbol that cannot be coded.
    pub fn encode(&self, message: &[usize]) -> Option<Vec<bool>> {
        let (mut low, mut high) = (0, TOP - 1);
        let (mut bits, mut pending) = (Vec::new(), 0u64);
        let mut put = |bit: bool, pending: &mut u64| {
            bits.push(bit);
            (0..std::mem::take(pending)).for_each(|_| bits.push(!bit));
        };
        for &symbol in message {
            (low, high) = self.narrow(low, high, symbol)?;
            loop {
                if high < HALF {
                    put(false, &mut pending);
                } else if low >= HALF {
                    put(true, &mut pending);
                    (low, high) = (low - HALF, high - HALF);
                } else if low >= QUARTER && high < HALF + QUARTER {
                    pending += 1;
                    (low, high) = (low - QUARTER, high - QUARTER);
                } else {
                    break;
                }
                (low, high) = (low * 2, high * 2 + 1);
            }
        }
        // Two more bits name a quarter inside the interval; an empty message needs none.
        if !message.is_empty() {
            pending += 1;
            put(low >= QUARTER, &mut pending);
        }
        Some(bits)
    }

    /// Decodes the message of `len` symbols that `bits` stand for.
    pub fn decode(&self, bits: &[bool], len: usize) -> Vec<usize> {
        let mut next = bits.iter().copied().chain(std::iter::repeat(false));
        let mut bit = || u64::from(next.next().unwrap_or(false));
        let mut value = (0..BITS).fold(0, |value, _| value * 2 + bit());
        let (mut low, mut high) = (0, TOP - 1);
        let mut message = Vec::with_capacity(len);
        for _ in 0..len {
            let range = u128::from(high - low + 1);
            let part = ((u128::from(value - low + 1) * u128::from(PARTS) - 1) / range) as u64;
            let symbol = self.starts.partition_point(|start| *start <= part) - 1;
            message.push(symbol);
            let Some(narrowed) = self.narrow(low, high, symbol) else { break };
            (low, high) = narrowed;
            loop {
                let shift = match () {
                    () if high < HALF => 0,
                    () if low >= HALF => HALF,
                    () if low >= QUARTER && high < HALF + QUARTER => QUARTER,
                    () => break,
                };
                (low, high, value) = ((low - shift) * 2, (high - shift) * 2 + 1, (value - shift) * 2 + bit());
            }
        }
        message
    }

    /// Part of the interval that belongs to `symbol`.
    fn narrow(&self, low: u64, high: u64, symbol: usize) -> Option<(u64, u64)> {
        let (start, end) = (*self.starts.get(symbol)?, *self.starts.get(symbol + 1)?);
        if start == end {
            return None;
        }
        let range = u128::from(high - low + 1);
        let place = |part: u64| low + (range * u128::from(part) / u128::from(PARTS)) as u64;
        Some((place(start), place(end) - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::entropy_bits;
    use crate::random::{RandomStream, Stream};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded_at_the_price_of_its_information(
            weights in prop::collection::vec(prop_oneof![Just(0u32), 1..5u32, 1..100_000u32], 1..12),
            picks in prop::collection::vec(any::<u16>(), 0..200),
        ) {
            let weights: Vec<f64> = weights.into_iter().map(f64::from).collect();
            let used: Vec<usize> = (0..weights.len()).filter(|at| weights[*at] > 0.0).collect();
            prop_assume!(!used.is_empty());
            let message: Vec<usize> = picks.iter().map(|pick| used[usize::from(*pick) % used.len()]).collect();
            let code = ArithmeticCode::new(&weights).unwrap();
            let bits = code.encode(&message).unwrap();
            prop_assert_eq!(code.decode(&bits, message.len()), message.clone());
            let total: f64 = weights.iter().sum();
            let ideal: f64 = message.iter().map(|symbol| -(weights[*symbol] / total).log2()).sum();
            prop_assert!((bits.len() as f64) < ideal + 2.001, "{} {ideal}", bits.len());
        }
    }

    #[test]
    fn what_never_occurs_has_no_code() {
        let code = ArithmeticCode::new(&[1.0, 0.0, 2.0]).unwrap();
        assert_eq!(code.encode(&[0, 1]), None);
        assert_eq!(code.encode(&[3]), None);
        assert_eq!(code.encode(&[]), Some(Vec::new()));
        assert_eq!((ArithmeticCode::new(&[]), ArithmeticCode::new(&[0.0])), (None, None));
    }

    #[test]
    fn the_rate_reaches_the_entropy() {
        let weights = [0.45, 0.25, 0.2, 0.1];
        let entropy = entropy_bits(weights.into_iter(), 1.0);
        let code = ArithmeticCode::new(&weights).unwrap();
        let mut dice = RandomStream::new(7, Stream::Messages);
        let message: Vec<usize> = (0..200_000).map(|_| draw(&weights, dice.unit())).collect();
        let rate = code.encode(&message).unwrap().len() as f64 / message.len() as f64;
        // Ten standard deviations of −log₂ p over all draws.
        assert!((rate - entropy).abs() < 0.02, "{rate} {entropy}");
    }

    fn draw(weights: &[f64], mut point: f64) -> usize {
        weights
            .iter()
            .position(|weight| {
                point -= weight;
                point < 0.0
            })
            .unwrap_or(weights.len() - 1)
    }
}
