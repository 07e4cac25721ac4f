//! A strategy as a module of JavaScript or TypeScript.

use super::{header, literals, names, numbers, tables};
use crate::escape::{Quotes, literal};
use crate::export::{Export, ExportError};
use crate::flat::Flat;
use std::io::Write;

/// Types of a declaration, in TypeScript only.
struct Types {
    tests: &'static str,
    results: &'static str,
    table: &'static str,
    paths: &'static str,
    before_walk: &'static str,
    walk: &'static str,
    identify: &'static str,
    self_test: &'static str,
}

const TYPESCRIPT: Types = Types {
    tests: ": readonly { readonly test: string; readonly question: string; readonly answers: readonly string[] }[]",
    results: ": readonly (readonly string[])[]",
    table: ": readonly number[]",
    paths: ": readonly (readonly [readonly (readonly [string, string])[], readonly string[]])[]",
    before_walk: "
export type Answers = Readonly<Record<string, string>>;
export type Next =
  | { readonly kind: \"ask\"; readonly test: string; readonly question: string; readonly answers: readonly string[] }
  | { readonly kind: \"result\"; readonly names: readonly string[] }
  | { readonly kind: \"unknown\"; readonly test: string; readonly answer: string };
",
    walk: "(answers: Answers): Next",
    identify: "(answers: Answers): readonly string[]",
    self_test: "(): number",
};

const JAVASCRIPT: Types = Types {
    tests: "",
    results: "",
    table: "",
    paths: "",
    before_walk: "",
    walk: "(answers)",
    identify: "(answers)",
    self_test: "()",
};

const NEXT: &str = r#" {
  let node = 0;
  for (;;) {
    const asked = TESTS[TEST[node]@];
    if (asked === undefined) return { kind: "result", names: RESULTS[RESULT[node]@]@ };
    const [first, end] = [FIRST[node]@, FIRST[node + 1]@];
    if (!Object.hasOwn(answers, asked.test)) {
      const known = ANSWER.slice(first, end).map((at) => asked.answers[at]@);
      return { kind: "ask", test: asked.test, question: asked.question, answers: known };
    }
    const answer = answers[asked.test]@;
    let edge = first;
    while (edge < end && asked.answers[ANSWER[edge]@] !== answer) edge += 1;
    if (edge === end) return { kind: "unknown", test: asked.test, answer };
    node = CHILD[edge]@;
  }
}
"#;

const IDENTIFY: &str = r#" {
  const next = nextQuestion(answers);
  if (next.kind === "ask") throw new Error(`no answer to ${JSON.stringify(next.test)}`);
  if (next.kind === "unknown") {
    throw new Error(`${JSON.stringify(next.answer)} is not a known answer to ${JSON.stringify(next.test)} here`);
  }
  return next.names;
}
"#;

const SELF_TEST: &str = r#" {
  const must = (holds@B, path@U) => {
    if (!holds) throw new Error(`wrong at ${JSON.stringify(path)}`);
  };
  for (const [path, names] of PATHS) {
    let answers@A = {};
    for (const [test, answer] of path) {
      const next = nextQuestion(answers);
      must(next.kind === "ask" && next.test === test, path);
      must(nextQuestion({ ...answers, [test]: `${answer} or not` }).kind === "unknown", path);
      answers = { ...answers, [test]: answer };
    }
    must(JSON.stringify(identify(answers)) === JSON.stringify(names), path);
  }
  return PATHS.length;
}
"#;

pub(crate) fn write_javascript(out: &mut dyn Write, export: &Export<'_>) -> Result<(), ExportError> {
    write(out, export, &JAVASCRIPT, "")
}

pub(crate) fn write_typescript(out: &mut dyn Write, export: &Export<'_>) -> Result<(), ExportError> {
    write(out, export, &TYPESCRIPT, "!")
}

/// Writes a module; `sure` is what TypeScript wants after an element that is always there.
fn write(out: &mut dyn Write, export: &Export<'_>, types: &Types, sure: &str) -> Result<(), ExportError> {
    let flat = Flat::of(export.tree);
    write!(out, "{}", header(export, "//"))?;
    writeln!(
        out,
        "\n/** Each test with its question and its answers. */\nexport const TESTS{} = [",
        types.tests
    )?;
    for test in &flat.tests {
        let question = test.words();
        let answers = literals(test.answers.iter().copied(), Quotes::Script);
        let (name, question) = (literal(test.name, Quotes::Script), literal(question, Quotes::Script));
        writeln!(out, "  {{ test: {name}, question: {question}, answers: [{answers}] }},")?;
    }
    let about = "Names that a leaf identifies; several where the tests cannot tell them apart.";
    writeln!(out, "];\n/** {about} */\nexport const RESULTS{} = [", types.results)?;
    for result in &flat.results {
        writeln!(out, "  [{}],", names(result, Quotes::Script))?;
    }
    writeln!(out, "];")?;
    for (name, about, all) in tables(&flat) {
        writeln!(out, "/** {about} */\nconst {name}{} = [\n{}\n];", types.table, numbers(&all, "  "))?;
    }
    write!(out, "{}", types.before_walk)?;
    writeln!(
        out,
        "\n/** What to do after these answers: ask a test, tell the result, or refuse an unknown answer. */"
    )?;
    write!(out, "export function nextQuestion{}{}", types.walk, NEXT.replace('@', sure))?;
    writeln!(
        out,
        "\n/** Names that these answers identify; throws where an answer is missing or unknown. */"
    )?;
    write!(out, "export function identify{}{IDENTIFY}", types.identify)?;
    if export.with_self_test {
        writeln!(out, "\n/** For the test: the answers that lead to each leaf, and what it identifies. */")?;
        writeln!(out, "const PATHS{} = [", types.paths)?;
        for (path, result) in flat.paths() {
            let step = |(test, answer): &(usize, usize)| {
                let test = &flat.tests[*test];
                format!("[{}]", literals([test.name, test.answers[*answer]], Quotes::Script))
            };
            let steps: Vec<String> = path.iter().map(step).collect();
            writeln!(out, "  [[{}], [{}]],", steps.join(", "), names(flat.results[result], Quotes::Script))?;
        }
        writeln!(
            out,
            "];\n\n/** Walks to every leaf and returns the number of leaves; throws where one is missed. */"
        )?;
        let typed = |of: &'static str| if sure.is_empty() { "" } else { of };
        let body = SELF_TEST.replace("@B", typed(": boolean")).replace("@U", typed(": unknown"));
        write!(out, "export function selfTest{}{}", types.self_test, body.replace("@A", typed(": Answers")))?;
    }
    Ok(())
}
