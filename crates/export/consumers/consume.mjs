// Runs exports through their consumers in JavaScript: DMN by dmn-moddle and feelin, Mermaid by its parser, TypeScript by tsc.

import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, modules] = process.argv.slice(2);
const require = createRequire(join(modules, "node_modules", "x.js"));
const load = async (name) => import(pathToFileURL(require.resolve(name)));
let wrong = 0;

function compare(name, cases, identify) {
  let right = 0;
  for (const { answers, names } of cases) {
    const found = identify(answers);
    if (found === names) right += 1;
    else {
      wrong += 1;
      console.log(`${name}: ${JSON.stringify(answers)}: ${JSON.stringify(found)}, not ${JSON.stringify(names)}`);
    }
  }
  console.log(`${name}: ${right} of ${cases.length} as the strategy`);
}

// Each cell of a decision table is a unary test of FEEL; `UNIQUE` allows one rule that fits.
async function byDmn(text) {
  const { DmnModdle } = await load("dmn-moddle");
  const { unaryTest, evaluate } = await load("feelin");
  const { rootElement, warnings } = await new DmnModdle().fromXML(text);
  if (warnings.length > 0) throw new Error(warnings[0].message);
  const table = rootElement.drgElement.find((element) => element.decisionLogic).decisionLogic;
  const value = (result) => (result && typeof result === "object" && "value" in result ? result.value : result);
  return (answers) => {
    const fits = (rule) =>
      rule.inputEntry.every((entry, at) => {
        if (entry.text === "-") return true;
        const given = answers[table.input[at].inputExpression.text];
        return given !== undefined && value(unaryTest(entry.text, { "?": given })) === true;
      });
    const rules = (table.rule ?? []).filter(fits);
    if (rules.length > 1) throw new Error("more than one rule fits");
    return rules.length === 0 ? null : value(evaluate(rules[0].outputEntry[0].text, {}));
  };
}

function byTypeScript(file) {
  const tsc = require.resolve("typescript/package.json").replace("package.json", "bin/tsc");
  const options = ["--strict", "--noUncheckedIndexedAccess", "--target", "es2022", "--module", "es2022", "--outDir", folder];
  execFileSync(process.execPath, [tsc, ...options, file], { stdio: "inherit" });
  const compiled = file.replace(/\.ts$/, ".js");
  const target = compiled.replace(/\.js$/, ".from-ts.mjs");
  writeFileSync(target, readFileSync(compiled));
  return import(pathToFileURL(target));
}

async function mermaidParser() {
  const { JSDOM } = await load("jsdom");
  globalThis.window = new JSDOM("").window;
  globalThis.document = globalThis.window.document;
  const { default: mermaid } = await import(pathToFileURL(join(modules, "node_modules/mermaid/dist/mermaid.core.mjs")));
  return mermaid;
}

const mermaid = await mermaidParser();
for (const file of readdirSync(folder).filter((file) => file.endsWith(".cases.json")).sort()) {
  const name = file.replace(".cases.json", "");
  const at = (ending) => join(folder, name + ending);
  const cases = JSON.parse(readFileSync(at(".cases.json"), "utf8"));
  compare(`${name}.dmn`, cases, await byDmn(readFileSync(at(".dmn"), "utf8")));
  for (const [ending, plan] of [[".ts", await byTypeScript(at(".ts"))], [".mjs", await import(pathToFileURL(at(".mjs")))]]) {
    plan.selfTest();
    compare(name + ending, cases, (answers) => {
      const next = plan.nextQuestion(answers);
      return next.kind === "result" ? next.names.join(" or ") : null;
    });
  }
  const diagram = await mermaid.parse(readFileSync(at(".mmd"), "utf8"));
  if (diagram.diagramType !== "flowchart-v2") throw new Error(`${name}.mmd is ${diagram.diagramType}`);
  console.log(`${name}.mmd is a diagram`);
}
process.exit(wrong > 0 ? 1 : 0);
