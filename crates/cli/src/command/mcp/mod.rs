//! `fewest mcp`: a session as tools for assistants, by the Model Context Protocol on standard input and output.
//!
//! The assistant asks a person the questions and passes on the answers. Nothing is written and nothing is sent: the tools
//! only read the table.

mod interview;
mod tools;

use super::{goal, is_strategy, limit, read_strategy, short};
use crate::args::McpArgs;
use crate::failure::Failure;
use crate::load::{as_before, load};
use crate::print::Printer;
use crate::spell::flag;
use crate::wording;
use fewest::{Costs, Named, build};
use interview::{About, Interview};
use rmcp::ServiceExt;
use tools::Tools;

pub(crate) fn run(args: &McpArgs, printer: &Printer) -> Result<(), Failure> {
    let tools = Tools::new(interview(args, printer)?);
    let failed = |error: &dyn std::fmt::Display| Failure::wrong(format!("mcp: {error}"));
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| failed(&error))?;
    runtime.block_on(async {
        let service = tools.serve(rmcp::transport::stdio()).await.map_err(|error| failed(&error))?;
        service.waiting().await.map(drop).map_err(|error| failed(&error))
    })
}

/// Reads the table and the strategy, or builds the best strategy.
fn interview(args: &McpArgs, printer: &Printer) -> Result<Interview, Failure> {
    if !is_strategy(&args.source) {
        if args.table.is_some() {
            return Err(Failure::wrong("--table goes with a saved strategy; name the table alone"));
        }
        let loaded = load(&args.source, &args.reading, printer)?;
        let goal = goal(&args.goal);
        let outcome = build(&loaded.instance, &goal, &limit(args.goal.time, args.goal.memory));
        let about = About {
            words: wording::verdict(&loaded.instance, &goal, &outcome),
            objective: goal.objective.kind().name().to_owned(),
            costs: outcome.costs,
            bound: outcome.bound.value,
            is_best: outcome.optimal,
        };
        return Ok(Interview::new(loaded, outcome.tree, args.goal.lambda, about));
    }
    let strategy = read_strategy(&args.source, printer)?;
    let Some(table) = &args.table else {
        return Err(Failure::wrong(format!(
            "{} is a strategy; name its table as well: --table TABLE",
            short(&args.source.display().to_string())
        )));
    };
    let loaded = load(table, &as_before(&args.reading, &strategy.reading)?, printer)?;
    let named = args.source.display();
    let tree = strategy.tree.to_tree(&loaded.instance);
    let tree = tree.map_err(|error| Failure::wrong(format!("{named}: {}", error.words(flag))))?;
    let costs = Costs::of(&tree, &loaded.instance, args.goal.lambda);
    let about = About {
        words: format!("the saved strategy {}", short(&named.to_string())),
        objective: strategy.objective.name.clone(),
        costs,
        bound: strategy.lower_bound.value.0,
        is_best: strategy.optimal,
    };
    Ok(Interview::new(loaded, tree, args.goal.lambda, about))
}
