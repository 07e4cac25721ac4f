//! Read-eval-print loop of `fewest ask`: one question at a time, plain lines.

use super::log::Log;
use super::render;
use crate::failure::{Failure, printable};
use crate::print::Printer;
use crate::wording;
use fewest::session::{Reason, Reply, Session, Step, parse};
use fewest::{ObjectId, TestId};
use fewest_formats::Texts;
use fewest_formats::answers::natural_order;
use fewest_formats::json::InstancePart;
use std::io::{self, Write};

const HELP: &str =
    "  an answer      by its number, its name or a beginning of it; several with | between: red|white
  ?              don't know: another question is found
  test=answer    something else that you know
  w  why         why this question, and what the next best would cost
  c  candidates  what is possible, with bars
  a  answers     what was said, with numbers
  b  back, undo  take the last answer back
  change N [ANSWER], withdraw N    mend or take back answer N; the later ones stay
  if N ANSWER    what would be if answer N were another
  x NAME         why or why not this object
  d A, B         what tells two objects apart; d alone: the two likeliest
  q  quit        save and stop (:q where q is an answer)
";

/// State of the loop.
pub(super) struct Repl<'a> {
    pub(super) session: Session<'a>,
    /// Texts that are shown on request.
    texts: &'a Texts,
    log: Option<Log>,
    printer: &'a Printer,
    interactive: bool,
    /// Index of the answer that is being changed.
    changing: Option<usize>,
    /// Test asked last, so that the log holds each question once.
    asked: Option<TestId>,
    /// Whether the end was printed and logged.
    end_shown: bool,
    /// Whether the current question is already on the screen.
    question_shown: bool,
}

/// Meaning of a line.
enum Input<'l> {
    Command(&'l str, &'l str),
    Reply(Reply),
    /// Facts: one, or those that a measured number tells.
    Facts(Vec<(TestId, Reply)>),
    Nothing,
}

impl<'a> Repl<'a> {
    pub(super) fn new(
        session: Session<'a>,
        texts: &'a Texts,
        log: Option<Log>,
        printer: &'a Printer,
        interactive: bool,
    ) -> Self {
        Self {
            session,
            texts,
            log,
            printer,
            interactive,
            changing: None,
            asked: None,
            end_shown: false,
            question_shown: false,
        }
    }

    pub(super) fn is_interactive(&self) -> bool {
        self.interactive
    }

    pub(super) fn has_answers(&self) -> bool {
        !self.session.answers().is_empty()
    }

    /// Whether the session ended with an identification.
    pub(super) fn is_identified(&self) -> bool {
        matches!(self.session.step(), Step::Done(Reason::Identified | Reason::Certain | Reason::FewLeft))
    }

    /// Prints text; to standard error where standard output is JSON.
    pub(super) fn say(&self, text: &str) -> Result<(), Failure> {
        if self.printer.json {
            return io::stderr()
                .write_all(text.as_bytes())
                .map_err(|error| Failure::writing("standard error", &error));
        }
        self.printer.text(text)
    }

    fn note(&mut self, event: &str, test: Option<TestId>, words: &str) -> Result<(), Failure> {
        let instance = self.session.instance();
        let name = test.map(|test| instance.test(test).name.as_str());
        match &mut self.log {
            Some(log) => log.add(event, name, words.trim(), &self.session),
            None => Ok(()),
        }
    }

    pub(super) fn begin(&mut self, name: &str, plan: &str) -> Result<(), Failure> {
        let size = wording::size(&InstancePart::new(self.session.instance()));
        self.say(&format!("{name}: {size}\n{plan}\n"))?;
        self.say("Answer by number, name or first letters; ? don't know, w why, c candidates, b back, h help, q save and stop.\n")?;
        if self.texts.has_details() {
            self.say("i tells more about a question: help, labels, pictures.\n")?;
        }
        if self.has_answers() {
            self.say(&format!("Known so far:\n{}", render::answers(&self.session)))?;
        }
        self.note("begin", None, &format!("{name}: {size}"))
    }

    /// Prints the next question, or how the session ended.
    pub(super) fn ask(&mut self) -> Result<(), Failure> {
        let test = match (self.changing, self.session.step()) {
            (Some(at), _) => self.session.answers()[at].test,
            (None, Step::Ask(test)) => test,
            (None, Step::Done(reason)) => {
                if !self.end_shown {
                    self.end_shown = true;
                    let words = render::done(&self.session, reason);
                    self.say(&format!("\n{words}"))?;
                    self.note("end", None, &words)?;
                }
                return self.prompt("Enter or q to end, b to go back, h for more\n> ");
            }
        };
        if std::mem::take(&mut self.question_shown) {
            return self.prompt("> ");
        }
        let question = render::question(self.session.instance(), test);
        if self.asked != Some(test) {
            self.note("ask", Some(test), &question)?;
        }
        (self.asked, self.end_shown) = (Some(test), false);
        let number = self.changing.unwrap_or(self.session.answers().len()) + 1;
        let choices = render::choices(&self.session, test, self.printer.width());
        let hint = command_hint(self.session.instance(), test);
        self.say(&format!("\n{number}. {question}\n{choices}{hint}"))?;
        self.prompt("> ")
    }

    /// Prints the prompt, on a terminal only.
    fn prompt(&self, text: &str) -> Result<(), Failure> {
        if self.interactive { self.say(text) } else { Ok(()) }
    }

    /// Prints and logs the state where the input ended before the session.
    pub(super) fn end(&mut self) -> Result<(), Failure> {
        if self.end_shown {
            return Ok(());
        }
        let words =
            format!("\nNot finished: {}.\n{}", render::spent(&self.session), render::left(&self.session));
        self.say(&words)?;
        self.note("end", None, &words)
    }

    /// Handles a line of input; returns true if it quits.
    pub(super) fn handle_line(&mut self, line: &str) -> Result<bool, Failure> {
        if !self.interactive {
            // A pipe does not echo its lines, so the transcript would lack them.
            self.say(&format!("> {}\n", printable(line)))?;
        }
        let input = match self.parse_line(line) {
            Ok(input) => input,
            Err(message) => {
                self.question_shown = true;
                self.say(&format!("  {}\n", printable(&message)))?;
                return Ok(false);
            }
        };
        match input {
            Input::Nothing => Ok(self.end_shown && line.is_empty() && self.interactive),
            Input::Reply(reply) => self.answer(reply).map(|()| false),
            Input::Facts(facts) => self.volunteer(facts).map(|()| false),
            Input::Command("q" | "quit", _) => Ok(true),
            Input::Command(command, rest) => {
                // Nothing changes, so the question is not repeated, unless the command says otherwise.
                self.question_shown = self.changing.is_none();
                if let Err(message) = self.run_command(command, rest)? {
                    self.say(&format!("  {}\n", printable(&message)))?;
                }
                Ok(false)
            }
        }
    }

    /// Test that an answer would belong to.
    fn current(&self) -> Option<TestId> {
        match (self.changing, self.session.step()) {
            (Some(at), _) => Some(self.session.answers()[at].test),
            (None, Step::Ask(test)) => Some(test),
            (None, Step::Done(_)) => None,
        }
    }

    /// Parses a line: exact names of answers first, then commands, then prefixes of names.
    fn parse_line<'l>(&self, line: &'l str) -> Result<Input<'l>, String> {
        let instance = self.session.instance();
        if line.is_empty() {
            return Ok(Input::Nothing);
        }
        if let Some(test) = self.current() {
            let labels = &instance.test(test).answers;
            // A missing cell may be an answer called `?`, which can be chosen by its number.
            if let Some(answer) = labels.find(line).filter(|_| line != "?") {
                return Ok(Input::Reply(Reply::is(fewest::AnswerId::at(answer))));
            }
            // A number is the measured value where the question is about one, and the number of an answer elsewhere.
            if let Some(measure) = &instance.test(test).measure
                && self.changing.is_none()
                && let Some(facts) = parse::measured_facts(instance, &measure.column, line)
            {
                return Ok(Input::Facts(facts));
            }
            let number = line.parse::<usize>().ok().filter(|_| !render::are_numbers(instance, test));
            if let Some(number) = number {
                let order = natural_order(instance.test(test));
                let answer = number.checked_sub(1).and_then(|at| order.get(at));
                return match answer {
                    Some(answer) => Ok(Input::Reply(Reply::is(*answer))),
                    None => Err(format!("there are answers 1 to {}", labels.len())),
                };
            }
            if line == "?" {
                return Ok(Input::Reply(Reply::Unknown));
            }
        }
        // Only where there is something to tell: elsewhere the letter begins the name of an answer.
        if !self.texts.is_empty() && ["i", "info", ":i", ":info"].contains(&line) {
            return Ok(Input::Command("info", ""));
        }
        if let Some(input) = command(line) {
            return Ok(input);
        }
        if line.contains('=') && (self.current().is_none() || parse::parse_facts(instance, line).is_ok()) {
            return parse::parse_facts(instance, line).map(Input::Facts).map_err(|error| error.to_string());
        }
        match self.current() {
            Some(test) => {
                let as_shown = |error| render::with_shown_answers(error, instance.test(test)).to_string();
                let reply = parse::parse_reply(instance, test, line).map_err(as_shown);
                let hint = |message: String| {
                    let of_fact = if line.contains('=') {
                        parse::parse_fact(instance, line).err().map(|error| error.to_string())
                    } else {
                        None
                    };
                    of_fact.unwrap_or(format!("{message}; h tells what else can be typed"))
                };
                reply.map(Input::Reply).map_err(hint)
            }
            None => Err(format!("nothing is asked; `{line}` is not a command: h lists them")),
        }
    }

    fn answer(&mut self, reply: Reply) -> Result<(), Failure> {
        let Some(test) = self.current() else {
            return self.say("  Nothing is asked any more; `change N` mends an answer.\n");
        };
        if let Some(at) = self.changing.take() {
            return self.change(at, reply);
        }
        let is_unknown = reply == Reply::Unknown;
        let before = if is_unknown { self.session.why(0).and_then(|why| why.remaining) } else { None };
        self.session.give(test, reply).map_err(Failure::wrong)?;
        let given = self.session.answers().last().cloned();
        let words = given.map_or_else(String::new, |given| render::fact(self.session.instance(), &given));
        self.note("answer", Some(test), &words)?;
        if !is_unknown {
            return self.tell_left();
        }
        let after = self.session.why(0).and_then(|why| why.remaining);
        self.say(&match (before, after) {
            (Some(before), Some(after)) => {
                let instance = self.session.instance();
                format!(
                    "  Fine. From here on: {} on average, where it was {}.\n",
                    render::cost(instance, after.cost),
                    wording::number(before.cost, 2)
                )
            }
            _ => "  Fine.\n".to_owned(),
        })
    }

    fn tell_left(&mut self) -> Result<(), Failure> {
        let goes_on = matches!(self.session.step(), Step::Ask(_));
        self.end_shown = false;
        if goes_on { self.say(&render::left(&self.session)) } else { Ok(()) }
    }

    fn volunteer(&mut self, facts: Vec<(TestId, Reply)>) -> Result<(), Failure> {
        let asked = self.current();
        for (test, reply) in facts {
            match asked == Some(test) {
                // A measured number that answers the question counts as its answer.
                true => self.session.give(test, reply).map_err(Failure::wrong)?,
                false => self.session.volunteer(test, reply).map_err(Failure::wrong)?,
            }
            let given = self.session.answers().iter().rev().find(|given| given.test == test).cloned();
            let words = given.map_or_else(String::new, |given| render::fact(self.session.instance(), &given));
            self.note("fact", Some(test), &words)?;
        }
        self.tell_left()
    }

    fn change(&mut self, at: usize, reply: Reply) -> Result<(), Failure> {
        let test = self.session.answers()[at].test;
        self.session.change(at, reply).map_err(Failure::wrong)?;
        let words = format!(
            "changed {}. {}",
            at + 1,
            render::fact(self.session.instance(), &self.session.answers()[at])
        );
        self.note("change", Some(test), &words)?;
        self.asked = None;
        self.say(&format!("  {words}; the other answers stay.\n"))?;
        self.tell_left()
    }

    /// Runs a command and returns what it prints, or what is wrong with it.
    fn run_command(&mut self, command: &str, rest: &str) -> Result<Result<(), String>, Failure> {
        let said = match command {
            "info" => Ok(match self.current() {
                Some(test) => render::info(self.session.instance(), test, self.texts),
                None => "  Nothing is asked any more.\n".to_owned(),
            }),
            "h" | "help" => Ok(HELP.to_owned()),
            "w" | "why" => Ok(self.session.why(4).map_or_else(
                || "  Nothing is asked any more.\n".to_owned(),
                |why| render::why(&self.session, &why),
            )),
            "c" | "candidates" => Ok(render::candidates(&self.session)),
            "a" | "answers" => Ok(render::answers(&self.session)),
            "x" | "explain" => self
                .named(rest)
                .map(|object| render::explanation(&self.session, &self.session.explain(object))),
            "d" | "differences" => {
                self.pair(rest).map(|(left, right)| render::differences(&self.session, left, right))
            }
            "if" => self.what_if(rest),
            "b" | "back" | "u" | "undo" | "withdraw" | "change" => return self.mend(command, rest),
            _ => Err(format!("`{command}` is not a command: h lists them")),
        };
        match said {
            Ok(text) => self.say(&text).map(Ok),
            Err(message) => Ok(Err(message)),
        }
    }

    fn mend(&mut self, command: &str, rest: &str) -> Result<Result<(), String>, Failure> {
        let count = self.session.answers().len();
        if count == 0 {
            return Ok(Err("nothing was said yet".to_owned()));
        }
        if self.changing.take().is_some() && command.starts_with('b') {
            self.question_shown = false;
            return self.say("  Left as it was.\n").map(Ok);
        }
        let (number, answer) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let at = match (command, number.parse::<usize>()) {
            ("b" | "back" | "u" | "undo", _) => count - 1,
            (_, Ok(number)) if (1..=count).contains(&number) => number - 1,
            _ => {
                return Ok(Err(format!(
                    "which one? {command} takes a number from 1 to {count}: a lists them"
                )));
            }
        };
        let test = self.session.answers()[at].test;
        self.question_shown = false;
        if command == "change" {
            if answer.is_empty() {
                self.changing = Some(at);
                return Ok(Ok(()));
            }
            return match parse::parse_reply(self.session.instance(), test, answer) {
                Ok(reply) => self.change(at, reply).map(Ok),
                Err(error) => {
                    self.question_shown = true;
                    Ok(Err(error.to_string()))
                }
            };
        }
        let given = self.session.remove(at).map_err(Failure::wrong)?;
        let words = format!("taken back: {}", render::fact(self.session.instance(), &given));
        self.note("withdraw", Some(test), &words)?;
        (self.asked, self.end_shown) = (None, false);
        self.say(&format!("  {words}\n")).map(Ok)
    }

    fn named(&self, name: &str) -> Result<ObjectId, String> {
        if name.is_empty() {
            return self
                .session
                .candidates()
                .first()
                .map(|one| one.object)
                .ok_or_else(|| "no object is possible; name one".to_owned());
        }
        parse::find_object(self.session.instance(), name).map_err(|error| error.to_string())
    }

    /// Parses two objects by name, separated by a comma; names may hold commas themselves.
    fn pair(&self, names: &str) -> Result<(ObjectId, ObjectId), String> {
        let instance = self.session.instance();
        if names.is_empty() {
            return match self.session.candidates()[..] {
                [left, right, ..] => Ok((left.object, right.object)),
                _ => Err("fewer than two objects are possible; name two, with a comma between".to_owned()),
            };
        }
        let cuts =
            names.match_indices(',').map(|(at, _)| at).chain(names.match_indices(' ').map(|(at, _)| at));
        let both = |at: usize| {
            let left = parse::find_object(instance, &names[..at]).ok()?;
            Some((left, parse::find_object(instance, &names[at + 1..]).ok()?))
        };
        cuts.into_iter().find_map(both).ok_or_else(|| match names.split_once(',') {
            Some((left, right)) => {
                let of = |name: &str| parse::find_object(instance, name).err().map(|error| error.to_string());
                of(left).or_else(|| of(right)).unwrap_or_default()
            }
            None => "name two objects, with a comma between".to_owned(),
        })
    }

    /// Runs `N ANSWER`: the state if answer N were another.
    fn what_if(&self, rest: &str) -> Result<String, String> {
        let count = self.session.answers().len();
        let (number, answer) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let at = number.parse::<usize>().ok().filter(|number| (1..=count).contains(number));
        let at = at.ok_or_else(|| format!("say `if N ANSWER` with a number from 1 to {count}"))? - 1;
        let test = self.session.answers()[at].test;
        let reply =
            parse::parse_reply(self.session.instance(), test, answer).map_err(|error| error.to_string())?;
        let other = self.session.what_if(test, reply).map_err(|error| error.to_string())?;
        Ok(match other.step() {
            Step::Ask(next) => {
                format!(
                    "{}  the next question would be: {}\n",
                    render::left(&other),
                    render::question(other.instance(), next)
                )
            }
            Step::Done(reason) => format!("  {}\n", render::done(&other, reason).trim()),
        })
    }
}

/// Hint for questions of which an answer has the name of a command.
fn command_hint(instance: &fewest::Instance, test: TestId) -> String {
    let clashing = |label: &&str| *label != "?" && command(label).is_some() && !label.starts_with(':');
    let names: Vec<&str> = instance.test(test).answers.iter().filter(clashing).collect();
    match names.first() {
        Some(first) => format!("   ({} means the answer here; :{first} is the command)\n", names.join(", ")),
        None => String::new(),
    }
}

/// Splits a line into a command and its arguments; a leading `:` tells it from an answer.
fn command(line: &str) -> Option<Input<'_>> {
    const ALONE: [&str; 16] = [
        "q",
        "quit",
        "w",
        "why",
        "c",
        "candidates",
        "a",
        "answers",
        "b",
        "back",
        "u",
        "undo",
        "h",
        "help",
        "x",
        "d",
    ];
    const WITH: [&str; 7] = ["x", "explain", "d", "differences", "change", "withdraw", "if"];
    let line = line.strip_prefix(':').unwrap_or(line);
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let known =
        if rest.is_empty() { ALONE.contains(&word) || WITH.contains(&word) } else { WITH.contains(&word) };
    known.then_some(Input::Command(word, rest.trim()))
}
