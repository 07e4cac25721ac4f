// A real browser walks open → build → ask → change an answer → result, by keys alone.
//
// usage: node walk.mjs FEWEST [SCREENS]    FEWEST: the program; SCREENS: where to put pictures for the README
//
// Each walk is made at the width of a phone and of a desk. On every page: axe finds nothing, nothing scrolls sideways,
// nothing shifts, no request leaves the host. Then all again with JavaScript switched off.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

const [program, screens] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WIDTHS = { phone: { width: 360, height: 740 }, desk: { width: 1280, height: 900 } };

/** The most that the first page may take, compressed, with all that it loads. */
const FIRST_PAGE = 100_000;
/** Largest cumulative layout shift that cannot be seen. */
const STILL = 0.001;

const freePort = () =>
  new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });

async function serve(folder) {
  const port = await freePort();
  const child = spawn(program, ["serve", "--data", folder, "--bind", `127.0.0.1:${port}`], { stdio: "inherit" });
  for (let tries = 0; ; tries += 1) {
    try {
      if ((await fetch(`http://127.0.0.1:${port}/readyz`)).ok) break;
    } catch {
      // Not yet.
    }
    assert(tries < 300, "the server does not start");
    await new Promise((done) => setTimeout(done, 100));
  }
  return { origin: `http://127.0.0.1:${port}`, stop: () => child.kill("SIGTERM") };
}

/** A page that is looked at after every step. */
class Walker {
  constructor(page, origin, { script, name }) {
    Object.assign(this, { page, origin, script, name, looked: 0, problems: [], strangers: [] });
    page.on("request", (request) => {
      const { origin: to, protocol } = new URL(request.url());
      if (to !== origin && protocol !== "data:" && protocol !== "blob:") this.strangers.push(request.url());
    });
    page.on("pageerror", (error) => assert.fail(`a script broke on ${page.url()}: ${error}`));
    page.on("console", (message) => {
      if (message.type() === "error" && !/status of 4\d\d/.test(message.text())) {
        assert.fail(`${page.url()}: ${message.text()}`);
      }
    });
  }

  /** What must hold on every page; what does not is told at the end, all at once. */
  async look(what) {
    const { page, problems } = this;
    const place = `${what} at ${page.viewportSize().width} px`;
    if ((await page.locator("h1").count()) !== 1) problems.push(`${place}: not one first heading`);
    if (this.script) {
      const sideways = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
      if ((await page.evaluate(sideways)) !== 0) problems.push(`${place}: scrolls sideways`);
      const { violations } = await page.evaluate("axe.run(document)");
      for (const { id, nodes } of violations) problems.push(`${place}: ${id}: ${nodes.map(({ html }) => html).join("\n  ")}`);
      const shift = await page.evaluate(() => globalThis.shifted ?? 0);
      if (shift > STILL) problems.push(`${place}: shifts by ${shift}`);
    }
    this.looked += 1;
  }

  /** Presses the tab key until `wanted` has the focus: a person without a mouse gets there too. */
  async tabTo(wanted) {
    const { page } = this;
    if (!this.script) return wanted.focus();
    const element = await wanted.elementHandle();
    const is = () => element.evaluate((element) => element === document.activeElement);
    for (let presses = 0; presses < 150; presses += 1) {
      if (await is()) return;
      await page.keyboard.press("Tab");
    }
    assert.fail(`the tab key does not lead to ${wanted} on ${page.url()}`);
  }

  async press(wanted, key = "Enter") {
    await this.tabTo(wanted);
    await Promise.all([this.page.waitForEvent("load"), this.page.keyboard.press(key)]);
  }

  button(name) {
    return this.page.getByRole("button", { name }).first();
  }

  link(name) {
    return this.page.getByRole("link", { name }).first();
  }

  async heading() {
    return (await this.page.locator("h1").first().textContent()).trim();
  }

  /** A picture for the README, of the page at one width. */
  async shoot(name, width) {
    if (!screens || !this.script || this.name !== width) return;
    await this.page.evaluate("document.activeElement.blur(); scrollTo(0, 0)");
    await this.page.screenshot({ path: join(screens, `${name}.png`) });
  }
}

/** Waits for a search: by its events, or by pages that refresh themselves. */
async function built(walker) {
  await walker.page.getByRole("button", { name: "Ask the questions" }).waitFor({ timeout: 60_000 });
}

/** Answers by `truth` until the result is there; says how many questions there were. */
async function answerAll(walker, truth) {
  let asked = 0;
  while (!walker.page.url().endsWith("/result")) {
    const question = await walker.heading();
    assert(question in truth, `an unknown question: ${question}`);
    await walker.look(`question ${asked + 1}`);
    if (asked === 1 && question.includes(" ")) await walker.shoot("ask", "phone");
    await walker.press(walker.page.locator(`button.answer[value="${truth[question]}"]`));
    asked += 1;
    assert(asked <= 20, "there is no end of questions");
  }
  return asked;
}

/** The walk of the issue on one table. */
async function walk(walker, story) {
  const { page } = walker;
  await page.goto(walker.origin);
  await walker.look("open");
  await story.open(walker);
  await walker.look("check");
  await walker.press(walker.link("Build a strategy"));
  await walker.look("build");
  await walker.press(walker.button("Build"));
  await built(walker);
  await walker.look("strategy");
  assert.match(await page.locator(".verdict").textContent(), story.verdict);
  await story.extra?.(walker);
  await walker.press(walker.button("Ask the questions"));

  const asked = await answerAll(walker, story.truth);
  assert.equal(asked, story.questions);
  assert.match(await walker.heading(), story.found);
  await walker.look("result");

  // The browser's way back leads to the last question, with its answer.
  await page.goBack();
  assert.match(await page.locator(".question").textContent(), /Your answer is/);
  await page.goForward();

  await walker.press(walker.link(/^Change/));
  await walker.look("change");
  await walker.press(walker.page.locator(`button.answer[value="${story.other.answer}"]`));
  await answerAll(walker, { ...story.truth, ...story.other.truth });
  assert.match(await walker.heading(), story.other.found);

  await walker.press(walker.link(/All objects, with reasons/));
  await walker.look("candidates");
  await walker.press(walker.page.locator("#out button").first());
  await walker.look("explanation");
  assert.doesNotMatch(await page.locator(".reasons.against").textContent(), /^\s*$/);
  await page.goBack();
  await page.goBack();

  const link = await page.locator("#share").getAttribute("href");
  assert.doesNotMatch(link, /session/);
  await walker.press(walker.link("Link to these answers"));
  assert.match(await walker.heading(), story.other.found);
  await walker.look("shared");
  await walker.press(walker.button("Go on from these answers"));
  assert.match(page.url(), /\/sessions\/[0-9a-f]{32}\/result$/);
  await walker.press(walker.button("Confirm"));
  assert.match(await page.locator("main").textContent(), /Confirmed:/);
}

const printer = {
  open: (walker) => walker.press(walker.button(/What is wrong with the printer/)),
  verdict: /A cost of 3.22 on average, 4 in the worst case. No strategy can be better/,
  truth: {
    "Is an error code shown?": "no",
    "Does the computer see the printer?": "no",
    "Is the lamp on?": "yes",
    "Does a printed page smear?": "no",
    "Is there paper in the tray?": "yes",
    "Does the self test print?": "yes",
    "Does the fan spin?": "yes",
  },
  questions: 2,
  found: /connection/,
  other: { answer: "yes", truth: { "Is an error code shown?": "yes" }, found: /paper/ },
  async extra(walker) {
    await walker.shoot("build", "desk");
    await walker.press(walker.link("See the tree"));
    await walker.look("tree");
    if (walker.script) await treeByKeys(walker);
    await walker.page.goBack();
  },
};

/** The tree in the picture and in the outline. */
async function treeByKeys(walker) {
  const { page } = walker;
  const root = page.locator('[role="tree"] [role="treeitem"]').first();
  await walker.tabTo(root);
  const expanded = () => root.getAttribute("aria-expanded");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await expanded(), "false");
  assert.equal(await page.locator(".viewer .node").count(), 1, "what is folded in the outline is folded in the picture");
  await page.keyboard.press("ArrowRight");
  assert.equal(await expanded(), "true");
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.evaluate("document.activeElement.getAttribute('role')"), "treeitem");
  const find = page.getByLabel("Find in the tree");
  await find.fill("power");
  await find.press("Enter");
  assert.ok((await page.locator(".viewer .node.found").count()) > 0);
  for (const name of [/^SVG/, /^PNG/]) {
    const saved = page.waitForEvent("download");
    await walker.button(name).press("Enter");
    assert.match((await saved).suggestedFilename(), /^printer\.(svg|png)$/);
  }
  await walker.button(/^Level −/).press("Enter");
  const fewer = await page.locator(".viewer .node").count();
  await walker.button(/^Level \+/).press("Enter");
  assert.ok((await page.locator(".viewer .node").count()) > fewer, "one level more");
  await walker.button("Full screen").press("Enter");
  await page.waitForFunction("document.fullscreenElement?.id === 'viewer' || /no full screen/.test(document.getElementById('viewer').textContent)");
  await page.evaluate("document.fullscreenElement && document.exitFullscreen()");
  await printed(walker);
  const before = await page.locator(".viewer svg").getAttribute("viewBox");
  await walker.button("Zoom in").press("Enter");
  assert.notEqual(await page.locator(".viewer svg").getAttribute("viewBox"), before);
  await page.getByLabel("Show the path of an object").fill("blown fuse");
  await Promise.all([page.waitForEvent("load"), page.getByLabel("Show the path of an object").press("Enter")]);
  assert.match(await page.locator("p.traced").textContent(), /blown fuse after \d questions?/);
  await walker.look("traced tree");
  await walker.shoot("tree", "desk");
  await page.goBack();
}

/** On paper, nothing is folded. */
async function printed(walker) {
  const { page } = walker;
  await page.emulateMedia({ media: "print" });
  const hidden = await page.evaluate(
    "[...document.querySelectorAll('#outline .line')].filter((line) => line.getBoundingClientRect().height === 0).length",
  );
  assert.equal(hidden, 0, "what is folded is printed");
  // The picture has no size on paper. Leaving full screen just then must not draw it at that size: the console would say so.
  await page.evaluate("document.getElementById('viewer').dispatchEvent(new Event('fullscreenchange'))");
  await page.emulateMedia({ media: null });
}

const zoo = (file) => ({
  async open(walker) {
    await walker.page.getByLabel(/CSV, TSV/).setInputFiles(file);
    await walker.press(walker.button("Open"));
  },
  verdict: /2.08 questions on average, 4 in the worst case. No strategy can be better/,
  truth: { "milk?": "0", "legs?": "2", "aquatic?": "0", "fins?": "0", "toothed?": "0" },
  questions: 2,
  found: /bird/,
  other: { answer: "1", truth: {}, found: /mammal|No object/ },
  async extra(walker) {
    const { page } = walker;
    const strategy = page.url();
    await walker.press(walker.page.locator(".tabs a", { hasText: "Compare" }));
    await walker.look("compare");
    await walker.press(walker.button("Compare algorithms"));
    await page.getByRole("heading", { name: "Algorithms side by side" }).waitFor({ timeout: 60_000 });
    await walker.look("comparison");
    await page.goto(page.url().replace(/comparisons.*/, "sessions"));
    await walker.look("sessions");
    await page.goto(strategy);
    await walker.press(walker.page.locator(".tabs a", { hasText: "Compare" }));
    await walker.press(walker.button("Find these strategies"));
    await page.locator("figure svg").waitFor({ timeout: 60_000 });
    await walker.look("front");
    await page.goto(strategy);
  },
});

/** Pages beside the walk: a table with a mistake, what is not there, and asking with everything unfolded. */
async function besides(walker, folder) {
  const { page, origin } = walker;
  const broken = join(folder, "broken.csv");
  writeFileSync(broken, "object,legs,milk\nbear,4,yes\nhen,2\n");
  await page.goto(origin);
  await page.getByLabel(/CSV, TSV/).setInputFiles(broken);
  await walker.press(walker.button("Open"));
  assert.match(await page.getByRole("alert").textContent(), /row 3 has 2 cells/);
  await walker.look("a table with a mistake");
  const halfway = join(folder, "halfway.csv");
  writeFileSync(halfway, "object,group,a,b\nbear,big,4,yes\nhen,,2,no\n");
  await page.goto(origin);
  await page.getByLabel(/CSV, TSV/).setInputFiles(halfway);
  await walker.press(walker.button("Open"));
  await walker.look("a file that is kept");
  await page.locator("#again-identify").selectOption("objects");
  await walker.press(walker.button("Read the file again"));
  assert.match(await page.locator("main").textContent(), /2 objects, 2 tests/);
  await page.goto(origin);
  const evil = join(folder, "evil.csv");
  writeFileSync(evil, 'object,"<script>alert(1)</script>",b\n"<img src=x onerror=alert(1)>",1,0\nb,0,0\n');
  await page.getByLabel(/CSV, TSV/).setInputFiles(evil);
  await walker.press(walker.button("Open"));
  assert.equal(await page.locator("main script, main img").count(), 0, "names are text");
  await walker.look("names with markup");
  await page.goto(`${origin}/tables/${"0".repeat(32)}`);
  assert.match(await walker.heading(), /Not found/);
  await walker.look("not found");
  await page.goto(`${origin}/sign-in`);
  await walker.look("sign in");

  await page.goto(origin);
  await walker.press(walker.button(/contact lenses/));
  assert.match(await page.locator("main").textContent(), /Aid, not advice/);
  await walker.look("check of lenses");
  await walker.press(walker.link("Ask now"));
  await walker.look("start");
  await walker.press(walker.button("Start"));
  await walker.press(walker.link("Why this question?"));
  await walker.look("why");
  await walker.press(walker.button("I don’t know"));
  assert.match(await page.locator(".answers").textContent(), /don’t know/);
  const folded = page.locator("aside details:not([open]) > summary");
  while ((await folded.count()) > 0) await folded.first().press("Enter");
  await walker.look("question with all unfolded");
  const asked = await walker.heading();
  // What one types is searched at once, and the question stays.
  await page.getByLabel(/^Search all \d+ tests/).pressSequentially("astig");
  const fact = page.locator("#facts select");
  await fact.waitFor();
  await walker.look("what is known");
  await fact.selectOption("=no");
  await walker.press(page.locator("#facts button"));
  assert.match(await page.locator(".answers").textContent(), /known before/);
  if (!asked.startsWith("astigmatism")) assert.equal(await walker.heading(), asked);
  await measured(walker, folder);
}

/** A table with gaps and measured numbers: its notices, another reading, and a number that answers a column. */
async function measured(walker, folder) {
  const { page, origin } = walker;
  const file = join(folder, "lab.csv");
  const color = (at) => ["red", "blue", ""][at % 3];
  const rows = Array.from({ length: 40 }, (_, at) => `o${at},${at + 0.5},${at % 2},${color(at)},${at === 7 ? "" : `city ${at}`}`);
  writeFileSync(file, `object,lab,fever,color,city\n${rows.join("\n")}\n`);
  await page.goto(origin);
  await page.getByLabel(/CSV, TSV/).setInputFiles(file);
  await walker.press(walker.button("Open"));
  assert.match(await page.locator("main").textContent(), /cells are empty.*Measured numbers in “lab”/s);
  await walker.press(walker.button("It is a fact of its own"));
  assert.equal(await page.locator(".chosen", { hasText: "It is a fact of its own" }).count(), 1);
  await page.locator("summary", { hasText: "Read the table differently" }).press("Enter");
  await walker.look("another reading");
  // The list of tests is searched while one types.
  await page.getByLabel("Search the tests").fill("fever");
  await page.locator("#test-list", { hasText: "1 found." }).waitFor();
  await walker.press(walker.link("Ask now"));
  await walker.press(walker.button("Start"));
  const session = page.url().replace(/\/questions.*/, "");
  // A question with many answers shows some of them, and the others in a list.
  await page.goto(`${session}/questions/1?test=city`);
  await page.locator("summary", { hasText: "more answers, each one object" }).press("Enter");
  assert.match(await page.locator(".not-recorded").textContent(), /not recorded/);
  await walker.look("many answers");
  await page.goto(`${session}/tests`);
  await walker.look("all tests");
  await page.getByLabel("Search the tests").fill("lab");
  await page.locator("#tests", { hasText: "Tests 1 to 1 of 1." }).waitFor();
  await page.locator('#tests input[name="number"]').fill("12.25");
  await walker.press(walker.button("Give these answers"));
  await walker.look("all tests after an answer");
  await page.goto(`${session}/result`);
  assert.match(await page.locator(".answers").first().textContent(), /lab\?\s*more than 12, at most 13/);
  await walker.look("a measured number");
  await walker.press(walker.link(/^Change/));
  await page.getByLabel("Measured number for lab").fill("3,5");
  await walker.press(page.locator(".measure button"));
  await page.goto(`${session}/questions/1?test=fever`);
  // No object of the table has this number and this answer.
  await page.goto(`${session}/tests`);
  const fever = page.locator("li", { has: page.locator('input[value="fever"]') });
  await fever.locator("select").selectOption("=0");
  await walker.press(walker.button("Give these answers"));
  await page.goto(`${session}/result`);
  assert.match(await page.locator(".verdict").textContent(), /No object fits all answers.*fits 1 of 2/s);
  await walker.look("a contradiction");
}

/** What the first page costs to load. */
async function firstPage(browser, origin) {
  const page = await (await browser.newContext()).newPage();
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  let bytes = 0;
  client.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  await page.goto(origin, { waitUntil: "networkidle" });
  assert(bytes > 1000 && bytes < FIRST_PAGE, `the first page takes ${bytes} bytes`);
  await page.context().close();
  return bytes;
}

const folder = mkdtempSync(join(tmpdir(), "fewest-walk-"));
const server = await serve(join(folder, "data"));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
  ],
});

/** One person's visit; gives what was not as it must be. */
async function visit({ script, name, scheme, story }) {
  const context = await browser.newContext({
    viewport: WIDTHS[name],
    colorScheme: scheme,
    javaScriptEnabled: script,
    reducedMotion: "reduce",
  });
  await context.addInitScript({ content: axe });
  await context.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (!entry.hadRecentInput) globalThis.shifted = (globalThis.shifted ?? 0) + entry.value;
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const walker = new Walker(page, server.origin, { script, name });
  await walk(walker, story);
  if (script && scheme === "light") await besides(walker, folder);
  console.log(`${name}, ${scheme}, ${script ? "with" : "without"} scripts: ${walker.looked} pages looked at`);
  await context.close();
  return [...walker.problems, ...walker.strangers.map((url) => `a request leaves the host: ${url}`)];
}

const problems = [];
try {
  console.log(`first page: ${await firstPage(browser, server.origin)} bytes in all, compressed`);
  const zooFile = new URL("../../../../examples/zoo.csv", import.meta.url).pathname;
  // Two at a time: one in light, one in dark.
  const stories = { light: printer, dark: zoo(zooFile) };
  for (const script of [true, false]) {
    for (const name of Object.keys(WIDTHS)) {
      const walks = Object.entries(stories).map(([scheme, story]) => visit({ script, name, scheme, story }));
      problems.push(...(await Promise.all(walks)).flat());
    }
  }
} finally {
  await browser.close();
  server.stop();
  rmSync(folder, { recursive: true, force: true });
}
assert.deepEqual(problems, []);
