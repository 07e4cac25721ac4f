//! Comparison of the store with a plain map: random changes on both, and all that can be read compared after each.
//!
//! `cargo test` plays a few games; for a long run, `FEWEST_MODEL_GAMES` sets their number and `FEWEST_MODEL_SEED` the
//! first seed.

use super::{Answered, Change, Job, JobState, NewSession, Place, SessionRow, Store, TableRow, TokenRow};
use crate::id::new_id;
use sqlx::{AssertSqlSafe, Connection};
use std::collections::BTreeMap;

/// Number of changes in one game.
const CHANGES: usize = 60;
/// Kinds of jobs.
const KINDS: [&str; 3] = ["build", "compare", "front"];

/// Pseudo-random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % end as u64) as usize
    }

    /// One of `ids`, or sometimes one that does not exist.
    fn id<'a>(&mut self, ids: impl Iterator<Item = &'a String>) -> String {
        let ids: Vec<&String> = ids.collect();
        let at = self.below(ids.len() + 1);
        ids.get(at).map_or_else(new_id, |id| (*id).clone())
    }

    fn text(&mut self) -> String {
        let words =
            ["", "a", "fever", "Ünï ✓ 'quoted' \"twice\"", "%_\\", "null", "long ".repeat(2000).as_str()]
                .map(str::to_owned);
        words[self.below(words.len())].clone()
    }
}

/// A session of the model.
#[derive(Clone, Debug)]
struct ModelSession {
    row: SessionRow,
    key: Option<String>,
    /// Answers, in the order in which tests were first answered.
    answers: Vec<Answered>,
    events: Vec<(i64, i64, String)>,
}

/// Expected contents of the store.
#[derive(Clone, Debug, Default)]
struct Model {
    tables: BTreeMap<String, (TableRow, Vec<u8>)>,
    jobs: BTreeMap<String, (Job, Option<String>)>,
    sessions: BTreeMap<String, ModelSession>,
    tokens: Vec<TokenRow>,
    /// Time, which advances with every change so that lists have a unique order.
    now: i64,
}

impl Model {
    fn delete_table(&mut self, id: &str) -> bool {
        self.jobs.retain(|_, (job, _)| job.table != id);
        self.sessions.retain(|_, session| session.row.table != id);
        self.tables.remove(id).is_some()
    }
}

/// Store and its model.
struct Game {
    store: Store,
    place: Place,
    model: Model,
    random: Random,
}

impl Game {
    async fn step(&mut self) -> &'static str {
        self.model.now += 1;
        match self.random.below(15) {
            0 | 1 => self.add_table().await,
            2 => self.delete_table().await,
            3 | 4 => self.add_job().await,
            5 => self.change_job().await,
            6 | 7 => self.add_session().await,
            8..=11 => self.change_session().await,
            12 => self.delete_session().await,
            13 => self.add_token().await,
            _ => self.reopen().await,
        }
    }

    async fn add_table(&mut self) -> &'static str {
        let (id, text) = (new_id(), self.random.text());
        let content = text.repeat(self.random.below(3)).into_bytes();
        let row = TableRow {
            id: id.clone(),
            name: text,
            digest: new_id(),
            options: "{}".to_owned(),
            summary: "{\"figure\":\"inf\"}".to_owned(),
            size: content.len() as i64,
            parent: self.model.tables.keys().next().cloned(),
            created: self.model.now,
        };
        let unfit = TableRow { summary: "{\"figure\":null}".to_owned(), ..row.clone() };
        assert!(self.store.add_table(&unfit, &content).await.is_err(), "what is no number is not kept");
        self.store.add_table(&row, &content).await.unwrap();
        self.model.tables.insert(id, (row, content));
        "add a table"
    }

    async fn delete_table(&mut self) -> &'static str {
        let id = self.random.id(self.model.tables.keys());
        assert_eq!(self.store.delete_table(&id).await.unwrap(), self.model.delete_table(&id));
        "delete a table"
    }

    async fn add_job(&mut self) -> &'static str {
        let table = self.random.id(self.model.tables.keys());
        let job = Job {
            id: new_id(),
            table: table.clone(),
            kind: KINDS[self.random.below(3)].to_owned(),
            request: format!("{{\"table\":\"{table}\"}}"),
            state: JobState::Queued,
            summary: None,
            problem: None,
            created: self.model.now,
            finished: None,
        };
        let added = self.store.add_job(&job).await;
        assert_eq!(added.is_ok(), self.model.tables.contains_key(&table), "a job needs its table");
        if added.is_ok() {
            self.model.jobs.insert(job.id.clone(), (job, None));
        }
        "add a job"
    }

    async fn change_job(&mut self) -> &'static str {
        let id = self.random.id(self.model.jobs.keys());
        let (kind, now) = (KINDS[self.random.below(3)], self.model.now);
        let found = self.model.jobs.get_mut(&id);
        match self.random.below(4) {
            0 => {
                self.store.begin_job(&id).await.unwrap();
                found.into_iter().for_each(|(job, _)| job.state = JobState::Running);
            }
            1 => {
                let result = Some(("{\"gap\":0}", "{\"tree\":[]}"));
                self.store.end_job(&id, JobState::Done, result, None, now).await.unwrap();
                if let Some((job, document)) = found {
                    (job.state, job.summary, job.problem) =
                        (JobState::Done, Some("{\"gap\":0}".to_owned()), None);
                    (job.finished, *document) = (Some(now), Some("{\"tree\":[]}".to_owned()));
                }
            }
            2 => {
                let unfit = Some(("{\"gap\":null}", "{}"));
                let ended = self.store.end_job(&id, JobState::Done, unfit, None, now).await;
                assert!(ended.is_err(), "what is no number is not kept");
            }
            _ => {
                let is_there = found.is_some_and(|(job, _)| job.kind == kind);
                assert_eq!(self.store.delete_job(&id, kind).await.unwrap(), is_there);
                if is_there {
                    self.model.jobs.remove(&id);
                }
            }
        }
        "change a job"
    }

    async fn add_session(&mut self) -> &'static str {
        let (id, now) = (new_id(), self.model.now);
        let table = self.random.id(self.model.tables.keys());
        let key = (self.random.below(2) == 0).then(|| format!("key {}", self.random.below(4)));
        let answers: Vec<Answered> = (0..self.random.below(6))
            .map(|test| Answered { test: format!("t{}", 9 - test), value: self.random.text() })
            .collect();
        let digest = key.as_deref();
        let new = NewSession { table: &table, options: "{}", key: key.as_deref(), digest, answers: &answers };
        let made = self.store.add_session(&id, &new, now, "begun").await;
        let earlier = self.model.sessions.values().find(|session| key.is_some() && session.key == key);
        if let Some(earlier) = earlier {
            assert_eq!(made.unwrap(), (earlier.row.id.clone(), false), "the same key is the same session");
            return "add a session again";
        }
        if !self.model.tables.contains_key(&table) {
            assert!(made.is_err(), "a session needs its table");
            return "add a session without a table";
        }
        assert_eq!(made.unwrap(), (id.clone(), true));
        let row = SessionRow {
            id: id.clone(),
            table,
            options: "{}".to_owned(),
            events: 1,
            created: now,
            changed: now,
            outcome: None,
        };
        let events = vec![(1, now, "begun".to_owned())];
        self.model.sessions.insert(id, ModelSession { row, key, answers, events });
        "add a session"
    }

    async fn change_session(&mut self) -> &'static str {
        let (id, now) = (self.random.id(self.model.sessions.keys()), self.model.now);
        // One fact may answer several tests: the cuts of a measured column.
        let first = self.random.below(10);
        let tests: Vec<String> = (first..=first + self.random.below(3)).map(|at| format!("t{at}")).collect();
        let answer = |test: &String| Answered { test: test.clone(), value: self.random.text() };
        let answers: Vec<Answered> = tests.iter().map(answer).collect();
        let change = match self.random.below(5) {
            0 => Change::Withdraw(&tests),
            1 => Change::Confirm("{\"object\":\"a\"}"),
            _ => Change::Answer(&answers),
        };
        let event = format!("event at {now}");
        let changed = self.store.change_session(&id, change, &event, now).await.unwrap();
        let found = self.model.sessions.get_mut(&id);
        assert_eq!(changed.is_some(), found.is_some());
        let Some(session) = found else { return "change no session" };
        session.row.events += 1;
        session.row.changed = now;
        session.events.push((session.row.events, now, event));
        match change {
            Change::Answer(answers) => {
                for answer in answers {
                    match session.answers.iter_mut().find(|known| known.test == answer.test) {
                        Some(known) => known.value.clone_from(&answer.value),
                        None => session.answers.push(answer.clone()),
                    }
                }
            }
            Change::Withdraw(tests) => session.answers.retain(|known| !tests.contains(&known.test)),
            Change::Confirm(outcome) => session.row.outcome = Some(outcome.to_owned()),
        }
        assert_eq!(changed.as_ref(), Some(&session.row), "what the change returns is what it left");
        "change a session"
    }

    async fn delete_session(&mut self) -> &'static str {
        let id = self.random.id(self.model.sessions.keys());
        assert_eq!(self.store.delete_session(&id).await.unwrap(), self.model.sessions.remove(&id).is_some());
        "delete a session"
    }

    async fn add_token(&mut self) -> &'static str {
        let token = TokenRow {
            hash: new_id(),
            name: (self.random.below(2) == 0).then(|| self.random.text()),
            created: self.model.now,
            used: None,
            expires: (self.random.below(2) == 0).then_some(self.model.now + 1),
        };
        self.store.add_token(&token).await.unwrap();
        self.model.tokens.push(token);
        "add a token"
    }

    async fn reopen(&mut self) -> &'static str {
        self.store.readiness().await.unwrap();
        self.store.close().await;
        self.store = Store::open_for_server(&self.place).await.unwrap();
        "open it again"
    }

    /// Reads everything from the store, and compares it with the model.
    async fn compare(&self) {
        let (store, model) = (&self.store, &self.model);
        let newest_first =
            |rows: &mut Vec<(i64, String)>| rows.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut tables: Vec<(i64, String)> =
            model.tables.values().map(|(row, _)| (row.created, format!("{row:?}"))).collect();
        newest_first(&mut tables);
        let found = store.tables(1000, 0).await.unwrap();
        assert_eq!(texts(&found), second(tables));
        for (id, (_, content)) in &model.tables {
            assert_eq!(store.table_content(id).await.unwrap().as_ref(), Some(content));
            let outcomes = store.outcomes(id).await.unwrap().iter().map(|(_, count)| *count).sum::<i64>();
            let confirmed =
                model.sessions.values().filter(|one| one.row.table == *id && one.row.outcome.is_some());
            assert_eq!(outcomes, confirmed.count() as i64);
        }
        for kind in KINDS {
            let of_kind = model.jobs.values().filter(|(job, _)| job.kind == kind);
            let mut jobs: Vec<(i64, String)> =
                of_kind.map(|(job, _)| (job.created, format!("{job:?}"))).collect();
            newest_first(&mut jobs);
            assert_eq!(texts(&store.jobs(kind, None, 1000, 0).await.unwrap()), second(jobs));
        }
        for (id, (job, document)) in &model.jobs {
            assert_eq!(&store.job_document(id, &job.kind).await.unwrap(), document);
        }
        let mut sessions: Vec<(i64, String)> =
            model.sessions.values().map(|one| (one.row.created, format!("{:?}", one.row))).collect();
        newest_first(&mut sessions);
        assert_eq!(texts(&store.sessions(None, 1000, 0).await.unwrap()), second(sessions));
        for (id, session) in &model.sessions {
            assert_eq!(store.answers(id).await.unwrap(), session.answers);
            let events = store.events(id, 0, 1000).await.unwrap();
            let events: Vec<_> =
                events.into_iter().map(|event| (event.number, event.at, event.what)).collect();
            assert_eq!(events, session.events);
        }
        let answers = model.sessions.values().map(|one| one.answers.len()).sum::<usize>() as i64;
        let confirmed = model.sessions.values().filter(|one| one.row.outcome.is_some()).count() as i64;
        assert_eq!(store.use_in_all().await.unwrap(), (model.sessions.len() as i64, answers, confirmed));
        assert_eq!(store.tokens().await.unwrap(), model.tokens);
    }
}

fn texts(rows: &[impl std::fmt::Debug]) -> Vec<String> {
    rows.iter().map(|row| format!("{row:?}")).collect()
}

fn second(rows: Vec<(i64, String)>) -> Vec<String> {
    rows.into_iter().map(|(_, text)| text).collect()
}

fn number(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).map_or(usual, |text| text.parse().unwrap())
}

/// Plays a game: random changes to the store and to the model.
async fn play(place: Place, seed: u64) {
    let store = Store::open_for_server(&place).await.unwrap();
    let mut game = Game { store, place, model: Model::default(), random: Random(seed) };
    let mut steps = Vec::new();
    for _ in 0..CHANGES {
        steps.push(game.step().await);
        game.compare().await;
    }
    game.store.close().await;
    assert_eq!(steps.len(), CHANGES);
}

#[tokio::test]
async fn issue_21_the_store_is_as_good_as_a_map_on_sqlite() {
    let first = number("FEWEST_MODEL_SEED", 1);
    for seed in first..first + number("FEWEST_MODEL_GAMES", 4) {
        let folder = tempfile::tempdir().unwrap();
        // A test that fails prints the seed.
        println_seed(seed);
        play(Place::Folder(folder.path().join("data")), seed).await;
    }
}

#[tokio::test]
async fn issue_21_the_store_is_as_good_as_a_map_on_postgres() {
    let Ok(url) = std::env::var("FEWEST_TEST_POSTGRES") else { return };
    let first = number("FEWEST_MODEL_SEED", 1);
    for seed in first..first + number("FEWEST_MODEL_GAMES", 2) {
        sqlx::any::install_default_drivers();
        let mut connection = sqlx::AnyConnection::connect(&url).await.unwrap();
        let name = format!("fewest_model_{}", new_id());
        let create = AssertSqlSafe(format!("CREATE DATABASE {name}"));
        sqlx::raw_sql(create).execute(&mut connection).await.unwrap();
        println_seed(seed);
        play(Place::Postgres(url.replace("/postgres?", &format!("/{name}?"))), seed).await;
    }
}

#[allow(clippy::print_stdout, reason = "a test that fails shows what it printed")]
fn println_seed(seed: u64) {
    println!("seed {seed}");
}
