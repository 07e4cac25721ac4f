//! Result of a check as text and as JSON.

use super::Verdict;
use super::reading::Difference;
use crate::command::short;
use crate::failure::{Failure, printable};
use crate::load::Loaded;
use crate::print::Printer;
use crate::wording;
use fewest::{Instance, Lambda, Objective, Verified};
use fewest_check::{ProvedBound, Statement};
use fewest_formats::json::{CostPart, Document, InstancePart, Number, ObjectivePart};
use fewest_formats::text::count;
use serde::Serialize;

/// Relative difference of two costs up to which they count as equal: rounding of sums.
const ROUNDING: f64 = 1e-9;
/// Most fields that are named before the rest is counted.
const LISTED: usize = 12;

/// Context of a verdict: files, reading, unchecked fields.
pub(super) struct Shown<'a> {
    pub(super) file: &'a str,
    /// Content of the file.
    pub(super) what: &'static str,
    pub(super) loaded: &'a Loaded,
    pub(super) difference: &'a Difference,
    pub(super) not_verified: Vec<String>,
    pub(super) tree_only: bool,
}

impl Shown<'_> {
    /// Prints the verdict; returns a failure where something is refused or unproved.
    pub(super) fn say(&self, verdict: &Result<Verdict, String>, printer: &Printer) -> Result<(), Failure> {
        let refused = |reason: &str| {
            // The reading of the table may be the reason.
            let reading = self.difference.words(self.what).trim_end().replace('\n', "; ");
            let reading = if reading.is_empty() { reading } else { format!(" ({reading})") };
            Failure::Refused(format!("{}: refused: {reason}{reading}", self.file))
        };
        let unproved = |verdict: &Verdict| {
            format!("{}: not proved: {}; check the tree alone with --tree-only", self.file, verdict.claim)
        };
        let failure = match verdict {
            Err(reason) => Some(refused(reason)),
            Ok(verdict) if self.is_unproved(verdict) => Some(Failure::Refused(unproved(verdict))),
            Ok(_) => None,
        };
        match verdict {
            _ if printer.wants_json() => self.json(verdict, printer)?,
            Ok(verdict) => printer.text_to_output(&self.text(verdict))?,
            Err(_) => {}
        }
        failure.map_or(Ok(()), Err)
    }

    /// Whether the file claims more than is proved, and `--tree-only` does not leave that out.
    fn is_unproved(&self, verdict: &Verdict) -> bool {
        !self.tree_only && !verdict.unproved.is_empty()
    }

    fn text(&self, verdict: &Verdict) -> String {
        let (file, table) = (short(self.file), short(&self.loaded.name));
        let mut text = self.difference.words(self.what);
        text += &match verdict.unproved.is_empty() {
            true => format!("{file}: verified against {table}\n"),
            false => {
                format!("{file}: the tree and its costs are verified against {table}, and nothing else\n")
            }
        };
        if let Some(verified) = &verdict.strategy {
            text += &about_the_tree(verified, &self.loaded.instance);
        }
        if !self.not_verified.is_empty() {
            text += &format!("not verified: {}\n", listed(&self.not_verified));
        }
        if !verdict.unproved.is_empty() {
            let fields: Vec<String> = verdict.unproved.iter().map(|field| (*field).to_owned()).collect();
            return text + &format!("not proved: {}: {}\n", listed(&fields), verdict.claim);
        }
        if let Some(bound) = &verdict.bound {
            text += &about_the_bound(bound, verdict, self);
        }
        text
    }

    /// Prints the verdict as JSON.
    fn json(&self, verdict: &Result<Verdict, String>, printer: &Printer) -> Result<(), Failure> {
        let bound = |bound: ProvedBound| Bound {
            objective: bound.objective.into(),
            cap: (bound.cap < f64::INFINITY).then_some(Number(bound.cap)),
            value: Number(bound.value),
            claims: bound.claims,
        };
        printer.bytes_to_output(|out| {
            let mut document = Document::begin(out)?;
            document.field("reading", self.difference)?;
            document.field("instance", &InstancePart::new(&self.loaded.instance))?;
            let verified = verdict.as_ref().is_ok_and(|verdict| !self.is_unproved(verdict));
            document.field("verified", &verified)?;
            match verdict {
                Ok(verdict) => {
                    let is_tree = verdict.strategy.is_some();
                    let bound = verdict.bound.map(bound);
                    document.field("checked", &Checked { tree: is_tree, costs: is_tree, bound })?;
                    document.field("unproved", &verdict.unproved)?;
                    document.field("not_verified", &self.not_verified)?;
                    if let Some(verified) = &verdict.strategy {
                        document.field("cost", &CostPart::from(verified.costs))?;
                    }
                    if self.is_unproved(verdict) {
                        document.field("reason", &verdict.claim)?;
                    }
                }
                Err(reason) => document.field("reason", reason)?,
            }
            document.end()
        })
    }
}

#[derive(Serialize)]
struct Checked {
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    tree: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    costs: bool,
    bound: Option<Bound>,
}

#[derive(Serialize)]
struct Bound {
    objective: ObjectivePart,
    #[serde(skip_serializing_if = "Option::is_none")]
    cap: Option<Number>,
    value: Number,
    claims: usize,
}

/// Claim of a strategy about its bound, for the message that it is not proved.
pub(super) fn claim(statement: &Statement, by: &str, proved: Option<ProvedBound>) -> String {
    let optimal = if statement.optimal { ", and that it is the best possible" } else { "" };
    let holds = match proved {
        Some(proved) if proved.objective == statement.objective => {
            format!("its certificate proves {} only", bound_words(&proved))
        }
        Some(_) => "its certificate speaks of another objective".to_owned(),
        None => "it holds no proof of that, and it is more than the table shows at once".to_owned(),
    };
    let ProvedBound { objective, cap, value, .. } = ProvedBound {
        objective: statement.objective,
        cap: statement.cap,
        value: statement.lower_bound,
        claims: 0,
    };
    let said = bound_words(&ProvedBound { objective, cap, value, claims: 0 });
    format!("it says that {said} ({}){optimal}; {holds}", printable(by))
}

fn listed(fields: &[String]) -> String {
    let shown = fields.iter().take(LISTED).map(|field| printable(field)).collect::<Vec<_>>().join(", ");
    let more = fields.len().saturating_sub(LISTED);
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

fn about_the_tree(verified: &Verified, instance: &Instance) -> String {
    let Verified { costs, leaves, depth, open, .. } = verified;
    let open = open.map_or(String::new(), |open| {
        format!(
            "not finished: {} of the leaves ({} of the probability) could be asked further, as the strategy says\n",
            open.leaves,
            fewest_formats::text::percent(open.weight),
        )
    });
    let reaches = match instance.has_several() {
        true => "reaches, by each answer that it may give, a leaf that names it",
        false => "reaches a leaf that names it",
    };
    open + &format!(
        "every one of {} {reaches}; {}, at most {}\n\
         costs re-added from each object's own path: expected {}, worst {}, exponential {} (λ = {})\n",
        count(instance.row_count(), "object"),
        if *leaves == 1 { "1 leaf".to_owned() } else { format!("{leaves} leaves") },
        count(*depth, "question"),
        wording::number(costs.expected, 6),
        wording::number(costs.worst, 6),
        wording::number(costs.exponential, 6),
        costs.lambda.value(),
    )
}

/// Statement of a bound: `no strategy costs less than 4.6 on average`.
fn bound_words(bound: &ProvedBound) -> String {
    let of = match bound.cap {
        f64::INFINITY => String::new(),
        cap => format!(" of worst cost at most {}", wording::number(cap, 6)),
    };
    if bound.value == f64::INFINITY {
        return format!("there is no strategy{of}");
    }
    let how = match bound.objective {
        Objective::Expected => "on average".to_owned(),
        Objective::Worst => "at worst".to_owned(),
        Objective::Exponential(lambda) => format!("exponentially (λ = {})", lambda.value()),
    };
    format!("no strategy{of} costs less than {} {how}", wording::at_least(bound.value, 6))
}

fn about_the_bound(bound: &ProvedBound, verdict: &Verdict, shown: &Shown<'_>) -> String {
    let why = match (verdict.without_proof, shown.loaded.instance.has_several()) {
        (false, _) => format!("({} verified)", count(bound.claims, "claim")),
        (true, true) => "(worked out again from the groups that can be told apart for certain)".to_owned(),
        (true, false) => "(worked out again from the table)".to_owned(),
    };
    let reading = if shown.difference.differs() { " of that reading" } else { "" };
    let met = match &verdict.strategy {
        Some(strategy) if strategy.open.is_none() && is_met(bound, strategy) => {
            format!(": this one is the best possible{reading}")
        }
        _ => String::new(),
    };
    format!("{} {why}{met}\n", bound_words(bound))
}

/// Whether the verified cost of the strategy reaches the bound: it is then optimal.
fn is_met(bound: &ProvedBound, strategy: &Verified) -> bool {
    let costs = &strategy.costs;
    let cost = match bound.objective {
        Objective::Exponential(lambda) if lambda == costs.lambda => costs.exponential,
        Objective::Exponential(Lambda::INFINITY) | Objective::Worst => costs.worst,
        Objective::Exponential(lambda) if lambda.value() > 1.0 => return false,
        Objective::Exponential(_) | Objective::Expected => costs.expected,
    };
    let within = |cost: f64, limit: f64| cost <= limit || cost - limit <= ROUNDING * limit.abs();
    within(cost, bound.value) && within(costs.worst, bound.cap)
}
