use crate::bench::{Bench, PETS, name, on_both};
use serde_json::{Value, json};

on_both!(
    the_next_question_follows_from_the_answers,
    unknown_and_several_answers_are_taken,
    answers_that_contradict_each_other_are_shown,
    a_strategy_is_followed_question_by_question,
    explanations_tell_for_and_against,
    the_rationale_ranks_what_else_could_be_asked,
    what_the_table_does_not_have_is_refused,
    simulations_are_exact_without_chance,
);

async fn next(bench: &Bench, table: &str, answers: Value) -> Value {
    bench.post("/api/v1/next", &json!({"table": table, "answers": answers})).await.expect(200).json()
}

async fn the_next_question_follows_from_the_answers(bench: Bench) {
    let id = bench.table(PETS).await;
    let found = next(&bench, &id, json!([])).await;
    assert_eq!(found["question"]["test"], "legs", "it tells the groups apart at once");
    assert_eq!(
        found["question"]["answers"][0],
        json!({"value": "4", "probability": 0.75, "objects": 2, "groups": 1})
    );
    assert_eq!(found["should_stop"], false);
    assert_eq!(found["candidates"][0]["object"], json!(["dog"]));
    assert_eq!(found["candidates"][0]["probability"], 0.5);
    assert_eq!(found["candidates_left"], 3);
    let found = next(&bench, &id, json!([{"test": "legs", "value": "2"}])).await;
    assert_eq!((&found["should_stop"], &found["reason"]), (&json!(true), &json!("identified")));
    assert_eq!(found["groups"], json!([{"group": ["bird"], "probability": 1, "objects": 1}]));
    assert_eq!(found["cost"], 1);
}

async fn unknown_and_several_answers_are_taken(bench: Bench) {
    let id = bench.table(PETS).await;
    let found = next(&bench, &id, json!([{"test": "legs", "value": null}])).await;
    assert_eq!(found["question"]["test"], "barks", "the next best");
    let found = next(&bench, &id, json!([{"test": "legs", "value": ["2", "4"]}])).await;
    assert_eq!(found["candidates_left"], 3);
    let known = json!([{"test": "legs", "value": "4", "volunteered": true}]);
    assert_eq!(next(&bench, &id, known).await["cost"], 0, "what was known costs nothing");
}

async fn answers_that_contradict_each_other_are_shown(bench: Bench) {
    let id = bench.table(PETS).await;
    let answers = json!([{"test": "barks", "value": "yes"}, {"test": "legs", "value": "2"}]);
    let found = next(&bench, &id, answers.clone()).await;
    assert_eq!(found["reason"], "contradiction");
    assert_eq!(found["contradiction"]["tests"], json!(["barks", "legs"]));
    let options = json!({"error_rate": 0.1, "certainty": 0.6});
    let request = json!({"table": id, "answers": answers, "options": options});
    let found = bench.post("/api/v1/next", &request).await.expect(200).json();
    // One of the two is wrong: dog 2·0.9·0.1 and hen 0.1·0.9, cat needs both wrong: 0.01.
    let dog = 0.18 / (0.18 + 0.09 + 0.01);
    assert!((found["candidates"][0]["probability"].as_f64().unwrap() - dog).abs() < 1e-9, "{found}");
}

/// Builds a strategy and waits for it.
pub(crate) async fn built(bench: &Bench, request: Value) -> String {
    let id = name(&bench.post("/api/v1/strategies", &request).await.expect(202).json());
    for _ in 0..600 {
        let state = bench.get(&format!("/api/v1/strategies/{id}")).await.expect(200).json();
        match state["standing"]["state"].as_str().unwrap() {
            "done" => return id,
            "queued" | "running" => tokio::time::sleep(std::time::Duration::from_millis(50)).await,
            other => panic!("{other}: {state}"),
        }
    }
    panic!("the strategy is never done");
}

async fn a_strategy_is_followed_question_by_question(bench: Bench) {
    let zoo = std::fs::read_to_string("../../examples/zoo.csv").unwrap();
    let table = bench.table(&zoo).await;
    let strategy = built(&bench, json!({"table": table})).await;
    let document = bench.get(&format!("/api/v1/strategies/{strategy}/document")).await.expect(200).json();
    let mut node = &document["tree"];
    let mut answers = Vec::new();
    while let Some(ask) = node["ask"].as_str() {
        let request = json!({"options": {"strategy": strategy}, "answers": answers});
        let found = bench.post("/api/v1/next", &request).await.expect(200).json();
        assert_eq!(found["question"]["test"], ask);
        let (answer, below) = node["answers"].as_object().unwrap().iter().next_back().unwrap();
        answers.push(json!({"test": ask, "value": answer}));
        node = below;
    }
    let request = json!({"options": {"strategy": strategy}, "answers": answers});
    let found = bench.post("/api/v1/next", &request).await.expect(200).json();
    assert_eq!(found["reason"], "identified");
    assert_eq!(found["groups"][0]["group"], node["groups"]);
    let other = bench.table(PETS).await;
    let request = json!({"table": other, "options": {"strategy": strategy}});
    bench.post("/api/v1/next", &request).await.expect(422);
}

async fn explanations_tell_for_and_against(bench: Bench) {
    let id = bench.table(PETS).await;
    let answers = json!([{"test": "barks", "value": "no"}, {"test": "legs", "value": "4"}]);
    let request = json!({"table": id, "answers": answers, "object": "dog", "other": "cat"});
    let found = bench.post("/api/v1/explain", &request).await.expect(200).json();
    assert_eq!(found["probability"], 0);
    assert_eq!(found["for"][0]["test"], "legs");
    assert_eq!(found["against"][0]["test"], "barks");
    assert_eq!(found["against"][0]["expected"], json!(["yes"]));
    assert_eq!(found["differences"][0]["test"], "barks");
    assert_eq!(found["differences"].as_array().unwrap().len(), 1);
}

async fn the_rationale_ranks_what_else_could_be_asked(bench: Bench) {
    let id = bench.table(PETS).await;
    let found = bench.post("/api/v1/rationale", &json!({"table": id})).await.expect(200).json();
    assert_eq!((&found["test"], &found["basis"]), (&json!("legs"), &json!("rule")));
    assert_eq!(found["why"]["expected_cost_left"], 1);
    assert_eq!(found["alternatives"][0]["test"], "barks");
    assert_eq!(found["alternatives"][0]["text"], "Does it bark?");
    let done = json!({"table": id, "answers": [{"test": "legs", "value": "2"}]});
    let found = bench.post("/api/v1/rationale", &done).await.expect(200).json();
    assert_eq!(found, json!({"answers": [], "alternatives": []}));
}

async fn what_the_table_does_not_have_is_refused(bench: Bench) {
    let id = bench.table(PETS).await;
    for (part, detail) in [
        (json!({"answers": [{"test": "leg", "value": "4"}]}), "did you mean `legs`?"),
        (json!({"answers": [{"test": "barks", "value": "yess"}]}), "did you mean `yes`?"),
        (json!({"answers": [{"test": "barks", "value": []}]}), "at least one"),
        (json!({"options": {"algorithm": "magic"}}), "no rule `magic`"),
        (json!({"options": {"error_rate": 1.5}}), "error rate"),
        (json!({"options": {"error_rate": 0.1, "max_errors": 1}}), "not both"),
        (json!({"options": {"without": ["wings"]}}), "no test `wings`"),
        (json!({"options": {"lambda": 0.5}}), "lambda"),
        (json!({"most": 100000}), "at most 1000"),
    ] {
        let mut request = json!({"table": id});
        request.as_object_mut().unwrap().extend(part.as_object().unwrap().clone());
        let problem = bench.post("/api/v1/next", &request).await.expect(422).json();
        assert!(problem["detail"].as_str().unwrap().contains(detail), "{problem}");
    }
    bench.post("/api/v1/next", &json!({"answers": []})).await.expect(422);
    bench.post("/api/v1/next", &json!({"table": "../etc/passwd"})).await.expect(404);
    bench.post("/api/v1/next", &json!({"table": "0".repeat(32)})).await.expect(404);
    bench.post("/api/v1/next", &json!({"table": 7})).await.expect(400);
    bench.post("/api/v1/next", &json!({"table": id, "more": 1})).await.expect(400);
}

async fn simulations_are_exact_without_chance(bench: Bench) {
    let zoo = std::fs::read_to_string("../../examples/zoo.csv").unwrap();
    let table = bench.table(&zoo).await;
    let strategy = built(&bench, json!({"table": table})).await;
    let request = json!({"options": {"strategy": strategy}});
    let found = bench.post("/api/v1/simulate", &request).await.expect(200).json();
    assert_eq!((&found["exact"], &found["runs"], &found["accuracy"]), (&json!(true), &json!(101), &json!(1)));
    assert_eq!(found["cost"]["mean"].as_f64().unwrap(), 210.0 / 101.0, "the cost of the strategy");
    assert_eq!(found["cost"]["max"], 4);
    assert_eq!(found["by_group"].as_array().unwrap().len(), 7);
    let request =
        json!({"table": table, "noise": 0.1, "options": {"error_rate": 0.1}, "runs": 200, "seed": 7});
    let noisy = bench.post("/api/v1/simulate", &request).await.expect(200).json();
    assert_eq!(noisy["exact"], false);
    assert!(noisy["questions"].as_f64().unwrap() > 210.0 / 101.0, "doubt costs questions");
    assert_eq!(bench.post("/api/v1/simulate", &request).await.expect(200).json(), noisy, "the same seed");
    bench.post("/api/v1/simulate", &json!({"table": table, "noise": 1})).await.expect(422);
    bench.post("/api/v1/simulate", &json!({"table": table, "runs": 100_000})).await.expect(422);
}

/// `object,lab,fever`: the cuts of `lab` lie half-way between its values, at 2, 3 and 4.
const LAB: &str = "object,lab,fever\na,1.5,yes\nb,2.5,no\nc,3.5,yes\nd,4.5,no\n";

#[tokio::test]
async fn a_number_answers_every_cut_of_a_measured_column() {
    let bench = Bench::new(crate::bench::Kind::Sqlite).await.unwrap();
    let id = bench.table(LAB).await;
    for answer in [json!({"test": "lab", "value": 3.25}), json!({"test": "lab", "value": "3.25"})] {
        let found = next(&bench, &id, json!([answer])).await;
        assert_eq!(found["candidates"][0]["object"], json!(["c"]));
        assert_eq!((&found["candidates_left"], &found["cost"]), (&json!(1), &json!(1)), "it is paid once");
        assert_eq!(found["answers"].as_array().unwrap().len(), 3);
    }
    let request = json!({"table": id, "answers": [{"test": "lab", "value": "high"}]});
    let problem = bench.post("/api/v1/next", &request).await.expect(422).json();
    assert!(problem["detail"].as_str().unwrap().contains("its value is a number"), "{problem}");
    // A session holds the answers to the cuts, its log the number that was said.
    let session = name(&bench.post("/api/v1/sessions", &json!({"table": id})).await.expect(201).json());
    let place = format!("/api/v1/sessions/{session}/answers/lab");
    let told = bench.put(&place, &json!({"value": 3.25})).await.expect(200).json();
    assert_eq!(told["situation"]["reason"], "identified");
    let changed = bench.put(&place, &json!({"value": 1})).await.expect(200).json();
    assert_eq!(changed["situation"]["candidates"][0]["object"], json!(["a"]));
    let log = bench.get(&format!("/api/v1/sessions/{session}/log")).await.expect(200).json();
    assert_eq!(log["events"][1]["answer"]["value"], 3.25);
    let withdrawn = bench.delete(&place).await.expect(200).json();
    assert_eq!(withdrawn["situation"]["answers"], json!([]));
    bench.delete(&place).await.expect(404);
}

#[tokio::test]
async fn what_nearly_fits_is_ranked_where_nothing_fits() {
    let bench = Bench::new(crate::bench::Kind::Sqlite).await.unwrap();
    let id = bench.table(LAB).await;
    let answers = json!([{"test": "lab", "value": 3.25}, {"test": "fever", "value": "no"}]);
    let found = next(&bench, &id, answers).await;
    let nearest = &found["contradiction"]["nearest"];
    // b and d fit the fever, c fits the column, a fits nothing.
    let names: Vec<&Value> = nearest.as_array().unwrap().iter().map(|one| &one["object"][0]).collect();
    assert_eq!(names, ["b", "c", "d", "a"]);
    assert_eq!(nearest[0], json!({"object": ["b"], "group": ["b"], "fits": 1, "of": 2}));
    assert_eq!(nearest[3]["fits"], 0);
}
