//! `fewest serve`: the web app and the HTTP API.

mod tokens;

use crate::args::{LimitArgs, ServeArgs};
use crate::failure::Failure;
use crate::print::Printer;
use fewest_server::{App, Hosts, Limits, Place, Setting, Settings, serve};
use std::net::SocketAddr;
use std::path::Path;
use tokio::net::TcpListener;

/// Environment variable that may hold a token.
const TOKEN: &str = "FEWEST_TOKEN";
/// Least number of letters in a token: a shorter one could be guessed.
const LETTERS: usize = 32;

pub(crate) fn run(args: &ServeArgs, printer: &Printer) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::wrong(format!("no threads to serve with: {error}")))?;
    runtime.block_on(async {
        match tokens::TokenTask::of(&args.tokens) {
            Some(task) => tokens::run_task(&place(args), task, printer).await,
            None => listen(args, printer).await,
        }
    })
}

/// Flag of a setting.
fn flag(setting: Setting) -> &'static str {
    match setting {
        Setting::Data => "--data",
        Setting::Database => "--database",
    }
}

fn place(args: &ServeArgs) -> Place {
    match &args.database {
        Some(url) => Place::Postgres(url.clone()),
        None => Place::Folder(args.data.clone()),
    }
}

/// Limits from the options, and defaults for the rest.
fn limits(args: &LimitArgs, is_public: bool) -> Limits {
    let usual = Limits::default();
    let connections = args.max_connections.unwrap_or(usual.connections);
    let streams = args.max_streams.unwrap_or(usual.streams);
    let each = |public: usize, all: usize| if is_public { public.min(all) } else { all.div_ceil(2) };
    Limits {
        build: args.max_time.unwrap_or(usual.build),
        memory: args.max_memory.unwrap_or(usual.memory),
        body: args.max_body.unwrap_or(usual.body),
        rows: args.max_rows.unwrap_or(usual.rows),
        columns: args.max_columns.unwrap_or(usual.columns),
        tables: args.max_tables.unwrap_or(usual.tables),
        strategies: args.max_strategies.unwrap_or(usual.strategies),
        sessions: args.max_sessions.unwrap_or(usual.sessions),
        events: args.max_events.map_or(usual.events, i64::from),
        disk: args.max_disk.map_or(usual.disk, |bytes| bytes as u64),
        workers: args.jobs.map_or(usual.workers, |jobs| jobs.get().into()),
        rate: args.rate.unwrap_or(if is_public { 50 } else { 0 }),
        connections,
        connections_each: args.connections_each.unwrap_or(each(200, connections)),
        streams,
        streams_each: args.streams_each.unwrap_or(each(50, streams)),
        patience: args.patience.unwrap_or(usual.patience),
        ..usual
    }
}

async fn listen(args: &ServeArgs, printer: &Printer) -> Result<(), Failure> {
    // Errors are always logged: a response may refer to the log.
    serve::log(args.log);
    let is_public = !args.bind.ip().is_loopback();
    let limits = limits(&args.limits, is_public);
    let hosts = Hosts::of(args.bind, args.host.clone());
    let tokens = given(args.tokens.token.as_deref())?;
    let settings = Settings { place: place(args), limits, hosts, tokens, proxies: args.proxy.clone() };
    let app = App::open(settings).await.map_err(|error| Failure::wrong(error.words(flag)))?;
    if is_public && app.is_open() {
        return Err(Failure::wrong(format!(
            "{} can be reached by others, and there is no token; make one with `fewest serve --new-token` (and the same \
             --data or --database), or listen at 127.0.0.1",
            args.bind
        )));
    }
    let failed = |error| Failure::wrong(format!("cannot listen at {}: {error}; see --bind", args.bind));
    let listener = TcpListener::bind(args.bind).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    printer.text(&format!("fewest is at http://{address}/ (Ctrl-C ends it)\n"))?;
    if args.open {
        open_browser(address);
    }
    serve::serve(listener, app, stopped()).await.map_err(failed)
}

/// Tokens given at the start: in a file, or in the environment.
fn given(file: Option<&Path>) -> Result<Vec<String>, Failure> {
    let text = match file {
        Some(path) => std::fs::read_to_string(path)
            .map_err(|error| Failure::wrong(format!("--token {}: {error}", path.display())))?,
        None => std::env::var(TOKEN).unwrap_or_default(),
    };
    let tokens: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    if file.is_some() && tokens.is_empty() {
        return Err(Failure::wrong("--token: the file holds no token; `fewest serve --new-token` makes one"));
    }
    if tokens.iter().any(|token| token.len() < LETTERS) {
        return Err(Failure::wrong(format!(
            "a token has at least {LETTERS} letters, so that it cannot be guessed; `fewest serve --new-token` makes one"
        )));
    }
    Ok(tokens)
}

/// Completes at the first signal to stop (Ctrl-C, SIGTERM).
async fn stopped() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let Ok(mut ended) = signal(SignalKind::terminate()) else { return until_interrupted().await };
        tokio::select! {
            () = until_interrupted() => {}
            _ = ended.recv() => {}
        }
    }
    #[cfg(not(unix))]
    until_interrupted().await;
}

async fn until_interrupted() {
    // Where signals cannot be watched, they end the program by default.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Opens the first page in the system's browser; failures are ignored, because the address was printed.
fn open_browser(address: SocketAddr) {
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut command = std::process::Command::new(program);
    let quiet = std::process::Stdio::null;
    let _ = command
        .args(arguments)
        .arg(format!("http://{address}/"))
        .stdin(quiet())
        .stdout(quiet())
        .stderr(quiet())
        .spawn();
}
