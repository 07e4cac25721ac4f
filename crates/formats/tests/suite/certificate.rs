//! Certificates as files: what is written reads back equal, and a certificate about another table is refused.

use fewest::{Claim, Instance, Lambda, Objective, Proof, Reading, Reason, Table, TestId};
use fewest_formats::json::CertificateError;
use fewest_formats::{CertificateFile, Saved, Strategy, StrategyError, write_certificate};
use proptest::collection::vec;
use proptest::prelude::*;

/// Objects told apart by the bits of their number, with names that need care in JSON.
fn instance(objects: usize) -> Instance {
    let names = ["object", "a \"b\"", "c:d", "parts:e", "ü", "g", "h", "i", "j", "k"];
    let mut rows = vec![names.map(str::to_owned).to_vec()];
    for object in 0..objects {
        let bits = (0..9).map(|bit| (object >> bit & 1).to_string());
        rows.push(std::iter::once(format!("o{object}")).chain(bits).collect());
    }
    let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
    Instance::new(Table::from_rows(&rows), &Reading::default()).unwrap().0
}

fn written(instance: &Instance, proof: &Proof) -> Vec<u8> {
    let mut json = Vec::new();
    write_certificate(&mut json, instance, proof, None).unwrap();
    json
}

fn read(json: &[u8], instance: &Instance) -> Result<Option<Proof>, CertificateError> {
    Saved::read(json).unwrap().into_certificate().unwrap().into_proof(instance)
}

fn small() -> Proof {
    let claim = |set, value, reason, budget| Claim { objects: vec![set], budget, value, reason, open: None };
    Proof {
        objective: Objective::Exponential(Lambda::TWO),
        cap: 7.0,
        value: 2.5,
        prices: Vec::new(),
        claims: vec![
            claim(0b11, 2.0, Reason::EveryTest, f64::INFINITY),
            claim(0b11111, 0.1, Reason::Parts(TestId(0)), 3.5),
            claim(0b11111, f64::INFINITY, Reason::MajorityPath, 0.0),
            claim(0b1, f64::NEG_INFINITY, Reason::EveryTest, 2.0),
        ],
    }
}

#[test]
fn a_certificate_reads_as_it_is_documented() {
    let instance = instance(5);
    let json = String::from_utf8(written(&instance, &small())).unwrap();
    let (head, certificate) = json.split_once("  \"certificate\": ").unwrap();
    assert!(head.starts_with("{\n  \"version\": 1,\n  \"instance\": {\"objects\":5,"), "{head}");
    assert_eq!(
        certificate,
        "{\"table\": {\"objects\": 5}, \"bound\": {\"objective\": {\"name\":\"exponential\",\"lambda\":2}, \"cap\": 7, \
         \"value\": 2.5, \"claims\": [\n    [\"3\",2,\"tests\"],\n    [\"1f\",0.1,\"parts:a \\\"b\\\"\",3.5],\n    \
         [\"1f\",\"inf\",\"peel\",0],\n    [\"1\",\"-inf\",\"tests\",2]]}}\n}\n"
    );
    assert_eq!(read(json.as_bytes(), &instance).unwrap().unwrap(), small());
}

#[test]
fn prices_are_two_digits_for_each_object() {
    let instance = instance(5);
    let proof = Proof { prices: vec![vec![0, 1, 16, 171, 255], vec![9; 5]], ..small() };
    let json = String::from_utf8(written(&instance, &proof)).unwrap();
    assert!(json.contains("\"prices\": [\"000110abff\",\"0909090909\"], \"claims\""), "{json}");
    assert_eq!(read(json.as_bytes(), &instance).unwrap().unwrap(), proof);
    for wrong in ["00011", "xy"] {
        let error = Saved::read(json.replace("000110abff", wrong).as_bytes()).unwrap_err().to_string();
        assert!(error.contains("prices are two hexadecimal digits for each object"), "{error}");
    }
}

#[test]
fn another_table_is_refused() {
    let json = String::from_utf8(written(&instance(5), &small())).unwrap();
    assert_eq!(read(json.as_bytes(), &instance(6)), Err(CertificateError::Objects { claimed: 5, found: 6 }));
    let other = json.replace("parts:a ", "parts:b ");
    let test = "b \"b\"".to_owned();
    assert_eq!(read(other.as_bytes(), &instance(5)), Err(CertificateError::Test { claim: 2, test }));
    for objective in
        ["{\"name\":\"mean\"}", "{\"name\":\"exponential\"}", "{\"name\":\"exponential\",\"lambda\":0.5}"]
    {
        let other = json.replace("{\"name\":\"exponential\",\"lambda\":2}", objective);
        assert!(matches!(read(other.as_bytes(), &instance(5)), Err(CertificateError::Objective { .. })));
    }
}

#[test]
fn sets_that_go_beyond_stay_so_and_leading_zeros_do_not_matter() {
    let json = String::from_utf8(written(&instance(5), &small())).unwrap();
    let zeros = json.replacen("[\"3\"", &format!("[\"{}3\"", "0".repeat(100)), 1);
    assert_eq!(read(zeros.as_bytes(), &instance(5)).unwrap().unwrap(), small());
    let beyond = json.replacen("[\"3\"", "[\"10000000000000003\"", 1);
    assert_eq!(read(beyond.as_bytes(), &instance(5)).unwrap().unwrap().claims[0].objects, [3, 1]);
    // A large number of objects must not cost memory.
    let huge = json.replace("\"table\": {\"objects\": 5}", "\"table\": {\"objects\": 18446744073709551615}");
    assert!(matches!(read(huge.as_bytes(), &instance(5)), Err(CertificateError::Objects { .. })));
}

#[test]
fn what_is_neither_is_refused_with_the_place() {
    let error = |json: &str| Saved::read(json.as_bytes()).unwrap_err();
    assert!(matches!(error("{}"), StrategyError::Json(_)));
    assert!(matches!(error("[1, 2"), StrategyError::Json(_)));
    let broken = error("{\"version\": 1,\n \"certificate\": {\"table\": {\"objects\": 1}}}").to_string();
    assert!(
        broken.starts_with("line 2, column")
            && broken.contains("not a certificate: missing field `instance`"),
        "{broken}"
    );
    let json = String::from_utf8(written(&instance(5), &small())).unwrap();
    assert!(matches!(error(&json.replace("\"version\": 1", "\"version\": 9")), StrategyError::Version(9)));
    let claim = error(&json.replace("\"peel\"", "\"faith\"")).to_string();
    assert!(claim.contains("no such reason for a claim: `faith`"), "{claim}");
    assert!(Strategy::read(json.as_bytes()).is_err() && CertificateFile::read(json.as_bytes()).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn every_proof_reads_back_equal(
        objects in prop_oneof![1..200usize, Just(64), Just(128)], value in any::<f64>(), cap in 0.0..1e9f64, capped in any::<bool>(),
        claims in vec((vec(any::<u64>(), 4), -1e9..1e9f64, prop_oneof![Just(f64::INFINITY), 0.0..1e9f64], 0..11u32), 0..20),
    ) {
        prop_assume!(!value.is_nan());
        let instance = instance(objects);
        let words = instance.object_count().div_ceil(64);
        let claims = claims.into_iter().map(|(mut objects, value, budget, reason)| {
            objects.truncate(words);
            let reason = match reason {
                0 => Reason::EveryTest,
                1 => Reason::MajorityPath,
                test => Reason::Parts(TestId(test - 2)),
            };
            Claim { objects, budget, value, reason, open: None }
        });
        let cap = if capped { cap } else { f64::INFINITY };
        let proof = Proof { objective: Objective::Worst, cap, value, prices: Vec::new(), claims: claims.collect() };
        prop_assert_eq!(read(&written(&instance, &proof), &instance).unwrap().unwrap(), proof);
    }

    #[test]
    fn no_bytes_make_the_reader_panic(cut in any::<prop::sample::Index>(), put in any::<u8>()) {
        let mut json = written(&instance(5), &small());
        // Only the last line end may be missing.
        let at = cut.index(json.len() - 1);
        json[at] = put;
        let _ = Saved::read(&json);
        json.truncate(at);
        prop_assert!(Saved::read(&json).is_err());
    }
}
