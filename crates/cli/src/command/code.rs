//! `fewest code`: codes of a distribution, and their expected lengths.

use super::short;
use crate::args::{CodeArgs, Probabilities};
use crate::failure::Failure;
use crate::print::Printer;
use crate::spell::flag;
use crate::wording;
use fewest::Table;
use fewest::measure::{ArithmeticCode, arithmetic_digits};
use fewest_formats::export::Report;
use fewest_formats::json::{Document, Number};
use fewest_formats::read::{ReadOptions, read_table};
use fewest_formats::text::{count, one_line};
use fewest_lab::coding::{Code, Sent, codes, entropies, send};
use serde::Serialize;
use std::path::Path;

/// Symbols whose code words are shown before the rest is counted.
const MAX_SYMBOLS: usize = 40;
/// Letters of a name before it is cut.
const NAME: usize = 30;

/// Distribution to code: symbols and their weights.
struct Symbols {
    title: String,
    names: Vec<String>,
    weights: Vec<f64>,
}

#[derive(Serialize)]
struct CodePart<'a> {
    name: &'a str,
    lengths: &'a [Option<u32>],
    mean: Number,
    kraft: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    exponential: Option<Number>,
    words: Vec<Option<String>>,
}

#[derive(Serialize)]
struct SentPart {
    symbols: usize,
    bits: usize,
    ideal_bits: Number,
    rate: Number,
    decoded: bool,
}

#[derive(Serialize)]
struct MessagePart<'a> {
    symbols: &'a [String],
    /// Number of digits that suffice when the number of symbols is known.
    digits: u64,
    /// Bits that the arithmetic coder writes.
    bits: String,
    decoded: bool,
}

pub(crate) fn run(args: &CodeArgs, printer: &Printer) -> Result<(), Failure> {
    let symbols = symbols(args, printer)?;
    let radix = usize::from(args.radix);
    let (entropy_bits, renyi_bits) = entropies(&symbols.weights, args.lambda);
    let codes = codes(&symbols.weights, radix, args.lambda);
    let sent = send(&symbols.weights, args.longest as usize, printer.seed).unwrap_or_default();
    let asked: Option<Vec<String>> =
        args.message.as_ref().map(|text| text.split(',').map(|part| part.trim().to_owned()).collect());
    let message = asked.as_deref().map(|asked| message(&symbols, asked, radix)).transpose()?;
    let json = |out: &mut dyn std::io::Write| {
        let mut document = Document::begin(out)?;
        document.field("symbols", &symbols.names)?;
        document.field("radix", &radix)?;
        document.field("entropy_bits", &Number(entropy_bits))?;
        if let (Some(lambda), Some(bits)) = (args.lambda, renyi_bits) {
            document.field("lambda", &Number(lambda.value()))?;
            document.field("renyi_bits", &Number(bits))?;
        }
        document.list("codes", codes.iter().map(code_part))?;
        document.list("arithmetic", sent.iter().map(sent_part))?;
        if let Some(message) = &message {
            document.field("message", message)?;
        }
        document.end()
    };
    let mut text = format!(
        "{}: {}, entropy {} bits",
        symbols.title,
        count(symbols.names.len(), "symbol"),
        wording::number(entropy_bits, 4)
    );
    if radix != 2 {
        let letters = entropy_bits / (radix as f64).log2();
        text += &format!(" = {} letters of {radix}", wording::number(letters, 4));
    }
    text += "\n\n";
    let mut report = Report { title: format!("{}: codes", symbols.title), blocks: Vec::new() };
    report.words(text);
    words(&symbols, &codes, printer.is_short(), &mut report);
    figures(&codes, renyi_bits, &mut report);
    rates(&sent, entropy_bits, &mut report);
    if let Some(message) = &message {
        report.words(format!(
            "\nmessage {}: {} of {radix} suffice when its length is known; coded {} ({}, decoded {})\n",
            message.symbols.join(" "),
            count(message.digits as usize, "letter"),
            if message.bits.is_empty() { "–" } else { &message.bits },
            count(message.bits.len(), "bit"),
            if message.decoded { "again" } else { "wrongly" },
        ));
    }
    printer.publish(report, json, None)
}

fn symbols(args: &CodeArgs, printer: &Printer) -> Result<Symbols, Failure> {
    match (&args.probs, &args.table) {
        (Some(Probabilities(weights)), _) => Ok(Symbols {
            title: "--probs".to_owned(),
            names: (1..=weights.len()).map(|number| number.to_string()).collect(),
            weights: with_a_finite_sum(weights.clone()),
        }),
        (None, Some(path)) => {
            let symbols = of_table(args, path, printer)?;
            Ok(Symbols { weights: with_a_finite_sum(symbols.weights), ..symbols })
        }
        (None, None) => Err(Failure::wrong("name a table, or give weights with --probs 0.5,0.3,0.2")),
    }
}

/// Scales weights by a power of two where their sum would overflow; no digit changes.
fn with_a_finite_sum(mut weights: Vec<f64>) -> Vec<f64> {
    if weights.iter().copied().fold(0.0, f64::max) > 1e280 {
        weights.iter_mut().for_each(|weight| *weight *= 2f64.powi(-128));
    }
    weights
}

fn of_table(args: &CodeArgs, path: &Path, printer: &Printer) -> Result<Symbols, Failure> {
    let source = printer.source(path)?;
    let options = ReadOptions { object: args.object.clone(), ..ReadOptions::default() };
    let (table, warnings) =
        read_table(source, &options).map_err(|error| Failure::wrong(error.words(flag)))?;
    warnings.iter().for_each(|warning| printer.say(warning.is_note(), &warning.words(flag)));
    if table.objects.is_empty() {
        return Err(Failure::wrong(format!(
            "{source}: there are no rows; a distribution has at least one symbol"
        )));
    }
    let weights = priors(&table, args).map_err(|problem| Failure::wrong(format!("{source}: {problem}")))?;
    let title = short(&source.to_string());
    let Some(name) = &args.column else {
        return Ok(Symbols { title, names: table.objects.iter().map(str::to_owned).collect(), weights });
    };
    let column = table.column(name).ok_or_else(|| {
        let known: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).take(12).collect();
        Failure::wrong(format!(
            "{source}: --column `{name}`: there is no such column; the columns are `{}`",
            known.join("`, `")
        ))
    })?;
    let mut sums = vec![0.0; column.labels.len()];
    column.codes.iter().zip(&weights).for_each(|(code, weight)| sums[code as usize] += weight);
    let title = format!("{title}, column {}", one_line(name, NAME));
    Ok(Symbols { title, names: column.labels.iter().map(str::to_owned).collect(), weights: sums })
}

/// Weight of each object: its prior, or 1.
fn priors(table: &Table, args: &CodeArgs) -> Result<Vec<f64>, String> {
    let name = args.prior.as_deref().unwrap_or("prior");
    let Some(column) = table.column(name) else {
        return match &args.prior {
            Some(name) => Err(format!("--prior `{name}`: there is no such column")),
            None => Ok(vec![1.0; table.objects.len()]),
        };
    };
    let mut weights = Vec::with_capacity(table.objects.len());
    for (at, code) in column.codes.iter().enumerate() {
        let text = column.labels.get(code as usize);
        match text.parse::<f64>() {
            Ok(weight) if weight.is_finite() && weight >= 0.0 => weights.push(weight),
            _ => {
                let row = table.row_of(fewest::ObjectId::at(at));
                return Err(format!(
                    "row {row}, column `{name}`: `{text}` is no prior; a prior is a number ≥ 0"
                ));
            }
        }
    }
    match weights.iter().any(|weight| *weight > 0.0) {
        true => Ok(weights),
        false => Err(format!("column `{name}`: all priors are 0; at least one must be above")),
    }
}

fn message<'a>(symbols: &Symbols, asked: &'a [String], radix: usize) -> Result<MessagePart<'a>, Failure> {
    let total: f64 = symbols.weights.iter().sum();
    let number = |name: &String| {
        let place = symbols.names.iter().position(|other| other == name);
        let place = place.filter(|at| symbols.weights[*at] / total > 0.0);
        place.ok_or_else(|| Failure::wrong(format!("--message: `{name}` is not one of the symbols")))
    };
    let numbers = asked.iter().map(number).collect::<Result<Vec<_>, _>>()?;
    let bits = ArithmeticCode::new(&symbols.weights).and_then(|code| {
        let bits = code.encode(&numbers)?;
        let decoded = code.decode(&bits, numbers.len()) == numbers;
        Some((bits.iter().map(|bit| if *bit { '1' } else { '0' }).collect(), decoded))
    });
    let (bits, decoded) = bits.unwrap_or_default();
    let digits = arithmetic_digits(numbers.iter().map(|at| symbols.weights[*at] / total), radix);
    Ok(MessagePart { symbols: asked, digits, bits, decoded })
}

/// Code word as text.
fn word_text(word: &[u8]) -> String {
    word.iter().map(|digit| char::from_digit(u32::from(*digit), 36).unwrap_or('?')).collect()
}

fn code_part(code: &Code) -> CodePart<'_> {
    CodePart {
        name: code.name,
        lengths: &code.lengths,
        mean: Number(code.mean),
        kraft: Number(code.kraft),
        exponential: code.exponential.map(Number),
        words: code.words.iter().map(|word| word.as_deref().map(word_text)).collect(),
    }
}

fn sent_part(sent: &Sent) -> SentPart {
    SentPart {
        symbols: sent.symbols,
        bits: sent.bits,
        ideal_bits: Number(sent.ideal_bits),
        rate: Number(sent.bits as f64 / sent.symbols as f64),
        decoded: sent.is_decoded,
    }
}

/// Table of code words: one line per symbol, one column per code.
fn words(symbols: &Symbols, codes: &[Code], is_short: bool, report: &mut Report) {
    let most = if is_short { MAX_SYMBOLS } else { usize::MAX };
    let total: f64 = symbols.weights.iter().sum();
    let row = |at: usize| {
        let mut row =
            vec![one_line(&symbols.names[at], NAME), wording::number(symbols.weights[at] / total, 4)];
        row.extend(codes.iter().map(|code| match &code.words[at] {
            None => "no word".to_owned(),
            Some(word) if word.is_empty() => "(empty)".to_owned(),
            // An invisible letter in front aligns the words to the left.
            Some(word) => format!("\u{200b}{}", one_line(&word_text(word), NAME)),
        }));
        row
    };
    let rows: Vec<Vec<String>> = (0..symbols.names.len()).take(most).map(row).collect();
    let mut header = vec!["symbol", "share"];
    header.extend(codes.iter().map(|code| code.name));
    report.table(&header, rows);
    if symbols.names.len() > most {
        report
            .words(format!("  … and {} (all in --json)\n", count(symbols.names.len() - most, "more symbol")));
    }
}

fn figures(codes: &[Code], renyi_bits: Option<f64>, report: &mut Report) {
    let row = |code: &Code| {
        let longest = code.lengths.iter().flatten().max().copied().unwrap_or(0);
        let mut row = vec![
            code.name.to_owned(),
            wording::number(code.mean, 4),
            longest.to_string(),
            wording::number(code.kraft, 4),
        ];
        row.extend(code.exponential.map(|exponential| wording::number(exponential, 4)));
        row
    };
    let mut header = vec!["code", "mean length", "longest", "Kraft sum"];
    let mut text = String::from("\n");
    if let Some(bits) = renyi_bits {
        header.push("exponential");
        text += &format!("no code's exponential length is below {} bits\n", wording::at_least(bits, 4));
    }
    report.words(text);
    report.table(&header, codes.iter().map(row).collect());
}

/// Table of arithmetic coding: letters per symbol approach the entropy as messages grow.
fn rates(sent: &[Sent], entropy_bits: f64, report: &mut Report) {
    if sent.is_empty() {
        return;
    }
    let row = |sent: &Sent| {
        let rate = sent.bits as f64 / sent.symbols as f64;
        vec![
            sent.symbols.to_string(),
            sent.bits.to_string(),
            wording::number(rate, 4),
            wording::number(rate - entropy_bits, 4),
            wording::number(sent.ideal_bits, 1),
            if sent.is_decoded { "yes" } else { "no" }.to_owned(),
        ]
    };
    let header =
        ["symbols sent", "bits", "bits a symbol", "above the entropy", "their information", "decoded"];
    report.words("\narithmetic coding of random messages:\n");
    report.table(&header, sent.iter().map(row).collect());
}
