// What stands beside the tree: the pseudocode with the line that is lit, the path with alpha and beta, the counters, one node, the outline.

import { button, count, el, put } from "../ui.js";
import { thumbnail } from "../board/board.js";

/** The pseudocode. */
export class CodePanel {
  constructor() {
    this.list = el("ol", { class: "code", "aria-label": "Pseudocode" });
    this.rule = el("p", { class: "hint" });
    this.title = el("h2", {}, "Algorithm");
    this.element = el("section", { class: "panel" }, this.title, this.list, this.rule);
  }

  show({ name, lines }, rule) {
    this.title.textContent = name;
    this.rule.textContent = rule;
    this.lines = lines.map((text) => el("li", {}, el("code", {}, text)));
    put(this.list, this.lines);
    this.element.hidden = !lines.length;
  }

  light(numbers) {
    this.lines?.forEach((line, number) => {
      const lit = numbers.includes(number);
      line.classList.toggle("lit", lit);
      if (lit) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    });
  }
}

/** The nodes from the root to where the search is. */
export class PathPanel {
  constructor(onselect) {
    this.onselect = onselect;
    this.body = el("tbody");
    this.head = el("tr");
    this.element = el("section", { class: "panel" }, el("h2", {}, "Path"), el("div", { class: "scroll" }, el("table", {}, el("thead", {}, this.head), this.body)));
  }

  show(path, windowed) {
    const sampled = path.some(({ visits }) => visits !== undefined);
    const columns = ["Move", "Who", ...(sampled ? ["Visits", "Mean"] : ["Value", ...(windowed ? ["alpha", "beta"] : [])])];
    put(this.head, columns.map((name, place) => el("th", { class: place > 1 ? "number" : null, scope: "col" }, name)));
    put(this.body, path.length ? path.map((at) => el("tr", {},
      el("td", {}, button(at.action || "root", () => this.onselect(at.node), { class: "link" })), el("td", {}, at.mover),
      sampled ? [el("td", { class: "number" }, count(at.visits)), el("td", { class: "number" }, at.value + (at.bound ? " (proven)" : ""))]
        : [el("td", { class: "number" }, at.value ? `${at.bound ? at.bound + " " : ""}${at.value}` : "–"), windowed ? [el("td", { class: "number" }, at.alpha), el("td", { class: "number" }, at.beta)] : []]))
      : el("tr", {}, el("td", { colspan: String(columns.length), class: "muted" }, "Nothing has been looked at yet.")));
  }
}

/** How much was looked at, beside plain minimax and the bound. */
export class CountPanel {
  constructor() {
    this.element = el("section", { class: "panel" });
  }

  show(counts, whole, summary, ended) {
    const rows = [];
    const found = ended ? `Worth ${summary.value}${summary.owner === "everyone" ? "" : ` to ${summary.owner}`}${summary.action === null ? "" : `; best is ${summary.action}`}.` : "";
    if (counts.simulations !== undefined) {
      rows.push(["Simulations", count(counts.simulations), null], ["Nodes in the tree", count(counts.nodes), null]);
    } else {
      rows.push(["Leaves looked at", count(counts.leaves), share(counts.leaves, whole?.leaves)]);
      rows.push(["Nodes looked at", count(counts.nodes), share(counts.nodes, whole?.nodes)]);
      if (summary.cuts !== undefined) rows.push(["Cuts", count(counts.cuts), null]);
      if (whole) rows.push([summary.cuts === undefined || !whole.least ? "All leaves" : "Plain minimax: leaves", count(whole.leaves), null]);
      if (whole?.least) rows.push([whole.regular ? "Least possible: leaves" : "About the least: leaves", count(whole.least), share(whole.least, whole.leaves)]);
    }
    const note = whole?.least ? (whole.regular
      ? `b = ${whole.branching}, d = ${whole.depth}: the best order needs b^⌈d/2⌉ + b^⌊d/2⌋ − 1 leaves.`
      : `An irregular tree: b ≈ ${whole.branching} on average, d = ${whole.depth}, so the bound b^⌈d/2⌉ + b^⌊d/2⌋ − 1 is only about right.`) : "";
    put(this.element, el("h2", {}, "Counters"), found ? el("p", { class: "found" }, found) : null,
      el("table", { class: "counters" }, el("tbody", {}, rows.map(([name, number, part]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", { class: "number" }, number),
        el("td", { class: "part" }, part === null ? null : [el("meter", { min: 0, max: 1, value: part, "aria-label": `${name}, share of plain minimax` }), el("span", { class: "muted number" }, percent(part))]))))),
      note ? el("p", { class: "hint" }, note) : null,
      summary.left_out ? el("p", { class: "hint" }, `${count(summary.left_out)} nodes were searched and not kept: they are folded.`) : null);
  }
}

const share = (part, all) => (all ? Math.min(1, part / all) : null);
const percent = (part) => (part < 0.1 && part > 0 ? `${(100 * part).toFixed(1)} %` : `${Math.round(100 * part)} %`);

/** One node: its position, its value, why it was cut. */
export class NodePanel {
  constructor({ onfold, onfocus, onedit, onplay, onroot, onclose }) {
    this.onfold = onfold;
    this.onfocus = onfocus;
    this.onedit = onedit;
    this.onplay = onplay;
    this.onroot = onroot;
    this.onclose = onclose;
    this.element = el("section", { class: "panel node-panel", "aria-label": "The chosen node", hidden: true });
  }

  hide() { this.element.hidden = true; }

  show(node, { ahead, folded, editable, game }) {
    this.element.hidden = false;
    const facts = ahead ? [["State", node.state], ["Value", "not looked at yet"]] : [["Value", node.value], ["Technique", node.technique], ["State", node.state], ["Its player sees", node.seen], ["Belief", node.belief], ...node.windows.slice(0, 1).map((text) => ["Window at entry", text]), ...(node.windows.length > 1 ? [["Window at the end", node.windows.at(-1)]] : [])];
    put(this.element, el("div", { class: "row" }, el("h2", {}, node.where === "the root" ? "The root" : `Node ${node.where}`), button("Close", () => this.onclose(), { class: "small quiet push" })),
      el("p", { class: "muted" }, `${node.mover}.`),
      node.board ? el("div", { class: "small-board" }, thumbnail(node.board, `The position ${node.where}`)) : game ? el("pre", { class: "picture" }, node.text) : null,
      el("dl", { class: "facts" }, facts.filter(([, text]) => text).map(([name, text]) => [el("dt", {}, name), el("dd", {}, text)])),
      node.cut && !ahead ? el("p", { class: "well" }, `Cut: ${node.cut}.`) : null,
      el("div", { class: "row" },
        node.below ? [button(folded ? "Unfold" : "Fold", () => this.onfold(node.number), { class: "small" }), button("Only this subtree", () => this.onfocus(node.number), { class: "small" })] : null,
        game && node.state && node.where !== "the root" ? button("Search from here", () => this.onroot(node.state), { class: "small" }) : null,
        game ? el("a", { class: "button small", href: this.onplay(node.state) }, "Analyse") : null),
      editable ? this.editor(node) : null);
  }

  /** Change a tree of one's own by clicking. */
  editor(node) {
    const leaf = node.source === "utility" || (node.source === "unvisited" && node.mover === "The game is over");
    const value = el("input", { type: "text", class: "mono", "aria-label": "Value of the leaf", value: leaf ? node.value.replace("?", "") : "" });
    const change = (what, text = null) => this.onedit(node.address, what, text);
    value.addEventListener("keydown", (event) => { if (event.key === "Enter") change("value", value.value); });
    return el("fieldset", { class: "editor" }, el("legend", {}, "Change the tree"),
      el("div", { class: "row" },
        button("Add a child", () => change("add", "0"), { class: "small" }),
        node.address.length ? button("Remove", () => change("remove"), { class: "small" }) : null,
        leaf ? [value, button("Set value", () => change("value", value.value), { class: "small" })]
          : ["max", "min", "chance"].map((kind) => button(kind === "chance" ? "Chance" : kind.toUpperCase(), () => change("kind", kind), { class: "small" }))));
  }
}

/** The tree as nested lists that open one level at a time: for screen readers, and for those who like lists. */
export class Outline {
  constructor(onselect) {
    this.onselect = onselect;
    this.list = el("ul", { class: "outline" });
    this.element = el("details", { class: "panel" }, el("summary", {}, "Outline"), el("div", { class: "scroll" }, this.list));
    this.element.addEventListener("toggle", () => this.show(this.steps));
  }

  show(steps) {
    this.steps = steps;
    if (this.element.open && steps) put(this.list, this.entry(0));
  }

  entry(item) {
    const { steps } = this, below = steps.children[item];
    const inside = el("ul", { hidden: true });
    const opener = below.length ? button("+", () => {
      inside.hidden = !inside.hidden;
      opener.setAttribute("aria-expanded", String(!inside.hidden));
      opener.textContent = inside.hidden ? "+" : "−";
      if (!inside.childElementCount) put(inside, below.map((child) => this.entry(child)));
    }, { class: "small opener", "aria-expanded": "false", "aria-label": "What is below" }) : el("span", { class: "opener" });
    const node = steps.paper.items.node[item];
    return el("li", {}, opener, button(steps.describe(item), () => node >= 0 && this.onselect(node), { class: "link" }), inside);
  }
}
