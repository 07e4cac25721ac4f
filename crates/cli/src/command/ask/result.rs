//! JSON result of a session.

use crate::failure::Failure;
use crate::load::Loaded;
use crate::print::Printer;
use fewest::session::{Session, Step};
use fewest_formats::AnswerPart;
use fewest_formats::json::{Document, InstancePart, Number};
use serde::Serialize;
use std::io::{self, Write};

/// Most candidates in the JSON, likeliest first; the rest is counted.
const MAX_CANDIDATES: usize = 100;

#[derive(Serialize)]
struct CandidatePart<'a> {
    objects: Vec<&'a str>,
    groups: Vec<&'a str>,
    probability: Number,
    mismatches: u32,
}

#[derive(Serialize)]
struct GroupPart<'a> {
    groups: Vec<&'a str>,
    probability: Number,
    objects: usize,
}

#[derive(Serialize)]
struct NextPart<'a> {
    test: &'a str,
    question: Option<&'a str>,
    answers: Vec<&'a str>,
}

/// Writes the state of `session` where JSON is wanted.
pub(super) fn report(session: &Session<'_>, loaded: &Loaded, printer: &Printer) -> Result<(), Failure> {
    if !printer.json && printer.output.is_none() {
        return Ok(());
    }
    printer.bytes_to_output(|out| state(out, session, loaded))
}

/// Writes the state of `session` as JSON.
pub(crate) fn state(out: &mut dyn Write, session: &Session<'_>, loaded: &Loaded) -> io::Result<()> {
    let instance = session.instance();
    let (step, candidates) = (session.step(), session.candidates());
    let next = match step {
        Step::Ask(test) => Some(instance.test(test)),
        Step::Done(_) => None,
    };
    let reason = match step {
        Step::Ask(_) => None,
        Step::Done(reason) => Some(reason.name()),
    };
    let mut document = Document::begin(out)?;
    document.field("instance", &InstancePart::new(&loaded.instance))?;
    document.field("done", &reason.is_some())?;
    document.field("reason", &reason)?;
    document.field("cost", &Number(session.cost()))?;
    document.list("answers", session.answers().iter().map(|given| AnswerPart::new(given, instance)))?;
    document.list(
        "groups",
        session.groups().into_iter().take(MAX_CANDIDATES).map(|share| GroupPart {
            groups: instance.group_names(share.group),
            probability: Number(share.probability),
            objects: share.objects,
        }),
    )?;
    document.field("possible", &candidates.len())?;
    document.list(
        "candidates",
        candidates.iter().take(MAX_CANDIDATES).map(|one| CandidatePart {
            objects: instance.object_names(one.object).collect(),
            groups: instance.group_names(instance.group_of(one.object)),
            probability: Number(one.probability),
            mismatches: one.mismatches,
        }),
    )?;
    document.field(
        "next",
        &next.map(|test| NextPart {
            test: &test.name,
            question: test.question.as_deref(),
            answers: test.answers.iter().collect(),
        }),
    )?;
    document.end()
}
