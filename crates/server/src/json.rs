//! Numbers in requests and responses.

use fewest_formats::json::Number;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// A number with all its digits; infinity is the text `inf`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct JsonNumber(pub(crate) Number);

impl From<f64> for JsonNumber {
    fn from(value: f64) -> Self {
        Self(Number(value))
    }
}

impl JsonNumber {
    /// Value as a float.
    pub(crate) fn value(self) -> f64 {
        self.0.0
    }
}

impl PartialSchema for JsonNumber {
    fn schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(SchemaType::new(Type::Number));
        let word = ObjectBuilder::new()
            .schema_type(SchemaType::new(Type::String))
            .enum_values(Some(["inf", "-inf"]));
        OneOfBuilder::new().item(number).item(word).into()
    }
}

impl ToSchema for JsonNumber {
    fn name() -> Cow<'static, str> {
        "Figure".into()
    }
}
