//! Least sums of depths of objects that are alike, with limits on how many have left the majority path.

/// Increments of the cost of objects that leave together.
pub(crate) enum Growth {
    /// Increments of the least sum of depths in a binary tree.
    Free,
    /// Given increments; at most as many objects leave together.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Least sum of depths of `n` leaves of a binary tree, node by node.
    fn leaves(n: u64) -> f64 {
        if n < 2 { 0.0 } else { n as f64 + leaves(n / 2) + leaves(n - n / 2) }
    }

    /// Tries all ways to leave: `left` of `count` objects are on the path before question `at`.
    fn least(departed: &[u64], count: u64, left: u64, at: usize, together: &dyn Fn(u64) -> f64) -> f64 {
        if at == departed.len() || (at > 0 && count.saturating_sub(departed[at - 1]) <= 1) {
            return leaves(left);
        }
        let most = departed[at].saturating_sub(count - left).min(left);
        let ways = (0..=most)
            .map(|x| left as f64 + together(x) + least(departed, count, left - x, at + 1, together));
        ways.fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn no_way_to_leave_has_a_smaller_sum_of_depths() {
        let mut word = 7u64;
        let mut roll = |sides: u64| {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (word >> 33) % sides
        };
        for _ in 0..3_000 {
            let count = 1 + roll(9);
            let mut departed: Vec<u64> = (0..roll(6)).map(|_| roll(count + 2)).collect();
            departed.sort_unstable();
            let found = alike(&departed, count, &Growth::Free);
            assert_eq!(found, least(&departed, count, count, 0, &leaves), "{departed:?} of {count}");
            // Steps that rise, from 0 on as many as objects may leave.
            let mut steps: Vec<f64> = (0..=count).map(|_| roll(6) as f64).collect();
            steps[0] = 0.0;
            steps.sort_by(f64::total_cmp);
            let together = |n: u64| steps[..n as usize].iter().sum();
            let found = alike(&departed, count, &Growth::Steps(steps.clone()));
            assert_eq!(found, least(&departed, count, count, 0, &together), "{departed:?} {count} {steps:?}");
        }
    }
}
