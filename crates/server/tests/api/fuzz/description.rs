//! Comparison of responses with docs/openapi.json.

use crate::bench::Reply;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// OpenAPI description, prepared to check responses.
pub(super) struct Description {
    text: Value,
    known: BTreeMap<(String, String, String), jsonschema::Validator>,
}

impl Description {
    pub(super) fn new() -> Self {
        Self { text: serde_json::from_str(&fewest_server::openapi()).unwrap(), known: BTreeMap::new() }
    }

    /// Fails if a response does not match the description of `route`.
    pub(super) fn check(&mut self, method: &str, route: &str, reply: &Reply) {
        let operation = &self.text["paths"][route][method.to_ascii_lowercase()];
        assert!(operation.is_object(), "{method} {route} is not described");
        let status = reply.status.as_str().to_owned();
        let described = &operation["responses"];
        let (key, response) = match &described[&status] {
            Value::Null => ("default".to_owned(), &described["default"]),
            response => (status.clone(), response),
        };
        assert!(
            key != "default" || !reply.status.is_success(),
            "{method} {route}: {status} is not described: {}",
            reply.text()
        );
        let Some(content) = response["content"].as_object() else {
            assert!(reply.body.is_empty(), "{method} {route}: {status} has a body");
            return;
        };
        let kind = reply.headers["content-type"].to_str().unwrap();
        let kind = kind.split(';').next().unwrap();
        assert!(content.contains_key(kind), "{method} {route}: {status} is {kind}");
        if !kind.ends_with("json") {
            return;
        }
        let schema = content[kind]["schema"].clone();
        let components = self.text["components"].clone();
        let validator = self.known.entry((method.to_owned(), route.to_owned(), key)).or_insert_with(|| {
            let whole = json!({"allOf": [schema], "components": components});
            jsonschema::options().should_validate_formats(true).build(&whole).unwrap()
        });
        let body = reply.json();
        let errors: Vec<String> = validator.iter_errors(&body).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{method} {route}: {status}: {errors:?} in {body}");
    }
}
