//! What the measuring programs share: a job runs in a process of its own, so that its peak memory is its own.

use std::error::Error;
use std::fs;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Whatever goes wrong ends the program.
pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The first argument of a process that measures one job; the job's own arguments follow.
pub const JOB: &str = "--job";

/// What one process measured.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Wall time of the job.
    pub seconds: f64,
    /// Processor time of the job, all threads together: on a busy machine it says more than the clock.
    pub busy_seconds: f64,
    /// The most memory that the process ever held.
    pub peak_megabytes: f64,
}

/// Runs this program again with `arguments` as its job.
///
/// # Errors
/// When the process fails or does not report.
pub fn in_own_process<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Result<Run> {
    let output = Command::new(std::env::current_exe()?).arg(JOB).args(arguments).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let text = String::from_utf8(output.stdout)?;
    let [seconds, busy, peak] = text.split_whitespace().collect::<Vec<_>>()[..] else {
        return Err(format!("a job prints three numbers, not `{text}`").into());
    };
    Ok(Run { seconds: seconds.parse()?, busy_seconds: busy.parse()?, peak_megabytes: peak.parse()? })
}

/// Does `job`, whose `prepare` is not timed, and gives the line that [`in_own_process`] reads.
///
/// # Errors
/// When the job fails, or the system does not tell the memory.
pub fn report<P, T>(
    prepare: impl FnOnce() -> Result<P>,
    job: impl FnOnce(&P) -> Result<T>,
) -> Result<String> {
    let prepared = prepare()?;
    let watch = Stopwatch::start()?;
    let done = job(&prepared)?;
    let Run { seconds, busy_seconds, peak_megabytes } = watch.stop()?;
    drop(done);
    Ok(format!("{seconds} {busy_seconds} {peak_megabytes}"))
}

/// The time that this process takes from here on.
#[derive(Debug)]
pub struct Stopwatch {
    start: Instant,
    busy: f64,
}

impl Stopwatch {
    /// Begins now.
    ///
    /// # Errors
    /// When the system does not tell the time.
    pub fn start() -> Result<Self> {
        Ok(Self { start: Instant::now(), busy: busy_seconds()? })
    }

    /// What was taken since, and the most memory ever held.
    ///
    /// # Errors
    /// When the system does not tell the time or the memory.
    pub fn stop(&self) -> Result<Run> {
        let seconds = self.start.elapsed().as_secs_f64();
        let busy_seconds = busy_seconds()? - self.busy;
        Ok(Run { seconds, busy_seconds, peak_megabytes: peak_megabytes("self")? })
    }
}

/// What another program did.
#[derive(Debug)]
pub struct Watched {
    /// What it took. The memory is looked at every few milliseconds: what a program takes just before its end is missed.
    pub run: Run,
    /// How it ended; `None` if it had to be stopped.
    pub status: Option<ExitStatus>,
    /// What it printed.
    pub printed: Vec<u8>,
    /// What it complained about.
    pub complaints: String,
}

/// Runs `command` and stops it after `patience`. One at a time: the processor time is that of all children.
///
/// # Errors
/// When the program does not start, or the system does not tell the time it took.
pub fn watch(command: &mut Command, patience: Duration) -> Result<Watched> {
    // Files, not pipes: nobody has to read along.
    let (out, err) = (tempfile::NamedTempFile::new()?, tempfile::NamedTempFile::new()?);
    command.stdin(Stdio::null()).stdout(out.reopen()?).stderr(err.reopen()?);
    let (start, busy) = (Instant::now(), busy_seconds_of_children()?);
    let mut child = command.spawn()?;
    let (status, peak_megabytes) = wait_for(&mut child, start + patience)?;
    let seconds = start.elapsed().as_secs_f64();
    let run = Run { seconds, busy_seconds: busy_seconds_of_children()? - busy, peak_megabytes };
    let complaints = String::from_utf8_lossy(&fs::read(err.path())?).into_owned();
    Ok(Watched { run, status, printed: fs::read(out.path())?, complaints })
}

/// How the child ended, and the most memory it was seen with.
fn wait_for(child: &mut Child, end: Instant) -> Result<(Option<ExitStatus>, f64)> {
    let mut peak: f64 = 0.0;
    let mut pause = Duration::from_micros(200);
    loop {
        // A process that has ended tells no memory.
        peak = peak.max(peak_megabytes(&child.id().to_string()).unwrap_or(0.0));
        if let Some(status) = child.try_wait()? {
            return Ok((Some(status), peak));
        }
        if Instant::now() >= end {
            child.kill()?;
            child.wait()?;
            return Ok((None, peak));
        }
        sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

/// Processor time of this process so far: that of its threads to the nanosecond, where the kernel keeps count of it
/// and none has ended, else to a hundredth of a second.
pub fn busy_seconds() -> Result<f64> {
    // User and system time of the process.
    let coarse = seconds_at(11)? + seconds_at(12)?;
    Ok(fine_busy_seconds().filter(|fine| (fine - coarse).abs() < 0.05).unwrap_or(coarse))
}

/// Processor time of the threads there are.
fn fine_busy_seconds() -> Option<f64> {
    // The count of a running thread is brought up to date when it yields.
    std::thread::yield_now();
    let mut nanoseconds = 0.0;
    for thread in fs::read_dir("/proc/self/task").ok()? {
        let status = fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        nanoseconds += status.split_whitespace().next()?.parse::<f64>().ok()?;
    }
    Some(nanoseconds / 1e9)
}

/// Processor time of the children that this process has waited for.
fn busy_seconds_of_children() -> Result<f64> {
    Ok(seconds_at(13)? + seconds_at(14)?)
}

/// A time in the status of this process, by its place after the program's name.
fn seconds_at(place: usize) -> Result<f64> {
    let status = fs::read_to_string("/proc/self/stat")?;
    // The program's name stands in brackets and may hold anything.
    let (_, after) = status.rsplit_once(')').ok_or("no name in the status")?;
    let ticks: f64 = after.split_whitespace().nth(place).ok_or("a short status")?.parse()?;
    Ok(ticks / 100.0)
}

/// The most memory that a process ever held: a number, or `self`.
fn peak_megabytes(process: &str) -> Result<f64> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no VmHWM in the status")?;
    let kibibytes: f64 = peak.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kibibytes * 1024.0 / 1e6)
}

/// The least, the median and the greatest of some runs' seconds.
pub fn spread(runs: &[Run]) -> (f64, f64, f64) {
    let mut seconds: Vec<f64> = runs.iter().map(|run| run.seconds).collect();
    seconds.sort_by(f64::total_cmp);
    (seconds[0], seconds[seconds.len() / 2], seconds[seconds.len() - 1])
}
