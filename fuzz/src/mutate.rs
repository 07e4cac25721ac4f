//! Changes to JSON documents that leave them JSON.
//!
//! Flipped bytes make of a document mostly text that no reader gets past the first line of. These changes keep its shape: a
//! value becomes another one, fields and items go, come twice or change places.

use serde_json::{Map, Number, Value};

/// Values that lie at the edge of what readers expect.
const EDGES: [&str; 20] = [
    "null", "true", "false", "0", "-0.0", "1", "-1", "2", "0.5", "1e308", "-1e308", "5e-324", "1e-13", "4294967296",
    "18446744073709551615", "\"\"", "\"inf\"", "\"?\"", "[]", "{}",
];

/// Changes the document in `data[..size]` and returns its new size; nothing if it is no JSON or gets too long.
pub fn json(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> Option<usize> {
    let mut value: Value = serde_json::from_slice(&data[..size]).ok()?;
    let mut random = Random(u64::from(seed) ^ 0x9e37_79b9_7f4a_7c15);
    for _ in 0..=random.below(3) {
        let count = count(&value);
        let at = random.below(count);
        change(nth(&mut value, &mut { at })?, &mut random);
    }
    let text = serde_json::to_vec(&value).ok()?;
    let space = data.get_mut(..text.len()).filter(|_| text.len() <= max_size)?;
    space.copy_from_slice(&text);
    Some(text.len())
}

/// The number of values in a document, itself included.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(fields) => fields.values().map(count).sum::<usize>(),
        _ => 0,
    }
}

/// The value of number `left` in the order of the text.
fn nth<'a>(value: &'a mut Value, left: &mut usize) -> Option<&'a mut Value> {
    if *left == 0 {
        return Some(value);
    }
    *left -= 1;
    match value {
        Value::Array(items) => items.iter_mut().find_map(|item| nth(item, left)),
        Value::Object(fields) => fields.values_mut().find_map(|field| nth(field, left)),
        _ => None,
    }
}

fn change(value: &mut Value, random: &mut Random) {
    match value {
        Value::Array(items) if !items.is_empty() && random.below(4) > 0 => {
            let (one, two) = (random.below(items.len()), random.below(items.len()));
            match random.below(3) {
                0 => _ = items.remove(one),
                1 => items.insert(one, items[two].clone()),
                _ => items.swap(one, two),
            }
        }
        Value::Object(fields) if !fields.is_empty() && random.below(4) > 0 => change_fields(fields, random),
        Value::Number(number) if random.below(2) == 0 => *value = Value::Number(near(number, random)),
        Value::Bool(truth) => *truth = !*truth,
        _ => *value = serde_json::from_str(EDGES[random.below(EDGES.len())]).unwrap_or(Value::Null),
    }
}

fn change_fields(fields: &mut Map<String, Value>, random: &mut Random) {
    let name = |random: &mut Random, fields: &Map<String, Value>| {
        fields.keys().nth(random.below(fields.len())).cloned().unwrap_or_default()
    };
    let (one, two) = (name(random, fields), name(random, fields));
    match random.below(3) {
        0 => _ = fields.remove(&one),
        1 => {
            let value = fields[&two].clone();
            fields.insert(one, value);
        }
        _ => {
            let value = fields.remove(&one).unwrap_or(Value::Null);
            fields.insert(format!("{one}x"), value);
        }
    }
}

/// A number next to `number`, or a few times as large.
fn near(number: &Number, random: &mut Random) -> Number {
    if let Some(whole) = number.as_i64() {
        return Number::from(whole.wrapping_add(random.below(5) as i64 - 2));
    }
    let float = number.as_f64().unwrap_or(0.0);
    let changed = [float * 2.0, float / 2.0, -float, float + 1.0, float * (1.0 + 1e-9)][random.below(5)];
    Number::from_f64(changed).unwrap_or_else(|| Number::from(0))
}

/// A small generator of numbers (xorshift): the fuzzer gives the seed, so every change can be made again.
struct Random(u64);

impl Random {
    /// A number below `limit`, which is at least 1.
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_json_stays_json_and_changes() {
        let document = br#"{"version":1,"tree":{"ask":"t","answers":{"a":{"groups":["x"]},"b":{"weight":0.5}}}}"#;
        let mut different = 0;
        for seed in 0..2000 {
            let mut data = vec![0; 400];
            data[..document.len()].copy_from_slice(document);
            let size = json(&mut data, document.len(), 400, seed).expect("short documents fit");
            assert!(serde_json::from_slice::<Value>(&data[..size]).is_ok());
            different += usize::from(data[..size] != document[..]);
        }
        assert!(different > 1900, "{different}");
    }
}
