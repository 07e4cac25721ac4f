//! Lists that are shown page by page.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use serde::Deserialize;
use std::convert::Infallible;

/// Last page that can be requested: older items are only for the API.
const LAST: u32 = 1_000_000;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct PageQuery {
    page: Option<u32>,
}

/// Page of a list to show; the first, if the query cannot be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Paging {
    number: u32,
    size: u32,
}

/// Items of a page, and the numbers of the pages before and after it.
pub(super) struct PageOf<T> {
    pub(super) newer: Option<u32>,
    pub(super) older: Option<u32>,
    pub(super) shown: Vec<T>,
}

impl<S: Send + Sync> FromRequestParts<S> for Paging {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let asked =
            Query::<PageQuery>::try_from_uri(&parts.uri).map(|Query(asked)| asked).unwrap_or_default();
        Ok(Self { number: asked.page.unwrap_or(1).clamp(1, LAST), size: 0 })
    }
}

impl Paging {
    /// First page.
    pub(super) fn first() -> Self {
        Self { number: 1, size: 0 }
    }

    /// Sets the page size to `size` lines.
    pub(super) fn of(self, size: u32) -> Self {
        Self { size, ..self }
    }

    /// Number of lines to fetch: one more than are shown, to know whether there are others.
    pub(super) fn wanted(self) -> i64 {
        i64::from(self.size) + 1
    }

    /// Number of lines on the pages before.
    pub(super) fn skipped(self) -> i64 {
        i64::from(self.number - 1) * i64::from(self.size)
    }

    /// Splits the fetched lines into those to show, and finds the pages before and after.
    pub(super) fn around<T>(self, mut lines: Vec<T>) -> PageOf<T> {
        let is_more = lines.len() > self.size as usize;
        lines.truncate(self.size as usize);
        PageOf {
            newer: (self.number > 1).then(|| self.number - 1),
            older: (is_more && self.number < LAST).then(|| self.number + 1),
            shown: lines,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_knows_what_is_before_and_after_it() {
        let first = Paging::first().of(3);
        assert_eq!((first.wanted(), first.skipped()), (4, 0));
        let around = first.around(vec![1, 2, 3, 4]);
        assert_eq!((around.newer, around.older, around.shown), (None, Some(2), vec![1, 2, 3]));
        let last = Paging { number: 2, ..first };
        assert_eq!(last.skipped(), 3);
        let around = last.around(vec![4, 5]);
        assert_eq!((around.newer, around.older, around.shown), (Some(1), None, vec![4, 5]));
    }
}
