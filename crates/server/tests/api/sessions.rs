use crate::bench::{Bench, PETS, name, on_both};
use axum::http::Method;
use serde_json::{Value, json};

on_both!(
    answers_are_given_changed_and_withdrawn,
    changing_an_answer_and_back_changes_nothing,
    the_log_holds_all_that_happened,
    sessions_outlive_the_server,
    a_key_makes_one_session,
    a_session_goes_with_its_table,
    what_does_not_fit_is_refused,
    answers_at_the_same_time_are_all_kept,
    tests_may_be_called_anything,
    what_was_known_beforehand_comes_first,
);

async fn begin(bench: &Bench, request: Value) -> String {
    name(&bench.post("/api/v1/sessions", &request).await.expect(201).json())
}

async fn answers_are_given_changed_and_withdrawn(bench: Bench) {
    let table = bench.table(PETS).await;
    let id = begin(&bench, json!({"table": table, "options": {"until": "object"}})).await;
    let path = format!("/api/v1/sessions/{id}");
    let session = bench.get(&path).await.expect(200).json();
    assert_eq!(session["situation"]["candidates_left"], 3);
    let session =
        bench.put(&format!("{path}/answers/barks"), &json!({"value": "no"})).await.expect(200).json();
    assert_eq!(session["situation"]["question"]["test"], "legs");
    let session = bench.put(&format!("{path}/answers/legs"), &json!({"value": "2"})).await.expect(200).json();
    assert_eq!(session["situation"]["candidates"][0]["object"], json!(["hen"]));
    let session =
        bench.put(&format!("{path}/answers/barks"), &json!({"value": null})).await.expect(200).json();
    assert_eq!(
        session["situation"]["answers"][0],
        json!({"test": "barks", "value": null, "volunteered": false})
    );
    assert_eq!(session["situation"]["answers"][1]["test"], "legs", "the later one stays");
    let session = bench.delete(&format!("{path}/answers/legs")).await.expect(200).json();
    assert_eq!(session["situation"]["candidates_left"], 3);
    bench.delete(&format!("{path}/answers/legs")).await.expect(404);
    let list = bench.get(&format!("/api/v1/sessions?table={table}")).await.expect(200).json();
    assert_eq!(list["sessions"][0]["id"], id.as_str());
    bench.delete(&path).await.expect(204);
    bench.get(&path).await.expect(404);
}

async fn changing_an_answer_and_back_changes_nothing(bench: Bench) {
    let table = bench.table(PETS).await;
    let id = begin(&bench, json!({"table": table})).await;
    let path = format!("/api/v1/sessions/{id}/answers");
    bench.put(&format!("{path}/barks"), &json!({"value": "no"})).await.expect(200);
    let before = bench.put(&format!("{path}/legs"), &json!({"value": "4"})).await.expect(200).json();
    bench.put(&format!("{path}/barks"), &json!({"value": "yes"})).await.expect(200);
    let after = bench.put(&format!("{path}/barks"), &json!({"value": "no"})).await.expect(200).json();
    assert_eq!(before["situation"], after["situation"]);
}

async fn the_log_holds_all_that_happened(bench: Bench) {
    let table = bench.table(PETS).await;
    let known = json!([{"test": "legs", "value": "4", "volunteered": true}]);
    let id = begin(&bench, json!({"table": table, "answers": known})).await;
    let path = format!("/api/v1/sessions/{id}");
    bench.put(&format!("{path}/answers/barks"), &json!({"value": "yes"})).await.expect(200);
    bench.delete(&format!("{path}/answers/barks")).await.expect(200);
    bench.put(&format!("{path}/outcome"), &json!({"object": "dog"})).await.expect(200);
    let log = bench.get(&format!("{path}/log")).await.expect(200).json();
    let events = log["events"].as_array().unwrap();
    let what: Vec<&str> = events.iter().map(|event| event["what"].as_str().unwrap()).collect();
    assert_eq!(what, ["created", "answered", "withdrawn", "confirmed"]);
    assert_eq!(events[0]["answers"][0]["test"], "legs");
    assert_eq!(events[1]["answer"]["value"], "yes");
    assert_eq!(events[3]["number"], 4);
    assert_eq!(bench.get(&path).await.json()["outcome"], json!({"object": "dog"}));
}

async fn sessions_outlive_the_server(bench: Bench) {
    let table = bench.table(PETS).await;
    let id = begin(&bench, json!({"table": table})).await;
    let path = format!("/api/v1/sessions/{id}");
    let before = bench
        .put(&format!("{path}/answers/barks"), &json!({"value": ["no", "yes"]}))
        .await
        .expect(200)
        .json();
    let bench = bench.again().await;
    assert_eq!(bench.get(&path).await.expect(200).json(), before);
}

async fn a_key_makes_one_session(bench: Bench) {
    let table = bench.table(PETS).await;
    let with_key = |body: Value| {
        let mut request =
            Bench::request(Method::POST, "/api/v1/sessions", "application/json", body.to_string());
        request.headers_mut().insert("idempotency-key", "k1".parse().unwrap());
        request
    };
    let first = bench.send(with_key(json!({"table": table}))).await.expect(201).json();
    let again = bench.send(with_key(json!({"table": table}))).await.expect(200).json();
    assert_eq!(first, again);
    bench.send(with_key(json!({"table": table, "options": {"left": 2}}))).await.expect(409);
    let other = begin(&bench, json!({"table": table})).await;
    assert_ne!(first["id"], other.as_str(), "without a key, every session is new");
}

async fn a_session_goes_with_its_table(bench: Bench) {
    let table = bench.table(PETS).await;
    let id = begin(&bench, json!({"table": table})).await;
    bench.delete(&format!("/api/v1/tables/{table}")).await.expect(204);
    bench.get(&format!("/api/v1/sessions/{id}")).await.expect(404);
    bench.get(&format!("/api/v1/sessions/{id}/log")).await.expect(404);
}

async fn what_does_not_fit_is_refused(bench: Bench) {
    let table = bench.table(PETS).await;
    let id = begin(&bench, json!({"table": table})).await;
    let path = format!("/api/v1/sessions/{id}");
    bench.put(&format!("{path}/answers/wings"), &json!({"value": "2"})).await.expect(422);
    bench.put(&format!("{path}/answers/legs"), &json!({"value": "3"})).await.expect(422);
    bench.put(&format!("{path}/answers/legs"), &json!({"answer": "4"})).await.expect(400);
    bench.put(&format!("{path}/outcome"), &json!({"object": "cow"})).await.expect(422);
    bench.put(&format!("{path}/outcome"), &json!({"thing": "cow"})).await.expect(400);
    bench
        .post("/api/v1/sessions", &json!({"table": table, "options": {"first": ["wings"]}}))
        .await
        .expect(422);
    let missing = "/api/v1/sessions/00000000000000000000000000000000";
    bench.get(missing).await.expect(404);
    bench.put(&format!("{missing}/answers/legs"), &json!({"value": "4"})).await.expect(404);
    let session = bench.get(&path).await.expect(200).json();
    assert_eq!(session["events"], 1, "nothing was kept of what was refused");
}

async fn answers_at_the_same_time_are_all_kept(bench: Bench) {
    let header: Vec<String> = (0..20).map(|test| format!("t{test}")).collect();
    let row =
        |bit: usize| (0..20).map(|test| (usize::from(test == bit)).to_string()).collect::<Vec<_>>().join(",");
    let rows: Vec<String> = (0..20).map(|object| format!("o{object},{}\n", row(object))).collect();
    let table = bench.table(&format!("object,{}\n{}", header.join(","), rows.concat())).await;
    let id = begin(&bench, json!({"table": table})).await;
    let put = |test: usize| {
        let path = format!("/api/v1/sessions/{id}/answers/t{test}");
        let bench = &bench;
        async move { bench.put(&path, &json!({"value": "0"})).await.expect(200) }
    };
    futures_util::future::join_all((0..19).map(put)).await;
    let session = bench.get(&format!("/api/v1/sessions/{id}")).await.expect(200).json();
    assert_eq!(session["situation"]["answers"].as_array().unwrap().len(), 19);
    assert_eq!(session["situation"]["candidates"][0]["object"], json!(["o19"]));
    assert_eq!(session["events"], 20);
}

async fn tests_may_be_called_anything(bench: Bench) {
    let table = bench.table("object,a/b c%,\"<script>\"\nx,é,1\ny,ß,2\n").await;
    let id = begin(&bench, json!({"table": table})).await;
    let path = format!("/api/v1/sessions/{id}/answers/a%2Fb%20c%25");
    let session = bench.put(&path, &json!({"value": "ß"})).await.expect(200).json();
    assert_eq!(session["situation"]["candidates"][0]["object"], json!(["y"]));
    bench.delete(&path).await.expect(200);
}

async fn what_was_known_beforehand_comes_first(bench: Bench) {
    let table = bench.table("object,a,b,c,d,e\nx,1,1,1,1,1\ny,2,2,2,2,2\n").await;
    let known: Vec<Value> =
        ["e", "d", "c", "b"].iter().map(|test| json!({"test": test, "value": "1"})).collect();
    let id = begin(&bench, json!({"table": table, "answers": known})).await;
    let path = format!("/api/v1/sessions/{id}/answers/a");
    let session = bench.put(&path, &json!({"value": "1"})).await.expect(200).json();
    let answers = session["situation"]["answers"].as_array().unwrap();
    let tests: Vec<&str> = answers.iter().map(|answer| answer["test"].as_str().unwrap()).collect();
    assert_eq!(tests, ["e", "d", "c", "b", "a"]);
}
