use crate::bench::{Bench, Kind};
use fewest_server::openapi;
use std::path::Path;

/// `FEWEST_UPDATE=1 cargo test -p fewest-server the_description` writes the file anew.
#[test]
fn the_description_in_the_docs_is_that_of_the_code() {
    let path = Path::new("../../docs/openapi.json");
    if std::env::var_os("FEWEST_UPDATE").is_some() {
        std::fs::write(path, openapi()).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        kept == openapi(),
        "docs/openapi.json is not what the code says; look at the change, and write it with \
         FEWEST_UPDATE=1 cargo test -p fewest-server the_description"
    );
}

#[tokio::test]
async fn the_description_is_served_and_names_every_route() {
    let bench = Bench::new(Kind::Sqlite).await.unwrap();
    let description = bench.get("/openapi.json").await.expect(200).json();
    assert_eq!(description["openapi"], "3.1.0");
    let paths = description["paths"].as_object().unwrap();
    for path in ["/api/v1/tables", "/api/v1/next", "/api/v1/sessions/{id}/answers/{test}", "/metrics"] {
        assert!(paths.contains_key(path), "{path}");
    }
    for (path, item) in paths {
        for (verb, operation) in item.as_object().unwrap() {
            assert!(operation["responses"]["default"].is_object() || path == "/healthz", "{verb} {path}");
        }
    }
}
