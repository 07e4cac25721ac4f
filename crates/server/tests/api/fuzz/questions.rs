//! Stateless questions.

use super::Expected::{Any, Status};
use super::Fuzzer;
use super::model::Answer;
use axum::http::Method;
use serde_json::{Value, json};

impl Fuzzer {
    fn asked(&mut self) -> (String, Vec<Answer>, Value) {
        let table = self.name_of(&self.model.tables.clone()).unwrap();
        let answers = self.some_answers(&table);
        let listed: Vec<Value> = answers.iter().map(Answer::body).collect();
        let body = json!({"table": table, "answers": listed});
        (table, answers, body)
    }

    pub(super) async fn ask_next(&mut self) {
        let (table, answers, mut body) = self.asked();
        if self.random.once_in(3) {
            body["most"] = json!(self.random.below(1001));
        }
        let route = "/api/v1/next";
        let (reply, is_odd) = self.send(Method::POST, route, route, body.clone(), Status(200)).await;
        if is_odd || reply.status != 200 {
            return;
        }
        let first = reply.json();
        assert_eq!(first["candidates_left"], self.model.tables[&table].left(&answers), "{first}");
        // The same question has the same response, cached or not.
        let (again, is_odd) = self.send(Method::POST, route, route, body, Status(200)).await;
        assert!(is_odd || again.json() == first);
    }

    pub(super) async fn ask_why(&mut self) {
        let (table, _, mut body) = self.asked();
        self.send(Method::POST, "/api/v1/rationale", "/api/v1/rationale", body.clone(), Status(200)).await;
        let objects = self.model.tables[&table].objects.clone();
        body["object"] = json!(self.random.pick(&objects));
        if self.random.once_in(2) {
            body["other"] = json!(self.random.pick(&objects));
        }
        let route = "/api/v1/explain";
        self.send(Method::POST, route, route, body, Status(200)).await;
    }

    pub(super) async fn simulate(&mut self) {
        let table = self.name_of(&self.model.tables.clone()).unwrap();
        let options = self.options(&table);
        let mut body = json!({"table": table, "options": options, "seed": self.random.below(100)});
        if self.random.once_in(2) {
            body["runs"] = json!(1 + self.random.below(20));
            body["noise"] = json!(0.1);
        }
        let route = "/api/v1/simulate";
        // Some options cannot be combined with a simulation.
        self.send(Method::POST, route, route, body, Any).await;
    }
}
