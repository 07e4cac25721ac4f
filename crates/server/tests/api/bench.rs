//! Server without a socket, and a client for it.

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use fewest_server::{App, Hosts, Limits, Place, Settings, router};
use http_body_util::BodyExt;
use serde_json::Value;
use sqlx::Connection;
use std::net::IpAddr;
use tempfile::TempDir;
use tower::ServiceExt;

/// Database of a test server.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Sqlite,
    Postgres,
}

/// Test server with its parts.
pub(crate) struct Bench {
    pub(crate) app: App,
    pub(crate) router: Router,
    pub(crate) place: Place,
    /// Folder of the data, deleted with the bench.
    _folder: Option<TempDir>,
}

/// Response of the server.
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Checks the status; on failure the body is printed.
    pub(crate) fn expect(self, status: u16) -> Self {
        assert_eq!(self.status.as_u16(), status, "{}", self.text());
        if self.status.is_client_error() || self.status.is_server_error() {
            assert_eq!(self.headers["content-type"], "application/problem+json");
            assert_eq!(self.json()["status"], status);
        }
        self
    }
}

impl Bench {
    /// Starts a server; `None` if PostgreSQL is wanted and there is none.
    pub(crate) async fn new(kind: Kind) -> Option<Self> {
        Self::with(kind, Limits::default(), Vec::new()).await
    }

    /// Starts a server behind proxies.
    pub(crate) async fn behind(limits: Limits, tokens: Vec<String>, proxies: Vec<IpAddr>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::Folder(folder.path().to_owned());
        let hosts = Hosts::Loopback;
        let settings = Settings { place: place.clone(), limits, hosts, tokens, proxies };
        let state = App::open(settings).await.unwrap();
        Self { router: router(state.clone()), app: state, place, _folder: Some(folder) }
    }

    pub(crate) async fn with(kind: Kind, limits: Limits, tokens: Vec<String>) -> Option<Self> {
        let (place, folder) = match kind {
            Kind::Sqlite => {
                let folder = tempfile::tempdir().unwrap();
                (Place::Folder(folder.path().join("some where?")), Some(folder))
            }
            Kind::Postgres => match std::env::var("FEWEST_TEST_POSTGRES") {
                Ok(url) => (Place::Postgres(database(&url).await), None),
                Err(_) => {
                    eprintln!(
                        "skipped: FEWEST_TEST_POSTGRES names no server; scripts/with-postgres starts one"
                    );
                    return None;
                }
            },
        };
        let settings =
            Settings { place: place.clone(), limits, hosts: Hosts::Loopback, tokens, proxies: Vec::new() };
        let state = App::open(settings).await.unwrap();
        Some(Self { router: router(state.clone()), app: state, place, _folder: folder })
    }

    /// Starts another server for the same data, as after a restart.
    pub(crate) async fn again(self) -> Self {
        self.limited(Limits::default()).await
    }

    /// Starts another server for the same data with these limits.
    pub(crate) async fn limited(self, limits: Limits) -> Self {
        self.app.close().await;
        let settings = Settings {
            place: self.place.clone(),
            limits,
            hosts: Hosts::Loopback,
            tokens: Vec::new(),
            proxies: Vec::new(),
        };
        let state = App::open(settings).await.unwrap();
        Self { router: router(state.clone()), app: state, ..self }
    }

    /// Runs a statement on the database, without the server.
    pub(crate) async fn sql(&self, statement: &str) {
        let sql = sqlx::AssertSqlSafe(statement.to_owned());
        match &self.place {
            Place::Folder(folder) => {
                let file = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.join("fewest.sqlite3"));
                let mut connection = sqlx::SqliteConnection::connect_with(&file).await.unwrap();
                sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
                connection.close().await.unwrap();
            }
            Place::Postgres(url) => {
                let mut connection = sqlx::AnyConnection::connect(url).await.unwrap();
                sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
            }
        }
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Reply {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes().to_vec();
        Reply { status: parts.status, headers: parts.headers, body }
    }

    /// Request as any program would send it.
    pub(crate) fn request(method: Method, path: &str, kind: &str, body: impl Into<Body>) -> Request<Body> {
        let request = Request::builder().method(method).uri(path).header("host", "localhost:7878");
        let request = if kind.is_empty() { request } else { request.header("content-type", kind) };
        request.body(body.into()).unwrap()
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.send(Self::request(Method::GET, path, "", "")).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Reply {
        self.send(Self::request(Method::DELETE, path, "", "")).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Reply {
        self.send(Self::request(Method::POST, path, "application/json", body.to_string())).await
    }

    pub(crate) async fn put(&self, path: &str, body: &Value) -> Reply {
        self.send(Self::request(Method::PUT, path, "application/json", body.to_string())).await
    }

    pub(crate) async fn upload(&self, query: &str, csv: &str) -> Reply {
        let path = format!("/api/v1/tables{query}");
        self.send(Self::request(Method::POST, &path, "text/csv", csv.to_owned())).await
    }

    /// Uploads a table and returns its id.
    pub(crate) async fn table(&self, csv: &str) -> String {
        name(&self.upload("", csv).await.expect(201).json())
    }
}

/// Creates a new database on the server at `url`.
async fn database(url: &str) -> String {
    sqlx::any::install_default_drivers();
    let mut connection = sqlx::AnyConnection::connect(url).await.unwrap();
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).unwrap();
    let name = format!("fewest_test_{}", u64::from_le_bytes(bytes));
    let sql = sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"));
    sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
    let (server, query) =
        url.split_once('?').map_or((url, String::new()), |(server, query)| (server, format!("?{query}")));
    let (server, _) = server.rsplit_once('/').unwrap();
    format!("{server}/{name}{query}")
}

/// Id in the response to a request that created something.
pub(crate) fn name(made: &Value) -> String {
    made["id"].as_str().unwrap().to_owned()
}

pub(crate) const PETS: &str = "object,group,prior,barks,legs\n@question,,,Does it bark?,\n\
                               dog,mammal,2,yes,4\ncat,mammal,1,no,4\nhen,bird,1,no,2\n";

/// Runs tests on both databases.
macro_rules! on_both {
    ($($name:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test]
            async fn $name() {
                super::$name($crate::bench::Bench::new($crate::bench::Kind::Sqlite).await.unwrap()).await;
            })*
        }

        mod postgres {
            $(#[tokio::test]
            async fn $name() {
                if let Some(bench) = $crate::bench::Bench::new($crate::bench::Kind::Postgres).await {
                    super::$name(bench).await;
                }
            })*
        }
    };
}

pub(crate) use on_both;
