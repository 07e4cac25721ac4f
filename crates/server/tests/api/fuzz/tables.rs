//! Tables: uploaded, inspected, copied with another prior, deleted.

use super::Expected::{Any, Status};
use super::Fuzzer;
use super::model::Table;
use crate::bench::{Bench, name};
use axum::http::Method;
use serde_json::json;

impl Fuzzer {
    pub(super) async fn upload(&mut self) {
        let mut table = Table::new(&mut self.random);
        let validate = "/api/v1/tables/validate";
        if self.random.once_in(4) {
            let request = Bench::request(Method::POST, validate, "text/csv", table.csv.clone());
            self.call(Method::POST, validate, request, Status(200)).await;
        }
        if self.random.once_in(6) {
            return self.upload_odd(&table).await;
        }
        let query = *self.random.pick(&["", "?name=t%C3%BC", "?identify=objects", "?numeric=exact"]);
        table.by_object = query == "?identify=objects";
        let path = format!("/api/v1/tables{query}");
        let request = Bench::request(Method::POST, &path, "text/csv", table.csv.clone());
        let made = self.call(Method::POST, "/api/v1/tables", request, Status(201)).await.json();
        assert_eq!(made["instance"]["tests"], table.tests.len());
        assert_eq!(made["instance"]["rows"], table.objects.len());
        assert_eq!(made["instance"]["objects"], table.distinct());
        self.model.tables.insert(name(&made), table);
    }

    /// Uploads a table with a mistake in it.
    async fn upload_odd(&mut self, table: &Table) {
        let mut csv = table.csv.clone().into_bytes();
        for _ in 0..1 + self.random.below(3) {
            let at = self.random.below(csv.len());
            match self.random.below(3) {
                0 => csv[at] = self.random.next() as u8,
                1 => csv.truncate(at),
                _ => csv.insert(at, *self.random.pick(b"\",\n\r\0;\t?")),
            }
            if csv.is_empty() {
                break;
            }
        }
        let query = *self.random.pick(&[
            "",
            "?numeric=bins:3",
            "?missing=any",
            "?several=%7C",
            "?none=1",
            "?confirm=true",
        ]);
        let path = format!("/api/v1/tables{query}");
        let request = Bench::request(Method::POST, &path, "text/csv", csv);
        let reply = self.call(Method::POST, "/api/v1/tables", request, Any).await;
        if reply.status == 201 {
            // The model does not know the contents of this table, so it is read once and deleted.
            let path = format!("/api/v1/tables/{}", name(&reply.json()));
            self.get("/api/v1/tables/{id}", &path, Status(200)).await;
            self.get("/api/v1/tables/{id}/inspect", &format!("{path}/inspect"), Status(200)).await;
            self.delete("/api/v1/tables/{id}", &path, Status(204)).await;
        }
    }

    pub(super) async fn look_at_table(&mut self) {
        let id = self.name_of(&self.model.tables.clone()).unwrap();
        let path = format!("/api/v1/tables/{id}");
        let found = self.get("/api/v1/tables/{id}", &path, Status(200)).await.json();
        let table = self.model.tables[&id].clone();
        let tests: Vec<&str> =
            found["tests"].as_array().unwrap().iter().map(|test| test["name"].as_str().unwrap()).collect();
        assert_eq!(tests, table.tests);
        let content = self.get("/api/v1/tables/{id}/content", &format!("{path}/content"), Status(200)).await;
        assert_eq!(content.text(), table.csv);
        self.get("/api/v1/tables/{id}/inspect", &format!("{path}/inspect"), Status(200)).await;
    }

    pub(super) async fn update_prior(&mut self) {
        let id = self.name_of(&self.model.tables.clone()).unwrap();
        let path = format!("/api/v1/tables/{id}/prior");
        let (limit, strength) = (1 + self.random.below(5), 1 + self.random.below(20));
        let query = format!("{path}?limit={limit}&strength={strength}");
        let found = self.get("/api/v1/tables/{id}/prior", &query, Status(200)).await.json();
        let table = self.model.tables[&id].clone();
        assert_eq!(found["total"], table.left(&[]));
        assert_eq!(found["objects"].as_array().unwrap().len(), limit.min(table.left(&[])));
        let confirmed = |session: &&super::model::Session| session.table == id && session.outcome.is_some();
        assert_eq!(found["observations"], self.model.sessions.values().filter(confirmed).count());
        if self.random.once_in(4) {
            let body = json!({"strength": strength});
            let (reply, _) =
                self.send(Method::POST, "/api/v1/tables/{id}/prior", &path, body, Status(201)).await;
            if reply.status == 201 {
                let made = reply.json();
                assert_eq!(made["parent"], id.as_str());
                let path = format!("/api/v1/tables/{}", name(&made));
                self.delete("/api/v1/tables/{id}", &path, Status(204)).await;
            }
        }
    }

    pub(super) async fn delete_table(&mut self) {
        let id = self.name_of(&self.model.tables.clone()).unwrap();
        let path = format!("/api/v1/tables/{id}");
        self.delete("/api/v1/tables/{id}", &path, Status(204)).await;
        self.model.drop_table(&id);
        self.get("/api/v1/tables/{id}", &path, Status(404)).await;
        let body = json!({"table": id});
        let request = Bench::request(Method::POST, "/api/v1/next", "application/json", body.to_string());
        self.call(Method::POST, "/api/v1/next", request, Status(404)).await;
    }

    pub(super) async fn look_at_lists(&mut self) {
        let counts = [
            ("tables", self.model.tables.len()),
            ("sessions", self.model.sessions.len()),
            ("strategies", self.model.jobs.values().filter(|job| job.kind == "strategies").count()),
            ("comparisons", self.model.jobs.values().filter(|job| job.kind == "comparisons").count()),
            ("fronts", self.model.jobs.values().filter(|job| job.kind == "fronts").count()),
        ];
        let (kind, count) = *self.random.pick(&counts);
        let (limit, offset) = (1 + self.random.below(20), self.random.below(10));
        let route = format!("/api/v1/{kind}");
        let path = format!("{route}?limit={limit}&offset={offset}");
        let list = self.get(&route, &path, Status(200)).await.json();
        assert_eq!(list[kind].as_array().unwrap().len(), count.saturating_sub(offset).min(limit), "{kind}");
    }
}
