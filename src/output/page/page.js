"use strict";
// Everything from the program under test goes onto the page through textContent: never as markup.
const data = JSON.parse(document.getElementById("data").textContent);
const summary = data.summary;

function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value);
  for (const child of children) node.append(child);
  return node;
}
function shape(tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value);
  for (const child of children) node.append(child);
  return node;
}
const section = (id) => document.getElementById(id);
const count = (number) => Number(number || 0).toLocaleString("en");
const plural = (number, word) => count(number) + " " + word + (number === 1 ? "" : "s");
const seconds = (value, most) => Number(value).toFixed(most < 1 ? 3 : most < 10 ? 2 : 1) + " s";
const percent = (part, whole) => whole ? (100 * part / whole).toFixed(0) + " %" : "–";
// Control characters would be invisible, and some change the direction of the text around them.
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const visible = (text) => String(text).replace(hidden,
  (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
function commonFolder(names) {
  if (!names.length) return "";
  let prefix = names[0].slice(0, names[0].lastIndexOf("/") + 1);
  for (const name of names)
    while (!name.startsWith(prefix)) prefix = prefix.slice(0, prefix.lastIndexOf("/", prefix.length - 2) + 1);
  return prefix;
}
// Build systems name files as "src/../lib/./a.c".
function tidy(name) {
  const parts = [];
  for (const part of name.split("/"))
    if (part === ".." && parts.length && !["", ".."].includes(parts.at(-1))) parts.pop();
    else if (part !== ".") parts.push(part);
  return parts.join("/");
}
const prefix = commonFolder(data.files.map((file) => tidy(file.file)));
function short(name) {
  const shown = tidy(name);
  return visible(shown.startsWith(prefix) ? shown.slice(prefix.length) : shown);
}
const byName = new Map(data.files.map((file, index) => [file.file, index]));

function table(caption, heads, rows) {
  const head = make("tr");
  for (const [name, number] of heads)
    head.append(make("th", { scope: "col", ...(number ? { class: "number" } : {}) }, name));
  const body = make("tbody");
  for (const cells of rows) {
    const row = make("tr");
    cells.forEach((cell, i) => row.append(make("td", heads[i][1] ? { class: "number" } : {}, cell)));
    body.append(row);
  }
  const result = make("table", {}, make("caption", {}, caption), make("thead", {}, head), body);
  return make("div", { class: "wide" }, result);
}

// ---- the head

const bugs = summary.bugs || [];
const program = visible(summary.program || "").replace(/\/+$/, "").replace(/^.*\//, ""); // the Run part has the whole path
document.title = program + " – Tamar report";
document.getElementById("title").textContent = "Tamar report: " + program;
const ended = (summary.paths.completed || 0) + (summary.paths.errors || 0);
document.getElementById("lead").textContent = [
  bugs.length ? plural(bugs.length, "bug") : "no bug found",
  plural(ended, "path"), plural(summary.tests, "test"),
  percent(summary.coverage.line.covered, summary.coverage.line.total) + " of lines",
  summary.complete ? "every path was explored" : summary.running ? (location.protocol === "http:" ? "the run goes on" : "the run is still going on, or was killed")
    : /^every path/.test(summary.end) ? visible(summary.end) : "not every path was explored (" + visible(summary.end) + ")"].join(" · ");

const theme = document.getElementById("theme"), wished = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : wished.matches;
const showTheme = () => { theme.textContent = isDark() ? "Light" : "Dark"; }; // what a click changes to
theme.addEventListener("click", () => { document.documentElement.dataset.theme = isDark() ? "light" : "dark"; showTheme(); });
wished.addEventListener("change", showTheme);
showTheme();

// ---- bugs

// The conditions of a path are long: they are folded.
function reportParts(text) {
  const begin = text.indexOf("\nthe path to it is taken when"), end = text.indexOf("\nto see it natively", begin);
  if (begin < 0 || end < 0) return [make("pre", { tabindex: "0" }, text)];
  const folded = make("details", {}, make("summary", {}, "The conditions of the path"), make("pre", { tabindex: "0" }, text.slice(begin + 1, end)));
  return [make("pre", { tabindex: "0" }, text.slice(0, begin)), folded, make("pre", { tabindex: "0" }, text.slice(end + 1))];
}

function placeLink(file, line) {
  const text = short(file) + ":" + line;
  if (!byName.has(file)) return document.createTextNode(text);
  const link = make("a", { href: "#coverage" }, text);
  link.addEventListener("click", (event) => { event.preventDefault(); openFile(byName.get(file), line); });
  return link;
}
if (!bugs.length) section("bugs").append(make("p", {}, summary.running ? "None was found so far." : "None was found."));
bugs.forEach((bug, index) => {
  const state = bug.replayed === true ? "confirmed natively"
    : bug.replayed === false ? (bug.replayed_by || []).length ? "confirmed by the exact build alone" : "NOT confirmed natively"
    : "not replayed yet";
  const box = make("details", index === 0 ? { open: "" } : {});
  box.append(make("summary", {}, make("span", { class: "kind" }, bug.kind), " ", visible(bug.message), ", in ",
    make("code", {}, visible(bug.function)), " ", make("span", { class: "soft" },
      "(" + plural(bug.occurrences, "call path") + ", test " + bug.test + ", " + state + ")")));
  box.append(make("p", {}, placeLink(bug.file, bug.line)));
  if (bug.command) box.append(make("p", {}, "To see it: "), make("pre", { tabindex: "0" }, visible(bug.command)));
  if (data.reports[index]) box.append(...reportParts(visible(data.reports[index])));
  section("bugs").append(box);
});

// ---- source

const CHUNK = 200; // lines that are laid out together when they come near the screen
const view = make("div", { id: "view", "aria-live": "polite" });
function percentBar(covered, total) {
  if (!total) return make("span", {}, percent(covered, total)); // a full bar would look like success
  const inner = make("span");
  inner.style.width = 100 * covered / total + "%";
  return make("span", { class: "share" }, make("span", { class: "bar", "aria-hidden": "true" }, inner), " " + percent(covered, total));
}
function sidesOf(file) {
  const lines = new Map();
  for (const side of file.conditions || []) {
    if (!side.line) continue;
    const at = lines.get(side.line) || { covered: 0, total: 0, reached: false, tips: [] };
    at.total++;
    at.covered += side.covered ? 1 : 0;
    at.reached = at.reached || side.reached;
    if (side.reached && !side.covered)
      at.tips.push("column " + side.column + ", side " + (side.side + 1) + (side.to ? " to line " + side.to : "") +
        ": not taken" + (side.symbolic ? "" : ", and depends on no symbolic input"));
    lines.set(side.line, at);
  }
  return lines;
}
function sourceRow(number, text, covered, sides, bug) {
  let kind = covered === undefined ? "" : covered ? "hit" : "miss", mark = covered === undefined ? "" : covered ? "✓" : "✗";
  let label = "";
  if (sides && sides.reached) {
    label = sides.covered + "/" + sides.total;
    if (sides.covered < sides.total) { kind = "part"; mark = "½"; }
  }
  const row = make("div", { class: "row " + kind + (bug ? " bug" : ""), id: "line-" + number },
    make("span", { class: "n" }, String(number)), make("span", { class: "m" }, (bug ? "!" : "") + mark),
    make("span", { class: "s" }, label), make("span", { class: "c" }, visible(text)));
  if (sides && sides.tips.length) row.title = sides.tips.join("\n");
  if (bug) row.title = (row.title ? row.title + "\n" : "") + visible(bug);
  return row;
}
function openFile(index, line, atStart) {
  const file = data.files[index];
  view.replaceChildren(make("h3", { tabindex: "-1", id: "view-title" }, short(file.file)));
  if (file.source === undefined) {
    view.append(make("p", {}, "The source could not be read when this page was made."));
    return;
  }
  const covered = new Map();
  for (const n of file.covered) covered.set(n, true);
  for (const n of file.missed) covered.set(n, false);
  const sides = sidesOf(file), places = new Map();
  for (const bug of bugs) if (bug.file === file.file) places.set(bug.line, bug.kind + ": " + bug.message);
  const box = make("div", { class: "source", tabindex: "0", role: "region", "aria-labelledby": "view-title" });
  const lines = file.source.split("\n");
  if (lines[lines.length - 1] === "") lines.pop();
  for (let from = 0; from < lines.length; from += CHUNK) {
    const chunk = make("div", { class: "chunk" }), end = Math.min(from + CHUNK, lines.length);
    chunk.style.containIntrinsicSize = "auto " + (end - from) * 20 + "px";
    for (let i = from; i < end; i++)
      chunk.append(sourceRow(i + 1, lines[i], covered.get(i + 1), sides.get(i + 1), places.get(i + 1)));
    box.append(chunk);
  }
  view.append(make("p", { class: "soft" }, "✓ covered, ✗ not covered, ½ some sides of a choice not taken (hover or see " +
    "“Not covered”), ! a bug. The third column counts the sides of choices."), box);
  if (atStart) return; // the reader has not asked for it: the page stays where it is
  const at = line ? document.getElementById("line-" + line) : null;
  if (at) { at.classList.add("found"); at.scrollIntoView({ block: "center" }); }
  (at ? box : document.getElementById("view-title")).focus({ preventScroll: true });
  if (!at) view.scrollIntoView({ block: "nearest" });
}
section("coverage").append(table("Coverage of the program's own source", [["File"], ["Lines"], ["", 1], ["Branch and condition sides"], ["", 1], ["Functions", 1]],
  data.files.map((file, index) => {
    const button = make("button", { type: "button" }, short(file.file));
    button.addEventListener("click", () => openFile(index));
    const total = file.covered.length + file.missed.length;
    const taken = file.conditions.filter((side) => side.covered).length;
    return [button, percentBar(file.covered.length, total), count(file.covered.length) + " of " + count(total),
      percentBar(taken, file.conditions.length), count(taken) + " of " + count(file.conditions.length),
      file.functions.filter((f) => f.covered).length + " of " + file.functions.length];
  })), view);
if (!data.files.length) section("coverage").append(make("p", {}, "No coverage was written."));
const kinds = Object.entries(summary.coverage).map(([name, c]) =>
  name + "s " + count(c.covered) + " of " + count(c.total) + " (" + percent(c.covered, c.total) + ")");
section("coverage").insertBefore(make("p", {}, kinds.join(", ")), section("coverage").children[1]);

// ---- pages of long tables

function paged(caption, heads, length, rowAt) {
  const SIZE = 100, box = make("div"), place = make("div");
  let page = 0;
  const pages = Math.max(1, Math.ceil(length / SIZE));
  const label = make("span", { role: "status" });
  const back = make("button", { type: "button" }, "Previous"), next = make("button", { type: "button" }, "Next");
  const show = () => {
    const rows = [];
    for (let i = page * SIZE; i < Math.min(length, (page + 1) * SIZE); i++) rows.push(rowAt(i));
    place.replaceChildren(table(caption, heads, rows));
    label.textContent = length ? "Page " + count(page + 1) + " of " + count(pages) : "Nothing";
    back.disabled = page === 0;
    next.disabled = page + 1 >= pages;
  };
  back.addEventListener("click", () => { page--; show(); });
  next.addEventListener("click", () => { page++; show(); });
  show();
  if (pages > 1) box.append(make("div", { class: "pager" }, back, next, label));
  box.append(place);
  return box;
}

// ---- not covered

const reasons = { "waiting": summary.running ? "a path is waiting here" : "a path was waiting here when the run ended", "failure": "needs a call to fail: --fail N",
  "assertion": "an assertion that did not fail", "not-tried": summary.running ? "not tried yet" : "not tried before the run ended", "infeasible": "infeasible with these inputs",
  "after-bug": "infeasible with these inputs, unless a reported bug comes first",
  "refuted": "no value got there on the explored paths; a path that was given up might", "given-up": "the engine gave up a path to it", "more-input": "depends on no symbolic input: more symbolic input may help",
  "success": "needs a call to succeed: the file, connection or resource that it asks for must exist",
  "undecided": "depends on no symbolic input: more symbolic input, or a path that was given up, might get there",
  "ended": "every path ended or left before it: a bug, an exit, a jump or a wait", "not-called": "no path called it" };
if (data.gaps.length)
  section("gaps").append(paged("Sides of branches that were reached but never taken, functions that were never called, and lines before which every path ended",
    [["Place"], ["What"], ["Why"]], data.gaps.length, (i) => {
      const gap = data.gaps[i];
      return [placeLink(gap.file, gap.line), (gap.function ? visible(gap.function) + " " : "") + gap.what, reasons[gap.reason] || gap.reason];
    }));
else section("gaps").append(make("p", {}, "Nothing is missing."));
if ((summary.gave_up || []).length)
  section("gaps").append(table("What the engine gave up", [["What"], ["Place"], ["Times", 1]],
    summary.gave_up.map((item) => [visible(item.what), item.line ? placeLink(item.file, item.line) : "–", count(item.count)])));

// ---- curves

function chart(title, rows, series) {
  const W = 900, H = 240, L = 60, R = 12, T = 12, B = 28, names = ["one", "two", "three"];
  const lastX = Math.max(1e-9, ...rows.map((row) => row[0]));
  const top = Math.max(1, ...rows.flatMap((row) => series.map((s) => s.of(row))));
  const x = (v) => L + (W - L - R) * v / lastX, y = (v) => H - B - (H - T - B) * v / top;
  const svg = shape("svg", { viewBox: "0 0 " + W + " " + H, role: "img", "aria-label": title });
  for (let i = 0; i <= 4; i++) {
    const v = top * i / 4;
    svg.append(shape("line", { class: "grid", x1: L, x2: W - R, y1: y(v), y2: y(v) }),
      shape("text", { x: L - 6, y: y(v) + 4, "text-anchor": "end" }, count(Math.round(v))),
      shape("text", { x: x(lastX * i / 4), y: H - 8, "text-anchor": i === 4 ? "end" : "middle" }, seconds(lastX * i / 4, lastX)));
  }
  series.forEach((s, i) => svg.append(shape("polyline", { class: names[i], points: rows.map((row) => x(row[0]).toFixed(1) + "," + y(s.of(row)).toFixed(1)).join(" ") })));
  const legend = make("div", { class: "legend", "aria-hidden": "true" });
  series.forEach((s, i) => legend.append(make("span", { class: names[i] }, "— " + s.name)));
  const numbers = make("details", {}, make("summary", {}, "The same as numbers"));
  numbers.addEventListener("toggle", () => {
    if (numbers.open && numbers.children.length === 1)
      numbers.append(paged(title, [["Seconds", 1], ...series.map((s) => [s.name, 1])], rows.length,
        (i) => [rows[i][0].toFixed(2), ...series.map((s) => count(s.of(rows[i])))]));
  });
  return make("div", {}, make("h3", {}, title), svg, legend, numbers);
}
if (data.progress.length) {
  const rows = data.progress;
  section("time").append(
    chart("Covered, over time", rows, [{ name: "lines", of: (r) => r[1] }, { name: "edges", of: (r) => r[2] }, { name: "conditions", of: (r) => r[3] }]),
    chart("Paths, over time", rows, [{ name: "paths that ended", of: (r) => r[4] }, { name: "states waiting", of: (r) => r[5] }]),
    chart("Tests and bugs, over time", rows, [{ name: "tests", of: (r) => r[6] }, { name: "bugs", of: (r) => r[7] }]));
} else section("time").append(make("p", {}, "run.db could not be read."));

// ---- the tree

function buildTree(rows) {
  const nodes = rows.map(([parent, before, common, value, tests, bugCount, test, more]) =>
    ({ parent, before, common, value, tests, bugs: bugCount, test, more, children: [], level: 0 }));
  for (const node of nodes) if (node.parent >= 0) { nodes[node.parent].children.push(node); node.level = nodes[node.parent].level + 1; }
  return nodes;
}
function describe(node) {
  const run = node.common - node.before;
  const what = node.parent < 0 ? "all paths" : run > 0 ? "decision " + (node.before + 1) + " is " + node.value + (run > 1 ? ", then " + plural(run - 1, "decision") + " alike" : "") : "ends here";
  return what + ": " + (node.tests === 1 ? "test " + node.test : plural(node.tests, "test")) +
    (node.bugs ? ", " + plural(node.bugs, "bug") : "") + (node.more ? ", not shown further" : "");
}
function treeItem(node) {
  if (!node.children.length) return make("li", {}, describe(node));
  const box = make("details", {}, make("summary", {}, describe(node)));
  box.addEventListener("toggle", () => {
    if (box.open && box.children.length === 1) box.append(make("ul", { class: "tree" }, ...node.children.map(treeItem)));
  });
  return make("li", {}, box);
}
if (data.tree.length) {
  const nodes = buildTree(data.tree), W = 900, H = 320, DEEPEST = 40;
  const depth = Math.min(DEEPEST, Math.max(...nodes.map((node) => node.level)) + 1), step = W / depth;
  const svg = shape("svg", { viewBox: "0 0 " + W + " " + H, role: "img",
    "aria-label": "The tests as a tree: left is the start of the program, each column a decision at which paths part" });
  nodes[0].y = 0; nodes[0].h = H;
  for (const node of nodes) { // parents come before their children
    let y = node.y;
    for (const child of node.children) { child.y = y; child.h = node.h * child.tests / node.tests; y += child.h; }
    if (node.level >= depth || node.h < 0.4) continue;
    svg.append(shape("rect", { class: "node" + (node.bugs ? " bugs" : "") + (node.more ? " more" : ""), x: (node.level * step).toFixed(2),
      y: node.y.toFixed(2), width: step.toFixed(2), height: Math.max(0.5, node.h).toFixed(2) }, shape("title", {}, describe(node))));
  }
  section("tree").append(make("p", { class: "soft" }, "Each column is a decision at which paths part; the height is the number of tests " +
    "below, red where one of them is a bug, dashed where children are not shown."), svg,
    make("ul", { class: "tree", id: "tree-list" }, treeItem(nodes[0])));
} else section("tree").append(make("p", {}, "There are no tests."));

// ---- the solver

const answered = data.layers.filter((row) => row[1]);
if (answered.length) {
  const most = Math.max(1e-9, ...answered.map((row) => row[3])), H = answered.length * 26 + 10;
  const svg = shape("svg", { viewBox: "0 0 900 " + H, role: "img", "aria-label": "Time by layer of the solver; the table below has the numbers" });
  answered.forEach((row, i) => svg.append(shape("text", { x: 110, y: i * 26 + 21, "text-anchor": "end" }, visible(row[0])),
    shape("rect", { class: "fill", x: 120, y: i * 26 + 8, width: (680 * row[3] / most).toFixed(1), height: 16 }),
    shape("text", { x: 128 + 680 * row[3] / most, y: i * 26 + 21 }, row[3].toFixed(3) + " s")));
  section("solver").append(svg);
}
section("solver").append(table("Questions by layer, cheapest first", [["Layer"], ["Asked", 1], ["Answered", 1], ["Seconds", 1]],
  answered.map((row) => [visible(row[0]), count(row[1]), count(row[2]), row[3].toFixed(3)])));
section("solver").append(make("p", {}, count(summary.queries.total) + " queries; " +
  (summary.time.wall > 0 ? percent(summary.time.solver, summary.time.wall) : "–") + " of " + summary.time.wall.toFixed(2) + " s in the solver."));

// ---- tests

const outcome = make("select", { id: "outcome" }, make("option", { value: "" }, "all"));
for (const name of [...new Set(data.tests.map((row) => row[2]))]) outcome.append(make("option", { value: name }, visible(name)));
const list = make("div");
function showTests() {
  const rows = outcome.value ? data.tests.filter((row) => row[2] === outcome.value) : data.tests;
  list.replaceChildren(paged(plural(rows.length, "test"), [["Test", 1], ["After", 1], ["Outcome"], ["Bug"], ["Instructions", 1], ["Decisions", 1], ["New edges", 1]],
    rows.length, (i) => { const r = rows[i]; return [String(r[0]).padStart(6, "0"), Number(r[1]).toFixed(2) + " s",
      visible(r[2]) + (r[2] === "exit" ? " " + r[3] : ""), visible(r[4] || ""), count(r[5]), count(r[6]), count(r[7])]; }));
}
outcome.addEventListener("change", showTests);
section("tests").append(make("div", { class: "pager" }, make("label", { for: "outcome" }, "Outcome:"), outcome), list);
showTests();

// ---- the run

section("run").append(table("Numbers", [["What"], ["", 1]], [["instructions", count(summary.instructions)], ["forks", count(summary.forks)],
  ["paths completed", count(summary.paths.completed)], ["paths that ended in a bug", count(summary.paths.errors)], ["paths left", count(summary.paths.pending)],
  ["paths dropped by a limit", count(summary.paths.killed)], ["paths on which something was given up", count(summary.paths.incomplete)],
  ["seconds", summary.time.wall.toFixed(2)], ["memory, at most", (summary.peak_memory / 1048576).toFixed(1) + " MB"]]));
const options = make("details", {}, make("summary", {}, "Options"));
options.append(table("As the run had them", [["Option"], ["Value"]], Object.entries(summary.options || {}).map(([name, value]) => ["--" + visible(name), visible(value)])));
section("run").append(options, make("p", { class: "soft" }, visible(data.version) + ", " + visible(summary.program || "") + ", " + visible(data.folder)));
if (data.files.length === 1 && data.files[0].source !== undefined && data.files[0].source.length < 200000) openFile(0, 0, true);
document.documentElement.dataset.ready = "1";
