//! Which tests come by which mutants, and whether they notice them.

use crate::compile::Binary;
use crate::{Outcome, Place};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A test with the mutants that it comes by, and how long it takes without any.
pub struct Test {
    binary: PathBuf,
    folder: PathBuf,
    name: String,
    time: Duration,
    seen: BTreeSet<u32>,
}

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Killed,
    /// A test took many times as long as without it.
    TimedOut,
    Survived,
    Unreached,
}

/// How tests are run.
pub struct Runner {
    pub jobs: usize,
    pub cases: Option<String>,
    pub names: Vec<String>,
    pub work: PathBuf,
}

/// Tests that take longer than this with the record are left out: thousands of mutants would wait for them.
const RECORDING: Duration = Duration::from_secs(40);

/// Kilobytes of address space for a test: a mutant may ask for memory without end.
const MEMORY: &str = "8000000";

impl Runner {
    /// Runs every test once by itself, without a mutant, and notes what it comes by.
    pub fn record(&self, binaries: &[Binary]) -> Outcome<Vec<Test>> {
        let mut names = Vec::new();
        for binary in binaries {
            let output = Command::new(&binary.path)
                .args(["--list", "--format", "terse"])
                .current_dir(&binary.folder)
                .output()?;
            let listing = String::from_utf8(output.stdout)?;
            for name in listing.lines().filter_map(|line| line.strip_suffix(": test")) {
                let full = format!("{} {name}", binary.name);
                if self.names.is_empty() || self.names.iter().any(|part| full.contains(part.as_str())) {
                    names.push((binary, name.to_owned()));
                }
            }
        }
        let tests = in_parallel(self.jobs, names.len(), |at| {
            let (binary, name) = &names[at];
            let seen = self.work.join(format!("seen-{at}"));
            _ = std::fs::remove_file(&seen);
            let start = Instant::now();
            let mut test = Test {
                binary: binary.path.clone(),
                folder: binary.folder.clone(),
                name: name.clone(),
                time: Duration::MAX,
                seen: BTreeSet::new(),
            };
            let passed = self.passes(&test, ("FEWEST_MUTANTS_SEEN", &seen.display().to_string()), RECORDING);
            test.time = start.elapsed();
            let list = std::fs::read_to_string(&seen).unwrap_or_default();
            _ = std::fs::remove_file(&seen);
            test.seen = list.lines().filter_map(|line| line.parse().ok()).collect();
            (passed == Some(true)).then_some(test).ok_or_else(|| format!("{} {name}", binary.name))
        });
        let (good, bad): (Vec<_>, Vec<_>) = tests.into_iter().partition(Result::is_ok);
        let bad: Vec<String> = bad.into_iter().filter_map(Result::err).collect();
        if !bad.is_empty() {
            println!("not used, for they fail or take too long without a mutant: {}", bad.join(", "));
        }
        let mut good: Vec<Test> = good.into_iter().filter_map(Result::ok).collect();
        good.sort_by_key(|test| test.time);
        let total: Duration = good.iter().map(|test| test.time).sum();
        println!("{} tests, {:.0} s one after the other", good.len(), total.as_secs_f64());
        Ok(good)
    }

    /// Runs the tests that come by each mutant: first those that noticed a mutant close by, then from the quickest to the slowest.
    pub fn run_all(&self, tests: &[Test], wanted: &[u32], places: &[Place]) -> Vec<Verdict> {
        let killers: Mutex<Vec<(usize, &str)>> = Mutex::new(Vec::new());
        let done = AtomicUsize::new(0);
        in_parallel(self.jobs, wanted.len(), |at| {
            let place = &places[wanted[at] as usize];
            let mut order: Vec<usize> =
                (0..tests.len()).filter(|test| tests[*test].seen.contains(&wanted[at])).collect();
            if let Ok(killers) = killers.lock() {
                let recent = |test: &usize| {
                    killers.iter().rev().take(12).position(|killer| *killer == (*test, place.file.as_str()))
                };
                order.sort_by_key(|test| {
                    recent(test).filter(|_| tests[*test].time < Duration::from_secs(2)).unwrap_or(usize::MAX)
                });
            }
            let mut verdict = if order.is_empty() { Verdict::Unreached } else { Verdict::Survived };
            let number = wanted[at].to_string();
            for test in order {
                let limit = Duration::from_secs(6) + 6 * tests[test].time;
                match self.passes(&tests[test], ("FEWEST_MUTANT", &number), limit) {
                    Some(true) => continue,
                    Some(false) => verdict = Verdict::Killed,
                    None => verdict = Verdict::TimedOut,
                }
                if let Ok(mut killers) = killers.lock() {
                    killers.push((test, &place.file));
                }
                break;
            }
            let count = done.fetch_add(1, Ordering::Relaxed) + 1;
            if verdict != Verdict::Killed {
                println!("{verdict:?} {}", place.key());
            }
            if count.is_multiple_of(100) {
                println!("… {count} of {}", wanted.len());
            }
            verdict
        })
    }

    /// Whether a test passes; `None` if it had to be stopped.
    fn passes(&self, test: &Test, (variable, value): (&str, &str), limit: Duration) -> Option<bool> {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("ulimit -v {MEMORY}; exec \"$@\""), "sh"]);
        command.arg(Path::new(&test.binary)).args(["--exact", &test.name, "--test-threads", "1"]);
        command.current_dir(&test.folder).env(variable, value);
        // The same inputs on every run, and no search for the smallest that fails.
        command.env("PROPTEST_MAX_SHRINK_ITERS", "0").env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1");
        self.cases.iter().for_each(|cases| _ = command.env("PROPTEST_CASES", cases));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("a shell");
        let start = Instant::now();
        loop {
            if let Some(status) = child.try_wait().expect("a child of ours") {
                return Some(status.success());
            }
            if start.elapsed() > limit {
                _ = child.kill();
                _ = child.wait();
                return None;
            }
            std::thread::sleep(Duration::from_millis(if start.elapsed().as_millis() < 200 { 1 } else { 10 }));
        }
    }
}

/// What `work` gives for each number below `count`, in order.
fn in_parallel<T: Send>(jobs: usize, count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= count {
                        break;
                    }
                    let result = work(at);
                    results.lock().expect("no thread panics").push((at, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no thread panics");
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}
