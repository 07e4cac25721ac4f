//! Pseudo-random numbers, the same for the same seed, and requests made of them.

use serde_json::{Map, Value, json};

/// SplitMix64.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// True with probability 1 in `times`.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(super) fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// Unexpected value.
fn odd(random: &mut Random) -> Value {
    let texts =
        ["", "no such thing", "\u{0}", "../../etc/passwd", "ü\u{301}💣", "'; DROP TABLE sessions; --"];
    match random.below(10) {
        0 => Value::Null,
        1 => json!(-1),
        2 => json!(1e308),
        3 => json!(u64::MAX),
        4 => json!([]),
        5 => json!({}),
        6 => json!([[[["deep"]]]]),
        7 => json!("x".repeat(random.below(3000))),
        8 => json!(random.once_in(2)),
        _ => json!(random.pick(&texts)),
    }
}

/// Changes one thing of a body: removes a part, replaces it by an odd value, or adds an unknown field.
pub(super) fn mutate(random: &mut Random, body: &mut Value) {
    match body {
        Value::Object(fields) if !fields.is_empty() => mutate_object(random, fields),
        Value::Array(items) if !items.is_empty() && !random.once_in(4) => {
            let at = random.below(items.len());
            match random.below(3) {
                0 => drop(items.remove(at)),
                1 => items.push(items[at].clone()),
                _ => mutate(random, &mut items[at]),
            }
        }
        other => *other = odd(random),
    }
}

fn mutate_object(random: &mut Random, fields: &mut Map<String, Value>) {
    let names: Vec<String> = fields.keys().cloned().collect();
    let name = random.pick(&names).clone();
    match random.below(5) {
        0 => drop(fields.remove(&name)),
        1 => drop(fields.insert("unknown".to_owned(), odd(random))),
        2 => drop(fields.insert(name, odd(random))),
        _ => mutate(random, fields.get_mut(&name).unwrap()),
    }
}
