//! Stored rows that cannot be read, and databases of other programs or versions.

use crate::bench::{Bench, Kind, PETS, name, on_both};
use fewest_server::{App, Hosts, Limits, Settings};
use serde_json::{Value, json};

on_both!(
    issue_21_item_4_a_row_that_cannot_be_read_fails_itself,
    issue_21_item_20_a_newer_database_is_told_as_such
);

/// Ids of the items of a list, and of its unreadable rows.
fn names(list: &Value, what: &str) -> (Vec<String>, Vec<String>) {
    let of = |list: &Value| {
        let mut names: Vec<String> =
            list.as_array().map_or(Vec::new(), |rows| rows.iter().map(name).collect());
        names.sort();
        names
    };
    (of(&list[what]), of(&list["unreadable"]))
}

async fn strategy(bench: &Bench, table: &str) -> String {
    let request = json!({"table": table, "time_ms": 0});
    let id = name(&bench.post("/api/v1/strategies", &request).await.expect(202).json());
    for _ in 0..1000 {
        let job = bench.get(&format!("/api/v1/strategies/{id}")).await.expect(200).json();
        if job["standing"]["state"] == "done" {
            return id;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("the strategy is never done");
}

async fn issue_21_item_4_a_row_that_cannot_be_read_fails_itself(bench: Bench) {
    let (table, bad_table) = (bench.table(PETS).await, bench.table(&PETS.replace("dog", "fox")).await);
    let (good, bad) = (strategy(&bench, &table).await, strategy(&bench, &table).await);
    let session = json!({"table": table});
    let one = name(&bench.post("/api/v1/sessions", &session).await.expect(201).json());
    let broken = name(&bench.post("/api/v1/sessions", &session).await.expect(201).json());
    // As a version would have stored them that allowed NaN.
    bench
        .sql(&format!(
            "UPDATE jobs SET summary = '{{\"algorithm\":\"gbs\",\"gap\":null}}' WHERE id = '{bad}'"
        ))
        .await;
    bench.sql(&format!("UPDATE sessions SET options = '{{' WHERE id = '{broken}'")).await;
    bench.sql(&format!("UPDATE tables SET summary = 'NaN' WHERE id = '{bad_table}'")).await;
    let lists = [
        ("/api/v1/strategies", "strategies", good, bad, "strategy"),
        ("/api/v1/sessions", "sessions", one, broken, "session"),
        ("/api/v1/tables", "tables", table.clone(), bad_table, "table"),
    ];
    for page in [
        "/".to_owned(),
        format!("/tables/{table}/build"),
        format!("/tables/{table}/ask"),
        "/sessions".to_owned(),
    ] {
        bench.get(&page).await.expect(200);
    }
    for (path, what, good, bad, kind) in lists {
        let list = bench.get(path).await.expect(200).json();
        assert_eq!(names(&list, what), (vec![good.clone()], vec![bad.clone()]), "{list}");
        if kind != "table" {
            let problem = bench.get(&format!("{path}/{bad}")).await.expect(500).json();
            assert_eq!(problem["type"], "urn:fewest:problem:unreadable");
            assert!(problem["detail"].as_str().unwrap().contains(&bad), "{problem}");
        }
        bench.delete(&format!("{path}/{bad}")).await.expect(204);
        let list = bench.get(path).await.expect(200).json();
        assert_eq!(names(&list, what), (vec![good], vec![]), "{list}");
        assert!(list.get("unreadable").is_none());
    }
}

/// Bytes that are not text fail the query itself.
#[tokio::test]
async fn issue_21_item_4_bytes_that_are_no_text_fail_their_row_only() {
    let bench = Bench::new(Kind::Sqlite).await.unwrap();
    let table = bench.table(PETS).await;
    let (good, bad) = (strategy(&bench, &table).await, strategy(&bench, &table).await);
    bench.sql(&format!("UPDATE jobs SET request = CAST(X'7bff7d' AS TEXT) WHERE id = '{bad}'")).await;
    let list = bench.get("/api/v1/strategies").await.expect(200).json();
    assert_eq!(names(&list, "strategies"), (vec![good], vec![bad]), "{list}");
}

async fn issue_21_item_20_a_newer_database_is_told_as_such(bench: Bench) {
    bench.app.close().await;
    bench
        .sql("INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) VALUES (99, 'later', true, '', 0)")
        .await;
    let settings = Settings {
        place: bench.place.clone(),
        limits: Limits::default(),
        hosts: Hosts::Loopback,
        tokens: Vec::new(),
        proxies: Vec::new(),
    };
    let error = App::open(settings).await.unwrap_err().to_string();
    assert!(error.contains("was used by a newer fewest") && error.contains("change 99"), "{error}");
    assert!(!error.contains('\n'), "{error}");
}
