//! A strategy as a tree model of PMML 4.4.

use super::xml;
use crate::export::{Export, ExportError};
use crate::flat::Flat;
use std::io::Write;

/// Leaves times classes: each leaf lists all classes.
const LISTED: usize = 1_000_000;
/// Nodes that are nested in each other; readers of XML are recursive.
const DEPTH: usize = 200;

pub(crate) fn write(out: &mut dyn Write, export: &Export<'_>) -> Result<(), ExportError> {
    let flat = Flat::of(export.tree);
    let too_large = |what, found, limit| {
        Err(ExportError::TooLarge { format: "pmml", what, found, limit, instead: "sql" })
    };
    let paths = flat.paths();
    let depth = paths.iter().map(|(path, _)| path.len()).max().unwrap_or(0);
    if depth > DEPTH {
        return too_large("questions in a row", depth, DEPTH);
    }
    if paths.len() * flat.results.len() > LISTED {
        return too_large("leaves times classes", paths.len() * flat.results.len(), LISTED);
    }
    writeln!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<PMML xmlns=\"http://www.dmg.org/PMML-4_4\" version=\"4.4\">"
    )?;
    writeln!(out, "  <Header description=\"{}\"><Application name=\"fewest\"/></Header>", xml(export.name))?;
    writeln!(out, "  <DataDictionary numberOfFields=\"{}\">", flat.tests.len() + 1)?;
    for test in &flat.tests {
        writeln!(
            out,
            "    <DataField name=\"{}\" optype=\"categorical\" dataType=\"string\">",
            xml(test.name)
        )?;
        for answer in &test.answers {
            writeln!(out, "      <Value value=\"{}\"/>", xml(answer))?;
        }
        writeln!(out, "    </DataField>")?;
    }
    let target = target(&flat);
    let classes: Vec<String> = flat.result_texts();
    writeln!(out, "    <DataField name=\"{}\" optype=\"categorical\" dataType=\"string\">", xml(&target))?;
    for class in &classes {
        writeln!(out, "      <Value value=\"{}\"/>", xml(class))?;
    }
    writeln!(out, "    </DataField>\n  </DataDictionary>")?;
    // An answer that is not known leads nowhere: the prediction is none.
    writeln!(
        out,
        "  <TreeModel modelName=\"{}\" functionName=\"classification\" splitCharacteristic=\"multiSplit\" missingValueStrategy=\"none\" noTrueChildStrategy=\"returnNullPrediction\">",
        xml(export.name)
    )?;
    writeln!(out, "    <MiningSchema>")?;
    for test in &flat.tests {
        writeln!(out, "      <MiningField name=\"{}\" invalidValueTreatment=\"asIs\"/>", xml(test.name))?;
    }
    writeln!(
        out,
        "      <MiningField name=\"{}\" usageType=\"target\"/>\n    </MiningSchema>",
        xml(&target)
    )?;
    nodes(out, export, &flat, &classes)?;
    writeln!(out, "  </TreeModel>\n</PMML>")?;
    Ok(())
}

/// Name of the predicted field, which no test has.
fn target(flat: &Flat<'_>) -> String {
    let mut name = "identified".to_owned();
    while flat.tests.iter().any(|test| test.name == name) {
        name.push('_');
    }
    name
}

/// A step of writing: a node with the edge that leads to it, or the end of a node.
enum Step {
    Begin { node: usize, edge: Option<(usize, usize)>, depth: usize },
    End { depth: usize },
}

fn nodes(
    out: &mut dyn Write,
    export: &Export<'_>,
    flat: &Flat<'_>,
    classes: &[String],
) -> Result<(), ExportError> {
    let mut steps = vec![Step::Begin { node: 0, edge: None, depth: 0 }];
    while let Some(step) = steps.pop() {
        let (node, edge, depth) = match step {
            Step::Begin { node, edge, depth } => (node, edge, depth),
            Step::End { depth } => {
                writeln!(out, "{}</Node>", " ".repeat(4 + depth.min(20)))?;
                continue;
            }
        };
        let indent = " ".repeat(4 + depth.min(20));
        let weight = export.tree.nodes[node].weight();
        let result = flat.nodes[node].result;
        let score = result.map_or(String::new(), |result| format!(" score=\"{}\"", xml(&classes[result])));
        writeln!(out, "{indent}<Node id=\"{node}\"{score} recordCount=\"{weight}\">")?;
        match edge {
            None => writeln!(out, "{indent} <True/>")?,
            Some((test, answer)) => {
                let test = &flat.tests[test];
                let (name, answer) = (xml(test.name), xml(test.answers[answer]));
                writeln!(
                    out,
                    "{indent} <SimplePredicate field=\"{name}\" operator=\"equal\" value=\"{answer}\"/>"
                )?;
            }
        }
        if let Some(result) = result {
            // Every class, also those that are impossible here: readers take a class that is not listed for an error.
            for (at, class) in classes.iter().enumerate() {
                let count = if at == result { weight } else { 0.0 };
                writeln!(
                    out,
                    "{indent} <ScoreDistribution value=\"{}\" recordCount=\"{count}\"/>",
                    xml(class)
                )?;
            }
        }
        steps.push(Step::End { depth });
        let Some(test) = flat.nodes[node].test else { continue };
        let edges = flat.edges_of(node).iter().rev();
        steps.extend(edges.map(|edge| Step::Begin {
            node: edge.child,
            edge: Some((test, edge.answer)),
            depth: depth + 1,
        }));
    }
    Ok(())
}
