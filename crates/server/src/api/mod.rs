//! HTTP API: routes, and their OpenAPI description beside them.

mod events;
mod health;
mod jobs;
pub(crate) mod next;
mod parts;
mod prior;
mod sessions;
mod simulate;
mod tables;

use crate::state::App;
use axum::extract::DefaultBodyLimit;
use utoipa::OpenApi;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "fewest",
        description = "Ask the fewest, cheapest questions: tables, strategies with their proof, questions one by one, and sessions.\n\n\
                       Problems are told as RFC 9457 says. Where the server wants a token, send `Authorization: Bearer TOKEN`.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    tags(
        (name = "tables", description = "Objects × tests, as CSV."),
        (name = "strategies", description = "Orders of questions, built in the background."),
        (name = "questions", description = "What to ask next, and why: answers in, question out. Nothing is kept."),
        (name = "sessions", description = "Answers that are kept: given one by one, changed, withdrawn."),
        (name = "server", description = "How the server is.")
    )
)]
struct Description;

/// Routes of the API with their description; `body` is the most bytes of a table.
pub(crate) fn router(body: usize) -> OpenApiRouter<App> {
    let uploads = OpenApiRouter::new()
        .routes(routes!(tables::list, tables::upload))
        .routes(routes!(tables::validate))
        .layer(DefaultBodyLimit::max(body));
    let mut description = Description::openapi();
    let components = description.components.get_or_insert_default();
    components.add_security_scheme("token", SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)));
    OpenApiRouter::with_openapi(description)
        .merge(uploads)
        .routes(routes!(tables::get, tables::delete))
        .routes(routes!(tables::content))
        .routes(routes!(tables::inspect))
        .routes(routes!(prior::show, prior::apply))
        .routes(routes!(jobs::list_strategies, jobs::build))
        .routes(routes!(jobs::get_strategy, jobs::delete_strategy))
        .routes(routes!(jobs::strategy_document))
        .routes(routes!(jobs::strategy_events))
        .routes(routes!(jobs::list_comparisons, jobs::compare))
        .routes(routes!(jobs::get_comparison, jobs::delete_comparison))
        .routes(routes!(jobs::comparison_document))
        .routes(routes!(jobs::list_fronts, jobs::front))
        .routes(routes!(jobs::get_front, jobs::delete_front))
        .routes(routes!(jobs::front_document))
        .routes(routes!(next::next))
        .routes(routes!(next::explain))
        .routes(routes!(next::rationale))
        .routes(routes!(simulate::simulate))
        .routes(routes!(sessions::list, sessions::create))
        .routes(routes!(sessions::get, sessions::delete))
        .routes(routes!(sessions::answer, sessions::withdraw))
        .routes(routes!(sessions::log))
        .routes(routes!(sessions::confirm))
        .routes(routes!(health::healthz))
        .routes(routes!(health::readyz))
        .routes(routes!(health::metrics))
        .route("/openapi.json", axum::routing::get(health::description))
}

/// Description of the API, as OpenAPI 3.1 in JSON.
///
/// # Panics
/// When the description cannot be written as JSON, which a test would notice.
pub fn openapi() -> String {
    let description = router(0).into_openapi();
    let mut text = description.to_pretty_json().expect("the description is JSON");
    text.push('\n');
    text
}
