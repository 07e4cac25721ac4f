//! A strategy in C99: tables and two functions, no memory management, no library but `string.h`.

use super::{header, literals, numbers, tables};
use crate::escape::{Quotes, literal};
use crate::export::{Export, ExportError};
use crate::flat::Flat;
use std::io::Write;

const TYPES: &str = r#"
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum fewest_kind { FEWEST_ASK, FEWEST_RESULT, FEWEST_UNKNOWN };

struct fewest_test {
    const char *name;
    const char *question;
    const char *const *answers; /* ends with NULL */
};
"#;

const WALK: &str = r#"
/* What to do after the answers so far: answers[i] is the answer to fewest_tests[i], NULL where there is none.
   FEWEST_ASK: ask fewest_tests[*at]. FEWEST_RESULT: fewest_results[*at] lists the names.
   FEWEST_UNKNOWN: the answer to fewest_tests[*at] leads nowhere. */
enum fewest_kind fewest_next(const char *const *answers, size_t *at)
{
    int32_t node = 0;
    while (fewest_test_of[node] >= 0) {
        int32_t edge = fewest_first[node];
        *at = (size_t)fewest_test_of[node];
        if (answers[*at] == NULL)
            return FEWEST_ASK;
        while (edge < fewest_first[node + 1]
               && strcmp(fewest_tests[*at].answers[fewest_answer[edge]], answers[*at]) != 0)
            edge++;
        if (edge == fewest_first[node + 1])
            return FEWEST_UNKNOWN;
        node = fewest_child[edge];
    }
    *at = (size_t)fewest_result_of[node];
    return FEWEST_RESULT;
}
"#;

const SELF_TEST: &str = r#"
#include <stdio.h>

/* Walks to every leaf, question by question, and tries an unknown answer at each step. */
int main(void)
{
    const char *answers[FEWEST_TESTS];
    const int32_t *path = fewest_paths;
    size_t leaves = 0, at;
    while (*path >= 0) {
        int32_t steps = *path++;
        memset(answers, 0, sizeof answers);
        for (; steps > 0; steps--, path += 2) {
            if (fewest_next(answers, &at) != FEWEST_ASK || at != (size_t)path[0])
                return 1;
            answers[at] = "\001 no such answer";
            if (fewest_next(answers, &at) != FEWEST_UNKNOWN || at != (size_t)path[0])
                return 2;
            answers[at] = fewest_tests[at].answers[path[1]];
        }
        if (fewest_next(answers, &at) != FEWEST_RESULT || at != (size_t)*path++)
            return 3;
        leaves++;
    }
    printf("ok %lu\n", (unsigned long)leaves);
    return 0;
}
"#;

pub(crate) fn write(out: &mut dyn Write, export: &Export<'_>) -> Result<(), ExportError> {
    let flat = Flat::of(export.tree);
    // C99 has comments of one line.
    write!(out, "{}", header(export, "//"))?;
    out.write_all(TYPES.as_bytes())?;
    writeln!(out, "\n#define FEWEST_TESTS {}\n", flat.tests.len().max(1))?;
    for (at, test) in flat.tests.iter().enumerate() {
        let answers = literals(test.answers.iter().copied(), Quotes::C);
        writeln!(out, "static const char *const fewest_answers_{at}[] = {{ {answers}, NULL }};")?;
    }
    writeln!(out, "\nconst struct fewest_test fewest_tests[FEWEST_TESTS] = {{")?;
    for (at, test) in flat.tests.iter().enumerate() {
        let question = test.words();
        let (name, question) = (literal(test.name, Quotes::C), literal(question, Quotes::C));
        writeln!(out, "    {{ {name}, {question}, fewest_answers_{at} }},")?;
    }
    if flat.tests.is_empty() {
        writeln!(out, "    {{ NULL, NULL, NULL }}, /* there is nothing to ask */")?;
    }
    writeln!(out, "}};\n")?;
    for (at, result) in flat.results.iter().enumerate() {
        let names: String = result.iter().map(|name| literal(name, Quotes::C) + ", ").collect();
        writeln!(out, "static const char *const fewest_names_{at}[] = {{ {names}NULL }};")?;
    }
    writeln!(out, "\n/* Names that a leaf identifies; each list ends with NULL. */")?;
    writeln!(out, "const char *const *const fewest_results[] = {{")?;
    for at in 0..flat.results.len() {
        writeln!(out, "    fewest_names_{at},")?;
    }
    writeln!(out, "}};\n")?;
    for (name, about, all) in tables(&flat) {
        let name = match name {
            "TEST" => "test_of",
            "FIRST" => "first",
            "RESULT" => "result_of",
            "ANSWER" => "answer",
            _ => "child",
        };
        // An array cannot be empty in C.
        let all = if all.is_empty() { vec![0] } else { all };
        writeln!(
            out,
            "/* {about} */\nstatic const int32_t fewest_{name}[] = {{\n{}\n}};",
            numbers(&all, "    ")
        )?;
    }
    out.write_all(WALK.as_bytes())?;
    if export.with_self_test {
        let mut paths = flat.path_numbers();
        paths.push(-1);
        writeln!(
            out,
            "\n/* For the test: the number of steps to each leaf, test and answer of each step, and the result. */"
        )?;
        writeln!(out, "static const int32_t fewest_paths[] = {{\n{}\n}};", numbers(&paths, "    "))?;
        out.write_all(SELF_TEST.as_bytes())?;
    }
    Ok(())
}
