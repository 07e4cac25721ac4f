//! Model of the server's data, in plain maps.

use super::random::Random;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A table that was uploaded.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) csv: String,
    pub(super) tests: Vec<String>,
    pub(super) objects: Vec<String>,
    pub(super) groups: Vec<String>,
    /// Answers of each object, in the order of the tests.
    pub(super) rows: Vec<Vec<String>>,
    /// Whether objects are identified although there are groups.
    pub(super) by_object: bool,
}

impl Table {
    pub(super) fn new(random: &mut Random) -> Self {
        const NAMES: [&str; 8] = ["legs", "a b", "ü?", "x/y", "quoted \"q\"", "%41", "semi;colon", "<b>"];
        const LABELS: [&str; 7] = ["yes", "no", "maybe", "red", "1", "two words", "ø"];
        let tests: Vec<String> =
            (0..1 + random.below(6)).map(|at| format!("{}{at}", random.pick(&NAMES))).collect();
        let objects: Vec<String> = (0..2 + random.below(12)).map(|at| format!("object {at}")).collect();
        let arities: Vec<usize> = tests.iter().map(|_| 2 + random.below(3)).collect();
        let row = |random: &mut Random| -> Vec<String> {
            arities.iter().map(|arity| LABELS[random.below(*arity)].to_owned()).collect()
        };
        let rows: Vec<Vec<String>> = objects.iter().map(|_| row(random)).collect();
        let groups = match random.once_in(2) {
            true => objects.iter().map(|_| format!("g{}", random.below(3))).collect(),
            false => Vec::new(),
        };
        let has_prior = random.once_in(2);
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let mut csv = "object".to_owned();
        csv += if groups.is_empty() { "" } else { ",group" };
        csv += if has_prior { ",prior" } else { "" };
        tests.iter().for_each(|test| write!(csv, ",{}", quoted(test)).unwrap());
        for (at, object) in objects.iter().enumerate() {
            write!(csv, "\n{object}").unwrap();
            groups.get(at).into_iter().for_each(|group| write!(csv, ",{group}").unwrap());
            if has_prior {
                write!(csv, ",{}", 1 + random.below(9)).unwrap();
            }
            rows[at].iter().for_each(|answer| write!(csv, ",{}", quoted(answer)).unwrap());
        }
        Self { csv, tests, objects, groups, rows, by_object: false }
    }

    /// Answers to a test.
    pub(super) fn answers(&self, test: usize) -> Vec<String> {
        let mut answers: Vec<String> = self.rows.iter().map(|row| row[test].clone()).collect();
        answers.sort();
        answers.dedup();
        answers
    }

    /// Number of rows that differ in some answer.
    pub(super) fn distinct(&self) -> usize {
        let mut rows: Vec<&Vec<String>> = self.rows.iter().collect();
        rows.sort();
        rows.dedup();
        rows.len()
    }

    /// Number of objects that give all these answers. Rows that no test tells apart are one object, unless they are
    /// of one group and groups are identified.
    pub(super) fn left(&self, answers: &[Answer]) -> usize {
        let fits = |row: &Vec<String>| {
            answers.iter().all(|answer| {
                let test = self.tests.iter().position(|test| *test == answer.test).unwrap();
                answer.values.is_empty() || answer.values.contains(&row[test])
            })
        };
        let mut alike: BTreeMap<&Vec<String>, Vec<&str>> = BTreeMap::new();
        for (at, row) in self.rows.iter().enumerate().filter(|(_, row)| fits(row)) {
            let sought = if self.by_object {
                &self.objects[at]
            } else {
                self.groups.get(at).unwrap_or(&self.objects[at])
            };
            alike.entry(row).or_default().push(sought);
        }
        let count = |sought: &Vec<&str>| match sought.iter().all(|other| *other == sought[0]) {
            true => sought.len(),
            false => 1,
        };
        alike.values().map(count).sum()
    }
}

/// Answer to a test; no values: "I don't know".
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Answer {
    pub(super) test: String,
    pub(super) values: Vec<String>,
    pub(super) volunteered: bool,
}

impl Answer {
    pub(super) fn new(random: &mut Random, table: &Table, test: usize) -> Self {
        let all = table.answers(test);
        let mut values = match random.below(8) {
            0 => Vec::new(),
            1 => all.iter().filter(|_| random.once_in(2)).cloned().collect(),
            _ => vec![random.pick(&all).clone()],
        };
        values.sort();
        Self { test: table.tests[test].clone(), values, volunteered: random.once_in(6) }
    }

    /// Value as a request sends it.
    pub(super) fn value(&self) -> Value {
        match &self.values[..] {
            [] => Value::Null,
            [one] => json!(one),
            several => json!(several),
        }
    }

    pub(super) fn body(&self) -> Value {
        json!({"test": self.test, "value": self.value(), "volunteered": self.volunteered})
    }

    /// Reads an answer of a response.
    pub(super) fn read(found: &Value) -> Self {
        let mut values: Vec<String> = match &found["value"] {
            Value::Null => Vec::new(),
            Value::String(one) => vec![one.clone()],
            several => serde_json::from_value(several.clone()).unwrap(),
        };
        values.sort();
        let test = found["test"].as_str().unwrap().to_owned();
        Self { test, values, volunteered: found["volunteered"].as_bool().unwrap() }
    }
}

/// A session.
#[derive(Clone, Debug)]
pub(super) struct Session {
    pub(super) table: String,
    pub(super) options: Value,
    pub(super) answers: Vec<Answer>,
    pub(super) events: i64,
    pub(super) outcome: Option<Value>,
}

impl Session {
    /// Answers a test, or replaces its answer at the same position.
    pub(super) fn give(&mut self, answer: Answer) {
        self.events += 1;
        match self.answers.iter_mut().find(|given| given.test == answer.test) {
            Some(given) => *given = answer,
            None => self.answers.push(answer),
        }
    }

    /// Whether an object is possible exactly if it gives all answers.
    pub(super) fn is_plain(&self) -> bool {
        ["error_rate", "error_rates", "max_errors"].iter().all(|name| self.options[*name].is_null())
    }
}

/// Strategy, comparison or front.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub(super) kind: &'static str,
    pub(super) table: String,
}

/// Expected data of the server.
#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    pub(super) tables: BTreeMap<String, Table>,
    pub(super) sessions: BTreeMap<String, Session>,
    pub(super) jobs: BTreeMap<String, Job>,
    /// Idempotency keys, with the requests that they were used for and the sessions that these created.
    pub(super) keys: BTreeMap<String, (Value, String)>,
}

impl Model {
    /// Removes a table with its sessions and jobs.
    pub(super) fn drop_table(&mut self, id: &str) {
        self.tables.remove(id);
        self.sessions.retain(|_, session| session.table != id);
        self.jobs.retain(|_, job| job.table != id);
        let sessions = &self.sessions;
        self.keys.retain(|_, (_, session)| sessions.contains_key(session));
    }
}
