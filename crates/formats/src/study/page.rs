//! Exhibits as pages: Markdown for each, and one HTML file for all.

use super::{Exhibit, Summary};
use crate::plot::escape;

impl Exhibit {
    /// Page of the exhibit in Markdown, with its pictures beside it.
    pub fn markdown(&self) -> String {
        let mut page = format!("# {}\n\nMade by `{}`.\n", self.title, self.command);
        for (at, words) in self.says.iter().enumerate() {
            page += &format!("\n{words}\n");
            if let Some(picture) = self.pictures.get(at) {
                page += &format!("\n![{}]({}.svg)\n", picture.alt, picture.stem);
            }
        }
        for picture in self.pictures.iter().skip(self.says.len()) {
            page += &format!("\n![{}]({}.svg)\n", picture.alt, picture.stem);
        }
        if let Some(summary) = &self.summary {
            page += &summary.markdown();
        }
        let tables: Vec<String> =
            self.tables.iter().map(|(stem, _)| format!("[{stem}.csv]({stem}.csv)")).collect();
        if !tables.is_empty() {
            page += &format!("\nAll numbers: {}.\n", tables.join(", "));
        }
        page
    }

    fn html(&self, number: usize) -> String {
        let mut page = format!(
            "<section id=\"{0}\">\n<h2>{1}</h2>\n<p>Made by <code>{2}</code>.</p>\n",
            self.name,
            escape(&self.title),
            escape(&self.command)
        );
        for at in 0..self.says.len().max(self.pictures.len()) {
            if let Some(words) = self.says.get(at) {
                page += &format!("<p>{}</p>\n", escape(words).replace('`', ""));
            }
            if let Some(picture) = self.pictures.get(at) {
                page += &format!(
                    "<figure>\n{}</figure>\n",
                    with_own_ids(&picture.svg, &format!("f{number}-{at}"))
                );
            }
        }
        if let Some(summary) = &self.summary {
            page += &summary.html();
        }
        page + "</section>\n"
    }
}

impl Summary {
    fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let rule: Vec<String> = self
            .header
            .iter()
            .enumerate()
            .map(|(at, _)| if at == 0 { "---" } else { "--:" }.to_owned())
            .collect();
        let rows: String = self.rows.iter().map(|row| line(row)).collect();
        format!("\n{}{}{rows}", line(&self.header), line(&rule))
    }

    fn html(&self) -> String {
        let line = |cells: &[String], kind: &str| {
            let cells: String =
                cells.iter().map(|cell| format!("<{kind}>{}</{kind}>", escape(cell))).collect();
            format!("<tr>{cells}</tr>\n")
        };
        let rows: String = self.rows.iter().map(|row| line(row, "td")).collect();
        format!("<table>\n<thead>\n{}</thead>\n<tbody>\n{rows}</tbody>\n</table>\n", line(&self.header, "th"))
    }
}

/// Makes the ids of a picture unique: many pictures on one page must not share ids.
pub(crate) fn with_own_ids(svg: &str, prefix: &str) -> String {
    svg.replacen("id=\"title\"", &format!("id=\"{prefix}-title\""), 1)
        .replacen("id=\"about\"", &format!("id=\"{prefix}-about\""), 1)
        .replacen(
            "aria-labelledby=\"title about\"",
            &format!("aria-labelledby=\"{prefix}-title {prefix}-about\""),
            1,
        )
}

const STYLE: &str = "\
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; background: #ffffff; color: #1b1b1b; }
figure { margin: 1rem 0; overflow-x: auto; }
figure svg { max-width: 100%; height: auto; }
table { border-collapse: collapse; }
th, td { padding: 0.2rem 0.8rem; border-bottom: 1px solid #dddddd; text-align: right; }
th:first-child, td:first-child { text-align: left; }
@media (prefers-color-scheme: dark) { body { background: #16181c; color: #ececec; } a { color: #7db8f5; } th, td { border-color: #33373e; } }
";

/// All exhibits as one page of HTML that needs no other file.
pub fn report(exhibits: &[Exhibit]) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>fewest: the papers' experiments</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>The papers' experiments, and how far from the best possible</h1>\n<ul>\n"
    );
    for exhibit in exhibits {
        page += &format!("<li><a href=\"#{}\">{}</a></li>\n", exhibit.name, escape(&exhibit.title));
    }
    page += "</ul>\n";
    page.extend(exhibits.iter().enumerate().map(|(number, exhibit)| exhibit.html(number)));
    page + "</body>\n</html>\n"
}

#[cfg(test)]
mod tests {
    use super::super::Picture;
    use super::*;
    use crate::plot::{Bar, bars_svg};

    #[test]
    fn a_page_holds_everything_once_and_its_ids_are_its_own() {
        let svg = bars_svg("bars", "bits", &[Bar { name: "a", value: 1.0 }]);
        let picture =
            |stem: &str| Picture { stem: stem.to_owned(), alt: "bars".to_owned(), svg: svg.clone() };
        let exhibit = |name| Exhibit {
            name,
            title: "a < b".to_owned(),
            command: format!("fewest reproduce {name}"),
            says: vec!["It shows.".to_owned()],
            pictures: vec![picture("one"), picture("two")],
            tables: vec![("one".to_owned(), String::new())],
            summary: Some(Summary {
                header: vec!["x".to_owned(), "y".to_owned()],
                rows: vec![vec!["1".to_owned(), "2".to_owned()]],
            }),
        };
        let page = report(&[exhibit("toy"), exhibit("dfep")]);
        let mut ids: Vec<&str> =
            page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert_eq!(ids.len(), 10);
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 10);
        assert!(page.contains("a &lt; b") && !page.contains("http-equiv") && !page.contains("src="));
        let markdown = exhibit("toy").markdown();
        assert!(markdown.contains("![bars](one.svg)") && markdown.contains("![bars](two.svg)"));
        assert!(
            markdown.contains("| x | y |\n| --- | --: |\n| 1 | 2 |\n")
                && markdown.contains("[one.csv](one.csv)")
        );
    }
}
