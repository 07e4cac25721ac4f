//! Tables as clients send them: as the body, or as a file in a form.

use super::refused;
use crate::error::Problem;
use crate::options::TableOptions;
use axum::extract::{FromRequest, Multipart, Request};
use axum::http::{StatusCode, header};
use bytes::Bytes;

/// Types of bodies that are taken for tables; what they hold is found by their contents.
const KINDS: [&str; 11] = [
    "",
    "text/csv",
    "text/tab-separated-values",
    "text/plain",
    "application/octet-stream",
    "application/xml",
    "text/xml",
    "application/zip",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.ms-excel",
    "application/vnd.oasis.opendocument.spreadsheet",
];

/// Uploaded table: options and bytes.
pub(crate) struct Upload {
    pub(crate) options: TableOptions,
    pub(crate) content: Bytes,
}

impl<S: Send + Sync> FromRequest<S> for Upload {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let query = request.uri().query().unwrap_or_default();
        let pairs: Vec<(String, String)> = serde_urlencoded::from_str(query)
            .map_err(|_| Problem::bad_request("the query cannot be read"))?;
        let mut options = TableOptions::from_pairs(pairs)?;
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let kind = kind.unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let content = match kind.as_str() {
            "multipart/form-data" => {
                let form = Multipart::from_request(request, state).await;
                let form = form.map_err(|_| Problem::bad_request("the form has no boundary"))?;
                from_form(form, &mut options).await?.content
            }
            kind if KINDS.contains(&kind) => Bytes::from_request(request, state).await.map_err(refused)?,
            _ => {
                return Err(Problem::media_type(
                    "send the table as text/csv, or as a file in multipart/form-data",
                ));
            }
        };
        Ok(Self { options, content })
    }
}

/// File and token of a form.
pub(crate) struct FormContent {
    pub(crate) content: Bytes,
    /// Token of this server's own forms; empty if the form has none.
    pub(crate) token: String,
}

/// Reads a form: the file, and the other fields as options.
pub(crate) async fn from_form(
    mut form: Multipart,
    options: &mut TableOptions,
) -> Result<FormContent, Problem> {
    let (mut content, mut token) = (None, String::new());
    let broken = |error: axum::extract::multipart::MultipartError| {
        if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
            Problem::too_large(
                "the table is larger than this server accepts; make it smaller, or use the command line",
            )
        } else {
            Problem::bad_request("the form cannot be read")
        }
    };
    while let Some(field) = form.next_field().await.map_err(broken)? {
        let name = field.name().unwrap_or_default().to_owned();
        if name == "table" {
            // Only a name: no file is ever looked up by it.
            let file =
                field.file_name().map(|path| path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned());
            if options.name.is_none() {
                options.set("name", &file.unwrap_or_default())?;
            }
            content = Some(field.bytes().await.map_err(broken)?);
        } else {
            let value = field.text().await.map_err(broken)?;
            if name == "token" {
                token = value;
            } else {
                options.set(&name, &value)?;
            }
        }
    }
    let content =
        content.ok_or_else(|| Problem::bad_request("the form has no file in a field called `table`"))?;
    Ok(FormContent { content, token })
}
