//! Every program of `examples/` runs and prints what its head says.

use std::path::PathBuf;
use std::process::Command;

/// Output of an example, which `cargo test` has built beside the tests.
fn run(name: &str) -> String {
    let tests = std::env::current_exe().expect("a test has a file");
    let folder = tests.parent().and_then(|deps| deps.parent()).expect("tests lie in a folder of the target");
    let program: PathBuf = folder.join("examples").join(name).with_extension(std::env::consts::EXE_EXTENSION);
    let output = Command::new(&program).output();
    let output = output.unwrap_or_else(|error| {
        panic!("{}: {error}; build the examples first: cargo build --examples", program.display())
    });
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("examples print text")
}

#[test]
fn build_proves_both_objectives() {
    let text = run("build");
    // dog and cat weigh 8 of 12: legs, then barks, cost 2; hen and eagle (3 of 12) cost 3.5, the trout 1.
    assert!(text.contains("Expected: expected cost 2.292, worst cost 3.5, proved optimal: true"), "{text}");
    assert!(text.contains("Worst: expected cost 2.292, worst cost 3.5, proved optimal: true"), "{text}");
}

#[test]
fn session_loop_leaves_what_the_unknown_answer_leaves() {
    let text = run("session_loop");
    assert!(text.ends_with("  cold with probability 0.50\n  hay fever with probability 0.50\n"), "{text}");
}

#[test]
fn custom_criterion_asks_the_test_with_three_answers_first() {
    // Three answers of two objects each, and one more question for each pair.
    assert_eq!(run("custom_criterion"), "expected cost 2.000, worst cost 2\n");
}

#[test]
fn exact_with_limit_ends_in_time() {
    let text = run("exact_with_limit");
    assert!(text.contains("no tree is below"), "{text}");
}

#[test]
fn check_certificate_refuses_the_forged_bound() {
    let text = run("check_certificate");
    // Five objects, weights equal: depths 2 2 2 3 3 make 12 of 5.
    assert!(text.starts_with("verified: costs 2.400, no tree is below 2.400\nforged: "), "{text}");
}

#[test]
fn learn_predicts_the_flower() {
    assert_eq!(run("learn"), "3 leaves, 2 questions at most\npredicted: virginica\n");
}
