//! A strategy as a Go package of one file.

use super::{header, literals, names, numbers, tables};
use crate::escape::{Quotes, literal};
use crate::export::{Export, ExportError};
use crate::flat::Flat;
use std::io::Write;

const TYPES: &str = r#"
package strategy

// Test is a test with its question and its answers.
type Test struct {
	Name     string
	Question string
	Answers  []string
}

// Kind says what to do after some answers.
type Kind int

const (
	// Ask means: ask Tests[At].
	Ask Kind = iota
	// Result means: Results[At] lists the names.
	Result
	// Unknown means: the answer to Tests[At] leads nowhere.
	Unknown
)
"#;

const WALK: &str = r#"
// Next says what to do after these answers, by the names of the tests.
func Next(answers map[string]string) (kind Kind, at int) {
	node := int32(0)
	for testOf[node] >= 0 {
		at = int(testOf[node])
		test := Tests[at]
		given, ok := answers[test.Name]
		if !ok {
			return Ask, at
		}
		edge := first[node]
		for edge < first[node+1] && test.Answers[answerOf[edge]] != given {
			edge++
		}
		if edge == first[node+1] {
			return Unknown, at
		}
		node = child[edge]
	}
	return Result, int(resultOf[node])
}
"#;

const SELF_TEST: &str = r#"
// SelfTest walks to every leaf, tries an unknown answer at each step, and returns the number of leaves.
func SelfTest() int {
	leaves := 0
	for at := 0; at < len(paths); leaves++ {
		steps := int(paths[at])
		at++
		answers := map[string]string{}
		for ; steps > 0; steps-- {
			test := Tests[paths[at]]
			if kind, asked := Next(answers); kind != Ask || asked != int(paths[at]) {
				panic(test.Name)
			}
			answers[test.Name] = "\x01 no such answer"
			if kind, _ := Next(answers); kind != Unknown {
				panic(test.Name)
			}
			answers[test.Name] = test.Answers[paths[at+1]]
			at += 2
		}
		if kind, result := Next(answers); kind != Result || result != int(paths[at]) {
			panic(leaves)
		}
		at++
	}
	return leaves
}
"#;

pub(crate) fn write(out: &mut dyn Write, export: &Export<'_>) -> Result<(), ExportError> {
    let flat = Flat::of(export.tree);
    write!(out, "{}", header(export, "//"))?;
    out.write_all(TYPES.as_bytes())?;
    writeln!(out, "\n// Tests lists all tests.\nvar Tests = []Test{{")?;
    for test in &flat.tests {
        let question = test.words();
        let answers = literals(test.answers.iter().copied(), Quotes::Go);
        let (name, question) = (literal(test.name, Quotes::Go), literal(question, Quotes::Go));
        writeln!(out, "\t{{{name}, {question}, []string{{{answers}}}}},")?;
    }
    writeln!(out, "}}\n\n// Results lists the names that a leaf identifies.\nvar Results = [][]string{{")?;
    for result in &flat.results {
        writeln!(out, "\t{{{}}},", names(result, Quotes::Go))?;
    }
    writeln!(out, "}}")?;
    for (name, about, all) in tables(&flat) {
        let name = match name {
            "TEST" => "testOf",
            "FIRST" => "first",
            "RESULT" => "resultOf",
            "ANSWER" => "answerOf",
            _ => "child",
        };
        writeln!(out, "\n// {about}\nvar {name} = []int32{{\n{}\n}}", numbers(&all, "\t"))?;
    }
    out.write_all(WALK.as_bytes())?;
    if export.with_self_test {
        let paths = flat.path_numbers();
        writeln!(
            out,
            "\n// The number of steps to each leaf, test and answer of each step, and the result."
        )?;
        writeln!(out, "var paths = []int32{{\n{}\n}}", numbers(&paths, "\t"))?;
        out.write_all(SELF_TEST.as_bytes())?;
    }
    Ok(())
}
