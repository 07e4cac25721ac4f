//! Sentences and numbers of the output: costs, bounds, sizes, verdicts.

use fewest::{Costs, Goal, Instance, Objective, Outcome};
use fewest_formats::json::InstancePart;
use fewest_formats::text::count;

/// Number with at most `digits` after the point, without trailing zeros.
pub(crate) fn number(value: f64, digits: usize) -> String {
    if value.is_nan() {
        return "–".to_owned();
    }
    trim(&format!("{value:.digits$}"))
}

/// Lower bound, rounded down: the number shown is still a bound.
pub(crate) fn at_least(value: f64, digits: usize) -> String {
    let scale = 10f64.powi(digits as i32);
    // A bound of 2.35 that is stored as 2.3499999999999996 is 2.35.
    let down = (value * scale * (1.0 + 1e-12)).floor() / scale;
    trim(&format!("{down:.digits$}"))
}

fn trim(text: &str) -> String {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text.to_owned()
    }
}

/// Size of a table: `101 objects (59 different), 16 tests, 7 groups`.
pub(crate) fn size(part: &InstancePart) -> String {
    let different =
        if part.objects < part.rows { format!(" ({} different)", part.objects) } else { String::new() };
    let mut size = format!("{}{different}, {}", count(part.rows, "object"), count(part.tests, "test"));
    if part.identify == "groups" {
        size += &format!(", {}", count(part.groups, "group"));
    }
    if part.confirm {
        size += ", each object confirmed by its own test";
    }
    size
}

/// Gap above which a bound says too little to be told as a distance from the optimum: twice the best possible.
const WEAK: f64 = 1.0;

/// Distance from the best possible in percent, rounded up; `None` if the bound is too weak to say.
pub(crate) fn above_best(gap: f64) -> Option<String> {
    (gap <= WEAK).then(|| format!("{} %", number((gap * 1000.0 - 1e-9).ceil().max(0.0) / 10.0, 1)))
}

/// Number of questions or cost: `2.32 questions`, or `cost 4.6` where tests differ in cost.
fn amount(value: f64, unit_costs: bool) -> String {
    let value = number(value, 2);
    match unit_costs {
        true if value == "1" => "1 question".to_owned(),
        true => format!("{value} questions"),
        false => format!("cost {value}"),
    }
}

/// Verdict in one sentence: the cost of a strategy, and the bound.
pub(crate) fn verdict(instance: &Instance, goal: &Goal, outcome: &Outcome) -> String {
    let unit = instance.has_unit_costs();
    let Costs { expected, worst, exponential, lambda } = outcome.costs;
    let capped = if outcome.cap < f64::INFINITY {
        format!(" with a worst cost of at most {}", number(outcome.cap, 4))
    } else {
        String::new()
    };
    let proved =
        if outcome.optimal { format!(", the best possible{capped} (proved)") } else { String::new() };
    let open = match outcome.optimal {
        true => String::new(),
        false => format!("; best possible{capped}: at least {}", at_least(outcome.bound.value, 2)),
    };
    let (average, at_worst) =
        (format!("{} on average", amount(expected, unit)), format!("{} at worst", amount(worst, unit)));
    let bare = |value: f64| number(value, 2);
    match goal.objective {
        Objective::Expected => format!("{average}{proved}, {} at worst{open}", bare(worst)),
        Objective::Worst => format!("{at_worst}{proved}, {} on average{open}", bare(expected)),
        Objective::Exponential(_) => format!(
            "exponential cost {} (λ = {}){proved}, {average}, {} at worst{open}",
            bare(exponential),
            lambda.value(),
            bare(worst)
        ),
    }
}
