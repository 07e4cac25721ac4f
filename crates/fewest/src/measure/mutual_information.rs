//! The mutual information of answer and group.

use fewest_model::{Cell, Contingency, compensated_sum};

/// `I = Σ w(C_k) log₂( w(C_k) / (w(C) w(A_k)) )` in bits: what the answer says of the group.
///
/// The table must have been counted by group. The terms are summed as they stand rather than as `h − g`, which would
/// cancel where the answer says little.
pub fn mutual_information_bits(table: &Contingency) -> f64 {
    let total = table.total();
    // A smaller share says nothing that could be seen, and the inverse of its group's would be infinite.
    let counts = move |cell: &&Cell| cell.weight / total >= f64::MIN_POSITIVE;
    let terms = table.rows().flat_map(|row| {
        row.cells().iter().filter(counts).map(move |cell| {
            let group = table.groups()[cell.group as usize].weight;
            cell.weight / total * ((cell.weight / row.weight()) * (total / group)).log2()
        })
    });
    compensated_sum(terms).max(0.0)
}
