//! `fewest inspect` with `--target`, `--divergence` or `--against`: figures of information about columns of data.

use crate::args::InspectArgs;
use crate::command::short;
use crate::failure::Failure;
use crate::load::names;
use crate::print::Printer;
use crate::spell::flag;
use crate::wording;
use fewest::learn::{
    Divergence, Examples, ExamplesError, Field, MISSING, Preparation, Relation, Target, Values, divergence,
    relate,
};
use fewest_formats::export::Report;
use fewest_formats::json::{Document, InstancePart, Number};
use fewest_formats::plot::{Bar, bars_svg};
use fewest_formats::read::{Data, Source, read_data};
use fewest_formats::text::{count, one_line};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

/// Columns in the ranking before the rest is counted.
const RANKED: usize = 40;
/// Letters of a name before it is cut.
const NAME: usize = 40;
/// Columns of the longest bar.
const BAR: f64 = 20.0;

pub(super) fn is_asked_for(args: &InspectArgs) -> bool {
    args.target.is_some() || args.divergence.is_some() || args.against.is_some()
}

pub(super) fn run(args: &InspectArgs, printer: &Printer) -> Result<(), Failure> {
    if let Some(other) = &args.against {
        printer.reads(other)?;
    }
    let data = read(&args.table, args, printer)?;
    match (&args.target, &args.divergence, &args.against) {
        (Some(target), _, _) => about_target(args, data, target, printer),
        (_, Some(pair), _) => between_columns(args, &data, pair, printer),
        (_, _, Some(other)) => between_files(args, &data, other, printer),
        _ => Ok(()),
    }
}

fn read(path: &Path, args: &InspectArgs, printer: &Printer) -> Result<Data, Failure> {
    let object = args.reading.object.as_deref().unwrap_or("object");
    read_data(printer.source(path)?, object, &args.reading.ignore)
        .map_err(|error| Failure::wrong(error.words(flag)))
}

#[derive(Serialize)]
struct RelationPart<'a> {
    name: &'a str,
    answers: usize,
    entropy_bits: Number,
    joint_bits: Number,
    target_given_test_bits: Number,
    test_given_target_bits: Number,
    information_bits: Number,
    chi2: Number,
    dof: u64,
    p_value: Number,
}

/// Prints the information of every column about `target`.
fn about_target(args: &InspectArgs, data: Data, target: &str, printer: &Printer) -> Result<(), Failure> {
    let source = Source::of_argument(&args.table);
    let examples = examples(args, data, target, source, printer)?;
    let mut relations = relate(&examples, usize::from(args.ranges));
    let field_name = |relation: &Relation| examples.fields()[relation.field].name.as_str();
    let bits = fewest::measure::entropy_bits(
        examples.class_weights(&examples.rows()).into_iter(),
        examples.rows().iter().map(|row| examples.weight(*row as usize)).sum(),
    );
    let unsorted = relations.clone();
    let json = |out: &mut dyn Write| write_json(out, &examples, &unsorted, target, bits);
    relations.sort_by(|left, right| {
        let information = |relation: &Relation| relation.joint.information_bits;
        information(right).total_cmp(&information(left)).then(left.field.cmp(&right.field))
    });
    let title = format!("{}: what each column says of {target}", short(&source.to_string()));
    let picture = || {
        let bar = |relation| Bar { name: field_name(relation), value: relation.joint.information_bits };
        bars_svg(&title, "bits", &relations.iter().map(bar).collect::<Vec<_>>())
    };
    let mut report = Report { title: title.clone(), blocks: Vec::new() };
    report.words(format!(
        "{}: {}, entropy of `{}`: {} bits\n\n",
        short(&source.to_string()),
        count(examples.len(), "row"),
        one_line(target, NAME),
        wording::number(bits, 4)
    ));
    ranking(&relations, field_name, printer.is_short(), &mut report);
    printer.publish(report, json, Some(&picture))
}

/// Converts the data to labelled examples of `target`.
fn examples(
    args: &InspectArgs,
    data: Data,
    target: &str,
    source: Source<'_>,
    printer: &Printer,
) -> Result<Examples, Failure> {
    let wrong = |error: ExamplesError| Failure::wrong(format!("{source}: {}", error.words(flag)));
    let header: Vec<&str> = data.header.iter().map(String::as_str).collect();
    let parsed = Target::parse(target, &header).map_err(wrong)?;
    let preparation = Preparation {
        prior: args.reading.prior.clone(),
        tests: args.reading.tests.as_deref().map(|text| names(text, printer)).transpose()?,
        ..Preparation::default()
    };
    let (examples, _) = Examples::new(data.fields, &parsed, &preparation).map_err(wrong)?;
    Ok(examples)
}

/// Writes the figures of every column, in the order of the table.
fn write_json(
    out: &mut dyn Write,
    examples: &Examples,
    relations: &[Relation],
    target: &str,
    bits: f64,
) -> std::io::Result<()> {
    let instance = InstancePart {
        objects: examples.len(),
        rows: examples.len(),
        tests: examples.fields().len(),
        groups: examples.classes().len(),
        identify: "groups".to_owned(),
        confirm: false,
        conditional: 0,
        entropy_bits: Number(bits),
    };
    let relation_part = |relation: &Relation| RelationPart {
        name: examples.fields()[relation.field].name.as_str(),
        answers: relation.answers,
        entropy_bits: Number(relation.joint.lines_bits),
        joint_bits: Number(relation.joint.joint_bits),
        target_given_test_bits: Number(relation.joint.columns_given_lines_bits()),
        test_given_target_bits: Number(relation.joint.lines_given_columns_bits()),
        information_bits: Number(relation.joint.information_bits),
        chi2: Number(relation.chi_squared.statistic),
        dof: relation.chi_squared.degrees_of_freedom,
        p_value: Number(relation.chi_squared.p_value),
    };
    let mut document = Document::begin(out)?;
    document.field("instance", &instance)?;
    document.field("target", target)?;
    document.field("target_bits", &Number(bits))?;
    document.list("tests", relations.iter().map(relation_part))?;
    document.end()
}

fn ranking<'a>(
    relations: &'a [Relation],
    name: impl Fn(&'a Relation) -> &'a str,
    is_short: bool,
    report: &mut Report,
) {
    let shown = if is_short { RANKED } else { usize::MAX };
    let most = relations.first().map_or(0.0, |relation| relation.joint.information_bits);
    let row = |relation: &'a Relation| {
        let joint = &relation.joint;
        let bar = if most > 0.0 { (joint.information_bits / most * BAR).round() as usize } else { 0 };
        vec![
            one_line(name(relation), NAME),
            relation.answers.to_string(),
            wording::number(joint.lines_bits, 4),
            wording::number(joint.joint_bits, 4),
            wording::number(joint.columns_given_lines_bits(), 4),
            wording::number(joint.information_bits, 4),
            wording::number(relation.chi_squared.statistic, 2),
            format!("{:.2e}", relation.chi_squared.p_value),
            "█".repeat(bar),
        ]
    };
    let rows: Vec<Vec<String>> = relations.iter().take(shown).map(row).collect();
    let header = [
        "column",
        "answers",
        "entropy",
        "joint",
        "target given it",
        "information",
        "χ²",
        "p-value",
        "information",
    ];
    report.table(&header, rows);
    if relations.len() > shown {
        report.words(format!("  … and {} (all in --json)\n", count(relations.len() - shown, "more column")));
    }
}

/// Distribution of a column: weight of each value.
fn distribution(data: &Data, name: &str, args: &InspectArgs) -> Option<BTreeMap<String, f64>> {
    let prior = args.reading.prior.as_deref().unwrap_or("prior");
    let weights =
        data.fields.iter().find(|field| field.name == prior).and_then(|field| match &field.values {
            Values::Numbers(values) => Some(values.clone()),
            Values::Words { labels, codes } => {
                codes.iter().map(|code| labels.get(*code as usize).parse::<f64>().ok()).collect()
            }
        });
    let field = data.fields.iter().find(|field| field.name == name)?;
    let mut words: BTreeMap<String, f64> = BTreeMap::new();
    for row in 0..field.len() {
        let weight = weights.as_ref().map_or(1.0, |weights| weights[row].max(0.0));
        if let Some(word) = word(field, row)
            && weight > 0.0
        {
            *words.entry(word).or_default() += weight;
        }
    }
    Some(words)
}

fn word(field: &Field, row: usize) -> Option<String> {
    match &field.values {
        Values::Numbers(values) => (!values[row].is_nan()).then(|| values[row].to_string()),
        Values::Words { codes, .. } if codes[row] == MISSING => None,
        Values::Words { labels, codes } => Some(labels.get(codes[row] as usize).to_owned()),
    }
}

#[derive(Serialize)]
struct DivergencePart<'a> {
    from: &'a str,
    to: &'a str,
    divergence_bits: Number,
    backward_bits: Number,
}

fn between_columns(args: &InspectArgs, data: &Data, pair: &str, printer: &Printer) -> Result<(), Failure> {
    let source = Source::of_argument(&args.table);
    let Some((from, to)) = pair.split_once(',').map(|(from, to)| (from.trim(), to.trim())) else {
        return Err(Failure::wrong(
            "--divergence takes two columns by comma, such as --divergence before,after",
        ));
    };
    let of = |name: &str| {
        distribution(data, name, args).filter(|words| !words.is_empty()).ok_or_else(|| {
            let known = data.header.join("`, `");
            Failure::wrong(format!(
                "{source}: --divergence `{name}`: no such column with values; the columns are `{known}`"
            ))
        })
    };
    let apart = divergence(&of(from)?, &of(to)?);
    show(args, &[(from.to_owned(), to.to_owned(), apart)], printer)
}

fn between_files(args: &InspectArgs, data: &Data, other: &Path, printer: &Printer) -> Result<(), Failure> {
    let second = read(other, args, printer)?;
    let prior = args.reading.prior.as_deref().unwrap_or("prior");
    let shared = data.fields.iter().filter(|field| field.name != prior).filter_map(|field| {
        let p = distribution(data, &field.name, args).filter(|words| !words.is_empty())?;
        let q = distribution(&second, &field.name, args).filter(|words| !words.is_empty())?;
        Some((field.name.clone(), field.name.clone(), divergence(&p, &q)))
    });
    let shared: Vec<(String, String, Divergence)> = shared.collect();
    if shared.is_empty() {
        return Err(Failure::wrong(format!(
            "{}: no column of {} is in both files; columns are matched by their names",
            other.display(),
            args.table.display()
        )));
    }
    show(args, &shared, printer)
}

fn show(
    args: &InspectArgs,
    found: &[(String, String, Divergence)],
    printer: &Printer,
) -> Result<(), Failure> {
    let json = |out: &mut dyn Write| {
        let part = |(from, to, apart): &(String, String, Divergence)| {
            fewest_formats::json::text(&DivergencePart {
                from,
                to,
                divergence_bits: Number(apart.forward_bits),
                backward_bits: Number(apart.backward_bits),
            })
        };
        let items = found.iter().map(part).collect::<Result<Vec<_>, _>>()?.join(",\n    ");
        let version = fewest_formats::json::VERSION;
        write!(out, "{{\n  \"version\": {version},\n  \"divergences\": [\n    {items}]\n}}\n")
    };
    let bits = |value: f64| if value.is_finite() { wording::number(value, 4) } else { "inf".to_owned() };
    let rows: Vec<Vec<String>> = found
        .iter()
        .map(|(from, to, apart)| {
            vec![
                one_line(from, NAME),
                one_line(to, NAME),
                bits(apart.forward_bits),
                bits(apart.backward_bits),
            ]
        })
        .collect();
    let finite = found.iter().filter(|(_, _, apart)| apart.forward_bits.is_finite());
    let bars: Vec<Bar<'_>> =
        finite.map(|(from, _, apart)| Bar { name: from, value: apart.forward_bits }).collect();
    let title = format!("{}: divergence of distributions", short(&args.table.display().to_string()));
    let mut report = Report { title: title.clone(), blocks: Vec::new() };
    report.table(&["p", "q", "KL(p‖q) in bits", "KL(q‖p) in bits"], rows);
    printer.publish(report, json, Some(&|| bars_svg(&title, "bits", &bars)))
}
