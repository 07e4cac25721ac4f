//! Settings with named values in requests and documents.

use fewest::session::Until;
use fewest::{Identify, Inseparable, MissingCells, Named, ObjectiveKind};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// A setting as JSON: the name of its value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word<T>(pub(crate) T);

// Without type parameters, because the descriptions of documents are derived from the names of types.

/// The target of the identification.
pub(crate) type IdentifyWord = Word<Identify>;
/// The meaning of an empty cell.
pub(crate) type MissingWord = Word<MissingCells>;
/// The treatment of objects that no test tells apart.
pub(crate) type InseparableWord = Word<Inseparable>;
/// The objective, without its λ.
pub(crate) type ObjectiveWord = Word<ObjectiveKind>;
/// The target of a session.
pub(crate) type UntilWord = Word<Until>;

impl<T: Named> Serialize for Word<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

impl<'de, T: Named> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        T::named(&name).map(Self).ok_or_else(|| {
            let name: String = name.chars().take(40).collect();
            D::Error::custom(format!("there is no `{name}` here; choose {}", T::names()))
        })
    }
}

impl<T: Named> PartialSchema for Word<T> {
    fn schema() -> RefOr<Schema> {
        let names = T::VALUES.iter().map(|(_, name, _)| *name);
        let help = T::VALUES.iter().map(|(_, name, help)| format!("`{name}`: {help}."));
        let object = ObjectBuilder::new()
            .schema_type(SchemaType::Type(Type::String))
            .enum_values(Some(names))
            .description(Some(help.collect::<Vec<_>>().join(" ")));
        RefOr::T(Schema::Object(object.build()))
    }
}

impl<T: Named> ToSchema for Word<T> {
    fn name() -> Cow<'static, str> {
        let path = std::any::type_name::<T>();
        Cow::Borrowed(path.rsplit("::").next().unwrap_or(path))
    }
}
