//! Tables as instances in memory: read, checked against the limits, and cached.

mod cache;
mod size;

pub(crate) use cache::Cache;

use crate::error::Problem;
use crate::limits::Limits;
use crate::options::TableOptions;
use crate::spell::parameter;
use fewest::{Inseparable, Instance, Reading, Spell, Warning};
use fewest_formats::json::ReadingPart;
use fewest_formats::read::{ReadLimits, ReadTable, ReadWarning, read_with_texts_from};
use fewest_formats::{Texts, wording};
use sha2::{Digest, Sha256};

/// Table as an instance, with all that responses contain about it.
#[derive(Debug)]
pub(crate) struct LoadedTable {
    /// Id of the table on this server.
    pub(crate) id: String,
    /// Name of the table for people.
    pub(crate) name: String,
    /// SHA-256 of the contents and options.
    pub(crate) digest: String,
    /// Instance made of the table.
    pub(crate) instance: Instance,
    /// Texts that are shown in place of names.
    pub(crate) texts: Texts,
    /// Options with which the table was read.
    pub(crate) reading: ReadingPart,
    /// Warnings of the reader and of the instance.
    pub(crate) warnings: Vec<String>,
    /// What the file has that a plain table has not.
    pub(crate) notices: Vec<ReadWarning>,
    /// What a user should know about the instance.
    pub(crate) remarks: Vec<Warning>,
}

impl LoadedTable {
    /// Estimate of the bytes that the table takes in memory.
    pub(crate) fn weight(&self) -> usize {
        let (instance, tests) = (&self.instance, self.instance.test_count());
        let codes: usize =
            instance.test_ids().map(|test| instance.test(test).codes.words().len() * 8 + 400).sum();
        codes + instance.row_count() * 80 + tests * 100
    }
}

/// SHA-256 of contents and options: equal contents with equal options have equal digests.
pub(crate) fn digest(content: &[u8], options: &TableOptions) -> String {
    let unnamed = TableOptions { name: None, ..options.clone() };
    let options = serde_json::to_vec(&unnamed).unwrap_or_default();
    let mut hash = Sha256::new();
    hash.update((options.len() as u64).to_le_bytes());
    hash.update(options);
    hash.update(content);
    crate::id::hex(&hash.finalize())
}

/// Reads the bytes of a table and makes an instance of it; problems name options as `spell` does. This may take long,
/// so it must not run on a thread that serves connections.
///
/// # Errors
/// When the bytes are not a table, or it is too large.
pub(crate) fn load_table(
    id: &str,
    content: &[u8],
    options: &TableOptions,
    limits: &Limits,
    spell: Spell,
) -> Result<LoadedTable, Problem> {
    let mut reading = options.reading()?;
    let mut read = read(content, options, limits, spell)?;
    read.show_questions();
    read.suit(&mut reading);
    let ReadTable { table, texts, warnings: notices, .. } = read;
    size::refuse_large(&table, &reading, limits)?;
    let (instance, remarks) =
        Instance::new(table, &reading).map_err(|error| Problem::table(error.words(spell)))?;
    if !reading.verbatim {
        instance.refuse_no_tests().map_err(|error| Problem::table(error.words(spell)))?;
    }
    let of_file = notices.iter().map(|notice| notice.words(parameter));
    let of_instance = remarks.iter().map(|remark| wording::warning(remark, parameter));
    let warnings = of_file.chain(of_instance).collect();
    let reading = ReadingPart::new(&options.read_options(ReadLimits::default()), &reading, &instance);
    let name = options.name.clone().unwrap_or_else(|| "table".to_owned());
    let digest = digest(content, options);
    Ok(LoadedTable { id: id.to_owned(), name, digest, instance, texts, reading, warnings, notices, remarks })
}

/// Reads the bytes without joining rows that no test tells apart, for figures about the rows as they are.
///
/// # Errors
/// As [`load_table`].
pub(crate) fn load_rows(
    content: &[u8],
    options: &TableOptions,
    limits: &Limits,
) -> Result<Instance, Problem> {
    let mut reading = options.reading()?;
    if reading.inseparable == Inseparable::Join {
        reading = Reading { inseparable: Inseparable::Keep, ..reading };
    }
    let read = read(content, options, limits, parameter)?;
    read.suit(&mut reading);
    size::refuse_large(&read.table, &reading, limits)?;
    Instance::new(read.table, &reading)
        .map(|(instance, _)| instance)
        .map_err(|error| Problem::table(error.words(parameter)))
}

/// Reads the bytes as a table, whose columns have no roles yet.
pub(crate) fn read(
    content: &[u8],
    options: &TableOptions,
    limits: &Limits,
    spell: Spell,
) -> Result<ReadTable, Problem> {
    size::refuse_other_kinds(content)?;
    let most = ReadLimits { rows: limits.rows, columns: limits.columns, unpacked: size::MOST_UNPACKED };
    let name = options.name.as_deref().unwrap_or("the table");
    read_with_texts_from(content, name, &options.read_options(most)).map_err(|error| {
        size::too_large(&error.problem, limits).unwrap_or_else(|| Problem::table(error.words(spell)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(content: &str) -> u16 {
        let limits = Limits { rows: 2, columns: 3, ..Limits::default() };
        let options = TableOptions::default();
        read(content.as_bytes(), &options, &limits, parameter).map_or_else(|problem| problem.status, |_| 200)
    }

    #[test]
    fn issue_21_item_11_a_stray_quote_does_not_switch_the_limits_off() {
        for content in ["o,t,u\na,1,2\nb,3,4\n", "o,t\" x,u\na,1,2\nb,3,4\n"] {
            assert_eq!(status(content), 200, "{content}");
        }
        for content in [
            "o,t,u\na,1,2\nb,3,4\nc,5,6\n",
            "o,t\" x,u\na,1,2\nb,3,4\nc,5,6\n",
            "o,t,u,v\na,1,2,3\n",
            "o\" x,t,u,v\na,1,2,3\n",
            "o,t,u\n\n\"a\",1,2\nb,\"3\n\",4\n\nc,5,6\n",
        ] {
            assert_eq!(status(content), 413, "{content}");
        }
    }
}
