//! Tables that were understood, kept ready in memory as long as there is room.

mod cache;
mod size;

pub(crate) use cache::Cache;

use crate::error::Problem;
use crate::limits::Limits;
use crate::options::TableOptions;
use crate::spell::parameter;
use fewest::{Inseparable, Instance, Reading, Table};
use fewest_formats::json::ReadingPart;
use fewest_formats::read::{ReadLimits, ReadOptions, read_table_from};
use fewest_formats::wording;
use sha2::{Digest, Sha256};

/// A table that was understood.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// Its name on this server.
    pub(crate) id: String,
    /// What people call it.
    pub(crate) name: String,
    /// The SHA-256 of its bytes and options.
    pub(crate) digest: String,
    /// The problem.
    pub(crate) instance: Instance,
    /// How it was read.
    pub(crate) reading: ReadingPart,
    /// What is odd but fine.
    pub(crate) warnings: Vec<String>,
}

impl Loaded {
    /// Roughly how many bytes it takes.
    pub(crate) fn weight(&self) -> usize {
        let (instance, tests) = (&self.instance, self.instance.test_count());
        let codes: usize =
            instance.test_ids().map(|test| instance.test(test).codes.words().len() * 8 + 400).sum();
        codes + instance.row_count() * 80 + tests * 100
    }
}

/// The name of a content: equal bytes read alike have equal digests.
pub(crate) fn digest(content: &[u8], options: &TableOptions) -> String {
    let unnamed = TableOptions { name: None, ..options.clone() };
    let options = serde_json::to_vec(&unnamed).unwrap_or_default();
    let mut hash = Sha256::new();
    hash.update((options.len() as u64).to_le_bytes());
    hash.update(options);
    hash.update(content);
    crate::id::hex(&hash.finalize())
}

/// Understands the bytes of a table. This may take long: not for a thread that others wait for.
///
/// # Errors
/// When the bytes are no table, or one that is too large.
pub(crate) fn understand(
    id: &str,
    content: &[u8],
    options: &TableOptions,
    limits: &Limits,
) -> Result<Loaded, Problem> {
    let reading = options.reading()?;
    let (table, mut warnings) = read(content, options, limits)?;
    size::refuse_large(&table, &reading, limits)?;
    let (instance, odd) =
        Instance::new(table, &reading).map_err(|error| Problem::table(error.words(parameter)))?;
    warnings.extend(odd.iter().map(|warning| wording::warning(warning, parameter)));
    let reading = ReadingPart::new(options.object.as_deref(), &reading, &instance);
    let name = options.name.clone().unwrap_or_else(|| "table".to_owned());
    Ok(Loaded { id: id.to_owned(), name, digest: digest(content, options), instance, reading, warnings })
}

/// Understands the bytes with every row in its own group, for figures about the rows as they are.
///
/// # Errors
/// As [`understand`].
pub(crate) fn understand_rows(
    content: &[u8],
    options: &TableOptions,
    limits: &Limits,
) -> Result<Instance, Problem> {
    let mut reading = options.reading()?;
    if reading.inseparable == Inseparable::Join {
        reading = Reading { inseparable: Inseparable::Keep, ..reading };
    }
    let (table, _) = read(content, options, limits)?;
    size::refuse_large(&table, &reading, limits)?;
    Instance::new(table, &reading)
        .map(|(instance, _)| instance)
        .map_err(|error| Problem::table(error.words(parameter)))
}

/// Reads the bytes, without giving the columns a meaning.
pub(crate) fn read(
    content: &[u8],
    options: &TableOptions,
    limits: &Limits,
) -> Result<(Table, Vec<String>), Problem> {
    size::refuse_other_kinds(content)?;
    let most = ReadLimits { rows: limits.rows, columns: limits.columns };
    let how = ReadOptions { object: options.object.clone(), limits: most };
    let name = options.name.as_deref().unwrap_or("the table");
    let (table, warnings) = read_table_from(content, name, &how).map_err(|error| {
        size::too_large(&error.problem, limits).unwrap_or_else(|| Problem::table(error.words(parameter)))
    })?;
    Ok((table, warnings.iter().map(ToString::to_string).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(content: &str) -> u16 {
        let limits = Limits { rows: 2, columns: 3, ..Limits::default() };
        let options = TableOptions::default();
        read(content.as_bytes(), &options, &limits).map_or_else(|problem| problem.status, |_| 200)
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
