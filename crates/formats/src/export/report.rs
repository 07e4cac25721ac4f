//! A result as a page: words, tables and pictures, written as Markdown, as one file of HTML, or its table as CSV.

use crate::plot::escape;
use crate::write::quoted;

/// Page of a result.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Title.
    pub title: String,
    /// Parts, from the top.
    pub blocks: Vec<Block>,
}

/// Part of a page.
#[derive(Clone, Debug)]
pub enum Block {
    /// Words in lines, possibly with styles of a terminal.
    Words(String),
    /// Drawing of letters, such as a tree or a histogram: every space counts.
    Drawn(String),
    /// Table.
    Table {
        /// Names of the columns.
        header: Vec<String>,
        /// Rows.
        rows: Vec<Vec<String>>,
    },
    /// Picture as SVG; Markdown leaves it out.
    Picture(String),
    /// Part that is HTML already, such as an outline; Markdown leaves it out.
    Html(String),
}

impl Report {
    /// Adds words.
    pub fn words(&mut self, words: impl Into<String>) {
        self.blocks.push(Block::Words(words.into()));
    }

    /// Adds a table.
    pub fn table(&mut self, header: &[&str], rows: Vec<Vec<String>>) {
        let header = header.iter().map(|name| (*name).to_owned()).collect();
        self.blocks.push(Block::Table { header, rows });
    }

    /// Page as Markdown.
    pub fn markdown(&self) -> String {
        let mut page = format!("# {}\n", markdown_text(&self.title));
        for block in &self.blocks {
            match block {
                Block::Words(words) => {
                    let paragraphs = paragraphs(words);
                    page.extend(paragraphs.iter().map(|words| format!("\n{}\n", markdown_text(words))));
                }
                Block::Drawn(drawn) => page += &fenced(&plain(drawn)),
                Block::Table { header, rows } => page += &markdown_table(header, rows),
                Block::Picture(_) | Block::Html(_) => (),
            }
        }
        page
    }

    /// Page as one file of HTML: no scripts, nothing from the network, light or dark as the reader's system is.
    pub fn html(&self) -> String {
        let title = escape(&plain(&self.title));
        let mut page = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1><bdi>{title}</bdi></h1>\n"
        );
        let mut pictures = 0;
        for block in &self.blocks {
            match block {
                Block::Words(words) => {
                    let paragraphs = paragraphs(words);
                    page.extend(paragraphs.iter().map(|words| format!("<p>{}</p>\n", escape(words))));
                }
                Block::Drawn(drawn) => page += &format!("<pre>{}</pre>\n", escape_lines(&plain(drawn))),
                Block::Table { header, rows } => page += &html_table(header, rows),
                Block::Picture(svg) => {
                    pictures += 1;
                    page += &format!(
                        "<figure>\n{}</figure>\n",
                        crate::study::with_own_ids(svg, &format!("p{pictures}"))
                    );
                }
                Block::Html(html) => page += html,
            }
        }
        page + "</body>\n</html>\n"
    }

    /// First table as CSV, without the marks that are for people.
    pub fn csv(&self) -> String {
        let table = self.blocks.iter().find_map(|block| match block {
            Block::Table { header, rows } => Some((header, rows)),
            _ => None,
        });
        let Some((header, rows)) = table else { return String::new() };
        let cell = |cell: &String| {
            let text = plain(cell);
            // A star marks the least number of a column.
            let bare = text.trim().strip_suffix('*').filter(|number| number.parse::<f64>().is_ok());
            quoted(bare.unwrap_or(text.trim())).into_owned()
        };
        let line = |cells: &[String]| {
            let mut cells: Vec<String> = cells.iter().map(cell).collect();
            cells.resize(header.len(), String::new());
            cells.join(",") + "\n"
        };
        line(header) + &rows.iter().map(|row| line(row)).collect::<String>()
    }
}

/// Text without the styles of a terminal.
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\u{1b}[") {
        plain += &rest[..at];
        rest = &rest[at + 2..];
        let end = rest.find(|letter: char| letter.is_ascii_alphabetic()).map_or(rest.len(), |end| end + 1);
        rest = &rest[end..];
    }
    // An invisible letter at the front of a cell aligns it to the left.
    (plain + rest).replace('\u{200b}', "")
}

/// Paragraphs of words: an empty line is between them; other line ends are spaces.
fn paragraphs(words: &str) -> Vec<String> {
    let text = plain(words);
    let parts = text.split("\n\n").map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    parts.filter(|part| !part.is_empty()).collect()
}

/// Text that Markdown does not take for marks.
fn markdown_text(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in plain(text).chars() {
        match letter {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '~' => safe.extend(['\\', letter]),
            '&' => safe += "&amp;",
            '\n' | '\r' => safe.push(' '),
            letter => safe.push(letter),
        }
    }
    safe
}

/// Drawing of letters in a fence that is longer than any within it.
fn fenced(drawn: &str) -> String {
    let longest = drawn.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("\n{fence}text\n{}\n{fence}\n", drawn.trim_end_matches('\n'))
}

/// Whether a column has numbers, which stand to the right.
fn is_number_column(rows: &[Vec<String>], column: usize) -> bool {
    let first = rows.first().and_then(|row| row.get(column)).map(|cell| plain(cell));
    first.is_some_and(|cell| cell.trim().starts_with(|letter: char| letter.is_ascii_digit() || letter == '–'))
}

fn markdown_table(header: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| {
        let mut cells: Vec<String> = cells.iter().map(|cell| markdown_text(cell.trim())).collect();
        cells.resize(header.len(), String::new());
        format!("| {} |\n", cells.join(" | "))
    };
    let rule: Vec<&str> =
        (0..header.len()).map(|at| if is_number_column(rows, at) { "--:" } else { "---" }).collect();
    let body: String = rows.iter().map(|row| line(row)).collect();
    format!("\n{}| {} |\n{body}", line(header), rule.join(" | "))
}

fn html_table(header: &[String], rows: &[Vec<String>]) -> String {
    let numbers: Vec<bool> = (0..header.len()).map(|at| is_number_column(rows, at)).collect();
    let line = |cells: &[String], tag: &str| {
        let cells = numbers.iter().enumerate().map(|(at, number)| {
            let class = if *number { " class=\"number\"" } else { "" };
            let text = cells.get(at).map(|cell| plain(cell)).unwrap_or_default();
            format!("<{tag}{class}><bdi>{}</bdi></{tag}>", escape(text.trim()))
        });
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let body: String = rows.iter().map(|row| line(row, "td")).collect();
    format!("<table>\n<thead>\n{}</thead>\n<tbody>\n{body}</tbody>\n</table>\n", line(header, "th"))
}

/// Escapes text of several lines for HTML.
fn escape_lines(text: &str) -> String {
    text.lines().map(escape).collect::<Vec<_>>().join("\n")
}

const STYLE: &str = "\
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; background: #ffffff; color: #1b1b1b; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; }
figure { margin: 1rem 0; overflow-x: auto; }
pre { overflow-x: auto; line-height: 1.3; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: 0.2rem 1.2rem 0.2rem 0; border-bottom: 1px solid #dddddd; text-align: left; vertical-align: top; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
ul.tree, ul.tree ul { list-style: none; margin: 0; padding-left: 1.2rem; border-left: 1px solid #dddddd; }
ul.tree { border: none; padding: 0; }
.tree li { padding: 0.1rem 0 0.1rem 0.3rem; overflow-wrap: anywhere; }
.tree summary { cursor: pointer; }
.tree .leaf { padding-left: 1.3rem; }
.tree small { color: #555555; }
.answer::after { content: \" →\"; color: #555555; }
@media (prefers-color-scheme: dark) { body { background: #16181c; color: #ececec; } th, td, ul.tree ul { border-color: #33373e; } .tree small, .answer::after { color: #b0b0b0; } }
@media print { body { margin: 0; max-width: none; font-size: 11px; } figure { overflow: visible; } figure svg { max-width: 100%; max-height: 24cm; height: auto; } details::details-content { content-visibility: visible; display: block; } li, tr { break-inside: avoid-page; } .tree li:has(ul) { break-inside: auto; } }
";

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        let mut report = Report { title: "a <b> | c".to_owned(), blocks: Vec::new() };
        report.words("\u{1b}[1mone\u{1b}[0m *two*\nthree\n\n& four");
        report.blocks.push(Block::Drawn("├─ ```\n".to_owned()));
        let row = |name: &str, cost: &str| vec![name.to_owned(), cost.to_owned()];
        report
            .table(&["name", "cost"], vec![row("x|y", "\u{1b}[1m1.5*\u{1b}[0m"), row("=1+1,\"z\"\n", "2 ")]);
        report
    }

    #[test]
    fn markdown_keeps_the_users_marks_as_text() {
        let page = report().markdown();
        assert!(page.starts_with("# a \\<b\\> \\| c\n\none \\*two\\* three\n\n&amp; four\n"), "{page}");
        assert!(page.contains("\n````text\n├─ ```\n````\n"), "{page}");
        assert!(page.contains("| name | cost |\n| --- | --: |\n| x\\|y | 1.5\\* |\n"), "{page}");
    }

    #[test]
    fn html_needs_nothing_else_and_holds_no_tag_of_the_users() {
        let page = report().html();
        assert!(page.starts_with("<!doctype html>") && page.contains("a &lt;b&gt; | c"), "{page}");
        for absent in ["<script", "src=", "href=", "<b>"] {
            assert!(!page.contains(absent), "{absent}");
        }
    }

    #[test]
    fn the_table_is_csv_with_numbers_as_numbers() {
        assert_eq!(report().csv(), "name,cost\nx|y,1.5\n\"=1+1,\"\"z\"\"\",2\n");
    }
}
