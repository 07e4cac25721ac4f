//! Saved documents: strategies, certificates, models, sessions.

use fewest::session::{Plan, SessionRules, Session};
use fewest::{Certificate, Costs, Goal, Instance, Limit, Objective, Reading, Table, build};
use fewest_check::{check_bound, check_open};
use fewest_formats::json::CertificatePart;
use fewest_formats::learned::{Predictor, SavedModel};
use fewest_formats::{CertificateFile, SavedSession, Strategy};
use std::sync::LazyLock;

/// The table that documents are held against: example E2 of the specification, with its costs.
const ROWS: &[&[&str]] = &[
    &["object", "group", "prior", "t1", "t2", "t3"],
    &["1", "A", "0.1", "1", "1", "2"],
    &["2", "A", "0.2", "1", "2", "1"],
    &["3", "B", "0.4", "2", "2", "1"],
    &["4", "C", "0.25", "1", "2", "2"],
    &["5", "C", "0.05", "2", "2", "2"],
];

/// The table, and what the best strategy costs on average and at worst.
struct Known {
    instance: Instance,
    optimum: Costs,
}

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let costs = [("t1", 2.0), ("t2", 1.0), ("t3", 3.0)].map(|(test, cost)| (test.to_owned(), cost));
    let reading = Reading { costs: costs.into(), ..Reading::default() };
    let (instance, _) = Instance::new(Table::from_rows(ROWS), &reading).expect("a sound table");
    let outcome = build(&instance, &Goal::default(), &Limit::none());
    assert!(outcome.optimal && (outcome.costs.expected - 4.6).abs() < 1e-12 && outcome.costs.worst == 5.0);
    Known { instance, optimum: outcome.costs }
});

/// A saved strategy: what the judge believes of it is true.
pub(crate) fn strategy(data: &[u8]) {
    let Ok(strategy) = Strategy::read(data) else { return };
    let instance = &KNOWN.instance;
    if let Some(certificate) = strategy.certificate {
        believed(certificate);
    }
    let Ok(tree) = strategy.tree.to_tree(instance) else { return };
    let Some(costs) = strategy.cost.to_costs() else { return };
    let claims = Certificate { costs: Some(costs), bound: None };
    if let Ok(verified) = check_open(instance, &tree, &claims, None) {
        let best = &KNOWN.optimum;
        assert!(verified.costs.expected >= best.expected - 1e-9 && verified.costs.worst >= best.worst - 1e-9);
    }
}

/// A certificate alone.
pub(crate) fn certificate(data: &[u8]) {
    if let Ok(file) = CertificateFile::read(data) {
        believed(file.certificate);
    }
}

/// No proof of a bound above what the best strategy costs is believed.
fn believed(certificate: CertificatePart) {
    let Ok(Some(proof)) = certificate.into_proof(&KNOWN.instance) else { return };
    let Ok(bound) = check_bound(&KNOWN.instance, &proof) else { return };
    // Below a cap that no strategy keeps, everything is true; the best strategy here is the best for every cost.
    let best = match bound.objective {
        _ if bound.cap < KNOWN.optimum.worst => f64::INFINITY,
        Objective::Expected => KNOWN.optimum.expected,
        Objective::Worst | Objective::Exponential(_) => KNOWN.optimum.worst,
    };
    assert!(bound.value <= best + 1e-6, "a bound of {} on {:?} was believed", bound.value, bound.objective);
}

/// A learned model, and a prediction of each kind.
pub(crate) fn model(data: &[u8]) {
    let Ok(saved) = SavedModel::read(data) else { return };
    let header: Vec<String> = saved.model.fields.iter().map(|field| field.name.clone()).collect();
    let Ok((mut predictor, _)) = Predictor::new(&saved, &header) else { return };
    for cell in ["", "?", "1", "2.5", "yes", "-1e300"] {
        let cells = vec![cell; header.len()];
        let sum: f64 = predictor.predict(&cells).probabilities.iter().sum();
        assert!((sum - 1.0).abs() < 1e-6, "probabilities add up to {sum}");
    }
}

/// A saved session, taken up again.
pub(crate) fn session(data: &[u8]) {
    let Ok(saved) = SavedSession::read(data) else { return };
    let Ok(mut session) = Session::new(&KNOWN.instance, Plan::default(), SessionRules::default()) else { return };
    if saved.replay(&mut session).is_ok() {
        _ = session.step();
        let again = SavedSession::new(&session, &saved.source);
        let mut text = Vec::new();
        again.write(&mut text).expect("memory takes all");
        assert_eq!(SavedSession::read(&text).expect("what was written is a session"), again);
    }
}
