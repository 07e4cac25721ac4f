//! Codes of a distribution side by side, and arithmetic coding of random messages.

use fewest::measure::{
    ArithmeticCode, Order, canonical_words, entropy_bits, exponential_huffman_lengths, fano_lengths,
    huffman_lengths, kraft_sum, renyi_bits, shannon_lengths,
};
use fewest::random::{RandomStream, Stream};
use fewest_model::{Lambda, compensated_sum, log_mean_exp};

/// A code word for every symbol.
#[derive(Clone, Debug, PartialEq)]
pub struct Code {
    /// Name of the code.
    pub name: &'static str,
    /// Length of each symbol's word; `None` where it has none.
    pub lengths: Vec<Option<u32>>,
    /// Expected number of letters per symbol.
    pub mean: f64,
    /// Kraft's sum.
    pub kraft: f64,
    /// `log_λ Σ p λ^length`, where a λ is given.
    pub exponential: Option<f64>,
    /// Canonical words, as digits.
    pub words: Vec<Option<Vec<u8>>>,
}

/// Random message, coded by arithmetic coding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sent {
    /// Number of symbols of the message.
    pub symbols: usize,
    /// Number of bits of its code.
    pub bits: usize,
    /// Ideal length `−Σ log₂ p` of the message: no code is shorter on average.
    pub ideal_bits: f64,
    /// Whether decoding returned the message.
    pub is_decoded: bool,
}

/// Entropy of `weights` in bits, and the Rényi entropy of the order that belongs to λ, if one is given.
pub fn entropies(weights: &[f64], lambda: Option<Lambda>) -> (f64, Option<f64>) {
    let total = compensated_sum(weights.iter().copied());
    let renyi = lambda.map(|lambda| renyi_bits(weights.iter().copied(), total, Order::new(lambda, 1.0)));
    (entropy_bits(weights.iter().copied(), total), renyi)
}

/// Huffman's, Shannon's and Fano's code for `weights` with `radix` letters (Fano's for two only), and with λ the code
/// that is best for exponential cost.
///
/// ```
/// let codes = fewest_lab::coding::codes(&[0.45, 0.25, 0.2, 0.1], 2, None);
/// assert_eq!(codes.iter().map(|code| code.name).collect::<Vec<_>>(), ["huffman", "shannon", "fano"]);
/// assert!((codes[0].mean - 1.85).abs() < 1e-12);
/// ```
pub fn codes(weights: &[f64], radix: usize, lambda: Option<Lambda>) -> Vec<Code> {
    let all = |lengths: Vec<u32>| lengths.into_iter().map(Some).collect::<Vec<_>>();
    let code = |name, lengths| code(name, lengths, weights, radix, lambda);
    let mut codes = vec![
        code("huffman", all(huffman_lengths(weights, radix))),
        code("shannon", shannon_lengths(weights, radix)),
    ];
    if radix == 2 {
        codes.push(code("fano", all(fano_lengths(weights))));
    }
    if let Some(lambda) = lambda {
        // In the limit λ → ∞ only the longest word counts, as it does for any λ that is large enough.
        let finite = if lambda.value().is_finite() { lambda } else { Lambda::new(1e300).unwrap_or(lambda) };
        codes
            .push(code("exponential-huffman", all(exponential_huffman_lengths(weights, radix, finite, 1.0))));
    }
    codes
}

fn code(
    name: &'static str,
    lengths: Vec<Option<u32>>,
    weights: &[f64],
    radix: usize,
    lambda: Option<Lambda>,
) -> Code {
    let total = compensated_sum(weights.iter().copied());
    let pairs = || {
        let worded = weights.iter().zip(&lengths).filter_map(|(weight, length)| Some((*weight, (*length)?)));
        worded.map(|(weight, length)| (weight / total, f64::from(length)))
    };
    let exponential = |lambda: Lambda| match lambda.value().is_finite() {
        true => log_mean_exp(lambda, pairs()),
        false => lengths.iter().flatten().copied().max().map_or(0.0, f64::from),
    };
    Code {
        name,
        mean: compensated_sum(pairs().map(|(share, length)| share * length)),
        kraft: kraft_sum(lengths.iter().flatten().copied(), radix),
        exponential: lambda.map(exponential),
        // All lengths above satisfy Kraft's inequality; missing words would be no reason to panic.
        words: canonical_words(&lengths, radix).unwrap_or_else(|| vec![None; lengths.len()]),
        lengths,
    }
}

/// Codes and decodes random messages of 10, 100, … up to `longest` symbols; `None` if nothing can be coded.
pub fn send(weights: &[f64], longest: usize, seed: u64) -> Option<Vec<Sent>> {
    let code = ArithmeticCode::new(weights)?;
    let total = compensated_sum(weights.iter().copied());
    let mut sums = Vec::with_capacity(weights.len());
    let mut sum = 0.0;
    for weight in weights {
        sum += weight / total;
        sums.push(sum);
    }
    let last = weights.iter().rposition(|weight| *weight > 0.0)?;
    let mut dice = RandomStream::new(seed, Stream::Messages);
    let lengths = (1..).map(|power| 10usize.pow(power)).take_while(|length| *length <= longest);
    let send = |symbols: usize| {
        let mut draw = || {
            let point = dice.unit();
            sums.partition_point(|sum| *sum <= point).min(last)
        };
        let message: Vec<usize> = (0..symbols).map(|_| draw()).collect();
        let bits = code.encode(&message)?;
        let ideal_bits = compensated_sum(message.iter().map(|symbol| -(weights[*symbol] / total).log2()));
        let is_decoded = code.decode(&bits, symbols) == message;
        Some(Sent { symbols, bits: bits.len(), ideal_bits, is_decoded })
    };
    lengths.map(send).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_specification_s_codes() {
        // specification section 14, codes.
        let weights = [0.45, 0.25, 0.2, 0.1];
        for (lambda, bits, of_huffman) in [
            (2.0, 1.9035660827, 2.1043366598),
            (10.0, 1.9545565080, 2.5178554189),
            (1e6, 1.9905178690, 2.9128536028),
        ] {
            let lambda = Lambda::new(lambda).unwrap();
            let codes = codes(&weights, 2, Some(lambda));
            let of = |name: &str| codes.iter().find(|code| code.name == name).unwrap().exponential.unwrap();
            assert!((of("huffman") - of_huffman).abs() < 5e-11);
            assert!((of("exponential-huffman") - 2.0).abs() < 1e-12);
            let (shannon, renyi) = entropies(&weights, Some(lambda));
            assert!((shannon - 1.8149798205).abs() < 5e-11 && (renyi.unwrap() - bits).abs() < 5e-11);
        }
        let ternary = codes(&weights, 3, None);
        assert_eq!(ternary.len(), 2);
        assert!((ternary[0].mean - 1.3).abs() < 1e-12 && (ternary[0].kraft - 8.0 / 9.0).abs() < 1e-12);
        let flat = codes(&[0.7, 0.1, 0.1, 0.05, 0.05], 2, Some(Lambda::INFINITY));
        assert_eq!(flat[3].exponential, Some(3.0));
    }

    #[test]
    fn messages_come_back_and_get_cheaper_by_the_symbol() {
        let sent = send(&[0.45, 0.25, 0.2, 0.1, 0.0], 100_000, 1).unwrap();
        assert_eq!(sent.len(), 5);
        assert!(sent.iter().all(|sent| sent.is_decoded && (sent.bits as f64) < sent.ideal_bits + 2.001));
        assert_eq!(send(&[0.0], 10, 1), None);
        assert!(send(&[3.0], 10, 1).unwrap()[0].bits <= 2);
    }
}
