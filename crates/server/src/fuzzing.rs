//! Entry points for the fuzzer: requests are parsed and answered without a socket or a database. For no other use.

use crate::api::next::{ExplainRequest, NextRequest};
use crate::jobs::{StrategyRequest, SurveyRequest};
use crate::limits::Limits;
use crate::options::TableOptions;
use crate::service::questions::{session, situation};
use crate::service::sessions::SessionRequest;
use crate::service::simulate::SimulateRequest;
use crate::spell::parameter;
use crate::tables::{LoadedTable, load_table};
use axum::extract::Query;
use axum::http::Uri;
use std::sync::LazyLock;

const TABLE: &str = "animal,group,legs,flies,eggs\nbear,mammal,4,no,no\nbat,mammal,2,yes,no\nhen,bird,2,no,yes\n\
                     owl,bird,2,yes,yes\nant,insect,6,no,yes\nbee,insect,6,yes,yes\n";

static LOADED: LazyLock<LoadedTable> = LazyLock::new(|| {
    let table = load_table("fuzz", TABLE.as_bytes(), &TableOptions::default(), &Limits::default(), parameter);
    table.expect("a sound table")
});

/// Parses the query of an upload, and reads the table with these options.
pub fn table_options(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(uri) = format!("/?{text}").parse::<Uri>() else { return };
    let Ok(Query(options)) = Query::<TableOptions>::try_from_uri(&uri) else { return };
    _ = load_table("fuzz", TABLE.as_bytes(), &options, &Limits::default(), parameter);
}

/// Parses a body of JSON as each kind of request, and tries its answers and options on a table.
pub fn bodies(data: &[u8]) {
    if let Ok(request) = serde_json::from_slice::<NextRequest>(data)
        && let Ok(session) = session(&LOADED.instance, None, &request.options, &request.answers)
    {
        let situation = situation(&session.snapshot(), 10);
        // The response is JSON without NaN.
        let text = serde_json::to_string(&situation).expect("an answer is JSON");
        assert!(!text.contains("NaN"));
    }
    _ = serde_json::from_slice::<ExplainRequest>(data);
    _ = serde_json::from_slice::<SessionRequest>(data);
    _ = serde_json::from_slice::<SimulateRequest>(data);
    _ = serde_json::from_slice::<StrategyRequest>(data);
    _ = serde_json::from_slice::<SurveyRequest>(data);
}
