//! A strategy as a decision table of DMN 1.3: one rule for each leaf.

use super::xml;
use crate::escape::{Quotes, literal};
use crate::export::{Export, ExportError};
use crate::flat::{Flat, Path};
use std::io::Write;

/// Rules of a table; engines compare every rule with every other one.
const RULES: usize = 2000;

pub(crate) fn write(out: &mut dyn Write, export: &Export<'_>) -> Result<(), ExportError> {
    let flat = Flat::of(export.tree);
    let paths = flat.paths();
    if paths.len() > RULES {
        let (found, limit) = (paths.len(), RULES);
        return Err(ExportError::TooLarge { format: "dmn", what: "rules", found, limit, instead: "sql" });
    }
    let name = xml(export.name);
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        out,
        "<definitions xmlns=\"https://www.omg.org/spec/DMN/20191111/MODEL/\" id=\"strategy\" name=\"{name}\" namespace=\"https://fewest.invalid/dmn\">"
    )?;
    let facts: Vec<String> = export.facts.iter().map(|fact| xml(fact)).collect();
    writeln!(out, "  <description>{}</description>", facts.join("&#10;"))?;
    for (at, test) in flat.tests.iter().enumerate() {
        writeln!(
            out,
            "  <inputData id=\"data{at}\" name=\"{0}\">\n    <variable id=\"variable{at}\" name=\"{0}\" typeRef=\"string\"/>\n  </inputData>",
            xml(test.name)
        )?;
    }
    writeln!(
        out,
        "  <decision id=\"decision\" name=\"{name}\">\n    <variable id=\"result\" name=\"result\" typeRef=\"string\"/>"
    )?;
    for at in 0..flat.tests.len() {
        writeln!(
            out,
            "    <informationRequirement id=\"requirement{at}\"><requiredInput href=\"#data{at}\"/></informationRequirement>"
        )?;
    }
    // Two leaves have different answers to the last question that their paths share, so that one rule fits at most.
    writeln!(out, "    <decisionTable id=\"table\" hitPolicy=\"UNIQUE\">")?;
    for (at, test) in flat.tests.iter().enumerate() {
        writeln!(
            out,
            "      <input id=\"input{at}\" label=\"{}\">\n        <inputExpression id=\"expression{at}\" typeRef=\"string\"><text>{}</text></inputExpression>\n      </input>",
            xml(test.words()),
            xml(test.name)
        )?;
    }
    writeln!(out, "      <output id=\"output\" name=\"result\" typeRef=\"string\"/>")?;
    rules(out, &flat, &paths)?;
    writeln!(out, "    </decisionTable>\n  </decision>\n</definitions>")?;
    Ok(())
}

/// Writes a rule for each leaf; `-` where its path does not ask.
fn rules(out: &mut dyn Write, flat: &Flat<'_>, paths: &[Path]) -> Result<(), ExportError> {
    for (at, (path, result)) in paths.iter().enumerate() {
        writeln!(out, "      <rule id=\"rule{at}\">")?;
        for test in 0..flat.tests.len() {
            let step = path.iter().find(|(asked, _)| *asked == test);
            let entry =
                step.map_or("-".to_owned(), |(test, answer)| feel(flat.tests[*test].answers[*answer]));
            writeln!(
                out,
                "        <inputEntry id=\"entry{at}.{test}\"><text>{}</text></inputEntry>",
                xml(&entry)
            )?;
        }
        let names = feel(&flat.result_text(*result));
        writeln!(
            out,
            "        <outputEntry id=\"names{at}\"><text>{}</text></outputEntry>\n      </rule>",
            xml(&names)
        )?;
    }
    Ok(())
}

/// A text of FEEL, the language of decision tables.
fn feel(text: &str) -> String {
    literal(text, Quotes::Script).replace("\\u003c", "<")
}
