//! `fewest reproduce`: the papers' figures and examples, and studies beyond them, as files.

use crate::args::{FigureArg, ReproduceArgs, TableArgs};
use crate::failure::Failure;
use crate::load::load;
use crate::print::Printer;
use crate::progress::ProgressLine;
use fewest_formats::json::{Document, Number};
use fewest_formats::study::{self, Exhibit, Measured, Store, StoreError};
use fewest_lab::study::{
    DecTreeStudy, ExponentialStudy, GroupStudy, PriorStudy, RealStudy, RealTable, Study, measure,
};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// File of finished cells, in the output folder.
const CELLS: &str = "cells.jsonl";
/// Default tables of `real`.
const TABLES: [&str; 4] =
    ["examples/zoo.csv", "examples/lenses.csv", "examples/printer.csv", "examples/tables"];

/// All figures, in the order of the report.
const ALL: [FigureArg; 7] = [
    FigureArg::Toy,
    FigureArg::Dfep,
    FigureArg::Figure5,
    FigureArg::Figure6,
    FigureArg::Figure7,
    FigureArg::Prior,
    FigureArg::Real,
];

#[derive(Serialize)]
struct Made<'a> {
    name: &'a str,
    title: &'a str,
    says: &'a [String],
    files: &'a [PathBuf],
}

#[derive(Serialize)]
struct Row<'a> {
    study: &'a str,
    cell: BTreeMap<&'static str, String>,
    series: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<Number>,
    mean: Number,
    standard_error: Option<Number>,
    n: u32,
}

pub(crate) fn run(args: &ReproduceArgs, printer: &Printer) -> Result<(), Failure> {
    let mut wanted = if args.what == FigureArg::All { ALL.to_vec() } else { vec![args.what] };
    if !args.tables.is_empty() && !wanted.contains(&FigureArg::Real) {
        return Err(Failure::wrong("--tables is for `reproduce real` and `reproduce all`; leave it out"));
    }
    let tables = if wanted.contains(&FigureArg::Real) { tables(args, printer)? } else { Vec::new() };
    if tables.is_empty() {
        wanted.retain(|figure| *figure != FigureArg::Real);
    }
    let studies: Vec<(FigureArg, Vec<Box<dyn Study>>)> =
        wanted.iter().map(|figure| (*figure, studies(*figure, args, &tables))).collect();
    std::fs::create_dir_all(&args.out)
        .map_err(|error| Failure::wrong(format!("cannot make the folder {}: {error}", args.out.display())))?;
    let cells = args.out.join(CELLS);
    printer.writes("--out", &cells)?;
    let mut store = Store::open(&cells).map_err(|error| match error {
        StoreError::Io(error) => Failure::writing(&cells.display().to_string(), &error),
        line @ StoreError::Line { .. } => Failure::wrong(format!("{}: {line}", cells.display())),
    })?;
    let mut measurement = Measurement {
        seed: printer.seed,
        cells: &cells,
        store: &mut store,
        line: ProgressLine::new(printer.quiet, None),
        done: 0,
        run: 0,
        all: studies.iter().flat_map(|(_, studies)| studies).map(|study| study.cells().len()).sum(),
    };
    let (mut exhibits, mut files, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    for (figure, studies) in &studies {
        let measured =
            studies.iter().map(|study| measurement.measure(study.as_ref())).collect::<Result<Vec<_>, _>>()?;
        let exhibit = exhibit(*figure, &measured, &command(*figure, args, printer.seed));
        files.push(write(&exhibit, &args.out, printer)?);
        rows.push(measured);
        exhibits.push(exhibit);
    }
    drop(measurement);
    let report = (args.what == FigureArg::All).then(|| args.out.join("report.html"));
    if let Some(path) = &report {
        printer.save(path, |out| out.write_all(study::report(&exhibits).as_bytes()))?;
    }
    let made: Vec<(&Exhibit, &[PathBuf])> = exhibits.iter().zip(files.iter().map(Vec::as_slice)).collect();
    match printer.wants_json() {
        true => print_json(&made, &rows, report.as_deref(), printer),
        false => print_text(&made, report.as_deref(), printer),
    }
}

/// Prints the exhibits with their files, and every measured cell.
fn print_json(
    made: &[(&Exhibit, &[PathBuf])],
    measured: &[Vec<Measured<'_>>],
    report: Option<&Path>,
    printer: &Printer,
) -> Result<(), Failure> {
    printer.bytes_to_output(|out| {
        let mut document = Document::begin(out)?;
        document.field("seed", &printer.seed)?;
        let made = made.iter().map(|(exhibit, files)| Made {
            name: exhibit.name,
            title: &exhibit.title,
            says: &exhibit.says,
            files,
        });
        document.list("figures", made)?;
        document.list("rows", measured.iter().flatten().flat_map(rows_of))?;
        if let Some(path) = report {
            document.field("report", path)?;
        }
        document.end()
    })
}

/// Prints the text of the exhibits, and the files that were saved.
fn print_text(
    made: &[(&Exhibit, &[PathBuf])],
    report: Option<&Path>,
    printer: &Printer,
) -> Result<(), Failure> {
    let mut text = String::new();
    for (exhibit, files) in made {
        text += &format!("\x1b[1m{}\x1b[0m\n", exhibit.title);
        for words in &exhibit.says {
            text += &fewest_formats::text::wrap_indented(words, printer.width().min(100));
        }
        text += &format!("Saved {}.\n\n", names(files));
    }
    if let Some(path) = report {
        text += &format!("Saved {}: all of it on one page.\n\n", path.display());
    }
    printer.text_to_output(text.strip_suffix('\n').unwrap_or(&text))
}

/// Command that makes this figure alone.
fn command(figure: FigureArg, args: &ReproduceArgs, seed: u64) -> String {
    let name = clap::ValueEnum::to_possible_value(&figure)
        .map_or(String::new(), |value| value.get_name().to_owned());
    let mut command = format!("fewest reproduce {name}");
    let measures = !matches!(figure, FigureArg::Toy | FigureArg::Figure5 | FigureArg::Real);
    if measures {
        command += &format!(" --datasets {} --seed {seed}", args.datasets);
    }
    if figure == FigureArg::Real && !args.tables.is_empty() {
        command += " --tables …";
    }
    command
}

/// Studies that a figure shows.
fn studies(figure: FigureArg, args: &ReproduceArgs, tables: &[RealTable]) -> Vec<Box<dyn Study>> {
    let datasets = args.datasets;
    match figure {
        FigureArg::Figure6 => vec![
            Box::new(GroupStudy { datasets, ..GroupStudy::default() }),
            Box::new(GroupStudy::small(datasets)),
        ],
        FigureArg::Figure7 => vec![
            Box::new(ExponentialStudy { datasets, ..ExponentialStudy::default() }),
            Box::new(ExponentialStudy::small(datasets)),
        ],
        FigureArg::Dfep => vec![Box::new(DecTreeStudy { datasets })],
        FigureArg::Prior => vec![Box::new(PriorStudy { datasets })],
        FigureArg::Real => vec![Box::new(RealStudy { tables: tables.to_vec(), time: args.time })],
        FigureArg::Figure5 | FigureArg::Toy | FigureArg::All => Vec::new(),
    }
}

fn exhibit(figure: FigureArg, measured: &[Measured<'_>], command: &str) -> Exhibit {
    match (figure, measured) {
        (FigureArg::Figure6, [full, small]) => study::figure6(full, small, command),
        (FigureArg::Figure7, [full, small]) => study::figure7(full, small, command),
        (FigureArg::Dfep, [measured]) => study::dfep(measured, command),
        (FigureArg::Prior, [measured]) => study::prior(measured, command),
        (FigureArg::Real, [measured]) => study::real(measured, command),
        (FigureArg::Figure5, _) => study::densities(command),
        _ => study::toy(command),
    }
}

/// Progress of the measurement: finished cells come from the store, others are run.
struct Measurement<'a> {
    seed: u64,
    cells: &'a Path,
    store: &'a mut Store,
    line: ProgressLine,
    done: usize,
    run: usize,
    all: usize,
}

impl Measurement<'_> {
    fn measure<'b>(&mut self, study: &'b dyn Study) -> Result<Measured<'b>, Failure> {
        let mut values = Vec::new();
        for at in 0..study.cells().len() {
            self.line.steps(study.name(), self.done, self.all, self.run);
            let known = self.store.find(study, at, self.seed);
            let found = match known {
                Some(values) => values,
                None => {
                    let values = measure(study, at, self.seed)
                        .map_err(|error| Failure::wrong(format!("{}: {error}", study.name())))?;
                    self.store
                        .keep(study, at, self.seed, &values)
                        .map_err(|error| Failure::writing(&self.cells.display().to_string(), &error))?;
                    self.run += 1;
                    values
                }
            };
            self.done += 1;
            values.push(found);
        }
        Ok(Measured { study, values })
    }
}

/// Kinds of picture that this build can draw.
const PICTURES: &[&str] = if cfg!(feature = "png") { &["svg", "png"] } else { &["svg"] };

/// Writes all files of an exhibit.
fn write(exhibit: &Exhibit, folder: &Path, printer: &Printer) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for (stem, csv) in &exhibit.tables {
        let path = folder.join(format!("{stem}.csv"));
        printer.save(&path, |out| out.write_all(csv.as_bytes()))?;
        files.push(path);
    }
    for picture in &exhibit.pictures {
        for kind in PICTURES {
            let path = folder.join(format!("{}.{kind}", picture.stem));
            printer.save_picture(&path, &picture.svg)?;
            files.push(path);
        }
    }
    let path = folder.join(format!("{}.md", exhibit.name));
    printer.save(&path, |out| out.write_all(exhibit.markdown().as_bytes()))?;
    files.push(path);
    Ok(files)
}

fn names(files: &[PathBuf]) -> String {
    files.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

fn rows_of<'a>(measured: &'a Measured<'_>) -> impl Iterator<Item = Row<'a>> {
    let cells = measured.study.cells();
    measured.values.iter().zip(cells).flat_map(move |(values, cell)| {
        values.iter().map(move |value| Row {
            study: measured.study.name(),
            cell: cell.iter().cloned().collect(),
            series: &value.series,
            at: value.at.map(Number),
            mean: Number(value.estimate.mean),
            standard_error: value.estimate.standard_error.map(Number),
            n: value.estimate.n,
        })
    })
}

/// Tables of `real`: those named, or the examples where they exist.
fn tables(args: &ReproduceArgs, printer: &Printer) -> Result<Vec<RealTable>, Failure> {
    let given = !args.tables.is_empty();
    let places: Vec<PathBuf> = match given {
        true => args.tables.clone(),
        false => TABLES.iter().map(PathBuf::from).filter(|path| path.exists()).collect(),
    };
    if places.is_empty() {
        let advice = "there is no folder `examples` here with tables for `real`; name some with --tables";
        return match args.what {
            FigureArg::Real => Err(Failure::wrong(advice)),
            _ => {
                printer.warn(&format!("{advice}; it is left out"));
                Ok(Vec::new())
            }
        };
    }
    let mut files = Vec::new();
    for place in places {
        files.extend(if place.is_dir() { files_in(&place)? } else { vec![place] });
    }
    let mut tables: Vec<RealTable> = Vec::new();
    for file in files {
        let table = table(&file, printer)?;
        if tables.iter().any(|other| other.name == table.name) {
            return Err(Failure::wrong(format!(
                "two tables are called `{}`; rename one of the files",
                table.name
            )));
        }
        tables.push(table);
    }
    Ok(tables)
}

/// Tables in a folder, by name.
fn files_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let wrong = |error: std::io::Error| Failure::wrong(format!("{}: {error}", folder.display()));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        let is_table =
            path.extension().is_some_and(|ending| ending == "csv" || ending == "tsv" || ending == "parquet");
        files.extend((is_table && path.is_file()).then_some(path));
    }
    files.sort();
    if files.is_empty() {
        return Err(Failure::wrong(format!(
            "{} holds no table (.csv, .tsv or .parquet); name another",
            folder.display()
        )));
    }
    Ok(files)
}

/// Reads a table; missing cells are an answer of their own.
fn table(path: &Path, printer: &Printer) -> Result<RealTable, Failure> {
    let reading = TableArgs { missing: Some(fewest::MissingCells::Answer), ..TableArgs::default() };
    let loaded = load(path, &reading, printer)?;
    let bytes =
        std::fs::read(path).map_err(|error| Failure::wrong(format!("{}: {error}", path.display())))?;
    let name =
        path.file_stem().map_or_else(|| "table".to_owned(), |stem| stem.to_string_lossy().into_owned());
    Ok(RealTable { name, fingerprint: fingerprint(&bytes), instance: loaded.instance })
}

/// Hash of bytes (FNV-1a), which names a table in the store.
fn fingerprint(bytes: &[u8]) -> u64 {
    let add = |state: u64, byte: &u8| (state ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fingerprint_is_fnv_1a() {
        // Published test vectors of FNV-1a, 64 bits.
        assert_eq!(fingerprint(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fingerprint(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fingerprint(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
