//! Proofs with forbidden reasons: another set with the same hash, an allowance that adds up, a cap that is just met.

use crate::common::{instance, some_tree};
use fewest_check::{CheckError, check, check_bound};
use fewest_model::{Certificate, Claim, Instance, Objective, Proof, Reason, Tree};

fn proof(value: f64, claims: Vec<Claim>) -> Proof {
    Proof { objective: Objective::Expected, cap: f64::INFINITY, value, prices: Vec::new(), claims }
}

fn claim(objects: &[u64], value: f64, reason: Reason) -> Claim {
    Claim { objects: objects.to_vec(), budget: f64::INFINITY, value, reason, open: None }
}

/// Factor of a word in the hash of a set. The checker looks claims up by this hash: the sum over the words of
/// `s ^ (s >> 32)`, where `s` is the word times an odd factor. If the checker hashes sets in another way, the sets
/// below only have different hashes.
fn factor(place: u64) -> u64 {
    let mut bits = (place + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (bits ^ (bits >> 31)) | 1
}

fn mark(place: u64, word: u64) -> u64 {
    let scattered = word.wrapping_mul(factor(place));
    scattered ^ (scattered >> 32)
}

/// Word with this hash.
fn unmark(place: u64, mark: u64) -> u64 {
    let scattered = mark ^ (mark >> 32);
    // Newton's method doubles the number of correct bits of an inverse; a number is its own inverse in the lowest
    // three.
    let factor = factor(place);
    let inverse = (0..5)
        .fold(factor, |inverse, _| inverse.wrapping_mul(2u64.wrapping_sub(factor.wrapping_mul(inverse))));
    scattered.wrapping_mul(inverse)
}

/// Two sets with the same number of 128 objects and the same hash.
fn twins() -> [[u64; 2]; 2] {
    let first = [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210];
    let size = |set: [u64; 2]| set[0].count_ones() + set[1].count_ones();
    let sum = mark(0, first[0]).wrapping_add(mark(1, first[1]));
    let second = (1..).map(|seed: u64| {
        let word = seed.wrapping_mul(0x2545_f491_4f6c_dd1d);
        [unmark(0, sum.wrapping_sub(mark(1, word))), word]
    });
    let second = second.into_iter().find(|set| size(*set) == size(first)).unwrap();
    assert_eq!(mark(0, second[0]).wrapping_add(mark(1, second[1])), sum);
    [first, second]
}

/// 130 objects that tests of cost 100 tell apart by the digits of their number. `two` has the answer 0 for `part`,
/// `many` for `part` and `other`; only the last object has another answer to `cheap`.
fn table(part: [u64; 2], other: [u64; 2]) -> Instance {
    let holds = |set: [u64; 2], object: usize| object < 128 && set[object / 64] >> (object % 64) & 1 == 1;
    let mut text =
        "o cheap two many b0 b1 b2 b3 b4 b5 b6 b7\n@cost 1 100 100 100 100 100 100 100 100 100 100\n"
            .to_owned();
    for object in 0..130 {
        let two = u32::from(!holds(part, object));
        let many = if holds(part, object) || holds(other, object) { 0 } else { 1 + object % 5 };
        let digits: Vec<String> = (0..8).map(|digit| (object >> digit & 1).to_string()).collect();
        text += &format!("o{object} {} {two} {many} {}\n", u32::from(object == 129), digits.join(" "));
    }
    instance(&text)
}

/// The least sum of depths of `leaves` leaves below nodes with two children.
fn depths(leaves: u32) -> f64 {
    let full = leaves.ilog2();
    f64::from(leaves * full + 2 * (leaves - (1 << full)))
}

#[test]
fn a_claim_about_another_set_with_the_same_mark_is_no_help() {
    let [other, part] = twins();
    let table = table(part, other);
    // No test cheaper than 100 splits either set, so each is worth at least this.
    let value = 100.0 * depths(part[0].count_ones() + part[1].count_ones());
    let with_last = [part[0], part[1], 0b10];
    for name in ["two", "many"] {
        let reason = Reason::Parts(table.find_test(name).unwrap());
        let judged = |set: [u64; 2]| {
            let first = claim(&[set[0], set[1], 0], value, Reason::EveryTest);
            check_bound(&table, &proof(0.0, vec![first, claim(&with_last, value, reason)]))
        };
        assert!(judged(part).is_ok(), "{name}: {:?}", judged(part));
        let refused = judged(other).unwrap_err();
        assert!(matches!(refused, CheckError::ClaimOfParts { claim: 2, .. }), "{name}: {refused}");
    }
}

/// Allowance for rounding: every test tells one object from the others, so that `n` objects cost `2 + 3 + … + n`.
#[test]
fn slack_does_not_add_up_along_a_proof() {
    let rows: Vec<String> = (0..7u32)
        .map(|object| {
            let cells: Vec<String> = (0..7u32).map(|test| u32::from(test == object).to_string()).collect();
            format!("o{object} {}\n", cells.join(" "))
        })
        .collect();
    let table = instance(&format!("o q0 q1 q2 q3 q4 q5 q6\n{}", rows.concat()));
    let judged = |value: &dyn Fn(u32) -> f64| {
        let mut sets: Vec<u64> = (1..1 << 7).filter(|set: &u64| set.count_ones() >= 4).collect();
        sets.sort_by_key(|set| set.count_ones());
        let claims = sets.iter().map(|set| claim(&[*set], value(set.count_ones()), Reason::EveryTest));
        check_bound(&table, &proof(27.0 / 7.0, claims.collect()))
    };
    let truth = |objects: u32| f64::from(objects * (objects + 1) / 2 - 1);
    let slack = 1.0 + 0.9e-9;
    assert!(judged(&truth).is_ok());
    assert!(judged(&|objects| truth(objects) * slack).is_ok());
    // Each claim rests on the claimed values of the smaller ones rather than on those shown.
    fn grown(objects: u32, slack: f64) -> f64 {
        let below = if objects == 4 { 5.0 } else { grown(objects - 1, slack) };
        (f64::from(objects) + below) * slack
    }
    let refused = judged(&|objects| grown(objects, slack)).unwrap_err();
    assert!(matches!(refused, CheckError::ClaimOfTests { .. }), "{refused}");
}

#[test]
fn a_tree_that_costs_as_much_as_the_cap_is_spoken_of() {
    let table = instance("o t u\n a 0 0\n b 0 1\n c 1 0\n d 1 1");
    let tree = Tree::new(some_tree(&table, |_| 0)).unwrap();
    for (cap, is_spoken_of) in [(2.0, true), (2.0 * (1.0 - 1e-10), true), (2.0 * (1.0 - 1e-8), false)] {
        let bound = Proof { cap, ..proof(2.5, Vec::new()) };
        let refused = check(&table, &tree, &Certificate { costs: None, bound: Some(bound) });
        let is_above = matches!(refused, Err(CheckError::BoundAboveCost { .. }));
        assert_eq!(is_above, is_spoken_of, "{cap}: {refused:?}");
    }
}
