use crate::bench::{Bench, PETS, name, on_both};
use axum::body::Body;
use axum::http::{Method, Request};
use serde_json::json;

on_both!(
    a_table_is_kept_and_shown,
    a_form_sends_a_file_with_options,
    options_say_how_a_table_is_read,
    a_table_is_validated_without_being_kept,
    what_is_no_table_is_refused_with_its_place,
    inspect_says_what_each_test_tells,
    tables_outlive_the_server,
    bytes_that_are_no_utf8_come_back_as_they_were,
    outcomes_become_a_prior,
);

async fn a_table_is_kept_and_shown(bench: Bench) {
    let made = bench.upload("?name=pets", PETS).await.expect(201);
    let table = made.json();
    let id = name(&table);
    assert_eq!(made.headers["location"], format!("/api/v1/tables/{id}"));
    assert_eq!(made.headers["etag"], format!("\"{}\"", table["digest"].as_str().unwrap()));
    assert_eq!(table["name"], "pets");
    assert_eq!(table["instance"]["rows"], 3);
    assert_eq!(table["instance"]["groups"], 2);

    let detail = bench.get(&format!("/api/v1/tables/{id}")).await.expect(200).json();
    assert_eq!(detail["tests"][0]["question"], "Does it bark?");
    assert_eq!(detail["tests"][1]["answers"], json!(["4", "2"]));
    let list = bench.get("/api/v1/tables").await.expect(200).json();
    assert_eq!(list["tables"].as_array().unwrap().len(), 1);

    let content = bench.get(&format!("/api/v1/tables/{id}/content")).await.expect(200);
    assert_eq!(content.text(), PETS);
    assert!(content.headers["content-disposition"].to_str().unwrap().starts_with("attachment"));
    let mut again = Bench::request(Method::GET, &format!("/api/v1/tables/{id}/content"), "", "");
    again.headers_mut().insert("if-none-match", content.headers["etag"].clone());
    bench.send(again).await.expect(304);

    let twin = bench.upload("?name=other", PETS).await.expect(201).json();
    assert_eq!(twin["digest"], table["digest"], "a name does not change the content");
    assert_ne!(twin["id"], table["id"]);

    bench.delete(&format!("/api/v1/tables/{id}")).await.expect(204);
    bench.delete(&format!("/api/v1/tables/{id}")).await.expect(404);
    bench.get(&format!("/api/v1/tables/{id}")).await.expect(404);
}

fn form(parts: &[(&str, &str)]) -> Request<Body> {
    let mut body = String::new();
    for (head, content) in parts {
        body += &format!("--XX\r\nContent-Disposition: form-data; {head}\r\n\r\n{content}\r\n");
    }
    body += "--XX--\r\n";
    Bench::request(Method::POST, "/api/v1/tables", "multipart/form-data; boundary=XX", body)
}

async fn a_form_sends_a_file_with_options(bench: Bench) {
    let parts = [("name=\"identify\"", "objects"), ("name=\"table\"; filename=\"C:\\tmp\\pets.csv\"", PETS)];
    let table = bench.send(form(&parts)).await.expect(201).json();
    assert_eq!(table["name"], "pets.csv");
    assert_eq!(table["instance"]["identify"], "objects");
    let problem = bench.send(form(&parts[..1])).await.expect(400).json();
    assert!(problem["detail"].as_str().unwrap().contains("`table`"));
}

async fn options_say_how_a_table_is_read(bench: Bench) {
    let csv = "name;weight;kind;size;spare\nant;1;a;;x\nbee;2;b;3;y\ncow;3;b;400;y\n";
    let query = "?object=name&prior=weight&group=kind&ignore=spare&missing=answer&numeric=thresholds";
    let table = bench.upload(query, csv).await.expect(201).json();
    assert_eq!(table["instance"]["groups"], 2);
    let digest = table["digest"].clone();
    let other = bench.upload("?missing=answer", csv).await.expect(201).json();
    assert_ne!(other["digest"], digest, "read otherwise, it is another problem");
    bench.upload("?colour=red", csv).await.expect(400);
    let problem = bench.upload("?group=species", csv).await.expect(422).json();
    assert!(problem["detail"].as_str().unwrap().contains("species"));
}

async fn a_table_is_validated_without_being_kept(bench: Bench) {
    let csv = "object,a\nx,1\ny,1\n";
    let request = Bench::request(Method::POST, "/api/v1/tables/validate", "text/csv", csv);
    let summary = bench.send(request).await.expect(200).json();
    assert!(summary["warnings"][0].as_str().unwrap().contains("cannot be told apart"));
    assert_eq!(bench.get("/api/v1/tables").await.json(), json!({"tables": []}));
}

async fn what_is_no_table_is_refused_with_its_place(bench: Bench) {
    // Rows of one name form a group, unless every text is taken as it stands.
    let twice = "object,legs\nbear,4\nbear,2\n";
    bench.upload("?name=animals", twice).await.expect(201);
    let problem = bench.upload("?name=animals&verbatim=true", twice).await.expect(422).json();
    assert!(problem["detail"].as_str().unwrap().contains("bear"), "{problem}");
    for (csv, part) in
        [("object,legs\nbear,4\nhen,2,1\n", "row 3"), ("", "empty"), ("object,legs\n", "no object")]
    {
        let problem = bench.upload("?name=animals", csv).await.expect(422).json();
        assert_eq!(problem["type"], "urn:fewest:problem:table");
        assert!(problem["detail"].as_str().unwrap().contains(part), "{csv:?}: {problem}");
    }
    let gaps =
        bench.upload("?name=animals&missing=error", "object,legs\nbear,\nhen,2\n").await.expect(422).json();
    assert!(gaps["detail"].as_str().unwrap().contains("missing"), "{gaps}");
    let json = Bench::request(Method::POST, "/api/v1/tables", "application/json", "{}");
    bench.send(json).await.expect(415);
}

async fn inspect_says_what_each_test_tells(bench: Bench) {
    let id = bench.table(PETS).await;
    let found = bench.get(&format!("/api/v1/tables/{id}/inspect")).await.expect(200).json();
    assert_eq!(found["version"], 1);
    // Three quarters against one: H(1/4) bits, all of which the legs tell.
    let entropy = -(0.75_f64 * 0.75_f64.log2() + 0.25 * 0.25_f64.log2());
    assert!((found["tests"][1]["information_bits"].as_f64().unwrap() - entropy).abs() < 1e-12);
}

async fn tables_outlive_the_server(bench: Bench) {
    let id = bench.table(PETS).await;
    let bench = bench.again().await;
    let detail = bench.get(&format!("/api/v1/tables/{id}")).await.expect(200).json();
    assert_eq!(detail["instance"]["rows"], 3);
}

async fn bytes_that_are_no_utf8_come_back_as_they_were(bench: Bench) {
    let csv = b"object,gr\xf6\xdfe\nb\xe4r,4\nhuhn,2\n".to_vec();
    let request = Bench::request(Method::POST, "/api/v1/tables", "text/csv", csv.clone());
    let table = bench.send(request).await.expect(201).json();
    assert!(table["warnings"][0].as_str().unwrap().contains("Windows-1252"));
    let id = name(&table);
    assert_eq!(bench.get(&format!("/api/v1/tables/{id}/content")).await.expect(200).body, csv);
    let detail = bench.get(&format!("/api/v1/tables/{id}")).await.json();
    assert_eq!(detail["tests"][0]["name"], "größe");
}

async fn outcomes_become_a_prior(bench: Bench) {
    let id = bench.table(PETS).await;
    for outcome in [json!({"object": "hen"}), json!({"group": "mammal"}), json!({"group": "mammal"})] {
        let session = name(&bench.post("/api/v1/sessions", &json!({"table": id})).await.expect(201).json());
        bench.put(&format!("/api/v1/sessions/{session}/outcome"), &outcome).await.expect(200);
    }
    let update = bench.get(&format!("/api/v1/tables/{id}/prior?strength=4")).await.expect(200).json();
    assert_eq!(update["observations"], 3);
    // Priors 1/2, 1/4, 1/4 are worth 4 observations; two mammals are shared 2:1, one hen counts whole.
    let expected = [(4.0 / 2.0 + 4.0 / 3.0) / 7.0, (1.0 + 2.0 / 3.0) / 7.0, (1.0 + 1.0) / 7.0];
    for (line, expected) in update["objects"].as_array().unwrap().iter().zip(expected) {
        assert!((line["updated"].as_f64().unwrap() - expected).abs() < 1e-12, "{line}");
    }
    // Shown, not applied.
    let detail = bench.get(&format!("/api/v1/tables/{id}/content")).await.text();
    assert_eq!(detail, PETS);

    let path = format!("/api/v1/tables/{id}/prior");
    let made = bench.post(&path, &json!({"strength": 4})).await.expect(201).json();
    assert_eq!(made["parent"], id.as_str());
    let new = name(&made);
    let after = bench.get(&format!("/api/v1/tables/{new}/prior")).await.expect(200).json();
    for (line, expected) in after["objects"].as_array().unwrap().iter().zip(expected) {
        assert!((line["prior"].as_f64().unwrap() - expected).abs() < 1e-12, "{line}");
    }
    let question = &bench.get(&format!("/api/v1/tables/{new}")).await.json()["tests"][0];
    assert_eq!(question["question"], "Does it bark?", "all else is as it was");
    bench.post(&path, &json!({"strength": 0})).await.expect(422);
    bench.get(&format!("{path}?strength=-1")).await.expect(422);
    bench.get(&format!("{path}?strength=x")).await.expect(400);
}
