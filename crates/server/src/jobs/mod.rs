//! Worker threads for long searches, so that no search keeps an answer waiting.
//!
//! Each worker is a thread with a thread pool of its own. A search shares only the processor with the threads that
//! answer requests, and leaves them a part of it.

mod work;

pub(crate) use work::{JobKind, Work};
pub(crate) use work::{StrategyRequest, StrategySummary, SurveyRequest};

use crate::error::Problem;
use crate::id::new_id;
use crate::json::JsonNumber;
use crate::limits::Limits;
use crate::store::{Cause, Job, JobState, Store};
use crate::tables::LoadedTable;
use crate::time::now_ms;
use fewest::Progress;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::watch;
use utoipa::ToSchema;

/// Seconds to wait before each further attempt to store a result, a minute in all: a full disk may get space, a
/// database may come back.
const PAUSES_S: [u64; 4] = [1, 4, 15, 40];

/// State and progress of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Standing {
    /// State: `queued`, `running`, `done`, `cancelled` or `failed`.
    pub(crate) state: String,
    /// Algorithm that is tried now; after the end, the one whose tree is the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) algorithm: Option<String>,
    /// Cost of the best strategy so far, in the objective.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<JsonNumber>,
    /// Lower bound: no strategy costs less.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bound: Option<JsonNumber>,
    /// Relative gap between the value and the bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) gap: Option<JsonNumber>,
    /// Number of sets of objects that the search has visited.
    pub(crate) sets: u64,
    /// Time since the search began, in milliseconds; after the end, the time since the request.
    pub(crate) elapsed_ms: u64,
}

impl Standing {
    /// State without figures.
    pub(crate) fn at(state: JobState) -> Self {
        Self {
            state: state.word().to_owned(),
            algorithm: None,
            value: None,
            bound: None,
            gap: None,
            sets: 0,
            elapsed_ms: 0,
        }
    }

    fn of(progress: &Progress, start: Instant) -> Self {
        let gap = progress.best.map(|best| best / progress.bound - 1.0).filter(|gap| gap.is_finite());
        Self {
            algorithm: Some(progress.algorithm.to_owned()),
            value: progress.best.map(JsonNumber::from),
            bound: Some(progress.bound.into()),
            gap: gap.map(|gap| JsonNumber::from(gap.max(0.0))),
            sets: progress.states,
            elapsed_ms: u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX),
            ..Self::at(JobState::Running)
        }
    }
}

/// A job that waits or runs.
struct LiveJob {
    id: String,
    table: String,
    standing: watch::Sender<Standing>,
    control: Mutex<Control>,
}

#[derive(Default)]
struct Control {
    cancelled: bool,
    /// Cancel flag of the worker that runs the job.
    flag: Option<Arc<AtomicBool>>,
}

impl LiveJob {
    fn control(&self) -> std::sync::MutexGuard<'_, Control> {
        self.control.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn cancel(&self) {
        let mut control = self.control();
        control.cancelled = true;
        if let Some(flag) = &control.flag {
            flag.store(true, Ordering::Relaxed);
        }
    }
}

struct Task {
    live: Arc<LiveJob>,
    work: Work,
    table: Arc<LoadedTable>,
}

/// Queue and workers of jobs.
pub(crate) struct Jobs {
    store: Store,
    queue: SyncSender<Task>,
    live: Arc<Mutex<Vec<Arc<LiveJob>>>>,
    running: Arc<AtomicUsize>,
    lost: Arc<Mutex<BTreeSet<String>>>,
}

impl std::fmt::Debug for Jobs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Jobs").finish_non_exhaustive()
    }
}

impl Jobs {
    /// Starts the workers; they end with the pool. Must be called on a Tokio runtime.
    ///
    /// # Errors
    /// When the system refuses threads.
    pub(crate) fn start(store: Store, limits: &Limits) -> std::io::Result<Self> {
        let (queue, tasks) = sync_channel(limits.queue);
        let (live, running, lost) = (Arc::default(), Arc::new(AtomicUsize::new(0)), Arc::default());
        let tasks = Arc::new(Mutex::new(tasks));
        for number in 0..limits.workers.max(1) {
            let worker = Worker {
                tasks: Arc::clone(&tasks),
                live: Arc::clone(&live),
                running: Arc::clone(&running),
                lost: Arc::clone(&lost),
                store: store.clone(),
                runtime: Handle::current(),
                document: limits.document,
                flag: Arc::new(AtomicBool::new(false)),
                pool: rayon::ThreadPoolBuilder::new()
                    .num_threads(limits.threads.max(1))
                    .thread_name(move |thread| format!("search-{number}-{thread}"))
                    .build()
                    .map_err(std::io::Error::other)?,
            };
            std::thread::Builder::new().name(format!("job-{number}")).spawn(move || worker.run())?;
        }
        Ok(Self { store, queue, live, running, lost })
    }

    fn all(&self) -> std::sync::MutexGuard<'_, Vec<Arc<LiveJob>>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a job to the queue.
    ///
    /// # Errors
    /// When the queue is full, or the database fails.
    pub(crate) async fn submit(&self, work: Work, table: Arc<LoadedTable>) -> Result<Job, Problem> {
        let job = Job {
            id: new_id(),
            table: table.id.clone(),
            kind: work.kind.word().to_owned(),
            request: work.request.clone(),
            state: JobState::Queued,
            summary: None,
            problem: None,
            created: now_ms(),
            finished: None,
        };
        let (standing, _) = watch::channel(Standing::at(JobState::Queued));
        let live = Arc::new(LiveJob {
            id: job.id.clone(),
            table: job.table.clone(),
            standing,
            control: Mutex::default(),
        });
        self.store.add_job(&job).await?;
        self.all().push(Arc::clone(&live));
        if let Err(TrySendError::Full(task) | TrySendError::Disconnected(task)) =
            self.queue.try_send(Task { live, work, table })
        {
            self.all().retain(|live| live.id != task.live.id);
            self.store.delete_job(&job.id, &job.kind).await?;
            return Err(Problem::busy("too many searches are waiting; try again when some are done"));
        }
        Ok(job)
    }

    /// Returns a watch on the progress of a job; `None` if it is over or does not exist.
    pub(crate) fn watch(&self, id: &str) -> Option<watch::Receiver<Standing>> {
        self.all().iter().find(|live| live.id == id).map(|live| live.standing.subscribe())
    }

    /// Whether a job ended and its result could not be stored.
    pub(crate) fn is_lost(&self, id: &str) -> bool {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner).contains(id)
    }

    /// Asks a job to end with the best strategy it has; returns whether it was queued or running.
    pub(crate) fn cancel(&self, id: &str) -> bool {
        let live = self.all().iter().find(|live| live.id == id).cloned();
        live.inspect(|live| live.cancel()).is_some()
    }

    /// Asks all jobs of a table to end, because the table was deleted.
    pub(crate) fn cancel_table(&self, table: &str) {
        self.all().iter().filter(|live| live.table == table).for_each(|live| live.cancel());
    }

    /// Asks all jobs to end with the best strategies they have.
    pub(crate) fn cancel_all(&self) {
        self.all().iter().for_each(|live| live.cancel());
    }

    /// Number of jobs that wait or run, and number of those that run.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.all().len(), self.running.load(Ordering::Relaxed))
    }
}

struct Worker {
    tasks: Arc<Mutex<Receiver<Task>>>,
    live: Arc<Mutex<Vec<Arc<LiveJob>>>>,
    running: Arc<AtomicUsize>,
    /// Jobs whose result could not be stored: the database still holds them as running.
    lost: Arc<Mutex<BTreeSet<String>>>,
    store: Store,
    runtime: Handle,
    /// Bytes of the largest document that is stored.
    document: usize,
    flag: Arc<AtomicBool>,
    pool: rayon::ThreadPool,
}

/// End of a job: its state, with a result or the reason why there is none.
struct JobEnd {
    state: JobState,
    result: Option<work::JobResult>,
    problem: Option<&'static str>,
}

impl Worker {
    fn run(&self) {
        loop {
            let task = self.tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(task) = task else { return };
            self.running.fetch_add(1, Ordering::Relaxed);
            let ended = self.run_job(&task);
            self.keep(&task, &ended);
            self.running.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Runs a job until its end.
    fn run_job(&self, task: &Task) -> JobEnd {
        {
            let mut control = task.live.control();
            if control.cancelled {
                return JobEnd { state: JobState::Cancelled, result: None, problem: None };
            }
            self.flag.store(false, Ordering::Relaxed);
            control.flag = Some(Arc::clone(&self.flag));
        }
        if let Err(error) = self.runtime.block_on(self.store.begin_job(&task.live.id)) {
            tracing::error!(%error, "a job could not be marked as running");
        }
        let start = Instant::now();
        task.live.standing.send_replace(Standing::at(JobState::Running));
        let limit = task.work.limit().with_interrupt(Arc::clone(&self.flag));
        let watch = |progress: &Progress| {
            task.live.standing.send_replace(Standing::of(progress, start));
        };
        let run = || self.pool.install(|| task.work.run(&task.table, &limit, watch));
        let result = catch_unwind(AssertUnwindSafe(run));
        task.live.control().flag = None;
        match result {
            Ok(Ok(result)) if result.document.len() > self.document => {
                let problem = Some(
                    "the result is larger than this server keeps; search for a shorter time, or use the command line",
                );
                JobEnd { state: JobState::Failed, result: None, problem }
            }
            Ok(Ok(result)) => JobEnd { state: JobState::Done, result: Some(result), problem: None },
            Ok(Err(error)) => self.broken(task, &error.to_string()),
            Err(panic) => {
                let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
                let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
                self.broken(task, &text.unwrap_or_else(|| "a panic".to_owned()))
            }
        }
    }

    /// End of a job that failed by an error in the server.
    fn broken(&self, task: &Task, error: &str) -> JobEnd {
        tracing::error!(job = task.live.id, error, "a job broke");
        let problem = Some("the search failed; the server's log says more");
        JobEnd { state: JobState::Failed, result: None, problem }
    }

    /// Writes the end of a job to the database, and only then reports it as over.
    fn keep(&self, task: &Task, ended: &JobEnd) {
        let mut result = ended.result.as_ref().map(|result| (&*result.summary, &*result.document));
        let id = &task.live.id;
        let (mut state, mut problem) = (ended.state, ended.problem);
        let mut pauses = PAUSES_S.into_iter();
        while let Err(error) = self.runtime.block_on(self.store.end_job(id, state, result, problem, now_ms()))
        {
            tracing::error!(%error, job = id, "the result of a job could not be kept");
            if error.cause == Cause::Unfit {
                (state, result) = (JobState::Failed, None);
                problem = Some(
                    "the result holds a value that is not a number, and was not stored; the server's log says more",
                );
                continue;
            }
            let Some(pause) = pauses.next().filter(|_| !task.live.control().cancelled) else {
                state = JobState::Failed;
                self.lost.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone());
                break;
            };
            std::thread::sleep(Duration::from_secs(pause));
        }
        self.live.lock().unwrap_or_else(PoisonError::into_inner).retain(|live| live.id != *id);
        task.live.standing.send_modify(|standing| standing.state = state.word().to_owned());
    }
}
