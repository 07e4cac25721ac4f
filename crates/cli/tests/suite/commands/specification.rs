//! Numbers of the specification's examples.

use super::{assert_close, examples, notation};
use crate::common::Folder;

#[test]
fn the_numbers_of_the_first_example_are_those_of_the_specification() {
    let folder = examples();
    for lambda in ["2", "10", "1e6", "inf"] {
        let found = folder.json(&format!("build e1.csv --algorithm ggbs --lambda {lambda}"));
        assert_eq!(notation(&found["tree"]), "q2(0:{d} 1:{a,b,c})");
        for cost in
            [&found["cost"]["expected"], &found["cost"]["worst"], &found["cost"]["exponential"]["value"]]
        {
            assert_close(cost, 1.0);
        }
    }
    for (lambda, value) in
        [("2", 1.584_962_500_7), ("10", 1.740_362_689_5), ("1e6", 1.949_828_406_4), ("inf", 2.0)]
    {
        let found = folder.json(&format!("build e1.csv --algorithm gbs --lambda {lambda}"));
        assert_eq!(notation(&found["tree"]), "q1(0:{a,c} 1:q2(0:{d} 1:{b}))");
        assert_close(&found["cost"]["expected"], 1.5);
        assert_close(&found["cost"]["worst"], 2.0);
        assert_close(&found["cost"]["exponential"]["value"], value);
    }
    let renyi = [
        ("2", 0.899_968_627_0),
        ("10", 0.952_650_217_4),
        ("1e6", 0.990_110_090_0),
        ("inf", 1.0),
        ("1", 0.811_278_124_5),
    ];
    assert_entropies(&folder, "e1.csv", [2.0, 0.811_278_124_5], &renyi);
}

/// Checks H(objects) and H(groups), and the entropy bound on exponential cost at each λ.
#[track_caller]
fn assert_entropies(folder: &Folder, table: &str, [objects, groups]: [f64; 2], renyi: &[(&str, f64)]) {
    for (lambda, value) in renyi {
        let found = folder.json(&format!("bounds {table} --lambda {lambda}"));
        assert_close(&found["entropy_bits"]["objects"], objects);
        assert_close(&found["entropy_bits"]["groups"], groups);
        assert_close(&found["instance"]["entropy_bits"], groups);
        let bounds = found["bounds"].as_array().unwrap();
        assert_close(&bounds.iter().find(|bound| bound["name"] == "renyi").unwrap()["value"], *value);
    }
}

#[test]
fn the_numbers_of_the_second_example_are_those_of_the_specification() {
    let folder = examples();
    for (lambda, exponential) in
        [("2", Some(5.459_431_618_6)), ("10", None), ("1e6", None), ("inf", Some(6.0))]
    {
        let found = folder.json(&format!("build e2.csv --algorithm ggbs --lambda {lambda}"));
        assert_eq!(notation(&found["tree"]), "t1(1:t2(1:{1} 2:t3(1:{2} 2:{4})) 2:t3(1:{3} 2:{5}))");
        assert_close(&found["cost"]["expected"], 5.25);
        assert_close(&found["cost"]["worst"], 6.0);
        exponential.iter().for_each(|value| assert_close(&found["cost"]["exponential"]["value"], *value));
    }
    let found = folder.json("build e2.csv --algorithm ggbs --cost-blind");
    assert_eq!(notation(&found["tree"]), "t1(1:t3(1:{2} 2:t2(1:{1} 2:{4})) 2:t3(1:{3} 2:{5}))");
    assert_close(&found["cost"]["expected"], 5.35);
    assert_close(&found["cost"]["exponential"]["value"], 5.432_959_407_3);
    for (lambda, exponential) in [("2", 4.678_071_905_1), ("1e6", 4.963_025_256_7)] {
        let found =
            folder.json(&format!("build e2.csv --algorithm lambda-gbs --cost-blind --lambda {lambda}"));
        assert_eq!(notation(&found["tree"]), "t3(1:t1(1:{2} 2:{3}) 2:t2(1:{1} 2:{4,5}))");
        assert_close(&found["cost"]["expected"], 4.6);
        assert_close(&found["cost"]["worst"], 5.0);
        assert_close(&found["cost"]["exponential"]["value"], exponential);
    }
    let renyi = [
        ("2", 1.578_040_532_1),
        ("10", 1.581_782_011_6),
        ("1e6", 1.584_309_140_7),
        ("inf", 1.584_962_500_7),
        ("1", 1.570_950_594_5),
    ];
    assert_entropies(&folder, "e2.csv", [2.041_446_071_2, 1.570_950_594_5], &renyi);
}

#[test]
fn the_numbers_of_the_fourth_example_are_those_of_the_specification() {
    let folder = examples();
    let table = "e4.csv --costs e4-costs.csv";
    for (lambda, value) in
        [("2", 2.678_071_905_1), ("10", 2.806_179_974_0), ("1e6", 2.963_025_256_7), ("inf", 3.0)]
    {
        let found = folder.json(&format!("build {table} --algorithm ggbs --lambda {lambda}"));
        assert_eq!(notation(&found["tree"]), "color(b:{e} g:{c,d} r:size(L:{f} S:{a,b}))");
        assert_close(&found["cost"]["expected"], 2.6);
        assert_close(&found["cost"]["worst"], 3.0);
        assert_close(&found["cost"]["exponential"]["value"], value);
    }
    for (lambda, value) in [("2", 3.206_084_778_7), ("10", 3.601_397_234_2), ("1e6", 4.333_333_333_9)] {
        let found = folder.json(&format!("build {table} --algorithm gbs --lambda {lambda}"));
        assert_eq!(
            notation(&found["tree"]),
            "size(L:shape(x:{e} y:color(g:{d} r:{f})) S:color(g:{c} r:{a,b}))"
        );
        assert_close(&found["cost"]["expected"], 3.1);
        assert_close(&found["cost"]["worst"], 4.5);
        assert_close(&found["cost"]["exponential"]["value"], value);
    }
    // The specification's H(objects) counts rows, so also the second of two equal ones.
    let renyi =
        [("2", 1.424_834_098_6), ("10", 1.507_337_834_6), ("1e6", 1.568_491_226_3), ("inf", 1.584_962_500_7)];
    let found = folder.json(&format!("bounds {table}"));
    assert_close(&found["entropy_bits"]["groups"], 1.295_461_844_2);
    assert_close(&found["entropy_bits"]["objects"], 2.170_950_594_5);
    assert_entropies(&folder, table, [2.170_950_594_5, 1.295_461_844_2], &renyi);
}
