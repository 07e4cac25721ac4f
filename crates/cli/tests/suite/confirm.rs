//! `--confirm`: games, in which an object is identified only after the test with its name was asked.

use crate::common::Folder;
use serde_json::{Value, json};

/// Three codes, each a guess of cost 2, and a cheap question that singles out b.
const GAME: &str = "code,a,b,c,odd,prior\n@cost,2,2,2,1,\na,=,-,-,0,0.5\nb,-,=,-,1,0.3\nc,-,-,=,0,0.2\n";

/// Leads an object through a tree in JSON by its answers; returns the tests that it was asked, and the leaf.
fn play(mut node: &Value, answer: impl Fn(&str) -> String) -> (Vec<&str>, &Value) {
    let mut asked = Vec::new();
    while let Some(test) = node["ask"].as_str() {
        asked.push(test);
        node = &node["answers"][answer(test)];
    }
    (asked, node)
}

/// Answer to a guess of two pegs, by the rules of the game.
fn fit(guess: &str, code: &str) -> String {
    let black = guess.bytes().zip(code.bytes()).filter(|(one, two)| one == two).count();
    let count = |text: &str, letter: char| text.matches(letter).count();
    let common: usize = ('A'..='C').map(|color| count(guess, color).min(count(code, color))).sum();
    format!("{black}+{}", common - black)
}

#[test]
fn every_command_plays_to_the_end() {
    let folder = Folder::with(&[("game.csv", GAME)]);
    // a, b, c in turn: 2, 4 and 6, or 3.4 on average. The cheap question first, which tells b, and then a: 3, 3 and 5,
    // also 3.4. With a first and then the cheap question it is 2, 5 and 5, or 3.5; every other beginning is dearer. At
    // worst it takes 5: a guess that misses and 3 more, or the cheap question and two guesses.
    let found = folder.json("build game.csv --confirm");
    assert_eq!(found["cost"]["expected"], json!(3.4));
    assert_eq!(found["instance"]["confirm"], json!(true));
    assert_eq!(folder.json("build game.csv --confirm --objective worst")["cost"]["worst"], json!(5));
    // Without, the cheap question and a are all it takes: 3 for a and c, 1 for b.
    let plain = folder.json("build game.csv");
    assert_eq!(plain["cost"]["worst"], json!(3));
    assert_eq!(plain["instance"].get("confirm"), None);
    for line in [
        "compare game.csv",
        "front game.csv",
        "inspect game.csv",
        "bounds game.csv",
        "build game.csv --report",
    ] {
        folder.call(&format!("{line} --confirm")).ok(line);
        folder.call(&format!("{line} --confirm --json")).ok(line);
    }
    let text = folder.out("bounds game.csv --confirm");
    assert!(
        text.contains("each object confirmed by its own test") && text.contains("guesses: each object"),
        "{text}"
    );
    assert!(!folder.out("bounds game.csv").contains("guesses"));
    let rows = folder.json("compare game.csv --confirm");
    let costs = rows["rows"].as_array().unwrap().iter().map(|row| row["cost"]["worst"].as_f64().unwrap());
    // The least worst cost, as above.
    assert!(costs.into_iter().all(|worst| worst >= 5.0));
}

#[test]
fn a_saved_game_is_checked_as_a_game() {
    let folder = Folder::with(&[("game.csv", GAME)]);
    folder.call("build game.csv --confirm --output plan.json").ok("build");
    // The strategy stores the option; repeating it does no harm.
    folder.call("check game.csv plan.json").ok("check");
    folder.call("check game.csv plan.json --confirm").ok("check");
    folder.call("show plan.json").ok("show");
    folder.call("build game.csv --output plain.json").ok("build");
    let run = folder.call("check game.csv plain.json --confirm");
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("confirms it was not asked"), "{}", run.err);
    // A strategy for a game asks more than a plain table needs.
    folder.write("forgot.json", folder.read("plan.json").replace("\"confirm\":true", "\"confirm\":false"));
    assert_eq!(folder.call("check game.csv forgot.json").code, Some(1));
}

#[test]
fn mastermind_is_played_until_the_code_is_guessed() {
    let folder = Folder::new();
    folder.out("generate mastermind --pegs 2 --colors 3 --output game.csv");
    folder.call("build game.csv --confirm --output plan.json").ok("build");
    folder.call("check game.csv plan.json").ok("check");
    let found = folder.json("build game.csv --confirm");
    let mut guesses = 0;
    for code in ["AA", "AB", "AC", "BA", "BB", "BC", "CA", "CB", "CC"] {
        let (asked, leaf) = play(&found["tree"], |guess| fit(guess, code));
        assert_eq!(asked.last(), Some(&code), "the game ends with the code itself");
        assert_eq!(leaf["objects"], json!([code]));
        guesses += asked.len();
    }
    let expected = found["cost"]["expected"].as_f64().unwrap();
    assert!((expected - guesses as f64 / 9.0).abs() < 1e-12);
    // Two pegs of two colors: 1, 2, 2 and 3 guesses, and the answers that lead on allow no better.
    folder.out("generate mastermind --pegs 2 --colors 2 --output small.csv");
    for (objective, value) in [("expected", 2), ("worst", 3)] {
        let found = folder.json(&format!("build small.csv --confirm --objective {objective}"));
        assert_eq!((&found["cost"][objective], &found["optimal"]), (&json!(value), &json!(true)));
        assert_eq!(found["lower_bound"]["by"], json!("guesses"));
    }
}

#[test]
fn confirmations_are_drawn() {
    let folder = Folder::with(&[("two.csv", "code,A,B\nA,=,-\nB,-,=\n")]);
    let text = folder.out("build two.csv --confirm");
    let drawn = "A?\n├─ -: B?  50 %\n│  └─ =: B  50 %\n└─ =: A  50 %\n";
    assert!(text.contains(drawn), "{text}");
}

#[test]
fn tables_that_are_no_games_are_refused() {
    let folder = Folder::with(&[
        ("lacking.csv", "code,A,odd\nA,=,0\nB,-,1\n"),
        ("shared.csv", "code,A,B\nA,=,-\nB,=,=\n"),
        ("groups.csv", "code,group,A,B\nA,x,=,-\nB,y,-,=\n"),
    ]);
    for (table, says) in [
        ("lacking.csv", ["object `B` has no test of its name", "add a column `B`"]),
        ("shared.csv", ["test `A` cannot confirm object `A`", "`B` answers `=` as well"]),
        ("groups.csv", ["groups are to be found here", "--identify objects"]),
    ] {
        for command in ["build", "compare", "front", "inspect", "bounds"] {
            let line = format!("{command} {table} --confirm");
            assert_eq!(folder.call(&line).refusal(2, &says), None, "{line}");
        }
    }
    folder.call("build groups.csv --confirm --identify objects").ok("objects");
}
