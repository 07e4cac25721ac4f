//! Numbers with all their digits; infinity, which JSON does not have, as the text `"inf"`.

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A number as JSON writes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number(pub f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Whole numbers are written without a point: a worst case of 4 questions is 4.
        match self.0 {
            // NaN is refused: it could not be read again.
            value if value.is_nan() => Err(serde::ser::Error::custom("a number that is none")),
            value if value == f64::INFINITY => serializer.serialize_str("inf"),
            value if value == f64::NEG_INFINITY => serializer.serialize_str("-inf"),
            value if value.fract() == 0.0 && value.abs() < 1e15 => serializer.serialize_i64(value as i64),
            value => serializer.serialize_f64(value),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl Visitor<'_> for Either {
            type Value = Number;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("a number or \"inf\"")
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Number, E> {
                Ok(Number(value))
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Number, E> {
                Ok(Number(value as f64))
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Number, E> {
                Ok(Number(value as f64))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Number, E> {
                match text {
                    "inf" => Ok(Number(f64::INFINITY)),
                    "-inf" => Ok(Number(f64::NEG_INFINITY)),
                    _ => Err(E::invalid_value(Unexpected::Str(text), &self)),
                }
            }
        }
        deserializer.deserialize_any(Either)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_digits_and_infinity_is_a_word() {
        let texts = [4.0, 0.1, 2.0 / 3.0, f64::INFINITY, 1e300, f64::NEG_INFINITY]
            .map(|value| serde_json::to_string(&Number(value)).unwrap());
        assert_eq!(texts, ["4", "0.1", "0.6666666666666666", "\"inf\"", "1e+300", "\"-inf\""]);
        for text in texts {
            let number: Number = serde_json::from_str(&text).unwrap();
            assert_eq!(serde_json::to_string(&number).unwrap(), text);
        }
        assert!(serde_json::from_str::<Number>("\"many\"").is_err());
        assert!(serde_json::to_string(&Number(f64::NAN)).is_err());
    }
}
