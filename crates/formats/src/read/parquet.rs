//! Tables as Parquet files: columns of typed values, each value as the text that CSV would hold.

use super::batches::Batches;
use super::record_batch::{FIRST_ROW, add};
use super::{Notice, Problem, ReadOptions, shape};
use fewest_model::Table;
use parquet::file::reader::ChunkReader;

/// About the number of cells in memory at a time.
const BATCH_CELLS: usize = 1 << 20;

/// Bytes of names and cells after which duplicate names are looked for; later again whenever the bytes have doubled.
/// So a table with one name in all of its rows is refused while it is small.
const FIRST_CHECK: usize = 16 << 20;

/// Reads a table, with what is to be said about the file.
pub(super) fn read(
    file: impl ChunkReader + 'static,
    options: &ReadOptions,
) -> Result<(Table, Vec<Notice>), Problem> {
    let mut batches = Batches::open(file, BATCH_CELLS)?;
    let (mut table, unnamed) = shape::begin(batches.header().to_vec(), FIRST_ROW - 1, options)?;
    let mut checked = FIRST_CHECK;
    while let Some((row, batch)) = batches.next().map_err(|problem| table.earlier(usize::MAX, problem))? {
        add(&mut table, row, &batch).map_err(|problem| table.earlier(usize::MAX, problem))?;
        // One name in every row is only a few bytes in the file.
        if table.bytes() >= checked {
            if let Some(double) = table.double(usize::MAX) {
                return Err(double);
            }
            checked = 2 * table.bytes();
        }
        batches.refuse_unfolding(table.bytes())?;
    }
    let mut notices = Vec::new();
    let table = shape::settle(table.finish()?, &unnamed, options, &mut notices)?;
    Ok((table, notices))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::types::{Int8Type, Int32Type};
    use arrow_array::{
        Array, ArrayRef, BooleanArray, Date32Array, DictionaryArray, Float32Array, Float64Array, Int64Array,
        LargeStringArray, RecordBatch, StringArray, StringViewArray,
    };
    use parquet::arrow::ArrowWriter;
    use parquet::basic::Compression;
    use parquet::file::properties::WriterProperties;
    use std::sync::Arc;

    fn file(columns: &[(&str, ArrayRef)], compression: Compression) -> bytes::Bytes {
        let batch =
            RecordBatch::try_from_iter(columns.iter().map(|(name, array)| (*name, array.clone()))).unwrap();
        let properties = WriterProperties::builder().set_compression(compression).build();
        let mut bytes = Vec::new();
        let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        bytes.into()
    }

    fn table(columns: &[(&str, ArrayRef)]) -> Result<Table, Problem> {
        read(file(columns, Compression::UNCOMPRESSED), &ReadOptions::default()).map(|(table, _)| table)
    }

    fn strings<'a>(texts: impl IntoIterator<Item = &'a str>) -> ArrayRef {
        Arc::new(texts.into_iter().collect::<Vec<_>>().into_iter().map(Some).collect::<StringArray>())
    }

    fn cells(table: &Table, column: &str) -> Vec<String> {
        let column = table.column(column).unwrap();
        column.codes.iter().map(|code| column.labels.get(code as usize).to_owned()).collect()
    }

    /// Texts of a column of four values.
    fn texts(array: impl Array + 'static) -> Vec<String> {
        let table = table(&[("o", strings(["a", "b", "c", "d"])), ("t", Arc::new(array))]).unwrap();
        cells(&table, "t")
    }

    #[test]
    fn values_of_every_kind_become_the_texts_of_a_csv() {
        assert_eq!(
            texts(BooleanArray::from(vec![Some(true), None, Some(false), Some(true)])),
            ["true", "?", "false", "true"]
        );
        assert_eq!(
            texts(Int64Array::from(vec![Some(-1), None, Some(20), Some(i64::MAX)]))[..3],
            ["-1", "?", "20"]
        );
        assert_eq!(
            texts(Float64Array::from(vec![1.0, 0.1, 1e300, -2.5e-9])),
            ["1", "0.1", "1e300", "-2.5e-9"]
        );
        assert_eq!(texts(Float32Array::from(vec![0.1, 0.0, 3e9, 1.5])), ["0.1", "0", "3000000000", "1.5"]);
        assert_eq!(
            texts(LargeStringArray::from(vec![Some(" x "), None, Some(""), Some("ä")])),
            ["x", "?", "?", "ä"]
        );
        assert_eq!(texts(StringViewArray::from(vec!["x", "a text of some length", "x", "?"])).len(), 4);
        assert_eq!(texts(Date32Array::from(vec![0, 1, 365, 366]))[2], "1971-01-01");
    }

    #[test]
    fn values_that_repeat_are_told_apart_however_many_there_are() {
        let names: Vec<String> = (0..100).map(|number| format!("o{number}")).collect();
        let names = strings(names.iter().map(String::as_str));
        let numbers: Vec<Option<i64>> = (0..100).map(|at| (at % 7 > 0).then_some(at % 13)).collect();
        let floats: Vec<f64> = (0..100).map(|at| [0.0, -0.0, 1.5, f64::NAN][at % 4]).collect();
        let columns = [
            ("o", names),
            ("n", Arc::new(Int64Array::from(numbers.clone())) as ArrayRef),
            ("f", Arc::new(Float64Array::from(floats)) as ArrayRef),
        ];
        let table = table(&columns).unwrap();
        let expected: Vec<String> =
            numbers.iter().map(|number| number.map_or("?".to_owned(), |number| number.to_string())).collect();
        assert_eq!(cells(&table, "n"), expected);
        assert_eq!(cells(&table, "f")[..5], ["0", "-0", "1.5", "NaN", "0"]);
    }

    #[test]
    fn dictionaries_become_their_values() {
        let texts_of = vec![Some("low"), None, Some("high"), Some("low")];
        assert_eq!(
            texts(texts_of.into_iter().collect::<DictionaryArray<Int8Type>>()),
            ["low", "?", "high", "low"]
        );
        let numbers = Arc::new(Float64Array::from(vec![1.0, 2.5]));
        let keys = arrow_array::PrimitiveArray::<Int32Type>::from(vec![Some(1), Some(0), None, Some(1)]);
        assert_eq!(texts(DictionaryArray::new(keys, numbers)), ["2.5", "1", "?", "2.5"]);
    }

    #[test]
    fn the_rules_of_names_hold_here_too() {
        let ones = || strings(["1", "1", "1"]);
        let message =
            |names: [&str; 3]| table(&[("o", strings(names)), ("t", ones())]).unwrap_err().to_string();
        assert!(message(["a", "b", "a"]).starts_with("rows 2 and 4 are both called `a`"));
        assert!(message(["a", "", "b"]).starts_with("row 3, column `o`: the object has no name"));
        assert!(message(["a", "@x", "b"]).starts_with("row 3: `@x` is unknown"));
        assert!(message(["a", "b\0", "c"]).starts_with("row 3, column `o`: a NUL byte"));
        let twice = file(&[("o", ones()), ("t", ones())], Compression::UNCOMPRESSED);
        let options = ReadOptions { object: Some("u".to_owned()), ..ReadOptions::default() };
        assert!(matches!(read(twice, &options), Err(Problem::NoSuchColumn { .. })));
    }

    #[test]
    fn rows_about_the_tests_and_another_column_of_names_are_understood() {
        let columns = [
            ("t", strings(["2", "x", "y"])),
            ("o", strings(["@cost", "a", "b"])),
            ("u", strings(["", "p", "q"])),
        ];
        let options = ReadOptions { object: Some("o".to_owned()), ..ReadOptions::default() };
        let (table, _) = read(file(&columns, Compression::UNCOMPRESSED), &options).unwrap();
        assert_eq!(table.object_column, "o");
        assert!(table.other_rows.iter().eq([2]));
        assert_eq!(table.about[0].cells, ["2", ""]);
        assert_eq!(
            (cells(&table, "t"), cells(&table, "u")),
            (vec!["x".into(), "y".into()], vec!["p".into(), "q".into()])
        );
    }

    #[test]
    fn many_batches_and_every_usual_compression_are_read() {
        let names: Vec<String> = (0..20_000).map(|number| format!("o{number}")).collect();
        let odd: BooleanArray = (0..20_000).map(|number| Some(number % 2 == 1)).collect();
        let columns = [("o", strings(names.iter().map(String::as_str))), ("odd", Arc::new(odd) as ArrayRef)];
        for compression in [
            Compression::SNAPPY,
            Compression::ZSTD(Default::default()),
            Compression::GZIP(Default::default()),
            Compression::LZ4_RAW,
        ] {
            let (table, _) = read(file(&columns, compression), &ReadOptions::default()).unwrap();
            assert!(table.objects.iter().eq(names.iter()));
            assert!(table.columns[0].codes.iter().eq((0..20_000).map(|number| number % 2)));
        }
    }

    /// A column with one long text in all rows: in the file only once, in its dictionary.
    fn repeated(text: &str, rows: usize) -> ArrayRef {
        let keys = arrow_array::PrimitiveArray::<Int32Type>::from(vec![0; rows]);
        Arc::new(DictionaryArray::new(keys, strings([text])))
    }

    #[test]
    fn issue_21_item_12_a_long_name_in_every_row_is_refused_while_it_is_small() {
        let name = "n".repeat(600_000);
        let file = file(&[("o", repeated(&name, 2000)), ("t", repeated("x", 2000))], Compression::SNAPPY);
        assert!(file.len() < 3_000_000, "{}", file.len());
        let problem = read(file, &ReadOptions::default()).unwrap_err();
        assert!(matches!(problem, Problem::SameObject { first: 2, second: 3, .. }), "{problem:?}");
    }

    #[test]
    fn issue_21_item_12_a_long_answer_in_every_row_is_kept_once() {
        let names: Vec<String> = (0..2000).map(|number| format!("o{number}")).collect();
        let answer = "x".repeat(600_000);
        let columns = [("o", strings(names.iter().map(String::as_str))), ("t", repeated(&answer, 2000))];
        let (table, _) = read(file(&columns, Compression::SNAPPY), &ReadOptions::default()).unwrap();
        assert_eq!(table.column("t").unwrap().labels.iter().collect::<Vec<_>>(), [answer.as_str()]);
    }

    #[test]
    fn issue_21_item_12_a_small_file_of_very_many_rows_is_refused_before_it_unfolds() {
        // Ten million numbers, each larger by 1 than the last: as differences, they take a few kilobytes.
        let numbers: ArrayRef = Arc::new((0..10_000_000).collect::<arrow_array::Int32Array>());
        let batch = RecordBatch::try_from_iter([("o", numbers)]).unwrap();
        let properties = WriterProperties::builder()
            .set_dictionary_enabled(false)
            .set_encoding(parquet::basic::Encoding::DELTA_BINARY_PACKED)
            .set_compression(Compression::ZSTD(Default::default()))
            .build();
        let mut bytes = Vec::new();
        let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        assert!(bytes.len() < 200_000, "{}", bytes.len());
        let limits = crate::read::ReadLimits { rows: 1000, ..Default::default() };
        let few = ReadOptions { limits, ..ReadOptions::default() };
        let bytes = bytes::Bytes::from(bytes);
        assert!(matches!(read(bytes.clone(), &few), Err(Problem::TooManyObjects { .. })));
        // Without a limit on rows it is a table of ten million objects, which is less than any file may unfold to.
        assert_eq!(read(bytes, &ReadOptions::default()).unwrap().0.objects.len(), 10_000_000);
    }

    #[test]
    fn a_broken_file_is_refused_in_one_line() {
        let whole = file(&[("o", strings(["a"]))], Compression::UNCOMPRESSED);
        let message = read(whole.slice(..whole.len() - 5), &ReadOptions::default()).unwrap_err().to_string();
        assert!(
            message.starts_with("the Parquet file cannot be read: ") && !message.contains('\n'),
            "{message}"
        );
    }

    #[test]
    fn a_file_with_flipped_bytes_never_makes_the_reader_panic() {
        let names: Vec<String> = (0..50).map(|number| format!("o{number}")).collect();
        let numbers: Int64Array = (0..50).map(|number| (number % 3 > 0).then_some(number)).collect();
        let columns = [
            ("o", strings(names.iter().map(String::as_str))),
            ("n", Arc::new(numbers) as ArrayRef),
            (
                "t",
                Arc::new(
                    (0..50).map(|number| Some(["x", "y"][number % 2])).collect::<DictionaryArray<Int8Type>>(),
                ),
            ),
        ];
        for compression in
            [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::ZSTD(Default::default())]
        {
            let whole = file(&columns, compression);
            for at in 0..whole.len() {
                for bits in [0x01, 0xFF] {
                    let mut bytes = whole.to_vec();
                    bytes[at] ^= bits;
                    // Read or refused: only a panic is wrong.
                    _ = read(bytes::Bytes::from(bytes), &ReadOptions::default());
                }
            }
        }
    }
}
