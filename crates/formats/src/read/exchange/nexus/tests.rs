//! Tests of the reader.

use super::*;

fn cells(text: &str) -> Vec<(String, Vec<String>)> {
    let (table, ..) = read(text, &ReadOptions::default()).unwrap();
    let texts = |column: &fewest_model::Column| {
        column.codes.iter().map(|code| column.labels.get(code as usize).to_owned()).collect()
    };
    table.columns.iter().map(|column| (column.name.clone(), texts(column))).collect()
}

fn row(name: &str, cells: &[&str]) -> (String, Vec<String>) {
    (name.to_owned(), cells.iter().map(|cell| (*cell).to_owned()).collect())
}

#[test]
fn labels_symbols_lists_and_gaps_are_read() {
    let text = "#nexus [x [y]]\nbegin data; dimensions ntax=3 nchar=4;\nformat gap=- missing=? symbols=\"0~2\";\n\
        charstatelabels 1 'the ''best''' / none some, 2 size_of_x / small large, 3 size_of_x;\nmatrix\n\
        a_b 0(01)-1\n'c d' [note] 1 {0 1} ? 2\ne 0~0-0 ;\nend;\n";
    let text = text.replace("0~0-0", "00-0");
    let found = cells(&text);
    assert_eq!(
        found,
        [
            row("the 'best'", &["none", "some", "none"]),
            row("size of x", &["small|large", "small|large", "small"]),
            row("character 4", &["1", "2", "0"]),
        ],
        "nothing is known about the third character"
    );
}

#[test]
fn interleaved_matrices_are_put_together() {
    let text = "#NEXUS\nbegin taxa; dimensions ntax=2; taxlabels a b; end;\nbegin characters;\n\
        dimensions nchar=4; format interleave datatype=dna missing=? gap=- matchchar=.;\nmatrix\n\
        a AC\nb .G\n\na RT\nb C-\n;\nend;\nbegin trees; tree x = ((a,b)); end;\n";
    assert_eq!(
        cells(text),
        [
            row("character 1", &["A", "A"]),
            row("character 2", &["C", "G"]),
            row("character 3", &["A|G", "C"]),
            row("character 4", &["T", "-"]),
        ]
    );
}

#[test]
fn continuous_characters_and_eliminated_ones() {
    let text = "#NEXUS\nbegin characters; dimensions ntax=2 nchar=2; format datatype=continuous;\n\
        eliminate 2; matrix a 1.5 2 b ? 3; end;";
    assert_eq!(cells(text), [row("character 1", &["1.5", "?"])]);
}

#[test]
fn a_block_with_unmatched_quotes_is_passed() {
    let text = "#NEXUS\nbegin notes;\ntext it's;\nend;\nbegin data; dimensions nchar=1; matrix a 0 b 1; end;";
    assert_eq!(cells(text), [row("character 1", &["0", "1"])]);
}
