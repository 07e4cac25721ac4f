//! All that the routes share, and the router.

use crate::error::Problem;
use crate::guard::{self, Hosts, Rate, Tokens};
use crate::id::is_id;
use crate::jobs::Jobs;
use crate::limits::Limits;
use crate::metrics::{self, Metrics};
use crate::options::TableOptions;
use crate::store::{Failure, Place, Store, StoreError};
use crate::tables::{Cache, Loaded, understand};
use crate::time::now_ms;
use crate::{api, pages};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use fewest::Tree;
use fewest_formats::Strategy;
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::timeout::TimeoutLayer;

/// Bytes of a body that is no table.
const SMALL_BODY: usize = 512 * 1024;
/// Tables that may come in at the same time.
const UPLOADS: usize = 4;
/// Cells up to which the next question is found at once; larger tables go to threads of their own.
const SMALL_TABLE: usize = 20_000;

/// What a server is made of.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where things are kept.
    pub place: Place,
    /// What visitors may use.
    pub limits: Limits,
    /// The names that it goes by.
    pub hosts: Hosts,
    /// Tokens that open the door, beside those that the database knows.
    pub tokens: Vec<String>,
}

/// Why a server cannot start.
#[derive(Debug, Error)]
pub enum StartError {
    /// There is no database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The database broke.
    #[error("the database: {0}")]
    Database(#[from] Failure),
    /// There are no threads.
    #[error("no threads for searches: {0}")]
    Threads(std::io::Error),
}

/// A tree and the table that it is for.
#[derive(Debug)]
pub(crate) struct Planned {
    table: String,
    pub(crate) tree: Tree,
}

/// All that the routes share.
#[derive(Clone, Debug)]
pub struct App(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    store: Store,
    limits: Limits,
    hosts: Hosts,
    tokens: Tokens,
    rate: Rate,
    tables: Cache<Loaded>,
    trees: Cache<Planned>,
    sessions: AtomicU64,
    jobs: Jobs,
    metrics: Metrics,
    uploads: Semaphore,
    thinkers: Arc<Semaphore>,
    player: Arc<Semaphore>,
    /// Simulations have a thread of their own: those that answer must not wait for it.
    players: rayon::ThreadPool,
}

impl App {
    /// Opens the database and starts the workers. Must be called on a runtime.
    ///
    /// # Errors
    /// When there is no database or no threads.
    pub async fn open(settings: Settings) -> Result<Self, StartError> {
        let Settings { place, limits, hosts, tokens } = settings;
        let store = Store::open_for_server(&place).await?;
        store.fail_lost_jobs(now_ms()).await?;
        let mut hashes = store.tokens().await?;
        hashes.extend(tokens.iter().map(|token| guard::hash(token)));
        let sessions = AtomicU64::new(store.session_count().await?);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self(Arc::new(Shared {
            jobs: Jobs::start(store.clone(), &limits).map_err(StartError::Threads)?,
            store,
            hosts,
            tokens: Tokens::of_hashes(hashes),
            rate: Rate::new(limits.rate),
            tables: Cache::new(limits.cache, Loaded::weight),
            trees: Cache::new(limits.cache / 4, |planned| planned.tree.nodes().len() * 80),
            sessions,
            metrics: Metrics::default(),
            uploads: Semaphore::new(UPLOADS),
            thinkers: Arc::new(Semaphore::new(cores)),
            player: Arc::new(Semaphore::new(1)),
            players: rayon::ThreadPoolBuilder::new()
                .num_threads(1)
                .build()
                .map_err(|error| StartError::Threads(std::io::Error::other(error)))?,
            limits,
        })))
    }

    /// Whether somebody without a token may come in.
    pub fn is_open(&self) -> bool {
        self.0.tokens.is_empty()
    }

    /// Ends all searches with the best they have, and closes the database once that is kept.
    pub async fn close(&self) {
        self.0.jobs.cancel_all();
        for _ in 0..100 {
            if self.0.jobs.counts().0 == 0 {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        self.0.store.close().await;
    }

    pub(crate) fn store(&self) -> &Store {
        &self.0.store
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.0.limits
    }

    pub(crate) fn hosts(&self) -> &Hosts {
        &self.0.hosts
    }

    pub(crate) fn tokens(&self) -> &Tokens {
        &self.0.tokens
    }

    pub(crate) fn rate(&self) -> &Rate {
        &self.0.rate
    }

    pub(crate) fn jobs(&self) -> &Jobs {
        &self.0.jobs
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    /// A place among those who send tables.
    pub(crate) async fn upload_permit(&self) -> Result<tokio::sync::SemaphorePermit<'_>, Problem> {
        self.0.uploads.acquire().await.map_err(|_| Problem::internal())
    }

    /// The table called `id`, understood.
    ///
    /// # Errors
    /// When there is none.
    pub(crate) async fn table(&self, id: &str) -> Result<Arc<Loaded>, Problem> {
        if !is_id(id) {
            return Err(Problem::not_found("table"));
        }
        self.0.tables.get(id, || self.load(id)).await
    }

    async fn load(&self, id: &str) -> Result<Loaded, Problem> {
        let row = self.store().table(id).await?.ok_or_else(|| Problem::not_found("table"))?;
        let content = self.store().table_content(id).await?.ok_or_else(|| Problem::not_found("table"))?;
        let options: TableOptions =
            serde_json::from_str(&row.options).map_err(|error| Problem::unreadable("table", id, error))?;
        let (id, limits) = (id.to_owned(), *self.limits());
        self.think(move || understand(&id, &content, &options, &limits)).await?
    }

    /// The tree of the strategy called `id`, which must be one for `table`.
    ///
    /// # Errors
    /// When there is none, or it is not built yet, or for another table.
    pub(crate) async fn tree(&self, id: &str, table: &Loaded) -> Result<Arc<Planned>, Problem> {
        let load = || async {
            let job = self.store().job(id, "build").await?.ok_or_else(|| Problem::not_found("strategy"))?;
            let document = self.store().job_document(id, "build").await?;
            let document = document.ok_or_else(|| {
                Problem::conflict(format!("there is no strategy yet: it is {}", job.state.word()))
            })?;
            let owner = self.table(&job.table).await?;
            let (table, tree) = (job.table, move || {
                Strategy::read(document.as_bytes()).ok()?.tree.to_tree(&owner.instance).ok()
            });
            let tree = self.think(tree).await?;
            let tree =
                tree.ok_or_else(|| Problem::unreadable("strategy", id, "its document holds no tree"))?;
            Ok(Planned { table, tree })
        };
        if !is_id(id) {
            return Err(Problem::not_found("strategy"));
        }
        let planned = self.0.trees.get(id, load).await?;
        if planned.table != table.id {
            return Err(Problem::unfit("the strategy is one for another table"));
        }
        Ok(planned)
    }

    /// Drops what is kept ready of a strategy.
    pub(crate) fn forget_tree(&self, id: &str) {
        self.0.trees.forget(id);
    }

    /// Counts a session that is to be made.
    ///
    /// # Errors
    /// When there are too many.
    pub(crate) fn add_session(&self) -> Result<(), Problem> {
        if self.0.sessions.fetch_add(1, Ordering::Relaxed) >= self.limits().sessions {
            self.drop_session();
            return Err(Problem::busy("this server keeps no more sessions; delete some"));
        }
        Ok(())
    }

    /// Counts a session that was deleted, or not made.
    pub(crate) fn drop_session(&self) {
        self.0.sessions.fetch_sub(1, Ordering::Relaxed);
    }

    /// Drops what is kept ready of a table.
    pub(crate) fn forget(&self, id: &str) {
        self.0.tables.forget(id);
    }

    /// Does what takes long on a thread that nobody else waits for; as many at once as there are cores.
    ///
    /// # Errors
    /// When it broke.
    pub(crate) async fn think<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let permit = Arc::clone(&self.0.thinkers).acquire_owned().await.map_err(|_| Problem::internal())?;
        in_background(permit, work).await
    }

    /// Plays a simulation, one at a time.
    ///
    /// # Errors
    /// When one is being played, or it broke.
    pub(crate) async fn play<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let permit = Arc::clone(&self.0.player).try_acquire_owned();
        let permit =
            permit.map_err(|_| Problem::busy("a simulation is being played; try again when it is over"))?;
        let app = self.clone();
        in_background(permit, move || app.0.players.install(work)).await
    }

    /// Does something with a table: at once where the table is small, else as [`think`](Self::think) does.
    ///
    /// # Errors
    /// When it broke.
    pub(crate) async fn think_about<T: Send + 'static>(
        &self,
        table: &Arc<Loaded>,
        work: impl FnOnce(&Loaded) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        if table.instance.object_count() * table.instance.test_count() <= SMALL_TABLE {
            return Ok(work(table));
        }
        let table = Arc::clone(table);
        self.think(move || work(&table)).await
    }
}

/// Does `work` on a thread that may be kept for long. The permit goes with it: where nobody waits any more, the thread is
/// still in use.
async fn in_background<T: Send + 'static>(
    permit: OwnedSemaphorePermit,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let work = move || {
        let result = work();
        drop(permit);
        result
    };
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        tracing::error!(%error, "a thread broke");
        Problem::internal()
    })
}

/// The whole web app: API, pages, and what guards them.
pub fn app(state: App) -> Router {
    let (api, _) = api::router(state.limits().body).split_for_parts();
    Router::new()
        .merge(api)
        .merge(pages::router(state.limits().body))
        .fallback(|| async { Problem::not_found("page") })
        .method_not_allowed_fallback(|| async { Problem::method() })
        .layer(DefaultBodyLimit::max(SMALL_BODY))
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, state.limits().request))
        .layer(CatchPanicLayer::custom(broken))
        .layer(map_response(in_words))
        .layer(from_fn_with_state(state.clone(), guard::guard))
        .layer(from_fn(pages::in_html))
        .layer(from_fn_with_state(state.clone(), metrics::measure))
        .layer(CompressionLayer::new())
        .with_state(state)
}

/// A panic is a mistake of ours, and no reason to hang up.
fn broken(_: Box<dyn Any + Send + 'static>) -> Response {
    tracing::error!("a handler panicked");
    Problem::internal().into_response()
}

/// A timeout says what it is.
async fn in_words(response: Response) -> Response {
    if response.status() == StatusCode::REQUEST_TIMEOUT
        && !response.headers().contains_key(axum::http::header::CONTENT_TYPE)
    {
        return Problem::too_slow().into_response();
    }
    response
}
