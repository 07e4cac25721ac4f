//! `fewest check`: verify a saved strategy, or the proof of a bound, against its table.

use super::{read_saved, short};
use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::load::{Loaded, as_before, load};
use crate::phrase;
use crate::print::Printer;
use fewest::{Certificate, Instance, Lambda, Objective, Proof, Verified};
use fewest_check::{Open, ProvedBound, bound_of_coarse_groups, check_bound, check_open};
use fewest_formats::json::{CertificatePart, CostPart, Document, InstancePart, Number, ObjectivePart};
use fewest_formats::text::count;
use fewest_formats::{Saved, Strategy};
use serde::Serialize;

/// Two costs closer than this, relatively, differ by rounding only.
const ROUNDING: f64 = 1e-9;

pub(crate) fn run(args: &CheckArgs, printer: &Printer) -> Result<(), Failure> {
    printer.refuse_overwriting(&args.strategy)?;
    let mut saved = read_saved(&args.strategy)?;
    let file = args.strategy.display().to_string();
    let certificate = match (&args.certificate, &mut saved) {
        (None, Saved::Strategy(strategy)) => strategy.certificate.take(),
        (None, Saved::Certificate(_)) => None,
        (Some(_), Saved::Certificate(_)) => {
            return Err(Failure::wrong(format!(
                "{file} holds no strategy for --certificate to speak of; check it alone"
            )));
        }
        (Some(path), Saved::Strategy(_)) => {
            printer.refuse_overwriting(path)?;
            let given = read_saved(path)?.into_certificate();
            Some(given.ok_or_else(|| {
                Failure::wrong(format!("{}: this strategy holds no certificate", path.display()))
            })?)
        }
    };
    let reading = as_before(&args.reading, saved.reading())?;
    let loaded = load(&args.table, &reading, printer)?;
    let (verdict, lower_bound) = match saved {
        Saved::Strategy(strategy) => {
            (judge(&strategy, certificate, &loaded.instance), Some(strategy.lower_bound))
        }
        Saved::Certificate(file) => (judge_alone(file.certificate, &loaded.instance), None),
    };
    if printer.json {
        json(&loaded, &verdict, printer)?;
    }
    let verdict = verdict.map_err(|reason| Failure::Refused(format!("{file}: refused: {reason}")))?;
    if printer.json {
        return Ok(());
    }
    let mut text = format!("{}: verified against {}\n", short(&file), short(&loaded.name));
    if let Some(verified) = &verdict.strategy {
        text += &about_the_tree(verified, &loaded.instance);
    }
    text += &match (&verdict.bound, lower_bound) {
        (Some(bound), _) => about_the_bound(bound, verdict.strategy.as_ref()),
        (None, Some(bound)) if loaded.instance.has_several() => format!(
            "no strategy costs less than {} ({}), worked out again from the groups that can be told apart for certain\n",
            phrase::at_least(bound.value.0, 6),
            bound.by
        ),
        (None, Some(bound)) => format!(
            "the strategy holds no proof of its lower bound ({}, {})\n",
            phrase::at_least(bound.value.0, 6),
            bound.by
        ),
        (None, None) => "the certificate says nothing\n".to_owned(),
    };
    printer.text_to_output(&text)
}

/// What the judge has seen.
struct Verdict {
    /// The tree and its costs.
    strategy: Option<Verified>,
    bound: Option<ProvedBound>,
}

/// What the judge says of the tree, the costs and the bound that the file claims.
fn judge(
    strategy: &Strategy,
    certificate: Option<CertificatePart>,
    instance: &Instance,
) -> Result<Verdict, String> {
    let tree = strategy.tree.to_tree(instance).map_err(|error| error.to_string())?;
    let costs = strategy.cost.to_costs().ok_or("the λ of its exponential cost is none")?;
    let bound = proof(certificate, instance)?;
    let open = strategy.unfinished.map(|open| Open {
        leaves: open.leaves,
        weight: open.weight.0,
        error: open.error.0,
    });
    let verified = check_open(instance, &tree, &Certificate { costs: Some(costs), bound }, open);
    let verified = verified.map_err(|error| error.to_string())?;
    bound_is_proved(strategy, &verified, instance)?;
    Ok(Verdict { strategy: Some(verified), bound: verified.bound })
}

/// No bound is above what the tree costs, and what the search claims, the certificate must show.
fn bound_is_proved(strategy: &Strategy, verified: &Verified, instance: &Instance) -> Result<(), String> {
    let claimed = strategy.lower_bound.value.0;
    let objective = strategy.objective.to_objective().ok_or("its objective is none")?;
    let is_above = |number: f64| claimed > number + ROUNDING * number.abs();
    // An exponential cost is verified for the λ that the file gives with it.
    let comparable = match objective {
        Objective::Exponential(lambda) => verified.costs.lambda == lambda,
        Objective::Expected | Objective::Worst => true,
    };
    if comparable && is_above(verified.costs.get(objective)) {
        let cost = verified.costs.get(objective);
        return Err(format!(
            "it says that no strategy costs less than {claimed}, but it costs {cost} itself"
        ));
    }
    // A bound of 0 claims nothing, and large tables have no other.
    if instance.has_several() && claimed > 0.0 {
        let error = verified.open.map(|open| open.error);
        let found = bound_of_coarse_groups(instance, objective, error);
        return match is_above(found) {
            false => Ok(()),
            true => Err(format!(
                "it says that no strategy costs less than {claimed}, but the groups that can be told apart for certain \
                 show {found} only"
            )),
        };
    }
    let Some(proved) = &verified.bound else { return Ok(()) };
    if strategy.lower_bound.by != "search" {
        return Ok(());
    }
    if proved.objective != objective {
        return Err("its certificate speaks of another objective".to_owned());
    }
    if is_above(proved.value) {
        let proved = proved.value;
        return Err(format!(
            "it says that no strategy costs less than {claimed}, but its certificate proves {proved} only"
        ));
    }
    Ok(())
}

/// What the judge says of a bound without a tree.
fn judge_alone(certificate: CertificatePart, instance: &Instance) -> Result<Verdict, String> {
    let proof = proof(Some(certificate), instance)?;
    let bound = proof.map(|proof| check_bound(instance, &proof)).transpose();
    Ok(Verdict { strategy: None, bound: bound.map_err(|error| error.to_string())? })
}

fn proof(certificate: Option<CertificatePart>, instance: &Instance) -> Result<Option<Proof>, String> {
    let Some(certificate) = certificate else { return Ok(None) };
    certificate.into_proof(instance).map_err(|error| error.to_string())
}

fn about_the_tree(verified: &Verified, instance: &Instance) -> String {
    let Verified { costs, leaves, depth, open, .. } = verified;
    let open = open.map_or(String::new(), |open| {
        format!(
            "not finished: {} of the leaves ({} of the probability) could be asked on, as the strategy says\n",
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
        phrase::number(costs.expected, 6),
        phrase::number(costs.worst, 6),
        phrase::number(costs.exponential, 6),
        costs.lambda.value(),
    )
}

fn about_the_bound(bound: &ProvedBound, strategy: Option<&Verified>) -> String {
    let of = match bound.cap {
        f64::INFINITY => String::new(),
        cap => format!(" of worst cost at most {}", phrase::number(cap, 6)),
    };
    let claims = format!("({} verified)", count(bound.claims, "claim"));
    if bound.value == f64::INFINITY {
        return format!("there is no strategy{of} {claims}\n");
    }
    let how = match bound.objective {
        Objective::Expected => "on average".to_owned(),
        Objective::Worst => "at worst".to_owned(),
        Objective::Exponential(lambda) => format!("exponentially (λ = {})", lambda.value()),
    };
    let met = if strategy.is_some_and(|strategy| is_met(bound, strategy)) {
        ": this one is the best possible"
    } else {
        ""
    };
    format!("no strategy{of} costs less than {} {how} {claims}{met}\n", phrase::at_least(bound.value, 6))
}

/// Whether the strategy costs no more than the bound, as far as the costs that were verified tell.
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

/// The verdict for programs.
fn json(loaded: &Loaded, verdict: &Result<Verdict, String>, printer: &Printer) -> Result<(), Failure> {
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
    let bound = |bound: ProvedBound| Bound {
        objective: bound.objective.into(),
        cap: (bound.cap < f64::INFINITY).then_some(Number(bound.cap)),
        value: Number(bound.value),
        claims: bound.claims,
    };
    printer.bytes_to_output(|out| {
        let mut document = Document::begin(out)?;
        document.field("instance", &InstancePart::new(&loaded.instance))?;
        document.field("verified", &verdict.is_ok())?;
        match verdict {
            Ok(Verdict { strategy, bound: proved }) => {
                let (tree, costs) = (strategy.is_some(), strategy.is_some());
                document.field("checked", &Checked { tree, costs, bound: proved.map(bound) })?;
                if let Some(verified) = strategy {
                    document.field("cost", &CostPart::from(verified.costs))?;
                }
            }
            Err(reason) => document.field("reason", reason)?,
        }
        document.end()
    })
}
