//! What is minimised, and within which limits.

use crate::error::Fault;
use crate::options::choice;
use crate::run::Context;
use fewest::bound::ObjectiveKind;
use fewest::session::parse;
use fewest::{Cap, Goal, Lambda, Limit, MEMORY, find_algorithm};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// What is minimised, and how.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct GoalOptions {
    objective: String,
    #[pyo3(item("lam"))]
    lambda: f64,
    algorithm: Option<String>,
    cost_blind: bool,
    cap: Option<f64>,
    least_cap: bool,
    proof: bool,
    time: Option<f64>,
    memory: Option<usize>,
}

/// λ of an exponential cost.
pub(crate) fn lambda(value: f64) -> PyResult<Lambda> {
    Lambda::new(value).map_err(|error| PyValueError::new_err(format!("lam: {error}")))
}

impl GoalOptions {
    pub(crate) fn goal(&self) -> PyResult<Goal> {
        let lambda = lambda(self.lambda)?;
        let algorithm = match &self.algorithm {
            None => None,
            Some(name) => Some(find_algorithm(name).ok_or_else(|| {
                let names: Vec<&str> = fewest::algorithms().iter().map(|algorithm| algorithm.name).collect();
                let nearest = parse::nearest(names.iter().copied(), name).map(str::to_owned);
                let message = format!("there is no algorithm `{name}`; choose {}, optimal", names.join(", "));
                Fault::Name { message, nearest }
            })?),
        };
        let cap = match (self.least_cap, self.cap) {
            (true, _) => Cap::Least,
            (false, Some(cap)) => Cap::At(cap),
            (false, None) => Cap::None,
        };
        Ok(Goal::default()
            .with_objective(choice::<ObjectiveKind>("objective", &self.objective)?.with(lambda))
            .with_lambda(lambda)
            .with_cost_blind(self.cost_blind)
            .with_algorithm(algorithm)
            .with_cap(cap)
            .with_proof(self.proof))
    }

    pub(crate) fn limit(&self) -> PyResult<impl FnOnce(&Context) -> Limit + Send + use<>> {
        let time = self.time.map(seconds).transpose()?;
        let memory = self.memory.unwrap_or(MEMORY);
        Ok(move |context: &Context| limit(time, memory, context))
    }
}

/// Time of a call.
pub(crate) fn seconds(time: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(time)
        .map_err(|_| PyValueError::new_err("time: give seconds from 0 on, or None for no limit"))
}

pub(crate) fn limit(time: Option<Duration>, memory: usize, context: &Context) -> Limit {
    let limit = time.map_or_else(Limit::none, Limit::time);
    limit.with_memory(memory).with_interrupt(Arc::clone(&context.flag))
}
