//! Tokens of `fewest serve`: create, list and revoke, also while a server runs.

use crate::args::TokenArgs;
use crate::failure::Failure;
use crate::print::Printer;
use fewest_formats::json::Document;
use fewest_server::{NewToken, Place, Store, TokenInfo, add_token, list_tokens, new_token, revoke_token};
use serde::Serialize;
use std::fmt::Write as _;
use std::time::Duration;

/// Least number of letters of an id that name a token: with six, two of a thousand tokens rarely share them.
const MIN_ID_LETTERS: usize = 6;

/// Task of a call that does not serve.
pub(super) enum TokenTask<'a> {
    Make(NewToken),
    List,
    Revoke(&'a str),
}

impl<'a> TokenTask<'a> {
    /// Task that the options ask for; `None`: serve.
    pub(super) fn of(args: &'a TokenArgs) -> Option<Self> {
        if args.new_token {
            let lifetime = args.token_days.map(|days| Duration::from_secs(86_400 * u64::from(days.get())));
            return Some(Self::Make(NewToken { name: args.token_name.clone(), lifetime }));
        }
        if args.list_tokens {
            return Some(Self::List);
        }
        args.revoke_token.as_deref().map(Self::Revoke)
    }
}

/// Carries out the task and prints the result.
pub(super) async fn run_task(place: &Place, task: TokenTask<'_>, printer: &Printer) -> Result<(), Failure> {
    let store = Store::open(place).await.map_err(|error| Failure::wrong(error.words(super::flag)))?;
    let done = match task {
        TokenTask::Make(new) => make(&store, &new, printer).await,
        TokenTask::List => list(&store, printer).await,
        TokenTask::Revoke(id) => revoke(&store, id, printer).await,
    };
    store.close().await;
    done
}

fn broken(error: impl std::fmt::Display) -> Failure {
    Failure::wrong(format!("the database: {error}"))
}

/// Creates a token, stores its hash, and prints the token this once.
async fn make(store: &Store, new: &NewToken, printer: &Printer) -> Result<(), Failure> {
    let token = new_token();
    add_token(store, &token, new).await.map_err(broken)?;
    printer.text(&format!("{token}\n"))
}

#[derive(Serialize)]
struct Line {
    id: String,
    name: Option<String>,
    created: String,
    used: Option<String>,
    expires: Option<String>,
    expired: bool,
}

impl From<TokenInfo> for Line {
    fn from(token: TokenInfo) -> Self {
        let TokenInfo { id, name, created, used, expires, is_expired: expired } = token;
        Self { id, name, created, used, expires, expired }
    }
}

async fn list(store: &Store, printer: &Printer) -> Result<(), Failure> {
    let tokens: Vec<Line> = list_tokens(store).await.map_err(broken)?.into_iter().map(Line::from).collect();
    if printer.json {
        return printer.bytes(|out| {
            let mut document = Document::begin(out)?;
            document.list("tokens", tokens.iter())?;
            document.end()
        });
    }
    if tokens.is_empty() {
        return printer.text("no tokens; `fewest serve --new-token` makes one\n");
    }
    let mut text = format!("{:<12}  {:<24}  {:<24}  {:<24}  name\n", "id", "created", "last used", "expires");
    for token in &tokens {
        let used = token.used.as_deref().unwrap_or("never");
        let expires = token.expires.as_deref().unwrap_or("never");
        let name = token.name.as_deref().unwrap_or_default();
        let ended = if token.expired { " (expired)" } else { "" };
        let line =
            format!("{:<12}  {:<24}  {used:<24}  {expires:<24}  {name}{ended}", token.id, token.created);
        let _ = writeln!(text, "{}", line.trim_end());
    }
    printer.text(&text)
}

async fn revoke(store: &Store, id: &str, printer: &Printer) -> Result<(), Failure> {
    let is_enough = id.len() >= MIN_ID_LETTERS && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_enough {
        return Err(Failure::wrong(format!(
            "--revoke-token: expected at least {MIN_ID_LETTERS} letters of an id as `fewest serve --list-tokens` shows it"
        )));
    }
    match revoke_token(store, &id.to_ascii_lowercase()).await.map_err(broken)? {
        1 => printer.text("the token is revoked; a server that runs refuses it within seconds\n"),
        0 => Err(Failure::wrong("--revoke-token: there is no such token; see `fewest serve --list-tokens`")),
        _ => {
            Err(Failure::wrong("--revoke-token: several tokens begin like that; give more letters of the id"))
        }
    }
}
