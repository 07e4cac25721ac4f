//! A key as a page: a table of three columns, so that it can be printed or pasted into a document.

use super::couplets::{Key, To};
use super::{KeyStyle, footer, joined, label, shown_name, title};
use crate::format::{Export, ExportError};
use std::io::Write;

const STYLE: &str = "
:root { color-scheme: light dark; }
body { font: 1rem/1.4 Georgia, 'Times New Roman', serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
td { vertical-align: bottom; padding: .1rem 0; }
td.number { vertical-align: top; white-space: nowrap; width: 1%; padding-right: .8rem; }
td.lead { vertical-align: top; }
td.lead div { display: flex; }
td.lead span { padding-right: .6rem; }
td.lead div.to-right::after { content: ''; flex: 1; min-width: 1.5rem; border-bottom: 2px dotted; opacity: .45; margin: 0 .4rem .35rem; }
td.to { text-align: right; width: 1%; white-space: nowrap; }
td.to.long { width: 40%; white-space: normal; }
tr.first td { padding-top: .5rem; }
a { color: inherit; } td.to a { font-weight: bold; }
tr:target { outline: 2px solid; }
footer { margin-top: 2rem; font-size: .85rem; }
@media print { body { max-width: none; margin: 0; font-size: 10pt; } tr { break-inside: avoid; } a { text-decoration: none; } }
";

/// Letters of a name that may be wrapped.
const LONG: usize = 60;

pub(crate) fn write(out: &mut dyn Write, export: &Export<'_>) -> Result<(), ExportError> {
    let key = Key::of(export.tree, &export.key);
    let title = escaped(&title(export));
    writeln!(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
    writeln!(out, "<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>")?;
    if key.couplets.is_empty() {
        writeln!(out, "<p>Nothing is to be asked: {}</p>", escaped(&joined(&key.only)))?;
    } else {
        writeln!(out, "<table>\n<tbody>")?;
        rows(out, export, &key)?;
        writeln!(out, "</tbody>\n</table>")?;
    }
    let index = key.index();
    if !index.is_empty() {
        writeln!(out, "<h2>Names that stand in several places</h2>\n<ul>")?;
        for (name, places) in index {
            let link = |at: &usize| format!("<a href=\"#c{0}\">{0}</a>", at + 1);
            let places: Vec<String> = places.iter().map(link).collect();
            writeln!(out, "<li>{}: {}</li>", escaped(&shown_name(name)), places.join(", "))?;
        }
        writeln!(out, "</ul>")?;
    }
    let footer = footer(export, &key);
    if !footer.is_empty() {
        let lines: Vec<String> = footer.iter().map(|line| escaped(line)).collect();
        writeln!(out, "<footer><p>{}</p></footer>", lines.join("<br>\n"))?;
    }
    writeln!(out, "</body>\n</html>")?;
    Ok(())
}

fn rows(out: &mut dyn Write, export: &Export<'_>, key: &Key) -> Result<(), ExportError> {
    let is_indented = export.key.style == KeyStyle::Indented;
    for at in order(key, is_indented) {
        let (at, lead) = at;
        let couplet = &key.couplets[at];
        let parent = couplet.parent.filter(|_| !is_indented && lead == 0).map(|parent| parent + 1);
        let label = escaped(&label(&export.key, at + 1, parent, lead, couplet.leads.len()));
        let label = match parent {
            Some(parent) => {
                label.replace(&format!("({parent})"), &format!("(<a href=\"#c{parent}\">{parent}</a>)"))
            }
            None => label,
        };
        let id = if lead == 0 { format!(" id=\"c{}\" class=\"first\"", at + 1) } else { String::new() };
        let lead = &couplet.leads[lead];
        let text = escaped(&lead.text);
        let to = match &lead.to {
            To::Names(names) => escaped(&joined(names)),
            // What follows stands below.
            To::Couplet(_) if is_indented => String::new(),
            To::Couplet(next) => format!("<a href=\"#c{0}\">{0}</a>", next + 1),
        };
        let dots = if to.is_empty() { "" } else { " class=\"to-right\"" };
        let cells = match is_indented {
            true => format!(
                "<td class=\"lead\" colspan=\"2\"><div{dots} style=\"padding-left: {}rem\"><span>{label}</span>{text}</div></td>",
                couplet.depth.min(20)
            ),
            false => {
                format!("<td class=\"number\">{label}</td><td class=\"lead\"><div{dots}>{text}</div></td>")
            }
        };
        let long = if to.len() > LONG { " long" } else { "" };
        writeln!(out, "<tr{id}>{cells}<td class=\"to{long}\">{to}</td></tr>")?;
    }
    Ok(())
}

/// Leads in the order of the page: couplet by couplet, or each with what follows from it.
pub(super) fn order(key: &Key, is_indented: bool) -> Vec<(usize, usize)> {
    if !is_indented {
        let leads = |at: usize| (0..key.couplets[at].leads.len()).map(move |lead| (at, lead));
        return (0..key.couplets.len()).flat_map(leads).collect();
    }
    let mut found = Vec::new();
    let mut waiting = vec![(0, 0)];
    while let Some((at, lead)) = waiting.pop() {
        let Some(this) = key.couplets[at].leads.get(lead) else { continue };
        found.push((at, lead));
        waiting.push((at, lead + 1));
        if let To::Couplet(next) = this.to {
            waiting.push((next, 0));
        }
    }
    found
}

pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            letter if letter.is_control() => safe.push(' '),
            letter => safe.push(letter),
        }
    }
    safe
}
