//! Files of `web/static`, which are compiled into the program.

use crate::error::Problem;
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "web/static/"]
struct Files;

/// Serves a file; 304 if the browser has it already.
pub(super) async fn get(Path(path): Path<String>, headers: HeaderMap) -> Result<Response, Problem> {
    let file = Files::get(&path).ok_or_else(|| Problem::not_found("file"))?;
    let tag = format!("\"{}\"", crate::id::hex(&file.metadata.sha256_hash()[..16]));
    let kind = match path.rsplit('.').next().unwrap_or_default() {
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    };
    let kept = [(header::ETAG, tag.as_str()), (header::CACHE_CONTROL, "no-cache")];
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == tag.as_str()) {
        return Ok((StatusCode::NOT_MODIFIED, kept).into_response());
    }
    Ok((kept, [(header::CONTENT_TYPE, kind)], file.data).into_response())
}
