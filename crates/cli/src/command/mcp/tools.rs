//! The tools that an assistant sees, with the schemas of their input and output.

use super::interview::Interview;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation,
    JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
    ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};

const INSTRUCTIONS: &str = "\
Identify an unknown object by asking a person the fewest, cheapest questions. Call next_question, ask the person that question in \
plain words with its answers, and pass the answer on with `answer`; a `?` says that the person does not know. Go on until `done` is \
true; then `groups` and `candidates` say what was found. Do not guess answers. `why` explains a question, `bound` says how good the \
order of questions is.";

/// The interview as tools.
pub(super) struct Tools {
    interview: Mutex<Interview>,
}

impl Tools {
    pub(super) fn new(interview: Interview) -> Self {
        Self { interview: Mutex::new(interview) }
    }

    fn call(&self, name: &str, arguments: &JsonObject) -> Result<Value, String> {
        let mut interview = self.interview.lock().unwrap_or_else(PoisonError::into_inner);
        let text = |name: &str| arguments.get(name).and_then(Value::as_str);
        match name {
            "next_question" | "candidates" => interview.state(),
            "answer" => interview.answer(text("test"), text("answer").ok_or("`answer` is missing: a text")?),
            "take_back" => interview.take_back(text("test")),
            "restart" => interview.restart(),
            "why" => interview.why(),
            "bound" => Ok(interview.bound()),
            _ => Err(format!("there is no tool `{name}`")),
        }
    }
}

impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("fewest", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(all()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        Ok(match self.call(&request.name, &arguments) {
            Ok(value) => CallToolResult::structured(value),
            // Told to the assistant, which can mend its call.
            Err(text) => CallToolResult::error(vec![ContentBlock::text(text)]),
        }
        .into())
    }
}

/// All tools.
fn all() -> Vec<Tool> {
    let test = json!({"type": "string", "description": "Name of a test; without it, the question that is asked now"});
    let last = json!({"type": "string", "description": "Name of a test; without it, the last answer"});
    let answer = json!({"type": "string", "description": "One of the answers, several with | between, a number where the question is about a number, or ? for \"don't know\""});
    let nothing = json!({"type": "object", "properties": {}});
    let tool = |name: &'static str, about: &'static str, input: Value, output: Value| {
        Tool::new(name, about, object(input))
            .with_raw_output_schema(object(output))
            .with_annotations(ToolAnnotations::new().read_only(true).open_world(false))
    };
    vec![
        tool("next_question", "The question to ask now, or what was found", nothing.clone(), state()),
        tool(
            "answer",
            "Passes on an answer and returns the next question; an answer to the same test again replaces the first one",
            json!({"type": "object", "properties": {"test": test, "answer": answer}, "required": ["answer"]}),
            state(),
        ),
        tool(
            "take_back",
            "Takes back an answer",
            json!({"type": "object", "properties": {"test": last}}),
            state(),
        ),
        tool("restart", "Forgets all answers and begins again", nothing.clone(), state()),
        tool(
            "candidates",
            "The objects and groups that are still possible, likeliest first",
            nothing.clone(),
            state(),
        ),
        tool(
            "why",
            "Why the question is asked now: what each answer would leave, and other questions",
            nothing.clone(),
            why(),
        ),
        tool(
            "bound",
            "How good the order of questions is: its cost, and what no order can go below",
            nothing,
            bound(),
        ),
    ]
}

/// Schema of the state after some answers.
fn state() -> Value {
    let names = json!({"type": "array", "items": {"type": "string"}});
    json!({
        "type": "object",
        "properties": {
            "done": {"type": "boolean"},
            "reason": {"type": ["string", "null"]},
            "cost": {"type": "number"},
            "answers": {"type": "array", "items": {"type": "object"}},
            "groups": {"type": "array", "items": {"type": "object", "properties": {"groups": names, "probability": {"type": "number"}}}},
            "possible": {"type": "integer"},
            "candidates": {"type": "array", "items": {"type": "object", "properties": {"objects": names, "probability": {"type": "number"}}}},
            "next": {"type": ["object", "null"], "properties": {"test": {"type": "string"}, "question": {"type": ["string", "null"]}, "answers": names}},
        },
        "required": ["done", "answers", "possible", "candidates", "next"],
    })
}

fn why() -> Value {
    json!({
        "type": "object",
        "properties": {
            "test": {"type": "string"},
            "cost": {"type": "number"},
            "gain_bits": {"type": "number"},
            "ruled_out": {"type": "number"},
            "remaining": {"type": ["number", "null"]},
            "answers": {"type": "array", "items": {"type": "object"}},
            "alternatives": {"type": "array", "items": {"type": "object"}},
        },
        "required": ["test", "cost", "gain_bits", "answers", "alternatives"],
    })
}

fn bound() -> Value {
    json!({
        "type": "object",
        "properties": {
            "words": {"type": "string"},
            "objective": {"type": "string"},
            "expected": {"type": "number"},
            "worst": {"type": "number"},
            "lower_bound": {"type": "number"},
            "optimal": {"type": "boolean"},
            "table": {"type": "string"},
        },
        "required": ["words", "expected", "worst", "lower_bound", "optimal"],
    })
}

/// The fields of a JSON object.
fn object(value: Value) -> Arc<JsonObject> {
    match value {
        Value::Object(fields) => Arc::new(fields),
        _ => Arc::default(),
    }
}
