//! State that all requests share: the database, the caches, the threads and the guard.

use crate::error::Problem;
use crate::guard::{self, Guard, Hosts, Tokens};
use crate::held::HeldFiles;
use crate::id::is_id;
use crate::jobs::Jobs;
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::options::TableOptions;
use crate::pool::{Lane, in_background};
use crate::response_cache::ResponseCache;
use crate::spell::parameter;
use crate::store::{Cause, Failure, Place, SpellSetting, Store, StoreError};
use crate::tables::{Cache, LoadedTable, load_table};
use crate::time::now_ms;
use fewest::Tree;
use fewest_formats::Strategy;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;
use thiserror::Error;
use tokio::sync::Semaphore;

/// Most cells of a small table. Questions about a small table take about a millisecond, and have a lane of their own.
const SMALL_TABLE: usize = 20_000;
/// Time between two reads of data that other processes may change: tokens, and the size of the database.
const REFRESH: Duration = Duration::from_secs(2);

/// Settings of a server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Location of the database.
    pub place: Place,
    /// Limits for clients.
    pub limits: Limits,
    /// Host names of this server.
    pub hosts: Hosts,
    /// Tokens that are accepted besides those of the database.
    pub tokens: Vec<String>,
    /// Addresses of proxies in front, whose headers about their clients are trusted.
    pub proxies: Vec<IpAddr>,
}

/// Reason why a server cannot start.
#[derive(Debug, Error)]
pub enum StartError {
    /// The database cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The database failed.
    #[error("the database: {0}")]
    Database(#[from] Failure),
    /// The system refuses threads.
    #[error("no threads for searches: {0}")]
    Threads(std::io::Error),
}

impl StartError {
    /// Returns the message, with settings spelled by `spell`.
    pub fn words(&self, spell: SpellSetting) -> String {
        match self {
            Self::Store(error) => error.words(spell),
            Self::Database(_) | Self::Threads(_) => self.to_string(),
        }
    }
}

/// Tree of a strategy, with the id of its table.
#[derive(Debug)]
pub(crate) struct StrategyTree {
    table: String,
    pub(crate) tree: Tree,
}

/// State that all requests share; clones are handles to the same state.
#[derive(Clone, Debug)]
pub struct App(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    store: Store,
    limits: Limits,
    guard: Arc<Guard>,
    metrics: Arc<Metrics>,
    tables: Cache<LoadedTable>,
    trees: Cache<StrategyTree>,
    /// Number of sessions in the database.
    sessions: AtomicU64,
    jobs: Jobs,
    /// Bytes of the database.
    disk: AtomicU64,
    responses: ResponseCache,
    held: HeldFiles,
    /// Lanes for questions about small tables, and for all other work that takes time.
    quick: Lane,
    slow: Lane,
    /// Permit of the single simulation that may run.
    simulation_permit: Arc<Semaphore>,
    /// Threads of simulations, separate from those that answer questions, which must not wait for them.
    simulation_pool: rayon::ThreadPool,
}

impl App {
    /// Opens the database and starts the workers. Must be called on a Tokio runtime.
    ///
    /// # Errors
    /// When the database cannot be opened or the system refuses threads.
    pub async fn open(settings: Settings) -> Result<Self, StartError> {
        let Settings { place, limits, hosts, tokens, proxies } = settings;
        let store = Store::open_for_server(&place).await?;
        store.fail_lost_jobs(now_ms()).await?;
        let given = tokens.iter().map(|token| guard::hash(token)).collect();
        let app = Self(Arc::new(Shared {
            jobs: Jobs::start(store.clone(), &limits).map_err(StartError::Threads)?,
            guard: Arc::new(Guard::new(hosts, Tokens::new(given, store.tokens().await?), &proxies, &limits)),
            tables: Cache::new(limits.cache, LoadedTable::weight),
            trees: Cache::new(limits.cache / 4, |strategy_tree| strategy_tree.tree.nodes().len() * 80),
            sessions: AtomicU64::new(store.session_count().await?),
            metrics: Arc::default(),
            disk: AtomicU64::new(store.disk_used().await?),
            responses: ResponseCache::new(limits.repeats),
            held: HeldFiles::default(),
            quick: Lane::new(limits.blocking_threads, limits.waiting),
            slow: Lane::new(limits.blocking_threads, limits.waiting),
            simulation_permit: Arc::new(Semaphore::new(1)),
            simulation_pool: rayon::ThreadPoolBuilder::new()
                .num_threads(1)
                .build()
                .map_err(|error| StartError::Threads(std::io::Error::other(error)))?,
            store,
            limits,
        }));
        tokio::spawn(refresh(Arc::downgrade(&app.0)));
        Ok(app)
    }

    /// Whether requests need no token.
    pub fn is_open(&self) -> bool {
        self.0.guard.tokens.is_empty()
    }

    /// Ends all searches with the best strategies they have, and closes the database after these are stored.
    pub async fn close(&self) {
        self.0.jobs.cancel_all();
        for _ in 0..100 {
            if self.0.jobs.counts().0 == 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        self.0.store.close().await;
    }

    /// Number of statements that have read the database for requests since the start; tests compare it with the
    /// fewest possible.
    pub fn database_reads(&self) -> u64 {
        self.0.store.reads()
    }

    pub(crate) fn store(&self) -> &Store {
        &self.0.store
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.0.limits
    }

    pub(crate) fn guard(&self) -> &Arc<Guard> {
        &self.0.guard
    }

    pub(crate) fn jobs(&self) -> &Jobs {
        &self.0.jobs
    }

    pub(crate) fn metrics(&self) -> &Arc<Metrics> {
        &self.0.metrics
    }

    pub(crate) fn held(&self) -> &HeldFiles {
        &self.0.held
    }

    /// Responses to questions that were asked before.
    pub(crate) fn responses(&self) -> &ResponseCache {
        &self.0.responses
    }

    /// Bytes of the database, as last measured.
    pub(crate) fn disk(&self) -> u64 {
        self.0.disk.load(Ordering::Relaxed)
    }

    /// Reserves bytes of the database for data that is about to be stored.
    ///
    /// # Errors
    /// When the database would become too large.
    pub(crate) fn make_room(&self, bytes: usize) -> Result<(), Problem> {
        let (disk, most) = (&self.0.disk, self.limits().disk);
        if disk.load(Ordering::Relaxed).saturating_add(bytes as u64) > most {
            return Err(Problem::full(format!(
                "the database has reached the {most} bytes that this server may use; delete tables, \
                 strategies or sessions"
            )));
        }
        disk.fetch_add(bytes as u64, Ordering::Relaxed);
        Ok(())
    }

    /// Returns the table with this id, from the cache or the database.
    ///
    /// # Errors
    /// When there is no such table.
    pub(crate) async fn table(&self, id: &str) -> Result<Arc<LoadedTable>, Problem> {
        if !is_id(id) {
            return Err(Problem::not_found("table"));
        }
        self.0.tables.get(id, || self.load(id)).await
    }

    async fn load(&self, id: &str) -> Result<LoadedTable, Problem> {
        let row = self.store().table(id).await?.ok_or_else(|| Problem::not_found("table"))?;
        let content = self.store().table_content(id).await?.ok_or_else(|| Problem::not_found("table"))?;
        let options: TableOptions =
            serde_json::from_str(&row.options).map_err(|error| Problem::unreadable("table", id, error))?;
        let (id, limits) = (id.to_owned(), *self.limits());
        self.run_blocking(move || load_table(&id, &content, &options, &limits, parameter)).await?
    }

    /// Returns the tree of the strategy with this id, which must be for `table`.
    ///
    /// # Errors
    /// When there is no such strategy, or it is not built yet, or is for another table.
    pub(crate) async fn tree(&self, id: &str, table: &LoadedTable) -> Result<Arc<StrategyTree>, Problem> {
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
            let tree = self.run_blocking(tree).await?;
            let tree =
                tree.ok_or_else(|| Problem::unreadable("strategy", id, "its document holds no tree"))?;
            Ok(StrategyTree { table, tree })
        };
        if !is_id(id) {
            return Err(Problem::not_found("strategy"));
        }
        let strategy_tree = self.0.trees.get(id, load).await?;
        if strategy_tree.table != table.id {
            return Err(Problem::unfit("the strategy belongs to another table"));
        }
        Ok(strategy_tree)
    }

    /// Removes the tree of a strategy from the cache.
    pub(crate) fn forget_tree(&self, id: &str) {
        self.0.trees.forget(id);
    }

    /// Adds 1 to the number of sessions.
    ///
    /// # Errors
    /// When there are too many sessions.
    pub(crate) fn add_session(&self) -> Result<(), Problem> {
        if self.0.sessions.fetch_add(1, Ordering::Relaxed) >= self.limits().sessions {
            self.drop_session();
            return Err(Problem::busy("this server stores no more sessions; delete some"));
        }
        Ok(())
    }

    /// Subtracts 1 from the number of sessions: one was deleted, or not created.
    pub(crate) fn drop_session(&self) {
        self.0.sessions.fetch_sub(1, Ordering::Relaxed);
    }

    /// Reads the number of sessions again: those of a deleted table were deleted with it.
    ///
    /// # Errors
    /// When the database fails.
    pub(crate) async fn recount_sessions(&self) -> Result<(), Problem> {
        self.0.sessions.store(self.store().session_count().await?, Ordering::Relaxed);
        Ok(())
    }

    /// Removes a table from the cache.
    pub(crate) fn forget_table(&self, id: &str) {
        self.0.tables.forget(id);
    }

    /// Runs `work` on a thread that serves no connection; as many tasks run at once as there are cores.
    ///
    /// # Errors
    /// When too many tasks wait, or `work` panicked.
    pub(crate) async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        self.0.slow.run(work).await
    }

    /// Runs a simulation on threads of its own; only one runs at a time.
    ///
    /// # Errors
    /// When another simulation runs, or it panicked.
    pub(crate) async fn run_simulation<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let permit = Arc::clone(&self.0.simulation_permit).try_acquire_owned();
        let permit = permit.map_err(|_| Problem::busy("a simulation is running; try again when it ends"))?;
        let app = self.clone();
        in_background(permit, move || app.0.simulation_pool.install(work)).await
    }

    /// Runs `work` on a table, on a thread that serves no connection. Work on small tables does not wait for other
    /// work.
    ///
    /// # Errors
    /// When too many tasks wait, or `work` panicked.
    pub(crate) async fn run_on<T: Send + 'static>(
        &self,
        table: &Arc<LoadedTable>,
        work: impl FnOnce(&LoadedTable) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let is_small = table.instance.object_count() * table.instance.test_count() <= SMALL_TABLE;
        let (lane, table) = (if is_small { &self.0.quick } else { &self.0.slow }, Arc::clone(table));
        lane.run(move || work(&table)).await
    }
}

/// Repeatedly reads the data that other processes may change, until the state is dropped.
async fn refresh(shared: Weak<Shared>) {
    loop {
        tokio::time::sleep(REFRESH).await;
        let Some(shared) = shared.upgrade() else { return };
        match shared.guard.tokens.refresh(&shared.store).await {
            Ok(()) => {}
            Err(failure) if failure.cause == Cause::Closing => return,
            Err(error) => tracing::error!(%error, "the tokens could not be read"),
        }
        match shared.store.disk_used().await {
            Ok(bytes) => shared.disk.store(bytes, Ordering::Relaxed),
            Err(error) => tracing::error!(%error, "the size of the database could not be read"),
        }
    }
}
