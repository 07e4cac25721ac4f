//! Proofs of bounds in JSON: one claim to a line, sets of objects as hexadecimal numbers.
//!
//! ```text
//! {"table": {"objects": 5},
//!  "bound": {"objective": {"name": "expected"}, "value": 4.6,          "cap": 7 where only trees of worst cost ≤ 7 count
//!   "claims": [["c", 50, "tests"], ["1f", 460, "parts:t3"], ["1f", 470, "peel", 30]]}}
//! ```
//! Where costs depend on the path, a claim has a fifth part, the numbers of the bundles that are paid already (the
//! first bundle of the table is number 0): `["c", 50, "tests", "inf", [0]]`.
//! Claims that rest on `peel` may weigh objects by `"prices": ["ff00c0…", …]`, lists of two hexadecimal digits for
//! each object. A claim is its set, its value, its reason and, if it has one, its budget; values and budgets are in
//! the units of [`Claim`]. Digits of a set begin with the highest object, as in any number: object `i` of the table
//! is bit `i`, so `1f` is the first five objects. Objects are those that algorithms see: rows that no test tells
//! apart are one object.

use super::{Number, ObjectivePart};
use fewest::{Claim, Instance, Lambda, Objective, Proof, Reason, TestId};
use fewest::{Named, ObjectiveKind};
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::fmt::{Formatter, Result as Formatted};
use std::io::Write;
use thiserror::Error;

/// Certificate of a file, as it stands there and not yet checked.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct CertificatePart {
    /// Size of the table that the certificate is about.
    pub table: TableSizePart,
    /// Proof that no strategy costs less than a number.
    #[serde(default)]
    pub bound: Option<ProofPart>,
}

/// Size of a table.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct TableSizePart {
    /// Number of objects as algorithms see them: rows that no test tells apart are one object.
    pub objects: u64,
}

/// Proof in which tests are still names.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ProofPart {
    /// Objective whose cost is bounded.
    pub objective: ObjectivePart,
    /// Limit on the worst cost: the proof is only about strategies within it.
    #[serde(default)]
    pub cap: Option<Number>,
    /// Lower bound: no strategy costs less.
    pub value: Number,
    /// Lists of prices, two hexadecimal digits for each object.
    #[serde(default)]
    pub prices: Vec<PricesPart>,
    /// Claims, in order: each may rest on those before it.
    pub claims: Vec<ClaimPart>,
}

/// Prices of a list, one for each object.
#[derive(Clone, Debug, PartialEq)]
pub struct PricesPart(Vec<u8>);

impl<'de> Deserialize<'de> for PricesPart {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits: Option<Vec<u8>> = text.chars().map(|digit| Some(digit.to_digit(16)? as u8)).collect();
        match digits {
            Some(digits) if digits.len().is_multiple_of(2) => {
                Ok(Self(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect()))
            }
            _ => Err(D::Error::custom(format!(
                "prices are two hexadecimal digits for each object, not `{}`",
                clipped(&text)
            ))),
        }
    }
}

/// Claim in which the test is still a name.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimPart {
    objects: Vec<u64>,
    value: f64,
    reason: ReasonPart,
    budget: f64,
    /// Numbers of the bundles that are open.
    open: Option<Vec<u16>>,
}

#[derive(Clone, Debug, PartialEq)]
enum ReasonPart {
    Tests,
    MajorityPath,
    Parts(String),
}

/// Reason why a certificate does not belong to a table.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum CertificateError {
    /// Another number of objects.
    #[error(
        "the certificate is about {claimed} objects, the table has {found}; is it the table that it was made for?"
    )]
    Objects {
        /// Number of objects in the certificate.
        claimed: u64,
        /// Number of objects in the table.
        found: usize,
    },
    /// An unknown objective, or one with a bad λ.
    #[error(
        "the certificate bounds the cost `{name}`, which is none of expected, worst and exponential with its λ"
    )]
    Objective {
        /// Name of the objective.
        name: String,
    },
    /// A test that the table does not have.
    #[error("claim {claim} of the certificate rests on `{test}`, which is no test of the table")]
    Test {
        /// Number of the claim, from 1.
        claim: usize,
        /// Name of the test.
        test: String,
    },
}

impl CertificatePart {
    /// Converts to a proof with the test numbers of `instance`. Whether it proves its bound is decided by the
    /// checker.
    ///
    /// # Errors
    /// When the certificate is about another table.
    pub fn into_proof(self, instance: &Instance) -> Result<Option<Proof>, CertificateError> {
        let (claimed, found) = (self.table.objects, instance.object_count());
        if claimed != found as u64 {
            return Err(CertificateError::Objects { claimed, found });
        }
        let Some(ProofPart { objective, cap, value, prices, claims }) = self.bound else { return Ok(None) };
        let unknown = || CertificateError::Objective { name: objective.name.clone() };
        let objective = objective.to_objective().ok_or_else(unknown)?;
        let tests: BTreeMap<&str, TestId> =
            instance.test_ids().map(|test| (instance.test(test).name.as_str(), test)).collect();
        let claim = |(number, claim): (usize, ClaimPart)| {
            let reason = match claim.reason {
                ReasonPart::Tests => Reason::EveryTest,
                ReasonPart::MajorityPath => Reason::MajorityPath,
                ReasonPart::Parts(test) => match tests.get(test.as_str()) {
                    Some(test) => Reason::Parts(*test),
                    None => return Err(CertificateError::Test { claim: number, test }),
                },
            };
            // A number has no leading zeros, but a set has a bit for each object. Bits beyond the last object stay,
            // so that the checker refuses them.
            let mut objects = claim.objects;
            let words = found.div_ceil(64);
            while objects.len() > words && objects.last() == Some(&0) {
                objects.pop();
            }
            objects.resize(words.max(objects.len()), 0);
            let open = claim.open.map(|open| open.into_iter().map(|bundle| bundle as usize).collect());
            Ok(Claim { objects, budget: claim.budget, value: claim.value, reason, open })
        };
        let claims = (1..).zip(claims).map(claim).collect::<Result<_, _>>()?;
        let cap = cap.map_or(f64::INFINITY, |cap| cap.0);
        let prices = prices.into_iter().map(|PricesPart(prices)| prices).collect();
        Ok(Some(Proof { objective, cap, value: value.0, prices, claims }))
    }
}

impl ObjectivePart {
    /// Converts to the library's objective; `None` if it is unknown or its λ is bad.
    pub fn to_objective(&self) -> Option<Objective> {
        let lambda = self.lambda.map(|lambda| Lambda::new(lambda.0).ok());
        match (ObjectiveKind::named(&self.name)?, lambda) {
            (ObjectiveKind::Exponential, lambda) => lambda.flatten().map(Objective::Exponential),
            (kind, _) => Some(kind.with(Lambda::TWO)),
        }
    }
}

impl<'de> Deserialize<'de> for ClaimPart {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Claims;
        impl<'de> Visitor<'de> for Claims {
            type Value = ClaimPart;

            fn expecting(&self, formatter: &mut Formatter<'_>) -> Formatted {
                formatter.write_str(
                    "a claim: [\"set\", value, \"tests\", \"peel\" or \"parts:TEST\", budget and open bundles if any]",
                )
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<ClaimPart, A::Error> {
                let set: String = seq.next_element()?.ok_or_else(|| A::Error::invalid_length(0, &self))?;
                let objects = from_hex(&set).ok_or_else(|| {
                    A::Error::custom(format!("a set is a hexadecimal number, not `{}`", clipped(&set)))
                })?;
                let value: Number = seq.next_element()?.ok_or_else(|| A::Error::invalid_length(1, &self))?;
                let reason: String = seq.next_element()?.ok_or_else(|| A::Error::invalid_length(2, &self))?;
                let reason = match (reason.as_str(), reason.strip_prefix("parts:")) {
                    ("tests", _) => ReasonPart::Tests,
                    ("peel", _) => ReasonPart::MajorityPath,
                    (_, Some(test)) => ReasonPart::Parts(test.to_owned()),
                    _ => {
                        let reason = clipped(&reason);
                        return Err(A::Error::custom(format!("no such reason for a claim: `{reason}`")));
                    }
                };
                let budget = seq.next_element::<Number>()?.map_or(f64::INFINITY, |budget| budget.0);
                let open = seq.next_element::<Vec<u16>>()?;
                if seq.next_element::<serde::de::IgnoredAny>()?.is_some() {
                    return Err(A::Error::invalid_length(6, &self));
                }
                Ok(ClaimPart { objects, value: value.0, reason, budget, open })
            }
        }
        deserializer.deserialize_seq(Claims)
    }
}

/// First 40 letters of a text.
fn clipped(text: &str) -> String {
    text.chars().take(40).collect()
}

/// Words of a hexadecimal number, the lowest first.
fn from_hex(text: &str) -> Option<Vec<u64>> {
    if text.is_empty() || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let word = |digits: &[u8]| {
        digits
            .iter()
            .fold(0u64, |word, digit| word << 4 | u64::from((*digit as char).to_digit(16).unwrap_or(0)))
    };
    Some(text.as_bytes().rchunks(16).map(word).collect())
}

/// Hexadecimal number of these words, the lowest first.
fn to_hex(words: &[u64]) -> String {
    let Some(highest) = words.iter().rposition(|word| *word != 0) else { return "0".to_owned() };
    let lower = words[..highest].iter().rev().map(|word| format!("{word:016x}"));
    std::iter::once(format!("{:x}", words[highest])).chain(lower).collect()
}

/// Writes a certificate that holds `proof`.
pub(super) fn write(out: &mut impl Write, instance: &Instance, proof: &Proof) -> std::io::Result<()> {
    write!(out, "{{\"table\": {{\"objects\": {}}}, \"bound\": {{\"objective\": ", instance.object_count())?;
    serde_json::to_writer(&mut *out, &ObjectivePart::from(proof.objective))?;
    if proof.cap < f64::INFINITY {
        out.write_all(b", \"cap\": ")?;
        serde_json::to_writer(&mut *out, &Number(proof.cap))?;
    }
    out.write_all(b", \"value\": ")?;
    serde_json::to_writer(&mut *out, &Number(proof.value))?;
    if !proof.prices.is_empty() {
        let text = |prices: &Vec<u8>| prices.iter().map(|price| format!("{price:02x}")).collect::<String>();
        out.write_all(b", \"prices\": ")?;
        serde_json::to_writer(&mut *out, &proof.prices.iter().map(text).collect::<Vec<String>>())?;
    }
    out.write_all(b", \"claims\": [")?;
    for (at, claim) in proof.claims.iter().enumerate() {
        let name = |test: TestId| format!("parts:{}", instance.test(test).name);
        let reason = match claim.reason {
            Reason::EveryTest => "tests".to_owned(),
            Reason::MajorityPath => "peel".to_owned(),
            Reason::Parts(test) => name(test),
        };
        out.write_all(if at == 0 { b"\n    " } else { b",\n    " })?;
        let (set, value, budget) = (to_hex(&claim.objects), Number(claim.value), Number(claim.budget));
        if let Some(open) = &claim.open {
            let open: Vec<usize> = open.iter().collect();
            serde_json::to_writer(&mut *out, &(set, value, reason, budget, open))?;
        } else if claim.budget == f64::INFINITY {
            serde_json::to_writer(&mut *out, &(set, value, reason))?;
        } else {
            serde_json::to_writer(&mut *out, &(set, value, reason, budget))?;
        }
    }
    out.write_all(b"]}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_numbers_with_the_first_object_in_the_last_digit() {
        for (words, text) in [
            (vec![0b11111], "1f"),
            (vec![1, 1], "10000000000000001"),
            (vec![0, 0x8000_0000_0000_0000], "80000000000000000000000000000000"),
        ] {
            assert_eq!(to_hex(&words), text);
            assert_eq!(from_hex(text), Some(words));
        }
        assert_eq!((to_hex(&[0, 0]), from_hex("0")), ("0".to_owned(), Some(vec![0])));
        assert_eq!((from_hex(""), from_hex("-1"), from_hex("0x1"), from_hex("ä")), (None, None, None, None));
    }

    #[test]
    fn a_claim_says_what_is_wrong_with_it() {
        let refused = |text: &str| serde_json::from_str::<ClaimPart>(text).unwrap_err().to_string();
        assert!(refused("[\"xyz\", 1, \"tests\"]").contains("a set is a hexadecimal number, not `xyz`"));
        assert!(refused("[\"1f\", 1, \"because\"]").contains("no such reason for a claim: `because`"));
        assert!(refused("[\"1f\", 1]").contains("a claim: [\"set\", value"));
        assert!(refused("[\"1f\", 1, \"peel\", 2, [], 3]").contains("a claim: [\"set\", value"));
    }
}
