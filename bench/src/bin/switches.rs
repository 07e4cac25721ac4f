//! What each part of the exact solver gains: the same problems with one part switched off at a time.
//!
//! `switches [--threads N] [--only PART] [--time SECONDS] [TABLE …]`: the tables are CSV files, groups where there is a
//! column `group`, else objects; without any, a few that are generated. Two threads, 60 s at most for a run; a time
//! with `>` hit that limit before the optimum was proved. Beside it stands the processor time of all threads.

#![allow(clippy::print_stdout, reason = "a program that prints what it measured")]

use fewest::exact::{MAX_CELLS, Solution, Switches, Task, solve};
use fewest::{Goal, Instance, Limit, MEMORY, MissingCells, Objective, Reading, Table, Trial, trials};
use fewest_bench::{Result, busy_seconds};
use fewest_formats::read::{ReadOptions, Source, read_table};
use fewest_lab::generate::{Answers, Mastermind, Random, Sorting};
use std::path::Path;
use std::time::{Duration, Instant};

/// A name, and all switches but one.
fn ways() -> [(&'static str, Switches); 10] {
    let all = Switches::ALL;
    [
        ("all on", all),
        ("no memo", Switches { memo: false, ..all }),
        ("no majority path", Switches { majority_path: false, ..all }),
        ("no prices", Switches { prices: None, ..all }),
        ("no nested path", Switches { nested: None, ..all }),
        ("no parts", Switches { parts: false, ..all }),
        ("no probe", Switches { probe: false, ..all }),
        ("no compact", Switches { compact: false, ..all }),
        ("no distinct", Switches { distinct: false, ..all }),
        ("no symmetry", Switches { symmetry: false, ..all }),
    ]
}

fn main() -> Result<()> {
    let (mut threads, mut patience, mut only, mut given) = (2, 60.0, String::new(), Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} wants a value"));
        match argument.as_str() {
            "--threads" => threads = value()?.parse()?,
            "--time" => patience = value()?.parse()?,
            "--only" => only = value()?,
            _ => given.push(argument),
        }
    }
    let patience = Duration::from_secs_f64(patience);
    let mut problems = Vec::new();
    for path in &given {
        let (table, _) = read_table(Source::Path(Path::new(path)), &ReadOptions::default())?;
        problems.push((path.clone(), instance(table, false)?));
    }
    if given.is_empty() {
        problems = generated()?;
    }
    for (name, instance) in &problems {
        if instance.object_count() * instance.test_count() > MAX_CELLS {
            println!("{name}: too large for the exact solver");
            continue;
        }
        println!(
            "{name}: {} objects, {} tests, expected cost",
            instance.object_count(),
            instance.test_count()
        );
        let greedy = trials(instance, &Goal::default(), &Limit::none());
        for (part, switches) in ways().into_iter().filter(|(part, _)| part.contains(&only)) {
            let (start, before) = (Instant::now(), busy_seconds()?);
            let found = run(instance, &greedy, switches, threads, patience);
            let mark = if found.complete { " " } else { ">" };
            println!(
                "  {part:<12}{mark}{:8.3} s {:8.2} CPU s {:>10} sets   bound {:.6}",
                start.elapsed().as_secs_f64(),
                busy_seconds()? - before,
                found.states,
                found.bound
            );
        }
    }
    Ok(())
}

fn run(
    instance: &Instance,
    greedy: &[Trial],
    switches: Switches,
    threads: usize,
    patience: Duration,
) -> Solution {
    let task = Task {
        instance,
        objective: Objective::Expected,
        cap: f64::INFINITY,
        trees: greedy.iter().map(|trial| &trial.tree).collect(),
        deadline: Some(Instant::now() + patience),
        memory: MEMORY,
        threads,
        switches,
        proof: false,
    };
    solve(&task, |_| true)
}

fn instance(table: Table, confirm: bool) -> Result<Instance> {
    let reading = Reading { missing: MissingCells::Answer, confirm, ..Reading::default() };
    Ok(Instance::new(table, &reading)?.0)
}

fn generated() -> Result<Vec<(String, Instance)>> {
    let sparse =
        Random { objects: 200, tests: 60, answers: Answers::Density(0.15), seed: 1, ..Random::default() };
    Ok(vec![
        ("sorting 6".to_owned(), instance(Sorting { items: 6 }.generate()?, false)?),
        ("sparse 200×60".to_owned(), instance(sparse.generate()?, false)?),
        (
            "Mastermind 3×4, confirmed".to_owned(),
            instance(Mastermind { pegs: 3, colors: 4 }.generate()?, true)?,
        ),
    ])
}
