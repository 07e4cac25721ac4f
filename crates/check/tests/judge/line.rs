//! Proofs about more objects than a word has bits: objects on a line, where every set that a tree meets is an
//! interval.

use crate::common::instance;
use fewest_check::{CheckError, check_bound};
use fewest_model::{Claim, Instance, Objective, Proof, Reason};

const OBJECTS: usize = 150;

fn weight(object: usize) -> u64 {
    1 + (object * object) as u64 % 23
}

/// Table with tests `x > j` of cost 1, and an expensive one that tells all. Neighbours differ in group, if there are
/// groups.
fn line(grouped: bool) -> Instance {
    let tests: String = (1..OBJECTS).map(|test| format!(" q{test}")).collect();
    let costs = " 1".repeat(OBJECTS - 1);
    let mut text = format!(
        "o prior{}{tests} all\n@cost -{}{costs} 100",
        if grouped { " group" } else { "" },
        if grouped { " -" } else { "" }
    );
    for object in 0..OBJECTS {
        let cells: String = (1..OBJECTS).map(|test| if object >= test { " 1" } else { " 0" }).collect();
        let group = if grouped { format!(" g{}", object % 3) } else { String::new() };
        text += &format!("\no{object} {}{group}{cells} {object}", weight(object));
    }
    instance(&text)
}

/// Proof of the optimum of every interval, the short ones first (Knuth's alphabetic trees, by trying every cut).
fn proof(worst: bool) -> Proof {
    let mass = |from: usize, to: usize| (from..to).map(weight).sum::<u64>();
    let mut best = vec![vec![0; OBJECTS + 1]; OBJECTS + 1];
    let mut claims = Vec::new();
    for length in 2..=OBJECTS {
        for from in 0..=OBJECTS - length {
            let to = from + length;
            let cut = |at: usize| match worst {
                true => 1 + best[from][at].max(best[at][to]),
                false => mass(from, to) + best[from][at] + best[at][to],
            };
            best[from][to] = (from + 1..to).map(cut).min().unwrap();
            let mut objects = vec![0; OBJECTS.div_ceil(64)];
            (from..to).for_each(|object| objects[object / 64] |= 1 << (object % 64));
            let value = best[from][to] as f64;
            claims.push(Claim {
                objects,
                budget: f64::INFINITY,
                value,
                reason: Reason::EveryTest,
                open: None,
            });
        }
    }
    let total = if worst { 1 } else { mass(0, OBJECTS) };
    let value = best[0][OBJECTS] as f64 / total as f64;
    let objective = if worst { Objective::Worst } else { Objective::Expected };
    Proof { objective, cap: f64::INFINITY, value, prices: Vec::new(), claims }
}

#[test]
fn the_optimum_of_a_long_line_is_proved_with_groups_and_without() {
    for grouped in [false, true] {
        let instance = line(grouped);
        for worst in [false, true] {
            let mut proof = proof(worst);
            assert_eq!(check_bound(&instance, &proof).unwrap().value, proof.value);
            proof.value *= 1.0 + 1e-6;
            assert!(matches!(check_bound(&instance, &proof).unwrap_err(), CheckError::Unproved { .. }));
        }
    }
}

#[test]
fn a_bit_or_a_unit_off_in_any_word_is_refused() {
    let instance = line(true);
    let whole = proof(false);
    let last = whole.claims.len() - 1;
    for (word, bit) in [(0, 0), (1, 40), (2, 21)] {
        let mut proof = whole.clone();
        proof.claims[last].objects[word] ^= 1 << bit;
        assert!(check_bound(&instance, &proof).is_err());
    }
    for at in [OBJECTS, last / 2, last] {
        let mut proof = whole.clone();
        proof.claims[at].value += 1.0;
        assert!(
            matches!(check_bound(&instance, &proof).unwrap_err(), CheckError::ClaimOfTests { claim, .. } if claim == at + 1)
        );
    }
    let mut proof = whole;
    proof.claims[last].objects[2] |= 1 << 22;
    let beyond = CheckError::SetBeyond { claim: last + 1, object: 150, objects: 150 };
    assert_eq!(check_bound(&instance, &proof).unwrap_err(), beyond);
}
