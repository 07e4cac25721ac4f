//! `fewest convert`: a table in another format, and what that format cannot hold.

use crate::args::ConvertArgs;
use crate::failure::Failure;
use crate::print::Printer;
use crate::spell::flag;
use fewest_formats::json::Document;
use fewest_formats::read::{Loss, Losses, Notice, ReadOptions, ReadTable, SIDES, read_with_texts, side_path};
use fewest_formats::text::count;
use fewest_formats::write::{
    quoted, side_tables, write_clavis, write_csv, write_nexus, write_sdd, write_tsv,
};
use serde::Serialize;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Format that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Csv,
    Tsv,
    Xlsx,
    Clavis,
    Sdd,
    Nexus,
}

/// Formats with their endings.
const FORMATS: [(Format, &[&str]); 6] = [
    (Format::Csv, &["csv"]),
    (Format::Tsv, &["tsv"]),
    (Format::Xlsx, &["xlsx"]),
    (Format::Clavis, &["json"]),
    (Format::Sdd, &["xml", "sdd"]),
    (Format::Nexus, &["nex", "nexus"]),
];

/// File with its contents.
type Written = (PathBuf, Vec<u8>);

pub(crate) fn run(args: &ConvertArgs, printer: &Printer) -> Result<(), Failure> {
    let format = format_of(&args.out)?;
    let date = date(args)?;
    printer.writes("OUT", &args.out)?;
    let source = printer.source(&args.input)?;
    for side in SIDES {
        let beside = side_path(&args.input, side);
        if beside.is_file() {
            printer.reads(&beside)?;
        }
    }
    let options = ReadOptions {
        object: args.object.clone(),
        transpose: args.transpose,
        lenient: true,
        ..ReadOptions::default()
    };
    let read = read_with_texts(source, &options).map_err(|error| Failure::wrong(error.words(flag)))?;
    read.warnings.iter().for_each(|warning| printer.say(warning.is_note(), &warning.words(flag)));
    let mut in_reading = Losses::default();
    for warning in &read.warnings {
        if let Notice::Lost(losses) = &warning.notice {
            losses.iter().for_each(|(loss, count)| in_reading.add(loss, count));
        }
    }
    let (files, in_writing) = written(&read, format, &args.out, &date)
        .map_err(|error| Failure::wrong(format!("{}: {error}", args.out.display())))?;
    if !in_writing.is_empty() {
        printer.warn(&format!("{}: not kept: {}", args.out.display(), in_writing.words()));
    }
    if args.strict && !(in_reading.is_empty() && in_writing.is_empty()) {
        return Err(Failure::Refused(format!(
            "{}: not written, because something would be lost; leave out --strict to write it nevertheless",
            args.out.display()
        )));
    }
    // A first look at all files: none is written if another cannot be.
    files.iter().skip(1).try_for_each(|(path, _)| printer.writes("a file beside OUT", path))?;
    for (path, bytes) in &files {
        printer.save(path, |out| out.write_all(bytes))?;
    }
    tell(&read, &files, [&in_reading, &in_writing], printer)
}

/// Prints what was written and what was lost.
fn tell(read: &ReadTable, files: &[Written], losses: [&Losses; 2], printer: &Printer) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Lost {
        when: &'static str,
        what: String,
        count: usize,
    }
    let lost = ["reading", "writing"].into_iter().zip(losses).flat_map(|(when, losses)| {
        losses.iter().map(move |(loss, count): (Loss, usize)| Lost { when, what: loss.counted(count), count })
    });
    let lost: Vec<Lost> = lost.collect();
    let names: Vec<String> = files.iter().map(|(path, _)| path.display().to_string()).collect();
    if printer.json {
        return printer.bytes_to_output(|out| {
            let mut document = Document::begin(out)?;
            document.field("objects", &read.table.objects.len())?;
            document.field("columns", &read.table.columns.len())?;
            document.list("written", names.iter())?;
            document.list("lost", lost.iter())?;
            document.end()
        });
    }
    let mut text = format!(
        "Wrote {}: {}, {}.\n",
        names.join(", "),
        count(read.table.objects.len(), "object"),
        count(read.table.columns.len(), "column")
    );
    if lost.is_empty() {
        text += "Nothing was lost.\n";
    } else {
        text += "Lost:\n";
        lost.iter().for_each(|lost| text += &format!("  in {}: {}\n", lost.when, lost.what));
    }
    printer.text_to_output(&text)
}

/// The format that the ending of `path` names.
fn format_of(path: &Path) -> Result<Format, Failure> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let found =
        FORMATS.iter().find(|(_, endings)| endings.iter().any(|one| one.eq_ignore_ascii_case(ending)));
    found.map(|(format, _)| *format).ok_or_else(|| {
        Failure::wrong(format!(
            "`{}`: `convert` writes .csv, .tsv, .xlsx, .json (Clavis), .xml (SDD), .nex (NEXUS); choose one of these endings",
            path.display()
        ))
    })
}

/// Files of the table in this format, and what it cannot hold.
fn written(read: &ReadTable, format: Format, out: &Path, date: &str) -> io::Result<(Vec<Written>, Losses)> {
    let (table, texts, is_list) = (&read.table, &read.texts, read.several.is_some());
    let title = out.file_stem().unwrap_or_default().to_string_lossy();
    let mut bytes = Vec::new();
    let mut losses = Losses::default();
    let mut files = Vec::new();
    match format {
        Format::Csv | Format::Tsv => {
            let separator = if format == Format::Csv { "," } else { "\t" };
            match format {
                Format::Csv => write_csv(&mut bytes, table)?,
                _ => write_tsv(&mut bytes, table)?,
            }
            for (side, rows) in side_tables(texts) {
                files.push((side_path(out, side), lines(&rows, separator)));
            }
        }
        Format::Xlsx => write_workbook(&mut bytes, read)?,
        Format::Clavis => {
            losses = write_clavis(&mut bytes, table, texts, is_list, &title, &format!("{date} 00:00:00"))?;
        }
        Format::Sdd => {
            losses = write_sdd(&mut bytes, table, texts, is_list, &title, &format!("{date}T00:00:00"))?;
        }
        Format::Nexus => losses = write_nexus(&mut bytes, table, texts, is_list)?,
    }
    files.insert(0, (out.to_owned(), bytes));
    Ok((files, losses))
}

#[cfg(feature = "sheets")]
fn write_workbook(bytes: &mut Vec<u8>, read: &ReadTable) -> io::Result<()> {
    fewest_formats::write::write_xlsx(bytes, &read.table, &read.texts)
}

#[cfg(not(feature = "sheets"))]
fn write_workbook(_: &mut Vec<u8>, _: &ReadTable) -> io::Result<()> {
    Err(io::Error::other(
        "this build of fewest writes no XLSX; write CSV, or build fewest with `--features sheets`",
    ))
}

fn lines(rows: &[Vec<String>], separator: &str) -> Vec<u8> {
    let line = |cells: &Vec<String>| {
        let cells: Vec<_> = cells.iter().map(|cell| quoted(cell)).collect();
        cells.join(separator) + "\n"
    };
    rows.iter().map(line).collect::<String>().into_bytes()
}

/// Date of the data: as it was given, else that of the file.
fn date(args: &ConvertArgs) -> Result<String, Failure> {
    if let Some(date) = &args.date {
        let parts: Vec<Option<u32>> = date.split('-').map(|part| part.parse().ok()).collect();
        let is_date =
            date.len() == 10 && matches!(parts.as_slice(), [Some(2000..=2099), Some(1..=12), Some(1..=31)]);
        return match is_date {
            true => Ok(date.clone()),
            false => Err(Failure::wrong(format!("--date `{date}`: write a day from 2000 on as 2024-01-31"))),
        };
    }
    let changed = fs::metadata(&args.input).and_then(|about| about.modified()).unwrap_or(UNIX_EPOCH);
    Ok(day(changed))
}

/// Day of a time in the calendar, not before 2000, which the formats do not take.
fn day(time: SystemTime) -> String {
    let days = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400);
    let (mut year, mut left) = (1970, days);
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    while left >= 365 + u64::from(is_leap(year)) {
        left -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let mut month = 1;
    for length in [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    match year {
        2000..2100 => format!("{year:04}-{month:02}-{:02}", left + 1),
        _ => "2000-01-01".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn days_are_those_of_the_calendar() {
        let at = |seconds: u64| day(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(951_782_400), "2000-02-29");
        assert_eq!(at(1_709_251_199), "2024-02-29");
        assert_eq!(at(1_735_689_600), "2025-01-01");
        assert_eq!(at(0), "2000-01-01");
    }
}
