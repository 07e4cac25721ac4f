//! Origin of a request that changes something.
//!
//! Browsers send the origin of the page that made a request. A request that changes something must come from this
//! server's own pages, or from no page at all.

use crate::error::Problem;
use axum::http::{HeaderMap, header};

pub(super) fn check(headers: &HeaderMap) -> Result<(), Problem> {
    let refused = || {
        Err(Problem::forbidden("the request comes from a page of another site; use the pages of this server"))
    };
    if let Some(site) = headers.get("sec-fetch-site")
        && site != "same-origin"
        && site != "none"
    {
        return refused();
    }
    let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let origin = origin.to_str().unwrap_or_default();
    let of_origin = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    match of_origin {
        Some(of_origin) if !host.is_empty() && of_origin.eq_ignore_ascii_case(host) => Ok(()),
        _ => refused(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{HeaderName, HeaderValue};

    fn is_fine(pairs: &[(&'static str, &'static str)]) -> bool {
        let pair = |&(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value));
        check(&pairs.iter().map(pair).collect()).is_ok()
    }

    #[test]
    fn only_our_own_pages_and_programs_change_things() {
        let host = ("host", "localhost:7878");
        assert!(is_fine(&[host]));
        assert!(is_fine(&[host, ("origin", "http://localhost:7878"), ("sec-fetch-site", "same-origin")]));
        assert!(!is_fine(&[host, ("origin", "http://localhost:9999")]));
        assert!(!is_fine(&[host, ("origin", "null")]));
        assert!(!is_fine(&[host, ("sec-fetch-site", "cross-site")]));
        assert!(!is_fine(&[host, ("sec-fetch-site", "same-site")]));
    }
}
