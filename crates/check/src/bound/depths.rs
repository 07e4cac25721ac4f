//! Least sums of depths of objects that are alike, with limits on how many have left the majority path.

/// Increments of the cost of objects that leave together.
pub(crate) enum Growth {
    /// Those of any leaves of a binary tree.
    Free,
    /// These increments; at most as many objects leave together.
    Steps(Vec<f64>),
}

/// Increment of the least sum of depths for one leaf after `others` leaves.
pub(crate) fn free(others: u64) -> f64 {
    if others == 0 { 0.0 } else { 1.0 + f64::from((others + 1).next_power_of_two().trailing_zeros()) }
}

/// Least sum of depths of objects that are alike.
pub(crate) fn alike(departed: &[u64], count: u64, growth: &Growth) -> f64 {
    let asked =
        (0..departed.len()).find(|at| *at > 0 && departed[at - 1] + 1 >= count).unwrap_or(departed.len());
    // By question, the number of objects that leave there and that have left; the last place is for those that stay.
    let (mut leaving, mut gone) = (vec![0u64; asked + 1], vec![0u64; asked]);
    let mut closed = departed[..asked].iter().take_while(|departed| **departed == 0).count();
    let mut sum = 0.0;
    for _ in 0..count {
        let price = |place: usize| {
            let step = match growth {
                Growth::Steps(steps) if place < asked => {
                    steps.get(leaving[place] as usize).copied().unwrap_or(f64::INFINITY)
                }
                _ => free(leaving[place]),
            };
            asked.min(place + 1) as f64 + step
        };
        let cheapest = (closed..=asked).min_by(|left, right| price(*left).total_cmp(&price(*right)));
        let Some(place) = cheapest else { break };
        sum += price(place);
        leaving[place] += 1;
        for at in place..asked {
            gone[at] += 1;
            // The limit is reached: no further object may leave up to here.
            if gone[at] == departed[at] {
                closed = at + 1;
            }
        }
    }
    sum
}
