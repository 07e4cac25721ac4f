//! Result of a session: the likeliest group or object, reasons for and against, all answers, and a link that holds
//! only these answers.

use super::head::Head;
use super::session::{self, AnswerLine, Listed, ShareLine};
use super::{page, wording};
use crate::error::Problem;
use crate::extract::Id;
use crate::guard::{FormToken, SafeForm};
use crate::service::prior::Confirmed;
use crate::service::questions::{
    Answer, AskingOptions, CandidateDifference, Explanation, Held, SessionContext, explanation,
    find_candidate, test,
};
use crate::service::sessions;
use crate::state::App;
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use fewest::Instance;
use fewest::session::{Reason, Session, Snapshot, Step};
use fewest_formats::text::percent;
use serde::Deserialize;
use std::collections::BTreeSet;

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
    /// What nearly fits, where nothing fits.
    nearest: Vec<ShareLine>,
    groups: Listed,
    candidates: Listed,
    lines: Vec<AnswerLine>,
    /// Kind of the results, `group` or `object`, and names to choose from.
    kind: &'static str,
    choices: Vec<String>,
    /// Number of names that are not listed.
    unlisted: usize,
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
    let Ok(test) = test(instance, &found.test) else {
        let said = found.value.as_ref().map_or(String::new(), |value| value.texts().join(" or "));
        return ReasonLine { text: found.test.clone(), said, expected: found.expected.join(" or ") };
    };
    let column = instance.test(test);
    ReasonLine {
        text: session::question(instance, test),
        said: wording::said(column, found.value.as_ref()),
        expected: wording::answers(column, &found.expected),
    }
}

fn reasons(session: &Session<'_>, found: &Explanation) -> Reasons {
    let instance = session.instance();
    let (mut agree, mut disagree) = (Vec::new(), Vec::new());
    // The answers to the cuts of one measured column are one line, here as elsewhere.
    for line in session::lines(session) {
        let test = |at: &usize| instance.test(session.answers()[at - 1].test).name.as_str();
        let tests: BTreeSet<&str> = line.answers.iter().map(test).collect();
        let of = |all: &[Held]| {
            let own = all.iter().find(|one| tests.contains(one.test.as_str()));
            own.map(|one| held(instance, one))
        };
        let (fits, misses) = (of(&found.agree), of(&found.disagree));
        if tests.len() == 1 {
            agree.extend(fits);
            disagree.extend(misses);
        } else if let Some(miss) = misses {
            let expected = format!("{} {}", miss.text, miss.expected);
            disagree.push(ReasonLine { text: line.text, said: line.said, expected });
        } else if fits.is_some() {
            agree.push(ReasonLine { text: line.text, said: line.said, expected: String::new() });
        }
    }
    Reasons { name: wording::names(&found.object), agree, disagree }
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
    let groups = session::groups(snapshot, MOST);
    let candidates = session::candidates(snapshot, MOST, "");
    let reason = match snapshot.step() {
        Step::Done(reason) => Some(reason),
        Step::Ask(_) => None,
    };
    let first = groups.lines.first().or(candidates.lines.first());
    let different = if groups.lines.is_empty() { candidates.different } else { groups.different };
    let title = match (first, reason) {
        (_, Some(Reason::Contradiction)) | (None, _) => "No object fits all answers".to_owned(),
        (Some(first), Some(Reason::Identified | Reason::Certain)) => first.name.clone(),
        (Some(first), _) if different == 1 => first.name.clone(),
        (Some(first), _) => format!("Most likely: {}", first.name),
    };
    let reasons = snapshot.candidates().first().map(|best| {
        let found = reasons(session, &explanation(snapshot, best.object, None));
        let group = groups.lines.first().map(|group| group.name.clone());
        Reasons { name: group.unwrap_or_else(|| found.name.clone()), ..found }
    });
    let contradiction = session.contradiction().map_or_else(Vec::new, |found| {
        let holds = |line: &AnswerLine| line.answers.iter().any(|at| found.answers.contains(&(at - 1)));
        session::lines(session).into_iter().filter(holds).collect()
    });
    let (kind, choices, unlisted) = choices(snapshot);
    Verdict {
        is_done: reason.is_some(),
        title,
        lede: lede(reason, candidates.all),
        percent: first.map_or(String::new(), |first| first.percent.clone()),
        spent: wording::amount(session.cost(), instance.has_unit_costs()),
        nearest: if contradiction.is_empty() { Vec::new() } else { session::nearest(session, MOST) },
        contradiction,
        reasons,
        kind,
        choices,
        unlisted,
        groups,
        candidates,
        lines,
    }
}

fn lede(reason: Option<Reason>, left: usize) -> String {
    let left = match left {
        1 => "1 object is still possible".to_owned(),
        many => format!("{many} objects are still possible"),
    };
    match reason {
        Some(Reason::Identified) => "Only this result fits the answers.".to_owned(),
        Some(Reason::Certain) => "This result is likely enough to stop here.".to_owned(),
        Some(Reason::FewLeft) => format!("{left}. These are few enough to stop here."),
        Some(Reason::TooDear) => format!("{left}. The next question would cost more than the limit."),
        Some(Reason::NothingToAsk) => format!("{left}. No other question separates them."),
        Some(Reason::Contradiction) => {
            "At least one answer is wrong. Change one of these answers:".to_owned()
        }
        None => format!("{left}. More questions can separate them."),
    }
}

/// Kind of the results that can be confirmed, their names with the possible ones first, and the number of names that are
/// not listed.
fn choices(snapshot: &Snapshot<'_, '_>) -> (&'static str, Vec<String>, usize) {
    const CHOICES: usize = 500;
    let instance = snapshot.session().instance();
    let has_groups = matches!(instance.identify(), fewest::Identify::Groups);
    let likely = snapshot.candidates().into_iter().map(|candidate| candidate.object);
    let mut known = BTreeSet::new();
    let mut names: Vec<String> = Vec::new();
    for object in likely.chain(instance.objects()) {
        let of_object: Vec<&str> = match has_groups {
            true => instance.group_names(instance.group_of(object)),
            false => instance.object_names(object).collect(),
        };
        for name in of_object.into_iter().filter(|name| known.insert(*name)) {
            if names.len() < CHOICES {
                names.push(name.to_owned());
            }
        }
    }
    let unlisted = known.len() - names.len();
    (if has_groups { "group" } else { "object" }, names, unlisted)
}

#[derive(Deserialize)]
pub(super) struct Truth {
    kind: String,
    outcome: String,
}

/// Stores the confirmed outcome.
pub(super) async fn confirm(
    State(app): State<App>,
    Id(id): Id,
    SafeForm(Truth { kind, outcome }): SafeForm<Truth>,
) -> Result<Redirect, Problem> {
    let confirmed = match kind.as_str() {
        "group" => Confirmed::Group(outcome),
        "object" => Confirmed::Object(outcome),
        _ => return Err(Problem::bad_request("choose the true result")),
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
    find: &'a str,
    all: CandidateLists,
}

struct CandidateLists {
    possible: Listed,
    ruled_out: Vec<session::RuledOut>,
    out: usize,
    out_unlisted: usize,
    /// What nearly fits, where nothing fits.
    nearest: Vec<ShareLine>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Search {
    /// Words that the name or the group of a listed object contains.
    find: String,
}

/// Page of all candidates, and of all objects that are ruled out.
pub(super) async fn candidates(
    State(app): State<App>,
    Id(id): Id,
    Query(search): Query<Search>,
) -> Result<Response, Problem> {
    const LISTED: usize = 500;
    let opened = sessions::open(&app, &id).await?;
    let find = search.find.clone();
    let all = opened
        .look(&app, move |snapshot| {
            let possible = session::candidates(snapshot, LISTED, &find);
            let (ruled_out, out, out_unlisted) = session::ruled_out(snapshot, LISTED, &find);
            let is_contradiction = possible.all == 0;
            let nearest =
                if is_contradiction { session::nearest(snapshot.session(), MOST) } else { Vec::new() };
            Ok(CandidateLists { possible, ruled_out, out, out_unlisted, nearest })
        })
        .await?;
    let head = Head::new(&opened.context.table, "ask");
    Ok(page(&Candidates { head, id: &id, find: &search.find, all })?.into_response())
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
    let mut known = BTreeSet::new();
    names.retain(|name| known.insert(name.clone()));
    Ok(ExplanationView {
        group: if has_groups { found.group.join(" or ") } else { String::new() },
        prior: percent(found.prior.value()),
        now: percent(found.probability.value()),
        bar: wording::bar(found.probability.value()),
        reasons: reasons(snapshot.session(), &found),
        rivals: names,
        differences: found.differences.map(|all| {
            let row = |found: &CandidateDifference| {
                let words = |answers: &[String]| match instance.find_test(&found.test) {
                    Some(test) => wording::answers(instance.test(test), answers),
                    None => answers.join(" or "),
                };
                (line(&found.test), words(&found.object), words(&found.other))
            };
            all.iter().map(row).collect()
        }),
    })
}
