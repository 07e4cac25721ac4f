//! Reading of the table for a check, and its differences from the plain reading (no options).

use crate::args::{CheckArgs, TableArgs};
use crate::failure::{Failure, printable};
use crate::load::{Loaded, as_before, load, load_quietly};
use crate::print::Printer;
use fewest::{Identify, Instance, MissingCells, Named};
use fewest_formats::json::{Number, ReadingPart, text as text_of, tolerance_text};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Most names that are listed before the rest is counted.
const LISTED: usize = 5;

/// Differences of the checked reading from the plain reading, and from the reading that the file names.
#[derive(Debug, Default, Serialize)]
pub(super) struct Difference {
    differs: bool,
    /// Options taken from the file.
    from_file: Vec<String>,
    /// Options of the file that the call overrides.
    overruled: Vec<String>,
    left_out: LeftOut,
    /// Tests that the plain reading does not have.
    added_tests: Vec<String>,
    /// Error of the plain reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    plainly: Option<String>,
}

/// Parts of the table that the checked reading leaves out.
#[derive(Debug, Default, Serialize)]
struct LeftOut {
    tests: Vec<String>,
    objects: Vec<String>,
    priors: bool,
    groups: bool,
    /// Tests whose cost differs from that in the file.
    costs: Vec<CostPart>,
}

#[derive(Debug, Serialize)]
struct CostPart {
    test: String,
    file: Number,
    here: Number,
}

/// Reads the table by the options of the call and, for the others, by those of the file; returns the differences, too.
pub(super) fn read(
    args: &CheckArgs,
    saved: &ReadingPart,
    printer: &Printer,
) -> Result<(Loaded, Difference), Failure> {
    let given = &args.reading;
    let used = if args.own_reading { given.clone() } else { as_before(given, saved)? };
    let loaded = load(&args.table, &used, printer)?;
    let mut difference = Difference::default();
    let own_costs = match given.costs.is_some() || given.bundles.is_some() || saved.path_costs().is_none() {
        true => loaded.reading.path_costs_text(),
        // The table may give these costs itself; standard input cannot be read again.
        false if args.table == Path::new("-") => None,
        false => {
            let own = TableArgs { saved_costs: None, ..used.clone() };
            load_quietly(&args.table, &own, printer).ok().and_then(|own| own.reading.path_costs_text())
        }
    };
    let call = spelled_by_call(given, &loaded).into_iter().chain([own_costs]);
    let file = spelled_by_file(saved, &loaded).into_iter().chain([saved.path_costs_text()]);
    for (own, file) in call.zip(file) {
        match (own, file) {
            (own, file) if own == file => {}
            (None, Some(file)) if !args.own_reading => difference.from_file.push(file),
            (_, Some(file)) => difference.overruled.push(file),
            (Some(own), None) => difference.overruled.push(format!("no {own}")),
            (None, None) => {}
        }
    }
    difference.left_out.costs = other_costs(&loaded, saved);
    if !difference.from_file.is_empty() {
        difference.left_out.priors = saved.prior.is_some() && given.prior.is_none();
        let groups_are_given = given.identify.is_some() || !loaded.has_groups;
        difference.left_out.groups = !groups_are_given && loaded.instance.identify() == Identify::Objects;
    }
    // Standard input cannot be read again.
    if !difference.from_file.is_empty() && args.table != Path::new("-") {
        let mut plain = load_quietly(&args.table, given, printer);
        if let Err(failure) = plain {
            // Cells that the plain reading refuses may still belong to a test that counts.
            difference.plainly = Some(failure.message());
            let missing = used.missing.or(Some(MissingCells::Answer));
            let cells = TableArgs { missing, several: used.several.clone(), ..given.clone() };
            plain = load_quietly(&args.table, &cells, printer);
        }
        if let Ok(plain) = plain {
            difference.compare(&plain.instance, &loaded.instance);
        }
    }
    difference.differs = !difference.from_file.is_empty()
        || !difference.overruled.is_empty()
        || !difference.left_out.costs.is_empty();
    Ok((loaded, difference))
}

/// Options of the call, in a fixed order.
fn spelled_by_call(args: &TableArgs, loaded: &Loaded) -> Vec<Option<String>> {
    let identify = args.identify.map(|_| loaded.instance.identify().name().to_owned());
    spelled(&ReadingPart {
        object: args.object.clone(),
        transpose: args.transpose,
        group: args.group.clone(),
        group_rank: args.group_rank.clone(),
        without: args.without.iter().flat_map(|list| crate::load::listed(list)).collect(),
        premises: if args.costs.is_some() { loaded.reading.premises.clone() } else { BTreeMap::new() },
        prior: args.prior.clone(),
        ignore: args.ignore.clone(),
        tests: args.tests.as_ref().and(loaded.reading.tests.clone()),
        several: args.several.clone(),
        missing: Some(args.missing.unwrap_or_default().name().to_owned()),
        na: args.na.as_ref().map(|words| vec![words.clone()]),
        verbatim: Some(args.verbatim),
        numeric: Some(args.numeric.unwrap_or_default().to_string()),
        tolerance: args.tolerance.iter().map(tolerance_text).collect(),
        identify: usual_identify(identify, loaded),
        confirm: args.confirm,
        ..ReadingPart::default()
    })
}

/// Options of the file, in the same order.
fn spelled_by_file(saved: &ReadingPart, loaded: &Loaded) -> Vec<Option<String>> {
    let identify = usual_identify(saved.identify.clone(), loaded);
    let said =
        |own: &Option<String>, before: &str| Some(saved.said(own.as_deref(), before, "auto").to_owned());
    spelled(&ReadingPart {
        identify,
        missing: said(&saved.missing, "error"),
        numeric: said(&saved.numeric, "exact"),
        verbatim: Some(saved.is_verbatim()),
        ..saved.clone()
    })
}

/// `--identify` of the file, where it is not the default for the table.
fn usual_identify(identify: Option<String>, loaded: &Loaded) -> Option<String> {
    let usual = if loaded.has_groups { "groups" } else { "objects" };
    identify.filter(|identify| identify != usual)
}

/// Options as they are typed, without those at their default.
fn spelled(reading: &ReadingPart) -> Vec<Option<String>> {
    let ReadingPart {
        object,
        transpose,
        group,
        prior,
        ignore,
        tests,
        several,
        missing,
        na,
        verbatim,
        numeric,
        tolerance,
        identify,
        confirm,
        group_rank,
        without,
        premises,
        ..
    } = reading;
    let option = |name: &str, value: Option<&String>| value.map(|value| format!("{name} {value}"));
    let unlike = |value: &Option<String>, usual: &str| value.clone().filter(|value| value != usual);
    let listed = |names: &[String]| (!names.is_empty()).then(|| names.join(","));
    vec![
        option("--object", object.as_ref()),
        transpose.then(|| "--transpose".to_owned()),
        option("--group", unlike(group, "group").as_ref()),
        option("--prior", unlike(prior, "prior").as_ref()),
        option("--ignore", listed(ignore).as_ref()),
        tests.as_ref().map(|tests| format!("--tests {}", tests.join(","))),
        option("--several", several.as_ref()),
        option("--missing", unlike(missing, "auto").as_ref()),
        na.as_ref().map(|words| format!("--na {}", words.join(","))),
        (*verbatim == Some(true)).then(|| "--verbatim".to_owned()),
        option("--numeric", unlike(numeric, "auto").as_ref()),
        option("--tolerance", listed(tolerance).as_ref()),
        option("--identify", identify.as_ref()),
        confirm.then(|| "--confirm".to_owned()),
        option("--group-rank", group_rank.as_ref()),
        option("--without", listed(without).as_ref()),
        listed(&premises.iter().map(|(test, text)| format!("{test} only if {text}")).collect::<Vec<_>>())
            .map(|all| format!("premises ({all})")),
    ]
}

/// Tests whose cost here differs from that in the file.
fn other_costs(loaded: &Loaded, saved: &ReadingPart) -> Vec<CostPart> {
    let Some(costs) = &saved.costs else { return Vec::new() };
    let instance = &loaded.instance;
    let own = |test: &str| {
        loaded.reading.costs.as_ref().and_then(|costs| costs.get(test)).map_or(1.0, |cost| cost.0)
    };
    // Costs by answer are compared as one option.
    let by_answer = |test: &&str| {
        saved.answer_costs.contains_key(*test) || loaded.reading.answer_costs.contains_key(*test)
    };
    let tests = instance.test_ids().map(|test| instance.test(test).name.as_str());
    let tests = tests.filter(|test| !by_answer(test)).map(|test| (test, own(test)));
    let parts = tests.map(|(test, here)| {
        let file = costs.get(test).copied().unwrap_or(Number(1.0));
        CostPart { test: test.to_owned(), file, here: Number(here) }
    });
    let is_near = |part: &CostPart| (part.file.0 - part.here.0).abs() <= 1e-9 * part.here.0.abs();
    parts.filter(|part| !is_near(part)).collect()
}

impl Difference {
    pub(super) fn differs(&self) -> bool {
        self.differs
    }

    /// Records what only the plain reading has, and what only the checked one has.
    fn compare(&mut self, plain: &Instance, judged: &Instance) {
        let tests = |instance: &Instance| -> BTreeSet<String> {
            instance.test_ids().map(|test| instance.test(test).name.clone()).collect()
        };
        let objects = |instance: &Instance| -> BTreeSet<String> {
            let names = instance.objects().flat_map(|object| instance.object_names(object));
            names.map(str::to_owned).collect()
        };
        let missing = |all: BTreeSet<String>, some: &BTreeSet<String>| -> Vec<String> {
            all.into_iter().filter(|name| !some.contains(name)).collect()
        };
        self.left_out.tests = missing(tests(plain), &tests(judged));
        self.added_tests = missing(tests(judged), &tests(plain));
        self.left_out.objects = missing(objects(plain), &objects(judged));
    }

    /// Text that precedes the verdict on `what`: every difference of the readings.
    pub(super) fn words(&self, what: &str) -> String {
        let mut text = String::new();
        if !self.from_file.is_empty() {
            text += &format!(
                "this {what} was made from a reading of the table that {} ({}); what follows holds for that reading\n",
                self.parts().join(", "),
                printable(&self.from_file.join(" ")),
            );
        }
        if !self.overruled.is_empty() {
            text += &format!(
                "this {what} was made with {}; the table is read as the options here say, and what follows holds for that\n",
                printable(&self.overruled.join(" ")),
            );
        }
        if !self.left_out.costs.is_empty() {
            // As in JSON: as decimal text, 1e300 would have three hundred digits.
            let number = |number: Number| text_of(&number).unwrap_or_default();
            let cost = |part: &CostPart| {
                format!("`{}` {} there, {} here", part.test, number(part.file), number(part.here))
            };
            text += &format!(
                "this {what} was made with other costs ({}); what follows holds for those here\n",
                listed(&self.left_out.costs.iter().map(cost).collect::<Vec<_>>()),
            );
        }
        text
    }

    fn parts(&self) -> Vec<String> {
        let quoted = |names: &[String]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>();
        let some = |one: &str, names: &[String]| {
            let noun = if names.len() == 1 { one.to_owned() } else { format!("{one}s") };
            (!names.is_empty()).then(|| format!("the {noun} {}", listed(&quoted(names))))
        };
        let left_out = [
            some("test", &self.left_out.tests),
            some("object", &self.left_out.objects),
            self.left_out.groups.then(|| "the groups".to_owned()),
        ];
        let left_out: Vec<String> = left_out.into_iter().flatten().collect();
        let mut parts = Vec::new();
        if !left_out.is_empty() {
            parts.push(format!("leaves out {}", left_out.join(" and ")));
        }
        parts.extend(some("test", &self.added_tests).map(|tests| format!("has {} more", &tests[4..])));
        if self.left_out.priors {
            parts.push("takes other priors".to_owned());
        }
        if parts.is_empty() {
            parts.push("is not the plain one".to_owned());
        }
        parts
    }
}

/// First of `names`, and the number of others.
fn listed(names: &[String]) -> String {
    let shown = names.iter().take(LISTED).map(|name| printable(name)).collect::<Vec<_>>().join(", ");
    let more = names.len().saturating_sub(LISTED);
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}
