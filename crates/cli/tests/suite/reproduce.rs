//! `fewest reproduce`: numbers that can be computed independently, files, resumption, threads, refusals.

use crate::common::{Folder, report};
use std::collections::BTreeMap;
use std::fs;

/// Folder that holds these files, some of them in folders of their own.
fn with(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new();
    for (name, text) in files {
        fs::create_dir_all(folder.path(name).parent().unwrap()).unwrap();
        folder.write(name, text);
    }
    folder
}

/// All files of a folder with their bytes.
fn files(folder: &Folder, name: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder.path(name)).unwrap().map(Result::unwrap);
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

/// Rows of a CSV file without quotes, by the names of its columns.
fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let header = lines.next().unwrap();
    lines.map(|cells| header.iter().cloned().zip(cells).collect()).collect()
}

fn number(text: &str) -> f64 {
    text.parse().unwrap()
}

#[test]
fn the_small_examples_cost_what_the_specification_says() {
    let folder = Folder::new();
    let out = folder.out("reproduce toy --out made");
    assert!(out.contains("Saved made/toy.csv, made/toy-groups.svg"), "{out}");
    let found = rows(&folder.read("made/toy.csv"));
    // specification section 14: E1, E2 and E3.
    let wanted = [
        ("groups", "gbs", 1.5, 2.0, 1.5849625007),
        ("groups", "ggbs", 1.0, 1.0, 1.0),
        ("costs", "printed in the paper", 4.9, 6.0, f64::NAN),
        ("costs", "dectree", 5.5, 6.0, 5.8529975876),
        ("costs", "optimum", 4.6, 5.0, 4.6780719051),
        ("halves", "gbs", 1.75, 3.0, 2.0),
        ("halves", "lambda-gbs", 2.0, 2.0, 2.0),
    ];
    assert_eq!(found.len(), wanted.len());
    for (row, (example, tree, expected, worst, exponential)) in found.iter().zip(wanted) {
        assert_eq!((row["example"].as_str(), row["tree"].as_str()), (example, tree));
        assert!((number(&row["expected"]) - expected).abs() < 1e-9, "{row:?}");
        assert_eq!(number(&row["worst"]), worst);
        assert!(
            exponential.is_nan() || (number(&row["exponential"]) - exponential).abs() < 5.1e-11,
            "{row:?}"
        );
    }
    for (name, bytes) in files(&folder, "made") {
        match name.rsplit_once('.').unwrap().1 {
            "png" => assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"), "{name}"),
            "svg" => assert!(bytes.starts_with(b"<svg ") && bytes.ends_with(b"</svg>\n"), "{name}"),
            _ => {}
        }
    }
    let page = folder.read("made/toy.md");
    assert!(page.contains("Made by `fewest reproduce toy`") && page.contains("](toy-costs.svg)"), "{page}");
}

/// Seed of a data set, computed independently: SplitMix64 over every byte of what identifies the data set.
fn seed_of(seed: u64, study: &str, cell: &[(&str, &str)], repetition: u32) -> u64 {
    let mix = |word: u64| {
        let mut z = word.wrapping_add(0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        z ^ (z >> 31)
    };
    let mut words: Vec<Vec<u8>> = vec![study.as_bytes().to_vec()];
    cell.iter().for_each(|(axis, place)| words.extend([axis.as_bytes().to_vec(), place.as_bytes().to_vec()]));
    words.push(repetition.to_le_bytes().to_vec());
    words.iter().fold(mix(seed), |state, word| {
        mix(word.iter().fold(state, |state, byte| mix(state ^ u64::from(*byte))) ^ 0x100)
    })
}

#[test]
fn figure_6_is_what_generate_and_compare_find() {
    let folder = Folder::new();
    folder.out("reproduce figure6 --datasets 2 --seed 9 --out made");
    let found = rows(&folder.read("made/figure6.csv"));
    assert_eq!(found.len(), 49 * 13);
    let (beta_w, beta_b) = ("0.75", "2");
    let mut costs: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for repetition in 0..2 {
        let seed = seed_of(9, "figure6", &[("beta_w", beta_w), ("beta_b", beta_b)], repetition);
        folder
            .out(&format!("generate beta --beta-w {beta_w} --beta-b {beta_b} --seed {seed} --output t.csv"));
        let compared = folder.json("compare t.csv --time 2s -q");
        for row in compared["rows"].as_array().unwrap() {
            let name = row["algorithm"].as_str().unwrap().to_owned();
            costs.entry(name).or_default().push(row["cost"]["expected"].as_f64().unwrap());
        }
        let bounds = folder.json("bounds t.csv");
        let entropy = bounds["entropy_bits"]["groups"].as_f64().unwrap();
        costs.entry("entropy".to_owned()).or_default().push(entropy);
    }
    let mine = found.iter().filter(|row| row["beta_w"] == beta_w && row["beta_b"] == beta_b);
    let mut seen = 0;
    for row in mine {
        let Some(costs) = costs.get(&row["series"]) else { continue };
        let [a, b] = costs[..] else { panic!("{costs:?}") };
        assert!((number(&row["mean"]) - (a + b) / 2.0).abs() < 1e-9, "{row:?}");
        // Of two numbers the standard error is half their distance.
        assert!((number(&row["standard_error"]) - (a - b).abs() / 2.0).abs() < 1e-9, "{row:?}");
        assert_eq!((number(&row["least"]), number(&row["most"])), (a.min(b), a.max(b)));
        assert_eq!(row["n"], "2");
        seen += 1;
    }
    assert_eq!(seen, 11);
    // Where the optimum is proved, no tree is below it.
    let small = rows(&folder.read("made/figure6-optimum.csv"));
    for cell in small.chunks(14) {
        let of = |name: &str| number(&cell.iter().find(|row| row["series"] == name).unwrap()["mean"]);
        let optimum = of("optimum");
        assert!(of("bound") <= optimum + 1e-9 && optimum <= of("best") && optimum <= of("ggbs"), "{cell:?}");
    }
}

#[test]
fn a_run_that_was_cut_off_ends_like_one_that_was_not() {
    let folder = Folder::new();
    folder.out("reproduce dfep --datasets 2 --out whole --threads 1");
    let whole = files(&folder, "whole");
    let cells = String::from_utf8(whole["cells.jsonl"].clone()).unwrap();
    assert_eq!(cells.lines().count(), 7);
    // Three cells and a half.
    let cut: usize = cells.lines().take(3).map(|line| line.len() + 1).sum();
    fs::create_dir(folder.path("half")).unwrap();
    folder.write("half/cells.jsonl", &cells.as_bytes()[..cut + 40]);
    folder.out("reproduce dfep --datasets 2 --out half --threads 3");
    assert_eq!(files(&folder, "half"), whole);
    // Finished cells are not run again: a number that was changed stays changed.
    let line = cells.lines().next().unwrap();
    let (before, after) = line.split_once("\"mean\":").unwrap();
    let changed = format!("{before}\"mean\":77{}\n", &after[after.find(',').unwrap()..]);
    folder.write("half/cells.jsonl", changed.as_bytes());
    folder.out("reproduce dfep --datasets 2 --out half");
    assert_eq!(rows(&folder.read("half/dfep.csv"))[0]["mean"], "77");
    // Another seed does not use these cells.
    folder.out("reproduce dfep --datasets 2 --seed 1 --out half");
    assert_ne!(rows(&folder.read("half/dfep.csv"))[0]["mean"], "77");
    assert_eq!(folder.read("half/cells.jsonl").lines().count(), 14);
}

#[test]
fn real_tables_are_measured_against_their_optimum() {
    let table = "object,group,q1,q2,q3\na,1,0,1,1\nb,1,1,1,0\nc,1,0,1,0\nd,2,1,0,0\n";
    let folder = with(&[("tables/e1.csv", table), ("e5.csv", "object,u,v\na,0,0\nb,0,1\nc,1,\n")]);
    let found = folder.json("reproduce real --tables tables e5.csv --out made -q");
    let names: Vec<&String> = found.as_object().unwrap().keys().collect();
    assert_eq!(names, ["figures", "rows", "seed", "version"]);
    assert_eq!(found["figures"][0]["name"], "real");
    let of = |table: &str, objective: &str, series: &str| {
        let rows = found["rows"].as_array().unwrap().iter();
        let mut mine = rows.filter(|row| {
            row["cell"]["table"] == table && row["cell"]["objective"] == objective && row["series"] == series
        });
        mine.next().unwrap()["mean"].as_f64().unwrap()
    };
    // specification section 14, E1: gbs takes 1.5 questions and 2 at worst, where 1 is enough.
    assert_eq!((of("e1", "expected", "gbs"), of("e1", "worst", "gbs")), (1.5, 2.0));
    assert_eq!((of("e1", "expected", "ggbs"), of("e1", "expected", "proved")), (1.0, 1.0));
    // An empty cell is an answer of its own: three objects, asking v is enough.
    assert_eq!((of("e5", "worst", "bound"), of("e5", "expected", "search")), (1.0, 1.0));
    assert_eq!(rows(&folder.read("made/real.csv")).len(), 2 * 3 * 14);
}

#[test]
fn what_cannot_be_made_is_refused() {
    let folder = with(&[
        ("file", "x"),
        ("bad/cells.jsonl", "hello\n"),
        ("none/readme.txt", ""),
        ("t.csv", "object,q\na,0\nb\n"),
    ]);
    let mut faults = Vec::new();
    for (line, says) in [
        ("reproduce figure9", "invalid value"),
        ("reproduce figure6 --datasets 0", "0 is not in"),
        ("reproduce figure6 --datasets many", "invalid value"),
        ("reproduce real --time soon", "a time is a number and a unit"),
        ("reproduce", "required arguments"),
    ] {
        let run = folder.call(line);
        if run.code != Some(2) || !run.err.contains(says) || !run.out.is_empty() {
            faults.push(format!("{line}: {run:?}"));
        }
    }
    for (line, says) in [
        ("reproduce toy --tables t.csv", "--tables is for `reproduce real`"),
        ("reproduce real", "name some with --tables"),
        ("reproduce real --tables nowhere.csv", "nowhere.csv"),
        ("reproduce real --tables none", "holds no table"),
        ("reproduce real --tables t.csv", "t.csv"),
        ("reproduce toy --out file", "cannot make the folder file"),
        ("reproduce dfep --out bad", "bad/cells.jsonl: line 1 is no finished cell"),
    ] {
        faults.extend(folder.call(line).refusal(2, &[says]).map(|fault| format!("{line}: {fault}")));
    }
    report(&faults);
    assert_eq!(folder.read("bad/cells.jsonl"), "hello\n");
}
