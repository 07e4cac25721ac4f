//! Long work: on threads of our own, without the interpreter's lock, so that Python threads go on and Ctrl-C is seen.

use crate::error::Fault;
use fewest::Progress;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Longest wait between two looks at signals.
const LOOK: Duration = Duration::from_millis(50);
/// Least time between two calls of an observer: ten a second.
const PACE: Duration = Duration::from_millis(100);

/// Pools of threads by process and size. After a fork the threads of the parent are gone, so the child needs pools of
/// its own. The lock is held only while attached to the interpreter, as the forking thread is, so that no fork happens
/// while it is held.
static POOLS: Mutex<BTreeMap<(u32, usize), Arc<ThreadPool>>> = Mutex::new(BTreeMap::new());

/// Pool of `threads` threads; one for each processor if the number is not given.
fn pool(threads: Option<usize>) -> PyResult<Arc<ThreadPool>> {
    if threads == Some(0) {
        return Err(PyValueError::new_err("threads: give a number from 1 on, or None for all processors"));
    }
    let process = std::process::id();
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    // Waiting for threads that a fork has lost would never end.
    let lost: Vec<_> = pools.keys().filter(|(of, _)| *of != process).copied().collect();
    lost.iter().filter_map(|key| pools.remove(key)).for_each(std::mem::forget);
    let key = (process, threads.unwrap_or(0));
    if let Some(known) = pools.get(&key) {
        return Ok(Arc::clone(known));
    }
    let made = ThreadPoolBuilder::new().num_threads(key.1).thread_name(|at| format!("fewest-{at}")).build();
    let made = Arc::new(made.map_err(|error| Fault::Other(format!("no threads: {error}")))?);
    pools.insert(key, Arc::clone(&made));
    Ok(made)
}

/// Flag by which any thread ends a build, a comparison or another long call.
#[pyclass(frozen, module = "fewest._fewest")]
#[derive(Default)]
pub(crate) struct Canceller {
    pub(crate) flag: Arc<AtomicBool>,
}

#[pymethods]
impl Canceller {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// End the call that was given this canceller.
    fn cancel(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Whether `cancel` was called.
    #[getter]
    fn cancelled(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }
}

/// How long work runs.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct RunOptions {
    threads: Option<usize>,
    observer: Option<Py<PyAny>>,
    canceller: Option<Py<Canceller>>,
}

/// What work on another thread says.
enum Event<T> {
    Progress(Progress),
    Done(Result<T, Box<dyn Any + Send>>),
}

/// What work may use.
pub(crate) struct Context {
    /// Set when the work is to end early.
    pub(crate) flag: Arc<AtomicBool>,
    tell: Box<dyn Fn(&Progress) + Send + Sync>,
}

impl Context {
    /// Tells observers how far the work is.
    pub(crate) fn tell(&self, progress: &Progress) {
        (self.tell)(progress);
    }
}

/// What work returned, and the exception that ended it early.
pub(crate) struct Finished<T> {
    pub(crate) value: T,
    pub(crate) stopped_by: Option<PyErr>,
}

/// Result of a long call: its value, and the exception that ended it early.
pub(crate) type Ended<T> = (T, Option<Py<PyAny>>);

/// Splits what ended from why.
pub(crate) fn ended<T>(py: Python<'_>, finished: Finished<T>) -> Ended<T> {
    let Finished { value, stopped_by } = finished;
    (value, stopped_by.map(|error| error.into_value(py).into_any()))
}

/// Runs `work`; a signal or an exception of the observer sets its flag, and what it returns then is still returned.
/// A second signal raises at once.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    options: &RunOptions,
    work: impl FnOnce(&Context) -> T + Send + 'static,
) -> PyResult<Finished<T>> {
    let pool = pool(options.threads)?;
    let flag = match &options.canceller {
        Some(canceller) => Arc::clone(&canceller.get().flag),
        None => Arc::default(),
    };
    let (send, receive) = channel::<Event<T>>();
    start(pool, Arc::clone(&flag), send, work)?;
    let mut waiting = Waiting { options, flag, since: Instant::now(), told: None, stopped_by: None };
    waiting.wait(py, &Mutex::new(receive))
}

/// Runs work that nothing can end early: a signal raises, and the work ends in the background.
pub(crate) fn run_to_end<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Context) -> T + Send + 'static,
) -> PyResult<T> {
    let (send, receive) = channel::<Event<T>>();
    let receive = Mutex::new(receive);
    start(pool(None)?, Arc::default(), send, work)?;
    loop {
        match next(py, &receive) {
            Ok(Event::Done(done)) => return done.map_err(|payload| broken(&*payload)),
            Ok(Event::Progress(_)) | Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => return Err(lost()),
        }
    }
}

fn start<T: Send + 'static>(
    pool: Arc<ThreadPool>,
    flag: Arc<AtomicBool>,
    send: Sender<Event<T>>,
    work: impl FnOnce(&Context) -> T + Send + 'static,
) -> PyResult<()> {
    let tell = send.clone();
    let tell = Mutex::new(tell);
    let context = Context {
        flag,
        tell: Box::new(move |progress| {
            let tell = tell.lock().unwrap_or_else(PoisonError::into_inner);
            // Nobody listens any more after a second signal.
            let _ = tell.send(Event::Progress(*progress));
        }),
    };
    let body = move || {
        let done = catch_unwind(AssertUnwindSafe(|| pool.install(|| work(&context))));
        let _ = send.send(Event::Done(done));
    };
    let started = std::thread::Builder::new().name("fewest".to_owned()).spawn(body);
    started.map(|_| ()).map_err(|error| Fault::Other(format!("no thread: {error}")).into())
}

/// Waits a while without the interpreter's lock.
fn next<T: Send>(py: Python<'_>, receive: &Mutex<Receiver<Event<T>>>) -> Result<Event<T>, RecvTimeoutError> {
    py.detach(|| receive.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK))
}

/// The calling thread while it waits.
struct Waiting<'o> {
    options: &'o RunOptions,
    flag: Arc<AtomicBool>,
    since: Instant,
    told: Option<Instant>,
    stopped_by: Option<PyErr>,
}

impl Waiting<'_> {
    fn wait<T: Send>(
        &mut self,
        py: Python<'_>,
        receive: &Mutex<Receiver<Event<T>>>,
    ) -> PyResult<Finished<T>> {
        loop {
            match next(py, receive) {
                Ok(Event::Done(done)) => {
                    let value = done.map_err(|payload| broken(&*payload))?;
                    return Ok(Finished { value, stopped_by: self.stopped_by.take() });
                }
                Ok(Event::Progress(progress)) => self.tell(py, &progress),
                Err(RecvTimeoutError::Timeout) => (),
                Err(RecvTimeoutError::Disconnected) => return Err(lost()),
            }
            if let Err(error) = py.check_signals() {
                self.flag.store(true, Ordering::Relaxed);
                if self.stopped_by.replace(error).is_some() {
                    return Err(self.stopped_by.take().unwrap_or_else(lost));
                }
            }
        }
    }

    /// Calls the observer, at most ten times a second; `False` or an exception ends the work.
    fn tell(&mut self, py: Python<'_>, progress: &Progress) {
        let Some(observer) = &self.options.observer else { return };
        if self.stopped_by.is_some() || self.told.is_some_and(|told| told.elapsed() < PACE) {
            return;
        }
        self.told = Some(Instant::now());
        let Progress { algorithm, number, of, best, bound, states, .. } = *progress;
        let arguments = (algorithm, number, of, best, bound, states, self.since.elapsed().as_secs_f64());
        match observer.bind(py).call1(arguments) {
            Ok(answer) if answer.is_exact_instance_of::<pyo3::types::PyBool>() => {
                if !answer.is_truthy().unwrap_or(true) {
                    self.flag.store(true, Ordering::Relaxed);
                }
            }
            Ok(_) => (),
            Err(error) => {
                self.flag.store(true, Ordering::Relaxed);
                self.stopped_by = Some(error);
            }
        }
    }
}

/// A panic as an exception.
fn broken(payload: &(dyn Any + Send)) -> PyErr {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
    Fault::Other(format!("this is a mistake in fewest, please report it: {text}")).into()
}

fn lost() -> PyErr {
    Fault::Other("this is a mistake in fewest, please report it: a thread ended without a result".to_owned())
        .into()
}
