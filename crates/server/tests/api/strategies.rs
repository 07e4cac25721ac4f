use crate::bench::{Bench, Kind, PETS, name, on_both};
use crate::questions::built;
use fewest_server::Limits;
use serde_json::{Value, json};
use std::time::Duration;

on_both!(
    a_strategy_is_built_and_can_be_checked,
    progress_is_told_and_ends,
    cancelling_keeps_the_best,
    comparisons_and_fronts_are_built_too,
    what_cannot_be_built_is_refused,
);

const ZOO: &str = "../../examples/zoo.csv";

async fn a_strategy_is_built_and_can_be_checked(bench: Bench) {
    let zoo = std::fs::read_to_string(ZOO).unwrap();
    let table = bench.table(&zoo).await;
    let id = built(&bench, json!({"table": table})).await;
    let job = bench.get(&format!("/api/v1/strategies/{id}")).await.expect(200).json();
    // The optimum of this table is 210 questions for 101 animals.
    assert!((job["result"]["expected"].as_f64().unwrap() - 210.0 / 101.0).abs() < 1e-12);
    assert_eq!(job["result"]["optimal"], true);
    assert_eq!(job["standing"]["gap"], 0);
    let document = bench.get(&format!("/api/v1/strategies/{id}/document")).await.expect(200);
    let strategy = fewest_formats::Strategy::read(&document.body).unwrap();
    assert!(strategy.optimal && strategy.certificate.is_some());
    let list = bench.get(&format!("/api/v1/strategies?table={table}")).await.expect(200).json();
    assert_eq!(list["strategies"][0]["id"], id.as_str());
    bench.delete(&format!("/api/v1/strategies/{id}")).await.expect(204);
    bench.get(&format!("/api/v1/strategies/{id}")).await.expect(404);
}

/// Events of a stream, with their data.
fn events(text: &str) -> Vec<(String, Value)> {
    let field = |block: &str, name: &str| {
        block.lines().find_map(|line| line.strip_prefix(name)).map(|text| text.trim().to_owned())
    };
    let blocks =
        text.split("\n\n").filter_map(|block| Some((field(block, "event:")?, field(block, "data:")?)));
    blocks.map(|(name, data)| (name, serde_json::from_str(&data).unwrap())).collect()
}

/// Table that no search finishes in minutes: rare answers and uneven priors.
fn hard() -> String {
    let mut state = 7_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let mut csv = (0..60).fold("object,prior".to_owned(), |header, test| format!("{header},t{test}"));
    for object in 0..300 {
        let row = format!("\no{object},{}", random() % 97 + 1);
        csv += &(0..60).fold(row, |row, _| format!("{row},{}", u8::from(random() % 10 == 0)));
    }
    csv + "\n"
}

async fn progress_is_told_and_ends(bench: Bench) {
    let table = bench.table(&hard()).await;
    let request = json!({"table": table, "time_ms": 1500});
    let id = name(&bench.post("/api/v1/strategies", &request).await.expect(202).json());
    let stream = bench.get(&format!("/api/v1/strategies/{id}/events")).await.expect(200);
    assert_eq!(stream.headers["content-type"], "text/event-stream");
    let told = events(&stream.text());
    let (last, first) = told.split_last().unwrap();
    assert_eq!((last.0.as_str(), &last.1["state"]), ("end", &json!("done")));
    assert!(first.iter().all(|(name, _)| name == "progress"));
    let searching: Vec<_> = first.iter().filter(|(_, data)| data["value"].is_number()).collect();
    assert!(!searching.is_empty(), "{told:?}");
    for (_, data) in searching {
        let (value, bound) = (data["value"].as_f64().unwrap(), data["bound"].as_f64().unwrap());
        assert!(bound > 0.0 && bound <= value * (1.0 + 1e-9));
        assert!((data["gap"].as_f64().unwrap() - (value / bound - 1.0)).abs() < 1e-9);
    }
    let again = bench.get(&format!("/api/v1/strategies/{id}/events")).await.expect(200);
    assert_eq!(events(&again.text()).len(), 1, "what is over has one event");
}

async fn cancelling_keeps_the_best(bench: Bench) {
    let table = bench.table(&hard()).await;
    let request = json!({"table": table, "time_ms": 600_000});
    let id = name(&bench.post("/api/v1/strategies", &request).await.expect(202).json());
    let waiting = name(&bench.post("/api/v1/strategies", &request).await.expect(202).json());
    let path = format!("/api/v1/strategies/{id}");
    while bench.get(&path).await.json()["standing"]["value"].is_null() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // While a search runs, questions are answered.
    bench.post("/api/v1/next", &json!({"table": table})).await.expect(200);
    bench.get(&format!("{path}/document")).await.expect(409);
    bench.delete(&format!("/api/v1/strategies/{waiting}")).await.expect(202);
    bench.delete(&path).await.expect(202);
    let last = bench.get(&format!("{path}/events")).await.expect(200).text();
    assert!(events(&last).last().unwrap().0 == "end");
    let job = bench.get(&path).await.expect(200).json();
    assert_eq!((&job["standing"]["state"], &job["result"]["stop"]), (&json!("done"), &json!("interrupted")));
    assert!(job["result"]["leaves"].as_u64().unwrap() > 200);
    bench.get(&format!("{path}/document")).await.expect(200);
    while bench.get(&format!("/api/v1/strategies/{waiting}")).await.json()["standing"]["state"] == "queued" {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let job = bench.get(&format!("/api/v1/strategies/{waiting}")).await.json();
    assert_eq!(job["standing"]["state"], "cancelled", "what never began has nothing to keep");
}

async fn comparisons_and_fronts_are_built_too(bench: Bench) {
    let table = bench.table(PETS).await;
    for (place, list) in [("comparisons", "rows"), ("fronts", "points")] {
        let request = json!({"table": table, "time_ms": 1000});
        let id = name(&bench.post(&format!("/api/v1/{place}"), &request).await.expect(202).json());
        let path = format!("/api/v1/{place}/{id}");
        while bench.get(&path).await.expect(200).json()["standing"]["state"] != "done" {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let document = bench.get(&format!("{path}/document")).await.expect(200).json();
        assert!(document[list].as_array().unwrap().iter().all(|line| line.is_object()));
        bench.get(&format!("/api/v1/strategies/{id}")).await.expect(404);
        bench.delete(&path).await.expect(204);
    }
}

async fn what_cannot_be_built_is_refused(bench: Bench) {
    let table = bench.table(PETS).await;
    for (part, detail) in [
        (json!({"algorithm": "magic"}), "algorithm"),
        (json!({"lambda": 0}), "lambda"),
        (json!({"time_ms": 1_000_000_000_u64}), "at most"),
        (json!({"max_worst": -1}), "max_worst"),
    ] {
        let mut request = json!({"table": table});
        request.as_object_mut().unwrap().extend(part.as_object().unwrap().clone());
        let problem = bench.post("/api/v1/strategies", &request).await.expect(422).json();
        assert!(problem["detail"].as_str().unwrap().contains(detail), "{problem}");
    }
    bench.post("/api/v1/strategies", &json!({"table": "x"})).await.expect(404);
    bench.get("/api/v1/strategies/x/events").await.expect(404);
}

#[tokio::test]
async fn too_many_searches_are_refused_and_a_lost_one_says_so() {
    let limits = Limits { queue: 1, ..Limits::default() };
    let bench = Bench::with(Kind::Sqlite, limits, Vec::new()).await.unwrap();
    let table = bench.table(&hard()).await;
    let request = json!({"table": table, "time_ms": 600_000});
    let mut ids = Vec::new();
    let refused = loop {
        let reply = bench.post("/api/v1/strategies", &request).await;
        if reply.status == 503 {
            break reply.expect(503);
        }
        ids.push(name(&reply.expect(202).json()));
        assert!(ids.len() <= 3);
    };
    assert_eq!(refused.headers["retry-after"], "10");
    for id in &ids {
        bench.delete(&format!("/api/v1/strategies/{id}")).await.expect(202);
    }
}
