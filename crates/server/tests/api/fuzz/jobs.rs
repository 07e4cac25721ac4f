//! Strategies, comparisons and fronts.

use super::Expected::{Any, Status};
use super::Fuzzer;
use super::model::Job;
use crate::bench::name;
use axum::http::Method;
use serde_json::{Value, json};
use std::time::Duration;

/// Most jobs at a time: the queue of the server is not tested here.
const MOST: usize = 40;

impl Fuzzer {
    pub(super) async fn start_job(&mut self) {
        if self.model.jobs.len() >= MOST {
            return self.end_job().await;
        }
        let table = self.name_of(&self.model.tables.clone()).unwrap();
        let kind = *self.random.pick(&["strategies", "comparisons", "fronts"]);
        let mut body = json!({"table": table, "time_ms": self.random.below(8)});
        if self.random.once_in(2) {
            body["objective"] = json!(self.random.pick(&["expected", "worst", "exponential"]));
            body["lambda"] = self.random.pick(&[json!(1), json!(3.5), json!("inf")]).clone();
        }
        if kind == "strategies" && self.random.once_in(3) {
            body["algorithm"] = json!(self.random.pick(&["auto", "ggbs", "gbs", "ec2", "optimal"]));
        }
        let route = format!("/api/v1/{kind}");
        let (reply, _) = self.send(Method::POST, &route, &route, body, Status(202)).await;
        if reply.status == 202 {
            let made = reply.json();
            let table = made["table"].as_str().unwrap().to_owned();
            let id = name(&made);
            self.model.jobs.insert(id.clone(), Job { kind, table });
            self.until_over(&id).await;
        }
    }

    /// Waits for the end of a job and returns its description.
    async fn until_over(&mut self, id: &str) -> Value {
        let kind = self.model.jobs[id].kind;
        let (route, path) = (format!("/api/v1/{kind}/{{id}}"), format!("/api/v1/{kind}/{id}"));
        loop {
            let found = self.get(&route, &path, Status(200)).await.json();
            match found["standing"]["state"].as_str().unwrap() {
                "queued" | "running" => tokio::time::sleep(Duration::from_millis(3)).await,
                _ => return found,
            }
        }
    }

    pub(super) async fn look_at_job(&mut self) {
        let Some(id) = self.name_of(&self.model.jobs.clone()) else { return self.start_job().await };
        let found = self.until_over(&id).await;
        let kind = self.model.jobs[&id].kind;
        let route = format!("/api/v1/{kind}/{{id}}/document");
        let path = format!("/api/v1/{kind}/{id}");
        if found["standing"]["state"] != "done" {
            self.get(&route, &format!("{path}/document"), Status(409)).await;
            return;
        }
        let document = self.get(&route, &format!("{path}/document"), Status(200)).await.json();
        assert_eq!(document["version"], 1);
        if kind == "strategies" {
            let (value, bound) = (&found["result"]["value"], &found["result"]["lower_bound"]);
            if let (Some(value), Some(bound)) = (value.as_f64(), bound.as_f64()) {
                assert!(value >= bound - 1e-9, "{found}");
            }
            let events =
                self.get("/api/v1/strategies/{id}/events", &format!("{path}/events"), Status(200)).await;
            assert!(events.text().contains("event: end"), "{}", events.text());
            let body = json!({"options": {"strategy": id}});
            self.send(Method::POST, "/api/v1/next", "/api/v1/next", body, Status(200)).await;
            self.page(&format!("/strategies/{id}/tree")).await;
        }
        self.page(&format!("/{kind}/{id}")).await;
    }

    pub(super) async fn end_job(&mut self) {
        let Some(id) = self.name_of(&self.model.jobs.clone()) else { return };
        let kind = self.model.jobs[&id].kind;
        let (route, path) = (format!("/api/v1/{kind}/{{id}}"), format!("/api/v1/{kind}/{id}"));
        self.until_over(&id).await;
        self.delete(&route, &path, Status(204)).await;
        self.model.jobs.remove(&id);
        // Sessions that follow it can continue only without it; the fuzzer makes none.
        self.get(&route, &path, Status(404)).await;
        self.delete(&route, &path, Any).await;
    }
}
