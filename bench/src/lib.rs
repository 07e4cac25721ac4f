//! What the measuring programs share: a job runs in a process of its own, so that its peak memory is its own.

use std::error::Error;
use std::fs;
use std::process::Command;
use std::time::Instant;

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
    let (start, busy) = (Instant::now(), busy_seconds()?);
    let done = job(&prepared)?;
    let seconds = start.elapsed().as_secs_f64();
    let (busy, peak) = (busy_seconds()? - busy, peak_megabytes()?);
    drop(done);
    Ok(format!("{seconds} {busy} {peak}"))
}

/// Processor time of this process so far, in hundredths of a second as Linux counts it.
fn busy_seconds() -> Result<f64> {
    let status = fs::read_to_string("/proc/self/stat")?;
    // The program's name stands in brackets and may hold anything; user and system time are the 12th and 13th after it.
    let (_, after) = status.rsplit_once(')').ok_or("no name in the status")?;
    let fields: Vec<&str> = after.split_whitespace().collect();
    let ticks = |at: usize| -> Result<f64> { Ok(fields.get(at).ok_or("a short status")?.parse()?) };
    Ok((ticks(11)? + ticks(12)?) / 100.0)
}

fn peak_megabytes() -> Result<f64> {
    let status = fs::read_to_string("/proc/self/status")?;
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
