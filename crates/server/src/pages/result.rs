//! Result of a session: the likeliest group or object, reasons for and against, all answers, and a link that holds
//! only these answers.

use super::head::Head;
use super::session::{self, AnswerLine, ShareLine};
use super::{page, wording};
use crate::error::Problem;
use crate::extract::Id;
use crate::guard::{FormToken, SafeForm};
use crate::service::prior::Confirmed;
use crate::service::questions::{
    Answer, AskingOptions, Explanation, Held, SessionContext, explanation, find_candidate, test,
};
use crate::service::sessions;
use crate::state::App;
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use fewest::Instance;
use fewest::session::{Reason, Snapshot, Step};
use fewest_formats::text::{count, percent};
use serde::Deserialize;

/// Most groups or candidates that are listed.
const MOST: usize = 8;

#[derive(Template)]
#[template(path = "result.html")]
struct Page<'a> {
    token: &'a str,
    head: Head,
    /// Id of the session; empty if the answers came with a link.
    id: &'a str,
    rules: String,
    verdict: Verdict,
    share: String,
    outcome: String,
    answers: &'a [Answer],
}

/// Contents of the result page.
struct Verdict {
    is_done: bool,
    title: String,
    lede: String,
    percent: String,
    spent: String,
    contradiction: Vec<AnswerLine>,
    reasons: Option<Reasons>,
    groups: Vec<ShareLine>,
    candidates: Vec<ShareLine>,
    candidates_left: usize,
    lines: Vec<AnswerLine>,
    choices: Vec<(String, String)>,
}

/// Answers for and against an object.
struct Reasons {
    /// Name of the object, or of its group where groups are identified.
    name: String,
    agree: Vec<ReasonLine>,
    disagree: Vec<ReasonLine>,
}

struct ReasonLine {
    text: String,
    said: String,
    expected: String,
}

fn held(instance: &Instance, found: &Held) -> ReasonLine {
    let text = test(instance, &found.test)
        .map_or_else(|_| found.test.clone(), |test| session::question(instance, test));
    ReasonLine { text, said: wording::said(found.value.as_ref()), expected: found.expected.join(" or ") }
}

fn reasons(instance: &Instance, found: &Explanation) -> Reasons {
    Reasons {
        name: wording::names(&found.object),
        agree: found.agree.iter().map(|one| held(instance, one)).collect(),
        disagree: found.disagree.iter().map(|one| held(instance, one)).collect(),
    }
}

/// Page of a session's result.
pub(super) async fn show(State(app): State<App>, Id(id): Id, token: FormToken) -> Result<Response, Problem> {
    let opened = sessions::open(&app, &id).await?;
    let verdict = opened.look(&app, |snapshot| Ok(verdict(snapshot))).await?;
    let outcome = opened.info.outcome.as_ref().map_or(String::new(), |outcome| match outcome {
        Confirmed::Object(name) | Confirmed::Group(name) => name.clone(),
    });
    let html = page(&Page {
        token: token.text(),
        head: Head::new(&opened.context.table, "ask"),
        id: &id,
        rules: session::rules(&opened.info.options),
        verdict,
        share: format!("/tables/{}/shared?{}", opened.info.table, session::to_query(&opened.answers)),
        outcome,
        answers: &opened.answers,
    })?;
    Ok((token, html).into_response())
}

/// Page of answers that came with a link.
pub(super) async fn shared(
    State(app): State<App>,
    Id(id): Id,
    Query(pairs): Query<Vec<(String, String)>>,
    token: FormToken,
) -> Result<Response, Problem> {
    let (options, answers) = (AskingOptions::default(), session::from_pairs(&pairs));
    let context = SessionContext::open(&app, Some(&id), &options).await?;
    let verdict =
        context.with_snapshot(&app, options, answers.clone(), |snapshot| Ok(verdict(snapshot))).await?;
    let html = page(&Page {
        token: token.text(),
        head: Head::new(&context.table, "ask"),
        id: "",
        rules: String::new(),
        verdict,
        share: String::new(),
        outcome: String::new(),
        answers: &answers,
    })?;
    Ok((token, html).into_response())
}

fn verdict(snapshot: &Snapshot<'_, '_>) -> Verdict {
    let (session, instance) = (snapshot.session(), snapshot.session().instance());
    let lines = session::lines(session);
    let (groups, groups_left) = session::groups(snapshot, MOST);
    let (candidates, candidates_left) = session::candidates(snapshot, MOST);
    let reason = match snapshot.step() {
        Step::Done(reason) => Some(reason),
        Step::Ask(_) => None,
    };
    let first = groups.first().or(candidates.first());
    let title = match (first, reason) {
        (_, Some(Reason::Contradiction)) | (None, _) => "No object fits all answers".to_owned(),
        (Some(first), Some(Reason::Identified | Reason::Certain)) => first.name.clone(),
        (Some(first), _) if groups_left.max(candidates_left) == 1 => first.name.clone(),
        (Some(first), _) => format!("Most likely: {}", first.name),
    };
    let reasons = snapshot.candidates().first().map(|best| {
        let found = reasons(instance, &explanation(snapshot, best.object, None));
        let group = groups.first().map(|group| group.name.clone());
        Reasons { name: group.unwrap_or_else(|| found.name.clone()), ..found }
    });
    let contradiction = session.contradiction().map_or_else(Vec::new, |found| {
        let all = session::lines(session);
        all.into_iter().filter(|line| found.answers.contains(&(line.number - 1))).collect()
    });
    Verdict {
        is_done: reason.is_some(),
        title,
        lede: lede(reason, candidates_left),
        percent: first.map_or(String::new(), |first| first.percent.clone()),
        spent: wording::amount(session.cost(), instance.has_unit_costs()),
        contradiction,
        reasons,
        choices: choices(snapshot),
        groups,
        candidates,
        candidates_left,
        lines,
    }
}

fn lede(reason: Option<Reason>, left: usize) -> String {
    let left = count(left, "object");
    match reason {
        Some(Reason::Identified) => "The answers leave nothing else.".to_owned(),
        Some(Reason::Certain) => "Sure enough to stop here.".to_owned(),
        Some(Reason::FewLeft) => format!("{left} left: few enough to stop here."),
        Some(Reason::TooDear) => format!("{left} left; the next question would cost more than allowed."),
        Some(Reason::NothingToAsk) => format!("{left} left, and no question that would tell more."),
        Some(Reason::Contradiction) => "At least one answer must be wrong. Change one of these:".to_owned(),
        None => format!("{left} possible; more questions would tell more."),
    }
}

/// Outcomes that can be confirmed, the possible groups or objects first.
fn choices(snapshot: &Snapshot<'_, '_>) -> Vec<(String, String)> {
    const CHOICES: usize = 500;
    let instance = snapshot.session().instance();
    let mut choices = Vec::new();
    if matches!(instance.identify(), fewest::Identify::Groups) {
        let likely = snapshot.groups().into_iter().map(|share| share.group);
        let all = instance.objects().map(|object| instance.group_of(object));
        for name in likely.chain(all).flat_map(|group| instance.group_names(group)) {
            choices.push(("group", name));
        }
    } else {
        let likely = snapshot.candidates().into_iter().map(|candidate| candidate.object);
        for object in likely.chain(instance.objects()) {
            choices.extend(instance.object_names(object).map(|name| ("object", name)));
        }
    }
    let mut listed = Vec::new();
    let mut known = std::collections::BTreeSet::new();
    for (kind, name) in choices {
        if known.insert(name) {
            listed.push((format!("{kind}:{name}"), name.to_owned()));
        }
    }
    listed.truncate(CHOICES);
    listed
}

#[derive(Deserialize)]
pub(super) struct Truth {
    outcome: String,
}

/// Stores the confirmed outcome.
pub(super) async fn confirm(
    State(app): State<App>,
    Id(id): Id,
    SafeForm(Truth { outcome }): SafeForm<Truth>,
) -> Result<Redirect, Problem> {
    let confirmed = match outcome.split_once(':') {
        Some(("group", name)) => Confirmed::Group(name.to_owned()),
        Some(("object", name)) => Confirmed::Object(name.to_owned()),
        _ => return Err(Problem::bad_request("choose what turned out to be true")),
    };
    sessions::confirm(&app, &id, confirmed).await?;
    Ok(Redirect::to(&format!("/sessions/{id}/result")))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Pair {
    object: String,
    other: String,
}

#[derive(Template)]
#[template(path = "candidates.html")]
struct Candidates<'a> {
    head: Head,
    id: &'a str,
    all: CandidateLists,
}

struct CandidateLists {
    candidates: Vec<ShareLine>,
    left: usize,
    ruled_out: Vec<session::RuledOut>,
    out: usize,
}

/// Page of all candidates, and of all objects that are ruled out.
pub(super) async fn candidates(State(app): State<App>, Id(id): Id) -> Result<Response, Problem> {
    const LISTED: usize = 500;
    let opened = sessions::open(&app, &id).await?;
    let all = opened
        .look(&app, |snapshot| {
            let (candidates, left) = session::candidates(snapshot, LISTED);
            let (ruled_out, out) = session::ruled_out(snapshot, LISTED);
            Ok(CandidateLists { candidates, left, ruled_out, out })
        })
        .await?;
    let head = Head::new(&opened.context.table, "ask");
    Ok(page(&Candidates { head, id: &id, all })?.into_response())
}

#[derive(Template)]
#[template(path = "explain.html")]
struct Explain<'a> {
    head: Head,
    id: &'a str,
    pair: &'a Pair,
    told: ExplanationView,
}

struct ExplanationView {
    group: String,
    prior: String,
    now: String,
    bar: String,
    reasons: Reasons,
    rivals: Vec<String>,
    differences: Option<Vec<(String, String, String)>>,
}

/// Page of the reasons for and against an object.
pub(super) async fn explain(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(pair): Query<Pair>,
) -> Result<Response, Problem> {
    let opened = sessions::open(&app, &id).await?;
    let (object, other) = (pair.object.clone(), pair.other.clone());
    let told = opened.look(&app, move |snapshot| told(snapshot, &object, &other)).await?;
    let head = Head::new(&opened.context.table, "ask");
    Ok(page(&Explain { head, id: &id, pair: &pair, told })?.into_response())
}

fn told(snapshot: &Snapshot<'_, '_>, object: &str, other: &str) -> Result<ExplanationView, Problem> {
    let instance = snapshot.session().instance();
    let object = find_candidate(instance, object)?;
    let other = if other.is_empty() { None } else { Some(find_candidate(instance, other)?) };
    let found = explanation(snapshot, object, other);
    let has_groups = matches!(instance.identify(), fewest::Identify::Groups);
    let line = |name: &str| {
        test(instance, name).map_or_else(|_| name.to_owned(), |test| session::question(instance, test))
    };
    let rivals = snapshot.candidates().into_iter().map(|candidate| candidate.object);
    let rivals = rivals.chain(instance.objects()).filter(|rival| *rival != object).take(200);
    let mut names: Vec<String> =
        rivals.filter_map(|rival| instance.object_names(rival).next().map(str::to_owned)).collect();
    let mut known = std::collections::BTreeSet::new();
    names.retain(|name| known.insert(name.clone()));
    Ok(ExplanationView {
        group: if has_groups { found.group.join(" or ") } else { String::new() },
        prior: percent(found.prior.value()),
        now: percent(found.probability.value()),
        bar: wording::bar(found.probability.value()),
        reasons: reasons(instance, &found),
        rivals: names,
        differences: found.differences.map(|all| {
            let row = |found: &crate::service::questions::CandidateDifference| {
                (line(&found.test), found.object.join(" or "), found.other.join(" or "))
            };
            all.iter().map(row).collect()
        }),
    })
}
