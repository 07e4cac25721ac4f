//! Sessions, whose answers are stored.

use super::prior::{Confirmed, meant};
use super::questions::{
    Answer, AnswerValue, AskingOptions, SessionContext, Situation, answer_in_words, given, session,
    situation, tests_about,
};
use super::unreadable::{Unreadable, read_each};
use crate::error::Problem;
use crate::id::{hex, new_id};
use crate::state::App;
use crate::store::{Answered, Change, Event, NewSession, SessionRow};
use crate::tables::LoadedTable;
use crate::time::{now_ms, rfc3339};
use fewest::session::Snapshot;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

/// Most candidates, groups and alternatives in a response.
const MOST: usize = 20;

/// Request to begin a session.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SessionRequest {
    /// Id of the table; if it is not given, the table of the strategy.
    #[serde(default)]
    pub(crate) table: Option<String>,
    /// Rules by which questions are chosen.
    #[serde(default)]
    pub(crate) options: AskingOptions,
    /// Answers that are known beforehand.
    #[serde(default)]
    pub(crate) answers: Vec<Answer>,
}

/// Answer to the test in the path.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Replied {
    /// The answer, or several answers of which one is true; left out or null for "I don't know".
    #[serde(default)]
    pub(crate) value: Option<AnswerValue>,
    /// Whether the answer was known without a question, and so cost nothing.
    #[serde(default)]
    pub(crate) volunteered: bool,
}

/// Session, without its answers.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct SessionInfo {
    /// Id of the session on this server.
    pub(crate) id: String,
    /// Id of the table.
    pub(crate) table: String,
    /// Rules by which questions are chosen.
    pub(crate) options: AskingOptions,
    /// Time of the beginning.
    #[schema(format = DateTime)]
    pub(crate) created: String,
    /// Time of the last change.
    #[schema(format = DateTime)]
    pub(crate) changed: String,
    /// Number of events in the log.
    pub(crate) events: i64,
    /// Confirmed outcome, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) outcome: Option<Confirmed>,
}

/// Session with its current state.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct SessionDetail {
    #[serde(flatten)]
    pub(crate) session: SessionInfo,
    /// Next question, candidates and answers.
    pub(crate) situation: Situation,
}

/// Event in the log of a session.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct LoggedEvent {
    /// Number of the event, from 1.
    pub(crate) number: i64,
    /// Time of the event.
    #[schema(format = DateTime)]
    pub(crate) at: String,
    #[serde(flatten)]
    pub(crate) happened: Happened,
}

/// Kind of event.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "what", rename_all = "snake_case")]
pub(crate) enum Happened {
    /// The session began.
    Created {
        /// Digest of the table.
        digest: String,
        /// Answers that were known beforehand.
        answers: Vec<Answer>,
        /// Version of the program.
        version: String,
    },
    /// A test was answered, or its answer was replaced.
    Answered {
        /// The new answer.
        answer: Answer,
    },
    /// An answer was withdrawn.
    Withdrawn {
        /// Name of the test.
        test: String,
    },
    /// An outcome was confirmed.
    Confirmed {
        /// The confirmed outcome.
        outcome: Confirmed,
    },
}

fn json(value: &impl Serialize) -> Result<String, Problem> {
    serde_json::to_string(value).map_err(|error| {
        tracing::error!(%error, "a part of a session is no JSON");
        Problem::internal()
    })
}

fn answered(answer: &Answer) -> Result<Answered, Problem> {
    let value = json(&Replied { value: answer.value.clone(), volunteered: answer.volunteered })?;
    Ok(Answered { test: answer.test.clone(), value })
}

/// Converts a database row to the session's description.
fn session_info(row: SessionRow) -> Result<SessionInfo, Problem> {
    let broken = |error: serde_json::Error| Problem::unreadable("session", &row.id, error);
    Ok(SessionInfo {
        options: serde_json::from_str(&row.options).map_err(broken)?,
        outcome: row.outcome.as_deref().map(serde_json::from_str).transpose().map_err(broken)?,
        id: row.id,
        table: row.table,
        created: rfc3339(row.created),
        changed: rfc3339(row.changed),
        events: row.events,
    })
}

/// Finds a session, without its answers.
///
/// # Errors
/// When there is no such session, or it cannot be read.
pub(crate) async fn find(app: &App, id: &str) -> Result<SessionInfo, Problem> {
    let row = app.store().session(id).await?.ok_or_else(|| Problem::not_found("session"))?;
    session_info(row)
}

/// Returns the answers of a session, in the order in which their tests were first answered.
///
/// # Errors
/// When the answers cannot be read.
pub(crate) async fn answers_of(app: &App, id: &str) -> Result<Vec<Answer>, Problem> {
    let rows = app.store().answers(id).await?;
    let broken = |error: serde_json::Error| Problem::unreadable("session", id, error);
    let answer = |row: Answered| {
        let Replied { value, volunteered } = serde_json::from_str(&row.value).map_err(broken)?;
        Ok(Answer { test: row.test, value, volunteered })
    };
    rows.into_iter().map(answer).collect()
}

/// Session with its answers, its table and its strategy.
pub(crate) struct OpenSession {
    pub(crate) info: SessionInfo,
    pub(crate) answers: Vec<Answer>,
    pub(crate) context: SessionContext,
}

/// Opens a session with everything that its pages need.
///
/// # Errors
/// When there is no such session, or it cannot be read.
pub(crate) async fn open(app: &App, id: &str) -> Result<OpenSession, Problem> {
    let info = find(app, id).await?;
    let answers = answers_of(app, id).await?;
    let context = SessionContext::open(app, Some(&info.table), &info.options).await?;
    Ok(OpenSession { info, answers, context })
}

impl OpenSession {
    /// Returns what `look` reads from one snapshot of the session.
    ///
    /// # Errors
    /// When the answers do not fit the table, or `look` fails.
    pub(crate) async fn look<T: Send + 'static>(
        &self,
        app: &App,
        look: impl FnOnce(&Snapshot<'_, '_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.context.with_snapshot(app, self.info.options.clone(), self.answers.clone(), look).await
    }
}

/// Returns a session with its current state, from its stored answers.
pub(crate) async fn detail(app: &App, session: SessionInfo) -> Result<SessionDetail, Problem> {
    let answers = answers_of(app, &session.id).await?;
    detail_of(app, session, answers).await
}

/// Returns a session with its current state, from these answers.
pub(crate) async fn detail_of(
    app: &App,
    session: SessionInfo,
    answers: Vec<Answer>,
) -> Result<SessionDetail, Problem> {
    let context = SessionContext::open(app, Some(&session.table), &session.options).await?;
    let look = |snapshot: &Snapshot<'_, '_>| Ok(situation(snapshot, MOST));
    let situation = context.with_snapshot(app, session.options.clone(), answers, look).await?;
    Ok(SessionDetail { session, situation })
}

/// Beginning of a session: its answers, their database rows and the first event.
struct Beginning {
    answers: Vec<Answer>,
    rows: Vec<Answered>,
    event: String,
}

/// Checks the answers that are known beforehand.
async fn beginning(
    app: &App,
    context: &SessionContext,
    options: &AskingOptions,
    answers: Vec<Answer>,
) -> Result<Beginning, Problem> {
    let (options, digest) = (options.clone(), context.table.digest.clone());
    let work = move |table: &LoadedTable| {
        // If a test is answered twice, the last answer stands at the position of the first.
        let known = session(&table.instance, None, &options, &answers)?;
        let answers: Vec<Answer> =
            known.answers().iter().map(|given| answer_in_words(&table.instance, given)).collect();
        let rows = answers.iter().map(answered).collect::<Result<Vec<_>, _>>()?;
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let event = json(&Happened::Created { digest, answers: answers.clone(), version })?;
        Ok(Beginning { answers, rows, event })
    };
    app.run_on(&context.table, work).await?
}

/// Session that was requested.
pub(crate) enum Begun {
    /// A new session, which begins with these answers.
    New(SessionInfo, Vec<Answer>),
    /// A session that an earlier request with the same key and content created.
    Earlier(SessionInfo),
}

/// Creates a session, or finds the one that the key created.
pub(crate) async fn begin(app: &App, request: SessionRequest, key: Option<&str>) -> Result<Begun, Problem> {
    let digest = hex(&Sha256::digest(json(&request)?));
    // A repeated request succeeds even if the database is full.
    if let Some(key) = key
        && let Some(id) = app.store().session_of_key(key).await?
    {
        return made_before(app, &id, &request, &digest).await.map(Begun::Earlier);
    }
    let again = request.clone();
    let SessionRequest { table, options, answers } = request;
    let text = json(&options)?;
    refuse_long(app, "the options of the session", text.len())?;
    let context = SessionContext::open(app, table.as_deref(), &options).await?;
    let Beginning { answers, rows, event } = beginning(app, &context, &options, answers).await?;
    app.make_room(text.len() + event.len())?;
    let digest = key.map(|_| digest.as_str());
    let new = NewSession { table: &context.table.id, options: &text, key, digest, answers: &rows };
    app.add_session()?;
    let now = now_ms();
    let made = app.store().add_session(&new_id(), &new, now, &event).await;
    if !matches!(made, Ok((_, true))) {
        app.drop_session();
    }
    let (id, is_new) = made?;
    if !is_new {
        let digest = digest.unwrap_or_default();
        return made_before(app, &id, &again, digest).await.map(Begun::Earlier);
    }
    let (created, changed) = (rfc3339(now), rfc3339(now));
    let table = context.table.id.clone();
    Ok(Begun::New(SessionInfo { id, table, options, created, changed, events: 1, outcome: None }, answers))
}

/// Returns the session that a key created, if it was created for this request.
async fn made_before(
    app: &App,
    id: &str,
    request: &SessionRequest,
    digest: &str,
) -> Result<SessionInfo, Problem> {
    let info = find(app, id).await?;
    let is_same = match app.store().request_digest(id).await? {
        Some(found) => found == digest,
        // Created before digests were stored.
        None => {
            info.options == request.options && request.table.as_ref().is_none_or(|table| *table == info.table)
        }
    };
    if is_same {
        return Ok(info);
    }
    Err(Problem::conflict("this idempotency key was used for another request; take a new one"))
}

/// Refuses options or answers of too many bytes.
fn refuse_long(app: &App, what: &str, bytes: usize) -> Result<(), Problem> {
    let most = app.limits().options;
    if bytes > most {
        return Err(Problem::too_large(format!(
            "{what} take {bytes} bytes, and this server stores {most}; make them shorter"
        )));
    }
    Ok(())
}

/// Changes a session; when this returns, the change is stored.
async fn change(
    app: &App,
    session: &SessionInfo,
    change: Change<'_>,
    happened: &Happened,
) -> Result<SessionInfo, Problem> {
    let (event, most) = (json(happened)?, app.limits().events);
    if session.events >= most {
        return Err(Problem::conflict(format!(
            "the log of this session has {most} events, and this server stores no more; begin another session"
        )));
    }
    app.make_room(event.len())?;
    let changed = app.store().change_session(&session.id, change, &event, now_ms()).await?;
    let changed = changed.ok_or_else(|| Problem::not_found("session"))?;
    session_info(changed).map_err(Problem::after_the_change)
}

/// Answers a test of a session, or replaces its answer; a measured number answers every test about its column.
pub(crate) async fn give(app: &App, id: &str, answer: Answer) -> Result<SessionInfo, Problem> {
    let session = find(app, id).await?;
    let table = app.table(&session.table).await?;
    let wanted = answer.clone();
    // In the form of the table: several answers once each, and in order.
    let work = move |table: &LoadedTable| {
        let all = given(&table.instance, &wanted)?;
        let words = all.iter().map(|given| answer_in_words(&table.instance, given));
        Ok::<Vec<Answer>, Problem>(words.collect())
    };
    let answers = app.run_on(&table, work).await??;
    let rows = answers.iter().map(answered).collect::<Result<Vec<_>, Problem>>()?;
    refuse_long(app, "the answers to one test", rows.iter().map(|row| row.value.len()).max().unwrap_or(0))?;
    app.make_room(rows.iter().map(|row| row.test.len() + row.value.len()).sum())?;
    // The log holds what was said: the number, where one number is the answer to several tests.
    let said = if answers.len() == 1 { answers.into_iter().next().unwrap_or(answer) } else { answer };
    change(app, &session, Change::Answer(&rows), &Happened::Answered { answer: said }).await
}

/// Gives several answers, one after the other, after all of them were checked.
pub(crate) async fn give_all(app: &App, id: &str, answers: Vec<Answer>) -> Result<(), Problem> {
    let table = app.table(&find(app, id).await?.table).await?;
    let wanted = answers.clone();
    let check = move |table: &LoadedTable| {
        wanted.iter().try_for_each(|answer| given(&table.instance, answer).map(|_| ()))
    };
    app.run_on(&table, check).await??;
    for answer in answers {
        give(app, id, answer).await?;
    }
    Ok(())
}

/// Withdraws the answer to a test, or to all tests about a measured column.
pub(crate) async fn withdraw(app: &App, id: &str, test: String) -> Result<SessionInfo, Problem> {
    let session = find(app, id).await?;
    let answers = app.store().answers(id).await?;
    let is_answered = |name: &str| answers.iter().any(|answer| answer.test == name);
    let mut tests = vec![test.clone()];
    if !is_answered(&test) {
        let (table, column) = (app.table(&session.table).await?, test.clone());
        let instance = &table.instance;
        let names = tests_about(instance, &column).into_iter().map(|test| instance.test(test).name.clone());
        tests = names.filter(|name| is_answered(name)).collect();
    }
    if tests.is_empty() {
        return Err(Problem::not_found("answer"));
    }
    change(app, &session, Change::Withdraw(&tests), &Happened::Withdrawn { test }).await
}

/// Stores the confirmed outcome.
pub(crate) async fn confirm(app: &App, id: &str, outcome: Confirmed) -> Result<SessionInfo, Problem> {
    let session = find(app, id).await?;
    let (table, sought) = (app.table(&session.table).await?, outcome.clone());
    if app.run_on(&table, move |table| meant(table, &sought).is_empty()).await? {
        return Err(Problem::unfit("the table has no such object or group"));
    }
    let text = json(&outcome)?;
    change(app, &session, Change::Confirm(&text), &Happened::Confirmed { outcome }).await
}

/// Lists sessions of one table or of all, the newest first, and the rows that cannot be read.
///
/// # Errors
/// When the database fails.
pub(crate) async fn list(
    app: &App,
    table: Option<&str>,
    most: i64,
    skipped: i64,
) -> Result<(Vec<SessionInfo>, Vec<Unreadable>), Problem> {
    let rows = app.store().sessions(table, most, skipped).await?;
    Ok(read_each(rows, |row| row.id.clone(), session_info))
}

/// Returns the events of a session after number `after`, the oldest first, and those that cannot be read.
///
/// # Errors
/// When the database fails.
pub(crate) async fn log(
    app: &App,
    id: &str,
    after: i64,
    most: i64,
) -> Result<(Vec<LoggedEvent>, Vec<Unreadable>), Problem> {
    let event = |event: Event| {
        let happened = serde_json::from_str(&event.what);
        let happened = happened.map_err(|error| Problem::unreadable("session", id, error))?;
        Ok(LoggedEvent { number: event.number, at: rfc3339(event.at), happened })
    };
    let rows = app.store().events(id, after, most).await?;
    Ok(read_each(rows, |event| event.number.to_string(), event))
}

/// Deletes a session with its answers and log.
///
/// # Errors
/// When there is no such session.
pub(crate) async fn delete(app: &App, id: &str) -> Result<(), Problem> {
    if !app.store().delete_session(id).await? {
        return Err(Problem::not_found("session"));
    }
    app.drop_session();
    Ok(())
}
