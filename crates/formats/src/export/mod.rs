//! Results for other programs and for people: Graphviz, pages of HTML and Markdown, tables as CSV.

mod dot;
mod leaves;
mod outline;
mod report;

pub use dot::dot;
pub use leaves::{learned_leaves_csv, leaves_csv};
pub use outline::outline_html;
pub use report::{Block, Report, plain};
