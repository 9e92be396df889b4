// The page of `mir view`. It draws only what is looked at: lists have elements for the rows in
// sight, and stages are compared when they are shown.
"use strict";

let data;
const ROW = 20;
const COLUMN = 42;
const byId = (id) => document.getElementById(id);
const TABS = [
  ["code", "Code"], ["graph", "Graph"], ["registers", "Registers"], ["frame", "Frame"],
  ["time", "Time"], ["compare", "Compare"],
];
const KEYS = [
  ["/", "search; Enter goes to the next match"], ["1 to 6", "the tabs"],
  ["j k", "the next, the previous stage"], ["[ ]", "the previous, the next function"],
  ["n N", "the next, the previous change of the stage"], ["d", "show changes or not"],
  ["t", "dark or light"], ["Esc", "let go of what was clicked"],
];

// What is shown. The parts that make a view are kept in the address after `#`.
const state = {
  tab: "code", f: 0, b: 0, s: null, diff: true, pane: "stage", theme: null, query: "",
};
// What the pointer is on, and what was clicked.
const nothing = { line: 0, insn: null, block: null, build: null };
let hot = nothing;
let pinned = nothing;
let lists = [];
let drawings = [];

const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key.startsWith("aria-")) made.setAttribute(key, String(value));
    else if (value !== null && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
};
const escaped = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
/// A count as short as it needs to be to stand in a block.
const short = (count) => (count < 1e7 ? count.toLocaleString("en") : `${(count / 1e6).toPrecision(4)}M`);
const buildName = (build) => `${build.isa} -O${build.level}`;

// ---- functions, stages, and their rows

const shownFunction = () => data.functions[state.f];
const madeOf = (b = state.b) => shownFunction().builds[b];
const hasStages = (made) => Boolean(made && made.stages);

/// The blocks after a stage: a stage without an effect has those of the one before it.
function blocksOf(made, s) {
  while (s > 0 && !made.stages[s].blocks) s -= 1;
  return made.stages[s].blocks;
}

/// The record numbers of a block.
function* recordsOf(runs) {
  for (let i = 0; i < runs.length; i += 2) {
    for (let k = 0; k < runs[i + 1]; k += 1) yield runs[i] + k;
  }
}

const cache = new Map();
function cached(key, make) {
  if (!cache.has(key)) {
    if (cache.size > 60) cache.delete(cache.keys().next().value);
    cache.set(key, make());
  }
  return cache.get(key);
}

const ranAt = (line) => {
  const shown = shownFunction();
  if (!shown.ran) return null;
  if (!shown.ranAt) shown.ranAt = new Map(shown.ran);
  return shown.ranAt.get(line) ?? null;
};

/// How often a block ran: as often as the rarest of its instructions.
function ranOf(made, runs) {
  let least = null;
  for (const record of recordsOf(runs)) {
    const count = ranAt(made.lines[record]);
    if (count !== null && (least === null || count < least)) least = count;
  }
  return least;
}

function blockRow(made, [number, depth, successors, runs], kind, build) {
  const ran = ranOf(made, runs);
  const note = [
    depth > 0 ? `loop depth ${depth}` : "",
    successors.length ? `to ${successors.map((to) => `bb.${to}`).join(", ")}` : "",
    ran === null ? "" : `ran ${ran.toLocaleString("en")}\u00d7`,
  ].filter(Boolean).join(", ");
  return { kind: `block ${kind}`, text: `bb.${number}:`, note, tag: "", line: 0, insn: null, block: number, build };
}

function insnRow(made, record, block, kind, build) {
  const line = made.lines[record];
  return { kind, text: `  ${made.texts[record]}`, tag: line || "", line, insn: made.insns[record], block, build };
}

/// The rows of a stage, without what changed.
const plainRows = (b, s) => cached(`plain ${state.f} ${b} ${s}`, () => {
  const made = madeOf(b);
  const rows = [];
  for (const block of blocksOf(made, s)) {
    rows.push(blockRow(made, block, "", b));
    for (const record of recordsOf(block[3])) rows.push(insnRow(made, record, block[0], "", b));
  }
  return rows;
});

/// The rows of a stage with what changed against the one before it. An instruction keeps its number
/// as long as it lives; selection replaces all. What is gone stands after what came before it and is
/// still there.
const diffRows = (b, s) => cached(`diff ${state.f} ${b} ${s}`, () => {
  const made = madeOf(b);
  if (s === 0 || !made.stages[s].blocks) return plainRows(b, s);
  const now = new Set();
  for (const [number, , , runs] of blocksOf(made, s)) {
    now.add(`b${number}`);
    for (const record of recordsOf(runs)) now.add(made.insns[record]);
  }
  const before = new Map();
  const gone = new Map();
  let anchor = "start";
  const visit = (key, row) => {
    if (now.has(key)) anchor = key;
    else gone.set(anchor, [...(gone.get(anchor) ?? []), row]);
  };
  for (const block of blocksOf(made, s - 1)) {
    before.set(`b${block[0]}`, true);
    visit(`b${block[0]}`, blockRow(made, block, "removed", b));
    for (const record of recordsOf(block[3])) {
      before.set(made.insns[record], record);
      visit(made.insns[record], insnRow(made, record, block[0], "removed", b));
    }
  }
  const rows = [...(gone.get("start") ?? [])];
  for (const block of blocksOf(made, s)) {
    const key = `b${block[0]}`;
    rows.push(blockRow(made, block, before.has(key) ? "" : "added", b), ...(gone.get(key) ?? []));
    for (const record of recordsOf(block[3])) {
      const insn = made.insns[record];
      const old = before.get(insn);
      const is = old === undefined ? "added" : old === record ? "" : "changed";
      if (is === "changed" && made.texts[old] !== made.texts[record]) {
        rows.push(insnRow(made, old, block[0], "removed", b));
      }
      rows.push(insnRow(made, record, block[0], is, b), ...(gone.get(insn) ?? []));
    }
  }
  return beside(rows);
});

/// The same rows with what is new right after what was there for the same line.
function beside(rows) {
  const NEAR = 40;
  const sorted = [];
  const isGone = (row) => row.kind.includes("removed");
  const isNew = (row) => row.kind.includes("added");
  for (let at = 0; at < rows.length;) {
    const old = [];
    while (at < rows.length && isGone(rows[at])) old.push(rows[at++]);
    let next = 0;
    while (old.length && at < rows.length && isNew(rows[at])) {
      const { line } = rows[at];
      let last = -1;
      for (let near = next; line && near < Math.min(old.length, next + NEAR); near += 1) if (old[near].line === line) last = near;
      while (next <= last) sorted.push(old[next++]);
      sorted.push(rows[at++]);
    }
    while (next < old.length) sorted.push(old[next++]);
    if (at < rows.length && !isGone(rows[at])) sorted.push(rows[at++]);
  }
  return sorted;
}

const codeRows = (b) => cached(`code ${state.f} ${b}`, () => {
  const rows = [];
  let block = null;
  for (const [at, bytes, words, insn, line, blocks] of madeOf(b).code) {
    for (const number of blocks) {
      block = number;
      rows.push({ kind: "block", text: `bb.${number}:`, note: "", tag: "", line: 0, insn: null, block, build: b });
    }
    rows.push({ kind: "", text: words, bytes, tag: at.toString(16), line, insn, block, build: b });
  }
  return rows;
});

const sourceRows = () => cached(`source ${state.f}`, () => {
  const { line: first, end } = shownFunction();
  return data.source.lines.map((text, index) => {
    const line = index + 1;
    const kind = line >= first && line <= end ? "own" : "";
    const ran = ranAt(line);
    return { kind, text, ran: ran === null ? "" : `${ran.toLocaleString("en")}\u00d7`, tag: line, line, insn: null, block: null, build: null };
  });
});

// ---- marks

/// The class that the pointer, or what was clicked, gives a row.
function markOf(row) {
  for (const on of [hot, pinned]) {
    if (on.insn !== null && row.insn === on.insn && row.build === on.build) return "hot";
    if (on.insn === null && on.line && row.line === on.line && row.build === null) return "hot";
    if (on.block !== null && on.insn === null && row.block === on.block && row.build === on.build) return "same";
    if (on.line && row.line === on.line) return "same";
  }
  return "";
}

const isFound = (row) => state.query !== "" && row.text.toLowerCase().includes(state.query);

function touch(row) {
  const next = row ? { line: row.line, insn: row.insn, block: row.block, build: row.build } : nothing;
  if (next.line === hot.line && next.insn === hot.insn && next.block === hot.block && next.build === hot.build) return;
  hot = next;
  remark();
}

function pin(row, from) {
  pinned = { line: row.line, insn: row.insn, block: row.block, build: row.build };
  remark();
  for (const list of lists) if (list !== from) list.show(row);
}

function remark() {
  for (const list of lists) list.mark();
  for (const drawing of drawings) drawing.mark();
}

// ---- lists that have elements for the rows in sight only

class List {
  constructor(rows, { width = 0, name = "" } = {}) {
    this.rows = rows;
    this.name = name;
    this.first = -1;
    this.start = 0;
    this.sizer = element("div", { class: "sizer" });
    this.box = element("div", { class: "rows", tabindex: 0, "aria-label": name }, this.sizer);
    this.box.addEventListener("scroll", () => this.draw(), { passive: true });
    const rowAt = (event) => {
      const at = event.target.closest(".row");
      return at && this.rows[Number(at.dataset.row)];
    };
    this.box.addEventListener("mouseover", (event) => touch(rowAt(event)));
    this.box.addEventListener("mouseleave", () => touch(null));
    this.box.addEventListener("click", (event) => {
      const row = rowAt(event);
      if (row) pin(row, this);
    });
    new ResizeObserver(() => requestAnimationFrame(() => this.draw(true))).observe(this.box);
    this.setRows(rows, width);
    lists.push(this);
  }

  setRows(rows, width = 0) {
    this.rows = rows;
    this.withRan = rows.some((row) => row.ran);
    const longest = rows.reduce((most, row) => Math.max(most, row.text.length + (row.note ?? "").length + (row.bytes ? 27 : 0)), width);
    this.sizer.style.height = `${rows.length * ROW}px`;
    this.sizer.style.minWidth = `${longest + 12 + (this.withRan ? 15 : 0)}ch`;
    this.draw(true);
  }

  draw(all = false) {
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW) - 10);
    const count = Math.ceil((this.box.clientHeight || 600) / ROW) + 20;
    if (!all && first === this.first) return;
    this.first = first;
    const rows = this.rows.slice(first, first + count);
    this.sizer.innerHTML = rows.map((row, index) => this.html(row, first + index)).join("");
  }

  html(row, number) {
    const ran = this.withRan ? `<span class="tag" style="width:15ch">${row.ran ?? ""}</span>` : "";
    const bytes = row.bytes === undefined ? "" : `<span class="bytes">${row.bytes}</span>`;
    const note = row.note ? ` <span class="dim">${escaped(row.note)}</span>` : "";
    const marks = `${row.kind} ${markOf(row)} ${isFound(row) ? "found" : ""}`;
    return `<div class="row ${marks}" data-row="${number}" style="top:${number * ROW}px">` +
      `<span class="tag">${row.tag}</span>${ran}${bytes}${escaped(row.text)}${note}</div>`;
  }

  mark() {
    for (const child of this.sizer.children) {
      const row = this.rows[Number(child.dataset.row)];
      const mark = markOf(row);
      child.classList.toggle("hot", mark === "hot");
      child.classList.toggle("same", mark === "same");
      child.classList.toggle("found", isFound(row));
    }
  }

  scrollTo(number) {
    const target = number * ROW - this.box.clientHeight / 2 + ROW;
    this.box.scrollTop = Math.max(0, target);
    this.draw();
  }

  /// Scrolls to what belongs to a row of another list.
  show(row) {
    const exact = this.rows.findIndex((one) => row.insn !== null && one.insn === row.insn && one.build === row.build);
    const near = () => this.rows.findIndex((one) => row.line && one.line === row.line);
    const block = () => this.rows.findIndex((one) => row.block !== null && one.block === row.block && one.build === row.build);
    const found = exact >= 0 ? exact : row.line ? near() : block();
    if (found >= 0) this.scrollTo(found);
  }

  /// Goes to the next row for which something holds, from the middle of what is in sight.
  next(holds, back = false, start = null) {
    const middle = start ?? Math.floor((this.box.scrollTop + this.box.clientHeight / 2) / ROW) - 1;
    const count = this.rows.length;
    for (let step = 1; step <= count; step += 1) {
      const number = (((middle + (back ? -step : step)) % count) + count) % count;
      if (holds(this.rows[number])) {
        this.scrollTo(number);
        return number;
      }
    }
    return -1;
  }
}

// ---- panes

const pane = (kind, heading, ...rest) => {
  const bar = element("div", { class: "bar" }, ...heading);
  return element("section", { class: `pane ${state.pane === kind ? "shown" : ""}`, "data-pane": kind }, bar, ...rest);
};
const title = (text) => element("h2", {}, text);
const empty = (text) => element("div", { class: "empty" }, text);

function stageSelect(b, s, choose) {
  const made = madeOf(b);
  const select = element("select", { "aria-label": "Stage", onchange: () => choose(Number(select.value)) });
  made.stages.forEach((stage, number) => {
    const same = number > 0 && !stage.blocks ? " (no change)" : "";
    select.append(element("option", { value: number, selected: number === s }, `${number + 1}. ${stage.name}${same}`));
  });
  return select;
}

/// The stage that is shown: the last one before the code unless another was chosen.
function stageNumber(b = state.b) {
  const made = madeOf(b);
  if (!hasStages(made)) return 0;
  const last = made.stages.length - 1;
  return state.s === null ? last : Math.min(state.s, last);
}

function problemOf(made) {
  return made && made.error ? made.error : "This function is not in this build.";
}

const sourcePane = () => {
  const list = new List(sourceRows(), { name: "Source" });
  const heading = [title(data.source.language), element("span", { class: "note" }, shownFunction().name)];
  list.start = Math.max(0, (shownFunction().line - 3) * ROW);
  return pane("source", heading, list.box);
};

let stageList = null;
const stagePane = () => {
  const made = madeOf();
  if (!hasStages(made)) return pane("stage", [title("Machine IR")], empty(problemOf(made)));
  const s = stageNumber();
  const list = new List(state.diff ? diffRows(state.b, s) : plainRows(state.b, s), { name: "Machine IR" });
  stageList = list;
  const step = (by, label, key) => element("button", { type: "button", title: `${label} (${key})`, "aria-label": label, onclick: () => goStage(by) }, by < 0 ? "\u2039" : "\u203a");
  const changes = list.rows.filter((row) => /added|removed|changed/.test(row.kind)).length;
  const told = s === 0 ? "" : !made.stages[s].blocks ? "no change" : state.diff ? plural(changes, "changed line") : "";
  const heading = [
    title("Machine IR"), step(-1, "Previous stage", "k"),
    stageSelect(state.b, s, (number) => go({ s: number })), step(1, "Next stage", "j"),
    element("button", { type: "button", "aria-pressed": state.diff, title: "Show what changed (d)", onclick: () => go({ diff: !state.diff }) }, "Changes"),
    element("span", { class: "note" }, told),
  ];
  return pane("stage", heading, list.box);
};

const codePane = () => {
  const made = madeOf();
  if (!hasStages(made)) return pane("machine", [title("Machine code")], empty(problemOf(made)));
  const list = new List(codeRows(state.b), { name: "Machine code" });
  const heading = [title("Machine code"), element("span", { class: "note" }, `${plural(made.bytes, "byte")}, ${plural(made.code.length, "instruction")}`)];
  return pane("machine", heading, list.box);
};

const graphPane = (isLarge) => {
  const made = madeOf();
  if (!hasStages(made)) return pane("graph", [title("Control flow")], empty(problemOf(made)));
  const s = stageNumber();
  const drawing = new Drawing(made, s, isLarge);
  const zoom = (by, label) => element("button", { type: "button", "aria-label": label, title: label, onclick: () => drawing.zoom(by) }, by > 1 ? "+" : by < 1 ? "\u2212" : "Fit");
  const heading = [title("Control flow")];
  if (isLarge) {
    heading.push(
      element("button", { type: "button", "aria-label": "Previous stage", onclick: () => goStage(-1) }, "\u2039"),
      stageSelect(state.b, s, (number) => go({ s: number })),
      element("button", { type: "button", "aria-label": "Next stage", onclick: () => goStage(1) }, "\u203a"));
  } else {
    heading.push(element("span", { class: "note" }, `after ${made.stages[s].name}`));
  }
  heading.push(element("span", { class: "spring" }), zoom(0.8, "Smaller"), zoom(1, "Fit the width"), zoom(1.25, "Larger"));
  const shown = pane("graph", heading, drawing.box);
  if (isLarge) {
    const legend = element("div", { class: "legend bar" });
    legend.innerHTML = `<span>${plural(drawing.nodes.length, "block")}</span><span>darker: deeper in loops</span>` +
      `<span><svg width="26" height="8"><path d="M0 4H26" class="edge back"/></svg> back edges</span>` +
      (shownFunction().ran ? "<span>\u00d7: how often the block ran</span>" : "<span>without a profile</span>");
    shown.append(legend);
  }
  return shown;
};

// ---- control-flow graphs

const svg = (name, attributes) => `<${name} ${Object.entries(attributes).map(([key, value]) => `${key}="${value}"`).join(" ")}`;

class Drawing {
  constructor(made, s, isLarge) {
    this.made = made;
    this.isLarge = isLarge;
    this.blocks = new Map(blocksOf(made, s).map((block) => [block[0], block]));
    const graph = made.graphs[made.stages[s].graph];
    Object.assign(this, graph ? this.layered(graph) : this.column());
    this.scale = null;
    this.box = element("div", { class: "canvas", tabindex: 0, "aria-label": "Control-flow graph" });
    this.box.addEventListener("scroll", () => this.isPartial && this.draw(), { passive: true });
    this.box.addEventListener("mouseover", (event) => {
      const at = event.target.closest(".node");
      touch(at ? this.rowOf(Number(at.dataset.block)) : null);
    });
    this.box.addEventListener("mouseleave", () => touch(null));
    this.box.addEventListener("click", (event) => {
      const at = event.target.closest(".node");
      if (at) pin(this.rowOf(Number(at.dataset.block)), null);
    });
    new ResizeObserver(() => requestAnimationFrame(() => this.fit())).observe(this.box);
    drawings.push(this);
  }

  rowOf(block) {
    return { line: 0, insn: null, block, build: state.b };
  }

  /// The places that were computed with the page.
  layered(graph) {
    const [width, height] = graph.size;
    const places = new Map(graph.nodes.map(([block, x, y]) => [block, y]));
    const nodes = graph.nodes.map(([block, x, y]) => ({ block, x, y, width, height }));
    const at = new Map(nodes.map((node) => [node.block, node]));
    const pairs = new Set(graph.edges.map(([from, to]) => `${from} ${to}`));
    let [least, most] = [Infinity, -Infinity];
    const edges = graph.edges.map(([from, to, path]) => {
      const back = places.get(to) <= places.get(from);
      const isBeside = back && from !== to && pairs.has(`${to} ${from}`) && places.get(from) - places.get(to) < 2.6 * height;
      const shown = isBeside ? this.beside(at.get(from), at.get(to)) : path;
      const numbers = shown.match(/-?\d+(\.\d+)?/g).map(Number);
      const [xs, ys] = [0, 1].map((odd) => numbers.filter((_, index) => index % 2 === odd));
      const edge = { path: shown, back, low: Math.min(...ys), high: Math.max(...ys), start: Math.min(...xs), end: Math.max(...xs) };
      [least, most] = [Math.min(least, edge.start), Math.max(most, edge.end)];
      return edge;
    });
    const left = Math.min(...nodes.map((node) => node.x), least) - 16;
    const right = Math.max(...nodes.map((node) => node.x + width), most) + 16;
    const top = Math.min(...nodes.map((node) => node.y)) - 16;
    const bottom = Math.max(...nodes.map((node) => node.y + height)) + 16;
    return { nodes, edges, view: [left, top, right - left, bottom - top], isPartial: nodes.length > 64 };
  }

  /// The way back between two blocks, beside the way there.
  beside(from, to) {
    const out = to.x > from.x ? -1 : 1;
    const x1 = from.x + from.width * (0.5 + 0.4 * out);
    const [x2, y2] = [out < 0 ? to.x : to.x + to.width, to.y + 0.7 * to.height];
    return `M${x1} ${from.y}C${x1} ${from.y - 40} ${x2 + 40 * out} ${y2 + 10} ${x2} ${y2}`;
  }

  /// Blocks of a large graph in one column in the order of the code: edges down on the right side,
  /// edges up on the left.
  column() {
    const [width, height, step] = [150, 40, 66];
    const order = [...this.blocks.keys()];
    const at = new Map(order.map((block, index) => [block, index]));
    const nodes = order.map((block, index) => ({ block, x: 0, y: index * step, width, height }));
    const edges = [];
    for (const [block, , successors] of this.blocks.values()) {
      for (const to of successors) {
        const [from, end] = [at.get(block), at.get(to)];
        const back = end <= from;
        const y1 = from * step + (back ? 12 : height);
        const y2 = end * step + (back ? 28 : 0);
        const reach = Math.min(200, 24 + 5 * Math.sqrt(Math.abs(end - from)) * 3);
        const path = end === from + 1
          ? `M75 ${y1}C75 ${y1 + 10} 75 ${y2 - 10} 75 ${y2}`
          : back ? `M0 ${y1}C${-reach} ${y1} ${-reach} ${y2} 0 ${y2}`
          : `M150 ${y1 - 12}C${150 + reach} ${y1} ${150 + reach} ${y2 + 12} 150 ${y2 + 12}`;
        edges.push({ path, back, low: Math.min(y1, y2), high: Math.max(y1, y2), start: -reach, end: 150 + reach });
      }
    }
    return { nodes, edges, view: [-216, -12, 582, order.length * step + 12], isPartial: true };
  }

  fit() {
    if (this.scale === null) {
      const room = this.box.clientWidth - 8;
      const least = this.isLarge ? 0.45 : 0.4;
      this.scale = Math.min(1, Math.max(least, room / this.view[2]));
      this.draw();
      // The entry is in sight, in the middle of a wide graph.
      const [entry] = this.nodes;
      if (entry) this.box.scrollLeft = (entry.x + entry.width / 2 - this.view[0]) * this.scale - room / 2;
    }
    this.draw();
  }

  zoom(by) {
    this.scale = by === 1 ? null : Math.min(3, Math.max(0.15, this.scale * by));
    this.fit();
  }

  draw() {
    const [left, top, width, height] = this.view;
    // Of a large graph only what is in sight has elements.
    const seen = (from, scrolled, length) => [-300, 300 + length / this.scale].map((by) => from + scrolled / this.scale + by);
    const [x1, x2] = seen(left, this.box.scrollLeft, this.box.clientWidth);
    const [y1, y2] = seen(top, this.box.scrollTop, this.box.clientHeight);
    const isSeen = (start, end, low, high) => !this.isPartial || (start < x2 && end > x1 && low < y2 && high > y1);
    const nodes = this.nodes.filter((node) => isSeen(node.x, node.x + node.width, node.y, node.y + node.height));
    let edges = this.edges.filter((edge) => isSeen(edge.start, edge.end, edge.low, edge.high));
    // Of very many edges past what is in sight, the page draws some.
    if (edges.length > 1500) edges = edges.slice(0, 1500);
    const parts = edges.map(({ path, back }) => `${svg("path", { d: path, class: `edge${back ? " back" : ""}`, "marker-end": `url(#${back ? "back" : "on"})` })}/>`);
    parts.push(...nodes.map((node) => this.node(node)));
    const head = (id, kind) => `<marker id="${id}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" class="head ${kind}"/></marker>`;
    this.box.innerHTML = `<svg role="img" aria-label="Control-flow graph" viewBox="${left} ${top} ${width} ${height}" ` +
      `width="${width * this.scale}" height="${height * this.scale}"><defs>${head("on", "")}${head("back", "back")}</defs>${parts.join("")}</svg>`;
    this.mark();
  }

  node({ block, x, y, width, height }) {
    const [, depth, , runs] = this.blocks.get(block);
    let count = 0;
    for (let index = 1; index < runs.length; index += 2) count += runs[index];
    const ran = ranOf(this.made, runs);
    const fill = `color-mix(in srgb, var(--accent) ${Math.min(4, depth) * 10}%, var(--pane))`;
    const times = ran === null ? "" : `${svg("text", { x: x + width - 8, y: y + 16, "text-anchor": "end", class: "small" })}>\u00d7${short(ran)}</text>`;
    const below = `${plural(count, "insn")}${depth ? `, depth ${depth}` : ""}`;
    return `<g class="node" data-block="${block}">${svg("rect", { x, y, width, height, class: "box", style: depth ? `fill:${fill}` : "" })}/>` +
      `${svg("text", { x: x + 8, y: y + 16 })}>bb.${block}</text>${times}${svg("text", { x: x + 8, y: y + 32, class: "small" })}>${below}</text></g>`;
  }

  mark() {
    for (const node of this.box.querySelectorAll(".node")) {
      const block = Number(node.dataset.block);
      const isOn = (on) => on.block === block && on.build === state.b;
      node.classList.toggle("same", isOn(hot) || isOn(pinned));
      node.classList.toggle("hot", isOn(hot));
    }
  }
}

// ---- live intervals against registers

class Intervals extends List {
  constructor(rows, made) {
    super(rows, { name: "Live intervals" });
    this.box.classList.replace("rows", "intervals");
    this.registers = made.registers;
    this.texts = made.texts;
    this.textWidth = Math.min(Math.max(24, ...rows.map((row) => row.text.length + 2)) * 7.6, window.innerWidth < 760 ? 190 : 470);
    const width = this.textWidth + 8 + this.registers.rows.length * COLUMN;
    this.sizer.style.minWidth = `${width + 16}px`;
    const heads = element("div", { class: "heads", style: `width:${width + 16}px` });
    this.registers.rows.forEach(([name, kind], index) => {
      heads.append(element("span", { title: `${name}: ${kind}`, style: `left:${this.left(index)}px;width:${COLUMN}px` }, name.replace("%stack.", "s.")));
    });
    this.box.prepend(heads);
    this.chunks = new Map();
    this.registers.bars.forEach((bar) => {
      for (let chunk = bar[1] >> 6; chunk <= (bar[2] - 1) >> 6; chunk += 1) {
        if (!this.chunks.has(chunk)) this.chunks.set(chunk, []);
        this.chunks.get(chunk).push(bar);
      }
    });
    this.draw(true);
  }

  left(column) {
    return this.textWidth + 8 + column * COLUMN;
  }

  html(row, number) {
    const marks = `${row.kind} ${markOf(row)} ${isFound(row) ? "found" : ""}`;
    return `<div class="row ${marks}" data-row="${number}" style="top:${number * ROW}px">` +
      `<span class="text" style="width:${this.textWidth ?? 300}px" title="${escaped(row.text.trim())}">${escaped(row.text)}</span></div>`;
  }

  draw(all = false) {
    const before = this.first;
    super.draw(all);
    if (!this.chunks || (!all && before === this.first)) return;
    const count = Math.ceil((this.box.clientHeight || 600) / ROW) + 20;
    const [low, high] = [2 * this.first, 2 * (this.first + count)];
    const bars = new Set();
    for (let chunk = low >> 6; chunk <= high >> 6; chunk += 1) {
      for (const bar of this.chunks.get(chunk) ?? []) if (bar[1] < high && bar[2] > low) bars.add(bar);
    }
    const half = ROW / 2;
    const parts = [];
    for (const [vreg, start, end, column] of bars) {
      const from = Math.max(start, low) - low;
      const height = (Math.min(end, high) - low - from) * half;
      const x = column * COLUMN + 2;
      const kind = this.registers.rows[column][1];
      const color = `hsl(${(vreg * 47) % 360} ${kind === "register" ? "55% 42%" : "25% 48%"})`;
      parts.push(`${svg("rect", { x, y: from * half + 0.5, width: COLUMN - 4, height: Math.max(4, height - 1), rx: 3, fill: color, ...(kind === "register" ? {} : { "stroke-dasharray": "3 2", stroke: "var(--ink)" }) })}/>`);
      if (height >= 10) parts.push(`${svg("text", { x: x + (COLUMN - 4) / 2, y: from * half + Math.min(height, 20) / 2 + 4, "text-anchor": "middle", class: "value" })}>%${vreg}</text>`);
    }
    const colors = { spill: "#d92d20", reload: "#12b76a", copy: "#2e90fa", recomputed: "#f79009" };
    for (const [at, kind, column, record] of this.registers.moves) {
      if (at < low || at >= high || column === null) continue;
      const [x, y] = [column * COLUMN + COLUMN - 7, (at - low + 1) * half];
      parts.push(`<g style="pointer-events:auto"><title>${kind}: ${escaped(this.texts[record] ?? "")}</title>${svg("circle", { cx: x, cy: y, r: 4.5, class: "mark", fill: colors[kind] })}/></g>`);
    }
    const width = this.registers.rows.length * COLUMN;
    this.sizer.insertAdjacentHTML("beforeend",
      `<svg style="left:${this.left(0)}px;top:${this.first * ROW}px" width="${width}" height="${count * ROW}">${parts.join("")}</svg>`);
  }

  mark() {
    const rows = [...this.sizer.children].filter((child) => child.dataset.row !== undefined);
    for (const child of rows) {
      const row = this.rows[Number(child.dataset.row)];
      const mark = markOf(row);
      child.classList.toggle("hot", mark === "hot");
      child.classList.toggle("same", mark === "same");
      child.classList.toggle("found", isFound(row));
    }
  }
}

// ---- tabs

const tabs = {
  code: () => {
    const chooser = element("div", { class: "chooser" });
    for (const [kind, label] of [["source", "Source"], ["stage", "IR"], ["machine", "Machine"], ["graph", "Graph"]]) {
      chooser.append(element("button", { type: "button", "aria-pressed": state.pane === kind, onclick: () => go({ pane: kind }) }, label));
    }
    return [chooser, element("div", { class: "grid" }, sourcePane(), stagePane(), graphPane(false), codePane())];
  },

  graph: () => [graphPane(true)],

  registers: () => {
    const made = madeOf();
    if (!hasStages(made)) return [pane("stage", [title("Registers")], empty(problemOf(made)))];
    const s = made.stages.findIndex((stage) => stage.name === "allocate") - 1;
    if (!made.registers) return [pane("stage", [title("Registers")], empty("So much is live here that allocation does without live intervals."))];
    const list = new Intervals(plainRows(state.b, s), made);
    const counts = {};
    for (const [, kind] of made.registers.moves) counts[kind] = (counts[kind] ?? 0) + 1;
    const rows = new Map();
    for (const [vreg, , , row] of made.registers.bars) rows.set(vreg, (rows.get(vreg) ?? new Set()).add(row));
    const splits = [...rows.values()].filter((places) => places.size > 1).length;
    const dot = (color, kind, words) => `<span><span class="key" style="background:${color};border-radius:50%"></span>${plural(counts[kind] ?? 0, words)}</span>`;
    const legend = element("div", { class: "legend bar" });
    legend.innerHTML = `<span><b>${plural(rows.size, "value")}</b></span><span>${splits} split</span>` +
      dot("#d92d20", "spill", "spill") + dot("#12b76a", "reload", "reload") +
      dot("#2e90fa", "copy", "move") + dot("#f79009", "recomputed", "other") +
      "<span>Code before allocation; each bar is a value from its definition to its last use</span>";
    return [pane("registers", [title("Live intervals"), element("span", { class: "note" }, `${buildName(data.builds[state.b])}, ${made.registers.rows.filter((row) => row[1] === "register").length} registers`)], legend, list.box)];
  },

  frame: () => {
    const made = madeOf();
    if (!hasStages(made)) return [pane("frame", [title("Frame")], empty(problemOf(made)))];
    return [pane("frame", [title("Frame"), element("span", { class: "note" }, buildName(data.builds[state.b]))], element("div", { class: "sheet" }, ...frameSheet(made.frame)))];
  },

  time: () => {
    const made = madeOf();
    if (!hasStages(made)) return [pane("time", [title("Time and memory by stage")], empty(problemOf(made)))];
    return [pane("time", [title("Time and memory by stage"), element("span", { class: "note" }, buildName(data.builds[state.b]))], element("div", { class: "sheet" }, timeTable(made)))];
  },

  compare: () => {
    state.columns ??= data.builds.map((_, b) => ({ b, what: "code" })).slice(0, 5);
    const columns = state.columns.map((column, index) => compareColumn(column, index));
    const more = element("button", { type: "button", onclick: () => { state.columns.push({ ...state.columns.at(-1) }); draw(); } }, "Another column");
    const bar = element("div", { class: "legend" }, element("span", {}, "Levels, targets and stages beside each other; what comes from the same line is marked in all."), more);
    return [bar, element("div", { class: "columns" }, ...columns)];
  },
};

function compareColumn(column, index) {
  const made = madeOf(column.b);
  const build = element("select", { "aria-label": "Build", onchange: () => { column.b = Number(build.value); draw(); } });
  data.builds.forEach((one, b) => build.append(element("option", { value: b, selected: b === column.b }, buildName(one))));
  const what = element("select", { "aria-label": "What", onchange: () => { column.what = what.value; draw(); } });
  const choices = [["code", "Code"], ["source", "Source"]];
  if (hasStages(made)) made.stages.forEach((stage, s) => choices.push([String(s), `${s + 1}. ${stage.name}`]));
  if (!choices.some(([value]) => value === column.what)) column.what = "code";
  for (const [value, label] of choices) what.append(element("option", { value, selected: value === column.what }, label));
  const close = element("button", { type: "button", "aria-label": "Close this column", onclick: () => { state.columns.splice(index, 1); draw(); } }, "\u00d7");
  const heading = [build, what, element("span", { class: "spring" })];
  if (state.columns.length > 1) heading.push(close);
  if (!hasStages(made)) return pane("compare", heading, empty(problemOf(made)));
  const time = made.stages.reduce((sum, stage) => sum + (stage.micros ?? 0), 0);
  const rows = column.what === "code" ? codeRows(column.b).map((row) => ({ ...row, bytes: undefined }))
    : column.what === "source" ? sourceRows() : plainRows(column.b, Number(column.what));
  const list = new List(rows, { name: buildName(data.builds[column.b]) });
  const sum = element("div", { class: "bar" }, element("span", { class: "note" },
    `${plural(made.bytes, "byte")}, ${plural(made.code.length, "insn")}, ${time.toFixed(0)}\u00a0\u00b5s`));
  return pane("compare", heading, sum, list.box);
}

function frameSheet(frame) {
  if (!frame) return [empty("There is no frame.")];
  const objects = [...frame.objects].sort((a, b) => b.offset - a.offset);
  const where = (offset) => `${frame.base}${offset < 0 ? "\u2212" : "+"}${Math.abs(offset)}`;
  const line = (kind, place, what, size) => element("div", { class: kind },
    element("span", { class: "where" }, place), element("span", { class: "what" }, what), element("span", { class: "size" }, size));
  const total = frame.bytes;
  const lines = [];
  const objectLine = (object) => {
    const values = object.values.length ? `: ${object.values.join(", ")}` : "";
    return line(object.kind.split(" ")[0], where(object.offset), `${object.name}, ${object.kind}${values}`, `${plural(object.bytes, "byte")}, aligned to ${object.align}`);
  };
  lines.push(...objects.filter((object) => object.kind === "argument").map(objectLine));
  if (frame.has_frame_pointer) lines.push(line("", "", "frame pointer and return address", ""));
  if (frame.saved.length) lines.push(line("saved", "", `saved registers: ${frame.saved.join(", ")}`, plural(frame.saved.length, "register")));
  lines.push(...objects.filter((object) => object.kind !== "argument").map(objectLine));
  if (frame.outgoing) lines.push(line("", frame.stack, "arguments of calls", plural(frame.outgoing, "byte")));
  const facts = element("p", { class: "legend" });
  facts.innerHTML = `<span><b>${plural(total, "byte")}</b> are taken by the prologue, in ${escaped(frame.prologue)}</span>` +
    `<span>${plural(objects.length, "object")}</span><span>${plural(frame.saved.length, "saved register")}</span><span>higher addresses above</span>`;
  if (!lines.length) return [facts, empty("Nothing is kept in memory: the function needs no frame.")];
  return [facts, element("div", { class: "stack" }, ...lines)];
}

function timeTable(made) {
  const table = element("table");
  const most = Math.max(...made.stages.map((stage) => stage.micros ?? 0), 0.001);
  const total = made.stages.reduce((sum, stage) => sum + (stage.micros ?? 0), 0);
  table.append(element("thead", {}, element("tr", {},
    ...[["Stage", ""], ["\u00b5s", "n"], ["", "meterbox wide"], ["Memory", "n"], ["Blocks", "n wide"], ["Instructions", "n"], ["What it says", "wide"]]
      .map(([text, kind]) => element("th", { class: kind }, text)))));
  const body = element("tbody");
  made.stages.forEach((stage, s) => {
    const blocks = blocksOf(made, s);
    const insns = blocks.reduce((sum, block) => block[3].reduce((count, run, index) => count + (index % 2 ? run : 0), sum), 0);
    const name = element("a", { href: "#", onclick: (event) => { event.preventDefault(); go({ tab: "code", s, pane: "stage" }); } }, stage.name);
    name.style.color = "var(--accent)";
    const cell = (kind, ...content) => element("td", { class: kind }, ...content);
    body.append(element("tr", {}, cell("", name),
      cell("n", stage.micros === null ? "\u2013" : stage.micros.toFixed(1)),
      cell("meterbox wide", element("span", { class: "meter", style: `width:${(100 * (stage.micros ?? 0)) / most}%` })),
      cell("n", stage.memory ? `${(stage.memory / 1024).toFixed(1)} KB` : "\u2013"),
      cell("n wide", String(blocks.length)), cell("n", String(insns)), cell("wide", stage.note)));
  });
  body.append(element("tr", {}, element("th", {}, "All"), element("th", { class: "n" }, total.toFixed(1)), element("th", { class: "wide" }),
    element("th", { class: "n" }, ""), element("th", { class: "wide" }), element("th", { class: "n" }, plural(made.bytes, "byte")), element("th", { class: "wide" }, "the shortest of three compilations on the machine that wrote this page")));
  table.append(body);
  return table;
}

// ---- what surrounds the tabs

function draw() {
  lists = [];
  drawings = [];
  stageList = null;
  for (const button of byId("tabs").children) button.setAttribute("aria-selected", button.dataset.tab === state.tab);
  byId("main").replaceChildren(...tabs[state.tab]());
  byId("function").value = state.f;
  byId("build").value = state.b;
  for (const list of lists) {
    list.box.scrollTop = list.start;
    list.draw(true);
  }
  for (const drawing of drawings) drawing.fit();
  if (pinned !== nothing) for (const list of lists) list.show(pinned);
  showMatches();
  keep();
}

function go(change) {
  const before = new Map(lists.map((list) => [list.name, list.box.scrollTop]));
  const isSame = (change.f ?? state.f) === state.f && (change.b ?? state.b) === state.b && (change.tab ?? state.tab) === state.tab;
  // Another build has other stages: the one of the same name stays.
  if (change.b !== undefined && change.b !== state.b && state.s !== null && hasStages(madeOf(change.b)) && hasStages(madeOf())) {
    const name = madeOf().stages[stageNumber()].name;
    const found = madeOf(change.b).stages.findIndex((stage) => stage.name === name);
    state.s = found >= 0 ? found : null;
  }
  if (change.f !== undefined && change.f !== state.f) pinned = nothing;
  Object.assign(state, change);
  draw();
  if (isSame) for (const list of lists) if (before.has(list.name)) { list.box.scrollTop = before.get(list.name); list.draw(); }
}

const goStage = (by) => {
  const made = madeOf();
  if (!hasStages(made)) return;
  go({ s: Math.min(made.stages.length - 1, Math.max(0, stageNumber() + by)) });
};

function keep() {
  const parts = { tab: state.tab, f: state.f, b: state.b };
  if (state.s !== null) parts.s = state.s;
  if (state.pane !== "stage") parts.pane = state.pane;
  if (!state.diff) parts.diff = 0;
  if (state.theme) parts.theme = state.theme;
  history.replaceState(null, "", `#${new URLSearchParams(parts)}`);
}

function restore() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const number = (key, count) => {
    const value = Number.parseInt(parts.get(key) ?? "", 10);
    return value >= 0 && value < count ? value : null;
  };
  if (tabs[parts.get("tab")]) state.tab = parts.get("tab");
  state.f = number("f", data.functions.length) ?? state.f;
  state.b = number("b", data.builds.length) ?? state.b;
  state.s = number("s", 1000);
  state.diff = parts.get("diff") !== "0";
  state.pane = parts.get("pane") ?? state.pane;
  state.theme = parts.get("theme");
}

function applyTheme() {
  const isDark = state.theme ? state.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  document.documentElement.style.colorScheme = isDark ? "dark" : "light";
}

function toggleTheme() {
  state.theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  applyTheme();
  keep();
}

function showMatches() {
  const count = lists.reduce((sum, list) => sum + list.rows.filter(isFound).length, 0);
  byId("matches").textContent = state.query === "" ? "" : plural(count, "match").replace("matchs", "matches");
}

let lastMatch = null;
function goMatch(back) {
  const start = lists.indexOf(lastMatch?.list);
  if (start >= 0) {
    const next = lastMatch.list.next(isFound, back, lastMatch.number);
    const wrapped = back ? next >= lastMatch.number : next <= lastMatch.number;
    if (next >= 0 && !wrapped) {
      lastMatch.number = next;
      return;
    }
  }
  for (let step = 1; step <= lists.length; step += 1) {
    const list = lists[(start + step + lists.length) % lists.length];
    const number = list.next(isFound, back, back ? 0 : -1);
    if (number >= 0) {
      lastMatch = { list, number };
      return;
    }
  }
}

function press(event) {
  const isTyping = event.target.matches("input, select, textarea");
  if (event.key === "Escape") {
    if (isTyping) event.target.blur();
    pinned = nothing;
    remark();
    return;
  }
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const isChange = (row) => /added|removed|changed/.test(row.kind);
  const wrap = (number) => (number + data.functions.length) % data.functions.length;
  const actions = {
    "/": () => byId("search").focus(),
    j: () => goStage(1), k: () => goStage(-1),
    "[": () => go({ f: wrap(state.f - 1) }), "]": () => go({ f: wrap(state.f + 1) }),
    n: () => stageList?.next(isChange), N: () => stageList?.next(isChange, true),
    d: () => go({ diff: !state.diff }), t: toggleTheme, "?": showKeys,
  };
  TABS.forEach(([tab], index) => { actions[String(index + 1)] = () => go({ tab }); });
  if (actions[event.key]) {
    event.preventDefault();
    actions[event.key]();
  }
}

function showKeys() {
  const dialog = byId("keys");
  const rows = KEYS.map(([key, what]) => `<tr><td>${key.split(" ").map((one) => (one === "to" ? "to" : `<kbd>${one}</kbd>`)).join(" ")}</td><td>${what}</td></tr>`);
  dialog.innerHTML = `<h2>Keys</h2><table>${rows.join("")}</table><p><button type="button">Close</button></p>`;
  dialog.querySelector("button").addEventListener("click", () => dialog.close());
  dialog.showModal();
}

function begin(loaded) {
  data = loaded;
  state.tab = data.compares ? "compare" : "code";
  state.f = Math.max(0, data.functions.findIndex((one) => one.builds.some((build) => build && build.stages)));
  state.b = Math.min(data.builds.length - 1, data.compares ? 0 : 2);
  for (const [tab, label] of TABS) {
    byId("tabs").append(element("button", { type: "button", role: "tab", "data-tab": tab, onclick: () => go({ tab }) }, label));
  }
  data.functions.forEach((one, f) => byId("function").append(element("option", { value: f }, one.name)));
  data.builds.forEach((one, b) => byId("build").append(element("option", { value: b }, buildName(one))));
  byId("function").addEventListener("change", (event) => go({ f: Number(event.target.value) }));
  byId("build").addEventListener("change", (event) => go({ b: Number(event.target.value) }));
  byId("search").addEventListener("input", (event) => {
    state.query = event.target.value.trim().toLowerCase();
    lastMatch = null;
    remark();
    showMatches();
    if (state.query !== "") goMatch(false);
  });
  byId("search").addEventListener("keydown", (event) => {
    if (event.key === "Enter") goMatch(event.shiftKey);
  });
  byId("theme").addEventListener("click", toggleTheme);
  byId("help").addEventListener("click", showKeys);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyTheme);
  addEventListener("hashchange", () => { restore(); applyTheme(); draw(); });
  addEventListener("keydown", press);
  restore();
  applyTheme();
  draw();
}

/// Returns the data of a large page, which is compressed by gzip and written in base64.
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

// The page keeps neither its data nor this script a second time as text.
const stored = byId("data");
stored.remove();
document.currentScript.remove();
if (stored.type === "application/json") {
  begin(JSON.parse(stored.textContent));
} else {
  unpacked(stored.textContent).then(begin, (error) => {
    byId("main").textContent = `This page cannot be unpacked here: ${error.message}.`;
  });
}
