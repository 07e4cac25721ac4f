//! Context of a session: its table, and the strategy that it follows.

use super::{Answer, AskingOptions, session};
use crate::error::Problem;
use crate::state::{App, StrategyTree};
use crate::tables::LoadedTable;
use fewest::session::Snapshot;
use std::sync::Arc;

/// Table of a session, and the strategy to follow.
#[derive(Clone, Debug)]
pub(crate) struct SessionContext {
    pub(crate) table: Arc<LoadedTable>,
    pub(crate) strategy_tree: Option<Arc<StrategyTree>>,
}

impl SessionContext {
    /// Opens the table that is named, or that of the strategy.
    ///
    /// # Errors
    /// When there is no such table or strategy, or neither is named.
    pub(crate) async fn open(
        app: &App,
        table: Option<&str>,
        options: &AskingOptions,
    ) -> Result<Self, Problem> {
        let strategy = options.strategy.as_deref();
        let table = match (table, strategy) {
            (Some(table), _) => app.table(table).await?,
            (None, Some(strategy)) => {
                let job = app.store().job(strategy, "build").await?;
                app.table(&job.ok_or_else(|| Problem::not_found("strategy"))?.table).await?
            }
            (None, None) => return Err(Problem::unfit("name a `table`, or a `strategy` in the options")),
        };
        let strategy_tree = match strategy {
            Some(strategy) => Some(app.tree(strategy, &table).await?),
            None => None,
        };
        Ok(Self { table, strategy_tree })
    }

    /// Returns what `look` reads from one snapshot of the session with these answers.
    pub(crate) async fn with_snapshot<T: Send + 'static>(
        &self,
        app: &App,
        options: AskingOptions,
        answers: Vec<Answer>,
        look: impl FnOnce(&Snapshot<'_, '_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let strategy_tree = self.strategy_tree.clone();
        let work = move |table: &LoadedTable| {
            let tree = strategy_tree.as_ref().map(|strategy_tree| &strategy_tree.tree);
            look(&session(&table.instance, tree, &options, &answers)?.snapshot())
        };
        app.run_on(&self.table, work).await?
    }
}
