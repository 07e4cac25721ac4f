//! Sessions: begun with and without a key, answered, changed, confirmed, deleted, and compared with the model.

use super::Expected::{Any, Status};
use super::Fuzzer;
use super::model::{Answer, Session};
use crate::bench::{Bench, name};
use axum::http::Method;
use serde_json::{Value, json};

const SESSION: &str = "/api/v1/sessions/{id}";
const ANSWER: &str = "/api/v1/sessions/{id}/answers/{test}";

/// Name of a test, escaped for a path.
fn escaped(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

impl Fuzzer {
    /// Random rules of a session about `table`.
    pub(super) fn options(&mut self, table: &str) -> Value {
        let known = self.model.tables[table].clone();
        let test = self.random.pick(&known.tests).clone();
        match self.random.below(12) {
            0 => json!({"error_rate": 0.1}),
            1 => json!({"max_errors": 1}),
            2 => json!({"until": "object"}),
            3 => json!({"certainty": 0.8}),
            4 => json!({"left": 2}),
            5 => json!({"without": [test]}),
            6 => json!({"first": [test], "cost_blind": true}),
            7 => json!({"algorithm": "ec2"}),
            8 => json!({"error_rates": {test: 0.2}}),
            9 => json!({"max_cost": 2}),
            _ => json!({}),
        }
    }

    /// Random answers to some tests of a table, each test once.
    pub(super) fn some_answers(&mut self, table: &str) -> Vec<Answer> {
        let table = self.model.tables[table].clone();
        let mut answers = Vec::new();
        for test in 0..table.tests.len() {
            if self.random.once_in(3) {
                answers.push(Answer::new(&mut self.random, &table, test));
            }
        }
        answers
    }

    pub(super) async fn begin_session(&mut self) {
        if self.random.once_in(5) && !self.model.keys.is_empty() {
            return self.begin_again().await;
        }
        let table = self.name_of(&self.model.tables.clone()).unwrap();
        let (options, answers) = (self.options(&table), self.some_answers(&table));
        let listed: Vec<Value> = answers.iter().map(Answer::body).collect();
        let body = json!({"table": table, "options": options, "answers": listed});
        if self.random.once_in(3) {
            let key = format!("key {}", self.random.next());
            let made = self.begin_with(&key, &body, 201).await;
            self.model.keys.insert(key, (body, name(&made)));
            self.begun(made, &table, answers);
            return;
        }
        let (reply, is_odd) =
            self.send(Method::POST, "/api/v1/sessions", "/api/v1/sessions", body, Status(201)).await;
        if reply.status == 201 {
            let made = reply.json();
            let answers = if is_odd { read_answers(&made) } else { answers };
            let table = made["table"].as_str().unwrap().to_owned();
            self.begun(made, &table, answers);
        }
    }

    fn begun(&mut self, made: Value, table: &str, answers: Vec<Answer>) {
        let session = Session {
            table: table.to_owned(),
            options: made["options"].clone(),
            answers,
            events: 1,
            outcome: None,
        };
        self.check_detail(&session, &made);
        self.model.sessions.insert(name(&made), session);
    }

    async fn begin_with(&mut self, key: &str, body: &Value, status: u16) -> Value {
        let mut request =
            Bench::request(Method::POST, "/api/v1/sessions", "application/json", body.to_string());
        request.headers_mut().insert("idempotency-key", key.parse().unwrap());
        self.call(Method::POST, "/api/v1/sessions", request, Status(status)).await.json()
    }

    /// Uses a key again: the same request returns the same session, another request is refused.
    async fn begin_again(&mut self) {
        let key = self.name_of(&self.model.keys.clone()).unwrap();
        let (mut body, session) = self.model.keys[&key].clone();
        if self.random.once_in(2) {
            let made = self.begin_with(&key, &body, 200).await;
            assert_eq!(name(&made), session);
            let known = self.model.sessions[&session].clone();
            self.check_detail(&known, &made);
        } else {
            body["options"]["left"] = json!(7);
            self.begin_with(&key, &body, 409).await;
        }
    }

    /// Fails if a session differs from the model.
    fn check_detail(&self, session: &Session, found: &Value) {
        assert_eq!(found["table"], session.table.as_str(), "{found}");
        assert_eq!(found["events"], session.events, "{found}");
        assert_eq!(found["outcome"], session.outcome.clone().unwrap_or(Value::Null), "{found}");
        assert_eq!(read_answers(found), session.answers, "{found}");
        let situation = &found["situation"];
        assert_eq!(situation["should_stop"].as_bool().unwrap(), situation["question"].is_null(), "{found}");
        if session.is_plain() {
            let left = self.model.tables[&session.table].left(&session.answers);
            assert_eq!(situation["candidates_left"], left, "{found}");
            assert_eq!(situation["reason"] == "contradiction", left == 0, "{found}");
        }
        let total: f64 = situation["candidates"]
            .as_array()
            .unwrap()
            .iter()
            .map(|candidate| candidate["probability"].as_f64().unwrap())
            .sum();
        assert!(total < 1.0 + 1e-9, "{found}");
    }

    pub(super) async fn check_session(&mut self, id: &str) {
        let path = format!("/api/v1/sessions/{id}");
        let found = self.get(SESSION, &path, Status(200)).await.json();
        let session = self.model.sessions[id].clone();
        self.check_detail(&session, &found);
    }

    pub(super) async fn answer(&mut self) {
        let Some(id) = self.name_of(&self.model.sessions.clone()) else { return self.begin_session().await };
        let table = self.model.tables[&self.model.sessions[&id].table].clone();
        let test = self.random.below(table.tests.len());
        let answer = Answer::new(&mut self.random, &table, test);
        let path = format!("/api/v1/sessions/{id}/answers/{}", escaped(&answer.test));
        let body = json!({"value": answer.value(), "volunteered": answer.volunteered});
        let (reply, is_odd) = self.send(Method::PUT, ANSWER, &path, body, Status(200)).await;
        if reply.status != 200 {
            return;
        }
        let found = reply.json();
        let mut session = self.model.sessions[&id].clone();
        let given = match is_odd {
            true => read_answers(&found).into_iter().find(|given| given.test == answer.test).unwrap(),
            false => answer,
        };
        session.give(given);
        self.check_detail(&session, &found);
        self.model.sessions.insert(id, session);
    }

    pub(super) async fn withdraw(&mut self) {
        let Some(id) = self.name_of(&self.model.sessions.clone()) else { return self.begin_session().await };
        let mut session = self.model.sessions[&id].clone();
        if session.answers.is_empty() {
            let test = self.model.tables[&session.table].tests[0].clone();
            let path = format!("/api/v1/sessions/{id}/answers/{}", escaped(&test));
            self.delete(ANSWER, &path, Status(404)).await;
            return;
        }
        let at = self.random.below(session.answers.len());
        let answer = session.answers.remove(at);
        session.events += 1;
        let path = format!("/api/v1/sessions/{id}/answers/{}", escaped(&answer.test));
        let found = self.delete(ANSWER, &path, Status(200)).await.json();
        self.check_detail(&session, &found);
        self.model.sessions.insert(id, session);
    }

    pub(super) async fn look_at_session(&mut self) {
        let Some(id) = self.name_of(&self.model.sessions.clone()) else { return self.begin_session().await };
        self.check_session(&id).await;
        let session = self.model.sessions[&id].clone();
        let (limit, after) = (1 + self.random.below(5), self.random.below(6));
        let path = format!("/api/v1/sessions/{id}/log?limit={limit}&after={after}");
        let log = self.get("/api/v1/sessions/{id}/log", &path, Status(200)).await.json();
        assert_eq!(log["total"], session.events);
        let numbers: Vec<i64> =
            log["events"].as_array().unwrap().iter().map(|event| event["number"].as_i64().unwrap()).collect();
        let wanted: Vec<i64> = (after as i64 + 1..=session.events).take(limit).collect();
        assert_eq!(numbers, wanted);
    }

    pub(super) async fn confirm(&mut self) {
        let Some(id) = self.name_of(&self.model.sessions.clone()) else { return self.begin_session().await };
        let mut session = self.model.sessions[&id].clone();
        let table = self.model.tables[&session.table].clone();
        let outcome = match table.groups.is_empty() || self.random.once_in(2) {
            true => json!({"object": self.random.pick(&table.objects)}),
            false => json!({"group": self.random.pick(&table.groups)}),
        };
        let (route, path) = ("/api/v1/sessions/{id}/outcome", format!("/api/v1/sessions/{id}/outcome"));
        // Where objects are identified, each is its own group.
        let expected = if outcome["group"].is_null() { Status(200) } else { Any };
        let (reply, _) = self.send(Method::PUT, route, &path, outcome, expected).await;
        if reply.status == 200 {
            session.events += 1;
            session.outcome = Some(reply.json()["outcome"].clone());
            self.model.sessions.insert(id.clone(), session);
        }
        self.check_session(&id).await;
    }

    pub(super) async fn delete_session(&mut self) {
        let Some(id) = self.name_of(&self.model.sessions.clone()) else { return self.begin_session().await };
        let path = format!("/api/v1/sessions/{id}");
        self.delete(SESSION, &path, Status(204)).await;
        self.model.sessions.remove(&id);
        self.model.keys.retain(|_, (_, session)| *session != id);
        self.get(SESSION, &path, Status(404)).await;
        self.delete(SESSION, &path, Status(404)).await;
    }
}

fn read_answers(found: &Value) -> Vec<Answer> {
    found["situation"]["answers"].as_array().unwrap().iter().map(Answer::read).collect()
}
