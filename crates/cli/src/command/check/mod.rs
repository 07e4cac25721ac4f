//! `fewest check`: verify a saved strategy, or the proof of a bound, against its table. The file `docs/verified.md`
//! explains, field by field, what "verified" means.

mod reading;
mod render;

use super::{bytes_of, read_saved};
use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::print::Printer;
use crate::spell::flag;
use crate::spell::saved_by;
use fewest::{Certificate, Instance, Proof, Verified};
use fewest_check::{
    Open, ProvedBound, Size, Statement, Support, check_bound, check_open, check_size, check_statement,
};
use fewest_formats::json::{CertificatePart, InstancePart, Number};
use fewest_formats::{Saved, Strategy};
use render::Shown;

pub(crate) fn run(args: &CheckArgs, printer: &Printer) -> Result<(), Failure> {
    let (name, bytes) = bytes_of(&args.strategy, printer)?;
    let read = Saved::read_noting(&bytes)
        .map_err(|error| Failure::wrong(format!("{name}: {}", error.words(saved_by))));
    let (mut saved, unread) = read?;
    let other = other_certificate(args, &saved, printer)?;
    let (loaded, difference) = reading::read(args, saved.reading(), printer)?;
    let instance = &loaded.instance;
    let verdict = match &mut saved {
        Saved::Strategy(strategy) => {
            let certificate = other.or_else(|| strategy.certificate.take());
            judge(strategy, certificate, instance, args.tree_only)
        }
        Saved::Certificate(file) => judge_alone(file.certificate.clone(), instance),
    };
    let verdict = verdict.and_then(|verdict| {
        compare_instance(saved.instance(), instance)?;
        Ok(verdict)
    });
    let is_strategy = matches!(saved, Saved::Strategy(_));
    let shown = Shown {
        file: &name,
        what: if is_strategy { "strategy" } else { "certificate" },
        loaded: &loaded,
        difference: &difference,
        not_verified: not_verified(&saved, unread),
        tree_only: args.tree_only,
    };
    shown.say(&verdict, printer)
}

/// Certificate of the file that `--certificate` names.
fn other_certificate(
    args: &CheckArgs,
    saved: &Saved,
    printer: &Printer,
) -> Result<Option<CertificatePart>, Failure> {
    let name = args.strategy.display();
    if args.tree_only && matches!(saved, Saved::Certificate(_)) {
        return Err(Failure::wrong(format!("{name} holds no tree for --tree-only to look at; leave it out")));
    }
    let Some(path) = &args.certificate else { return Ok(None) };
    if matches!(saved, Saved::Certificate(_)) {
        return Err(Failure::wrong(format!(
            "{name} holds no strategy for --certificate to speak of; check it alone"
        )));
    }
    let given = read_saved(path, printer)?.into_certificate();
    match given {
        Some(certificate) => Ok(Some(certificate)),
        None => Err(Failure::wrong(format!("{}: this strategy holds no certificate", path.display()))),
    }
}

/// Verdict of the checker.
struct Verdict {
    /// The tree and its costs.
    strategy: Option<Verified>,
    /// Verified lower bound.
    bound: Option<ProvedBound>,
    /// Whether the checker found the bound itself, without a certificate.
    without_proof: bool,
    /// Fields that claim more than is proved.
    unproved: Vec<&'static str>,
    /// Unproved claims, in words.
    claim: String,
}

/// Compares target and size of the problem with the file.
fn compare_instance(part: &InstancePart, instance: &Instance) -> Result<(), String> {
    let found = InstancePart::new(instance);
    if (&part.identify, part.confirm) != (&found.identify, found.confirm) {
        let word = |part: &InstancePart| {
            format!("{}{}", part.identify, if part.confirm { ", confirmed" } else { "" })
        };
        return Err(format!(
            "it is said to identify {}, but the reading identifies {}",
            word(part),
            word(&found)
        ));
    }
    if part.conditional != found.conditional {
        let (said, found) = (part.conditional, found.conditional);
        return Err(format!(
            "it is said that {said} of its tests may not be asked of every object; of the table these are {found}"
        ));
    }
    let InstancePart { rows, objects, tests, groups, entropy_bits: Number(entropy_bits), .. } = *part;
    check_size(instance, &Size { rows, objects, tests, groups, entropy_bits })
        .map_err(|error| error.to_string())
}

/// Checks the tree, its costs and the claims of the file.
fn judge(
    strategy: &Strategy,
    certificate: Option<CertificatePart>,
    instance: &Instance,
    tree_only: bool,
) -> Result<Verdict, String> {
    let tree = strategy.tree.to_tree(instance).map_err(|error| error.words(flag))?;
    strategy.tree.compare_questions(instance).map_err(|error| error.to_string())?;
    compare_inseparable(strategy, instance)?;
    let costs = strategy.cost.to_costs().ok_or("the λ of its exponential cost is none")?;
    let bound = if tree_only { None } else { proof(certificate, instance)? };
    let open = strategy.unfinished.map(|open| Open {
        leaves: open.leaves,
        weight: open.weight.0,
        error: open.error.0,
    });
    let verified = check_open(instance, &tree, &Certificate { costs: Some(costs), bound }, open);
    let verified = verified.map_err(|error| error.to_string())?;
    let statement = Statement {
        objective: strategy.objective.to_objective().ok_or("its objective is none")?,
        cap: strategy.max_worst.map_or(f64::INFINITY, |cap| cap.0),
        lower_bound: strategy.lower_bound.value.0,
        gap: strategy.gap.map(|gap| gap.0),
        optimal: strategy.optimal,
        proved: strategy.stop.as_ref().map(|stop| stop == "proved"),
    };
    let support = match tree_only {
        true => Support::Nothing,
        false => check_statement(instance, &verified, &statement).map_err(|error| error.to_string())?,
    };
    let unproved = match support {
        Support::Nothing => claims(strategy),
        Support::Proof(_) | Support::Judge(_) => Vec::new(),
    };
    Ok(Verdict {
        bound: support.bound(),
        without_proof: matches!(support, Support::Judge(_)),
        unproved,
        claim: render::claim(&statement, &strategy.lower_bound.by, verified.bound),
        strategy: Some(verified),
    })
}

/// Fields that depend on the proof of the bound.
fn claims(strategy: &Strategy) -> Vec<&'static str> {
    let mut claims = vec!["lower_bound"];
    claims.extend(strategy.gap.map(|_| "gap"));
    claims.extend(strategy.optimal.then_some("optimal"));
    claims.extend(strategy.max_worst.map(|_| "max_worst"));
    claims.extend((strategy.stop.as_deref() == Some("proved")).then_some("stop"));
    claims
}

/// Compares the inseparable objects with those of the table.
fn compare_inseparable(strategy: &Strategy, instance: &Instance) -> Result<(), String> {
    let Some(claimed) = &strategy.inseparable else { return Ok(()) };
    let found: Vec<Vec<&str>> = instance.inseparable().collect();
    let same = claimed.len() == found.len() && claimed.iter().zip(&found).all(|(left, right)| left == right);
    match same {
        true => Ok(()),
        false => Err(format!(
            "it lists {} sets of objects that no test tells apart; the table has {}, or others",
            claimed.len(),
            found.len()
        )),
    }
}

/// Checks the proof of a bound without a tree.
fn judge_alone(certificate: CertificatePart, instance: &Instance) -> Result<Verdict, String> {
    let proof = proof(Some(certificate), instance)?.ok_or("it is a certificate that says nothing")?;
    if instance.has_several() {
        return Err(fewest_check::CheckError::NoProofs.to_string());
    }
    let bound = check_bound(instance, &proof).map_err(|error| error.to_string())?;
    Ok(Verdict {
        strategy: None,
        bound: Some(bound),
        without_proof: false,
        unproved: Vec::new(),
        claim: String::new(),
    })
}

fn proof(certificate: Option<CertificatePart>, instance: &Instance) -> Result<Option<Proof>, String> {
    let Some(certificate) = certificate else { return Ok(None) };
    certificate.into_proof(instance).map_err(|error| error.to_string())
}

/// Fields that are not checked: those about how the strategy was made, and unknown ones.
fn not_verified(saved: &Saved, unread: Vec<String>) -> Vec<String> {
    let mut fields = Vec::new();
    if let Saved::Strategy(strategy) = saved {
        fields.extend(["algorithm".to_owned(), "lower_bound.by".to_owned()]);
        if strategy.stop.as_deref().is_some_and(|stop| stop != "proved") {
            fields.push("stop".to_owned());
        }
    }
    fields.extend(unread);
    fields
}
