//! State of a session as plain lines.

use crate::failure::printable;
use crate::wording::number;
use fewest::session::{
    Basis, CheckedAnswer, Choice, Contradiction, Explanation, Given, Reason, Session, Split, Until, Why,
    parse, parse::ParseError,
};
use fewest::{AnswerId, GroupId, Identify, Instance, ObjectId, Test, TestId};
use fewest_formats::answers::{natural_order, shown};
use fewest_formats::text::{count, percent};
use fewest_formats::{Text, Texts};

/// Most answers to choose from before the others are counted: about two lines of a terminal.
const CHOICES: usize = 20;
/// Most candidates shown after an answer: they fit one line.
const SHOWN_AFTER_ANSWER: usize = 3;
/// Most candidates shown on request: they fit one screen.
const SHOWN_ON_REQUEST: usize = 20;
/// Columns of a bar at probability 1.
const BAR: f64 = 24.0;

/// What texts say of a test and its answers: labels, help, pictures and links.
pub(super) fn info(instance: &Instance, test: TestId, texts: &Texts) -> String {
    let test = instance.test(test);
    let name = test.measure.as_ref().map_or(test.name.as_str(), |measure| measure.column.as_str());
    let mut lines = String::new();
    let mut tell = |name: &str, text: Option<&Text>| {
        let Some(text) = text else { return };
        let words = [&text.label, &text.help].into_iter().filter_map(|words| words.get(""));
        let places = [("picture: ", &text.image), ("see ", &text.link)];
        let places = places
            .iter()
            .filter(|(_, place)| !place.is_empty())
            .map(|(what, place)| format!("{what}{place}"));
        let all: Vec<String> = words.map(str::to_owned).chain(places).collect();
        if !all.is_empty() {
            lines += &format!("  {}: {}\n", printable(name), printable(&all.join(" · ")));
        }
    };
    tell(name, texts.test(name));
    test.answers.iter().for_each(|answer| tell(answer, texts.answer(name, answer)));
    if lines.is_empty() { "  Nothing more is known about this question.\n".to_owned() } else { lines }
}

/// Text of the question for a test.
pub(super) fn question(instance: &Instance, test: TestId) -> String {
    let test = instance.test(test);
    printable(&test.question.clone().unwrap_or_else(|| format!("{}?", test.name)))
}

/// Name of an object, or names of all objects joined to it.
pub(super) fn object(instance: &Instance, object: ObjectId) -> String {
    printable(&instance.object_names(object).collect::<Vec<_>>().join(" or "))
}

fn group(instance: &Instance, group: GroupId) -> String {
    printable(&instance.group_names(group).join(" or "))
}

/// Whether the session identifies groups.
pub(super) fn by_group(session: &Session<'_>) -> bool {
    session.instance().identify() == Identify::Groups && session.rules().until == Until::Identified
}

/// Possible groups or objects with their probabilities, likeliest first.
pub(super) fn possible(session: &Session<'_>) -> Vec<(String, f64)> {
    let instance = session.instance();
    match by_group(session) {
        true => {
            session.groups().iter().map(|share| (group(instance, share.group), share.probability)).collect()
        }
        false => {
            session.candidates().iter().map(|one| (object(instance, one.object), one.probability)).collect()
        }
    }
}

/// Whether answers are picked by their own names, because numbers would be mistaken for them.
pub(super) fn are_numbers(instance: &Instance, test: TestId) -> bool {
    let test = instance.test(test);
    test.measure.is_some() || test.answers.iter().any(|answer| answer.parse::<f64>().is_ok())
}

/// Answers to choose from in natural order, each with its number and the number of objects that give it.
pub(super) fn choices(session: &Session<'_>, test: TestId, width: usize) -> String {
    let column = session.instance().test(test);
    let splits = session.splits(test);
    let own_names = are_numbers(session.instance(), test);
    let objects =
        |at: usize| splits.iter().find(|split| split.answer.index() == at).map_or(0, |split| split.objects);
    let choice = |(number, at): (usize, usize)| {
        let name = printable(shown(column, column.answers.get(at)));
        let label = if own_names { name } else { format!("{number}) {name}") };
        format!("{label} ({})", objects(at))
    };
    let mut lines = vec![String::from("  ")];
    // Answers that no remaining object gives are left out; typed, they are still understood.
    let is_shown = |at: usize| session.rules().may_err() || objects(at) > 0;
    let order = natural_order(column).into_iter().map(AnswerId::index);
    let mut offered: Vec<(usize, usize)> = (1..).zip(order).filter(|(_, at)| is_shown(*at)).collect();
    let folded = fold(&mut offered, objects);
    for choice in offered.into_iter().map(choice).chain(folded) {
        let line = lines.last_mut().filter(|line| line.chars().count() + choice.chars().count() + 3 <= width);
        match line {
            Some(line) => *line += &format!(" {choice}  "),
            None => lines.push(format!("   {choice}  ")),
        }
    }
    if let Some(measure) = &column.measure {
        lines.push(format!("   or the measured number of `{}`", printable(&measure.column)));
    }
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Keeps the answers that most objects give, and returns a line about the others, if there are too many to read.
fn fold(shown: &mut Vec<(usize, usize)>, objects: impl Fn(usize) -> usize) -> Option<String> {
    if shown.len() <= CHOICES + 4 {
        return None;
    }
    let mut by_objects = shown.clone();
    by_objects.sort_by_key(|(_, at)| std::cmp::Reverse(objects(*at)));
    let rest = by_objects.split_off(CHOICES);
    let most = rest.first().map_or(0, |(_, at)| objects(*at));
    let each =
        if most <= 1 { ", each one object".to_owned() } else { format!(", each at most {most} objects") };
    shown.retain(|at| by_objects.contains(at));
    Some(format!("… {} more answers{each}; type its name", rest.len()))
}

fn bar(share: f64) -> String {
    "█".repeat((share * BAR).round().max(1.0) as usize)
}

/// Likeliest candidates after an answer, in one line.
pub(super) fn left(session: &Session<'_>) -> String {
    let all = possible(session);
    let shown: Vec<String> = all
        .iter()
        .take(SHOWN_AFTER_ANSWER)
        .map(|(name, share)| format!("{name} {} {}", percent(*share), bar(*share / 2.0)))
        .collect();
    let more = if all.len() > SHOWN_AFTER_ANSWER {
        format!("  +{}", all.len() - SHOWN_AFTER_ANSWER)
    } else {
        String::new()
    };
    format!("  left: {}{more}\n", shown.join("  "))
}

/// All candidates with bars.
pub(super) fn candidates(session: &Session<'_>) -> String {
    let mut text = String::new();
    let instance = session.instance();
    let list = |text: &mut String, what: &str, all: &[(String, f64)]| {
        *text += &format!("  {} possible:\n", count(all.len(), what));
        for (name, share) in all.iter().take(SHOWN_ON_REQUEST) {
            *text += &format!("  {:>6}  {} {name}\n", percent(*share), bar(*share));
        }
        if all.len() > SHOWN_ON_REQUEST {
            *text += &format!("          and {} more\n", all.len() - SHOWN_ON_REQUEST);
        }
    };
    if by_group(session) {
        list(&mut text, "group", &possible(session));
    }
    let objects: Vec<(String, f64)> =
        session.candidates().iter().map(|one| (object(instance, one.object), one.probability)).collect();
    list(&mut text, "object", &objects);
    text
}

/// An error about an answer, with the known answers as the question shows them: `yes` and `no` for 1 and 0.
pub(super) fn with_shown_answers(mut error: ParseError, test: &Test) -> ParseError {
    if let ParseError::NoAnswer { answers, .. } = &mut error {
        let in_order = natural_order(test).into_iter();
        *answers = in_order.map(|answer| shown(test, test.answer_text(answer)).to_owned()).collect();
    }
    error
}

fn split_line(session: &Session<'_>, test: TestId, split: &Split) -> String {
    let name = {
        let test = session.instance().test(test);
        printable(shown(test, test.answer_text(split.answer)))
    };
    let groups =
        if by_group(session) { format!(", {}", count(split.classes, "group")) } else { String::new() };
    format!("    {name}: {} likely, {}{groups}\n", percent(split.probability), count(split.objects, "object"))
}

/// Rationale of a question: basis, cost, information, alternatives.
pub(super) fn why(session: &Session<'_>, why: &Why) -> String {
    let (instance, choice) = (session.instance(), &why.choice);
    let what = if by_group(session) { "group" } else { "object" };
    let basis = match why.basis {
        Basis::Tree => "It is the plan's next question",
        Basis::First => "It was to be asked first",
        Basis::Confirmation => "It confirms the only object left",
        Basis::Rule => "It tells the most for its cost",
    };
    let mut text = format!(
        "  {basis}: costs {}, tells {}, rules out {} on average.\n",
        price(instance, choice),
        plural(choice.gain_bits, 2, "bit"),
        plural(choice.ruled_out, 1, what)
    );
    if let Some(remaining) = why.remaining {
        text += &format!("  From here on: {} on average.\n", cost(instance, remaining.cost));
    }
    // In the order of the choices above the prompt.
    for answer in natural_order(instance.test(choice.test)) {
        let split = why.splits.iter().find(|split| split.answer == answer);
        text += &split.map(|split| split_line(session, choice.test, split)).unwrap_or_default();
    }
    let others: Vec<String> = why
        .alternatives
        .iter()
        .map(|other| {
            let name = printable(&instance.test(other.test).name);
            match (other.remaining, why.remaining) {
                (Some(cost), Some(best)) => {
                    let more = cost - best.cost;
                    let sign = if more < 0.0 { "-" } else { "+" };
                    format!("{name} {} ({sign}{})", number(cost, 2), number(more.abs(), 2))
                }
                _ => format!("{name} ({} for {})", plural(other.gain_bits, 2, "bit"), number(other.cost, 2)),
            }
        })
        .collect();
    if !others.is_empty() {
        text += &format!("  Next best: {}\n", others.join(" · "));
    }
    text
}

/// Cost of a question here, and what of it is a set-up that is paid once.
fn price(instance: &Instance, choice: &Choice) -> String {
    let cost = number(choice.cost, 2);
    let bundle =
        instance.pricing().and_then(|pricing| Some(&pricing.bundles()[pricing.bundle_of(choice.test)?]));
    let full = bundle.map_or(0.0, |bundle| bundle.setup / instance.costs().scale());
    match choice.setup {
        Some(setup) => {
            let own = number(choice.cost - setup, 2);
            format!("{cost} ({own} and the set-up of {})", number(setup, 2))
        }
        None if full > 0.0 => format!("{cost} here, {} with the set-up", number(choice.cost + full, 2)),
        None => cost,
    }
}

fn plural(value: f64, digits: usize, noun: &str) -> String {
    let shown = number(value, digits);
    if shown == "1" { format!("1 {noun}") } else { format!("{shown} {noun}s") }
}

/// Number of questions or cost: `2 questions`, or `cost 4.6` where tests differ in cost.
pub(super) fn cost(instance: &Instance, value: f64) -> String {
    if instance.has_unit_costs() {
        plural(value, 2, "question")
    } else {
        format!("cost {}", number(value, 2))
    }
}

/// Number of questions asked so far, and their cost.
pub(super) fn spent(session: &Session<'_>) -> String {
    let asked = session.answers().iter().filter(|given| !given.volunteered).count();
    let cost = match session.instance().has_unit_costs() {
        true => String::new(),
        false => format!(", cost {}", number(session.cost(), 2)),
    };
    format!("{} asked{cost}", count(asked, "question"))
}

fn answer_names(instance: &Instance, test: TestId, answers: &[AnswerId]) -> String {
    let test = instance.test(test);
    if answers.is_empty() {
        return "does not apply".to_owned();
    }
    let names: Vec<String> =
        answers.iter().map(|answer| printable(shown(test, test.answer_text(*answer)))).collect();
    names.join(" or ")
}

/// A line for each answer, with its number.
pub(super) fn answers(session: &Session<'_>) -> String {
    let doubts = session.doubts();
    let shows_doubt = session.rules().may_err();
    let line = |(at, given): (usize, &Given)| {
        let known = if given.volunteered { ", known beforehand" } else { "" };
        let doubt = doubts.iter().find(|doubt| doubt.at == at && shows_doubt);
        let doubt =
            doubt.map_or_else(String::new, |doubt| format!(", {} likely wrong", percent(doubt.probability)));
        format!("  {}. {}{known}{doubt}\n", at + 1, fact(session.instance(), given))
    };
    let lines: String = session.answers().iter().enumerate().map(line).collect();
    if lines.is_empty() { "  Nothing was said yet.\n".to_owned() } else { lines }
}

/// Answer in the form `fever: yes`.
pub(super) fn fact(instance: &Instance, given: &Given) -> String {
    let reply = match given.reply.answers() {
        [] => "don't know".to_owned(),
        answers => answer_names(instance, given.test, answers),
    };
    format!("{}: {reply}", printable(&instance.test(given.test).name))
}

/// Answers for and against an object.
pub(super) fn explanation(session: &Session<'_>, explanation: &Explanation) -> String {
    let instance = session.instance();
    let state =
        if explanation.probability > 0.0 { percent(explanation.probability) } else { "ruled out".to_owned() };
    let mut text = format!(
        "  {}: {state} (at first {})\n",
        object(instance, explanation.object),
        percent(explanation.prior)
    );
    let line = |said: &CheckedAnswer, verdict: &str| {
        let would = answer_names(instance, said.test, &said.expected);
        let given = &session.answers()[said.at];
        format!(
            "    {verdict} {}. {}{}\n",
            said.at + 1,
            fact(instance, given),
            match verdict {
                "against" if said.expected.is_empty() => ", but that does not apply to it".to_owned(),
                "against" => format!(", but it is {would}"),
                _ => String::new(),
            }
        )
    };
    explanation.agree.iter().for_each(|said| text += &line(said, "for"));
    explanation.disagree.iter().for_each(|said| text += &line(said, "against"));
    text
}

/// Tests that tell two objects apart.
pub(super) fn differences(session: &Session<'_>, left: ObjectId, right: ObjectId) -> String {
    let instance = session.instance();
    let all = session.differences(left, right);
    let mut text = format!(
        "  {} and {} differ in {}\n",
        object(instance, left),
        object(instance, right),
        count(all.len(), "test")
    );
    for difference in all.iter().take(SHOWN_ON_REQUEST) {
        let said = difference.reply.as_ref().map_or_else(String::new, |reply| {
            format!("  (you said {})", printable(&parse::write_reply(instance, difference.test, reply)))
        });
        text += &format!(
            "    {}: {} / {}{said}\n",
            printable(&instance.test(difference.test).name),
            answer_names(instance, difference.test, &difference.left),
            answer_names(instance, difference.test, &difference.right),
        );
    }
    if all.len() > SHOWN_ON_REQUEST {
        text += &format!("    and {} more\n", all.len() - SHOWN_ON_REQUEST);
    }
    text
}

/// Answers that together fit no object.
pub(super) fn contradiction(session: &Session<'_>, found: &Contradiction) -> String {
    let facts: Vec<String> = found
        .answers
        .iter()
        .map(|at| format!("{}. {}", at + 1, fact(session.instance(), &session.answers()[*at])))
        .collect();
    let mut text = match facts.as_slice() {
        [one] => format!("  No object gives this answer: {one}\n"),
        several => format!("  No object gives these answers together: {}\n", several.join(" · ")),
    };
    if let Some(doubt) = found.doubts.first() {
        let name = printable(&session.instance().test(session.answers()[doubt.at].test).name);
        text += &format!(
            "  Most likely mistaken: {name} ({}). `change {at}` mends it, `withdraw {at}` takes it back.\n",
            percent(doubt.probability),
            at = doubt.at + 1,
        );
    }
    let nearest: Vec<String> = session
        .nearest(SHOWN_AFTER_ANSWER)
        .into_iter()
        .map(|fit| format!("{} fits {} of {}", object(session.instance(), fit.object), fit.fits, fit.of))
        .collect();
    text += &format!("  Nearest: {}\n", nearest.join(" · "));
    text
}

/// Outcome of the session: what was identified, and at what cost.
pub(super) fn done(session: &Session<'_>, reason: Reason) -> String {
    let instance = session.instance();
    let spent = spent(session);
    let all = possible(session);
    let first = all.first().map_or(String::new(), |(name, _)| name.clone());
    let sure = all.first().map_or(0.0, |(_, share)| *share);
    match reason {
        Reason::Identified => {
            let names: Vec<String> =
                session.candidates().iter().map(|one| object(instance, one.object)).collect();
            let example = match (by_group(session), names.len()) {
                (false, _) => String::new(),
                (true, 1) => format!(" ({})", names[0]),
                (true, many) => format!(
                    " (one of {many}: {}{})",
                    names.iter().take(SHOWN_AFTER_ANSWER).cloned().collect::<Vec<_>>().join(", "),
                    if many > SHOWN_AFTER_ANSWER { ", …" } else { "" }
                ),
            };
            format!("It is {first}{example}. {spent}.\n")
        }
        Reason::Certain => format!("It is {first}, {} sure. {spent}.\n", percent(sure)),
        Reason::FewLeft => {
            let names: Vec<String> = all
                .iter()
                .take(session.rules().stop_at.max(1))
                .map(|(name, share)| format!("{name} {}", percent(*share)))
                .collect();
            format!("Few are left: {}. {spent}.\n", names.join(", "))
        }
        Reason::TooDear => format!(
            "No question that would help is within the limit. Likeliest: {first}, {}. {spent}.\n",
            percent(sure)
        ),
        Reason::NothingToAsk => {
            format!("Nothing more to ask. Likeliest: {first}, {}. {spent}.\n", percent(sure))
        }
        Reason::Contradiction => {
            session.contradiction().map_or_else(String::new, |found| contradiction(session, &found))
        }
    }
}
