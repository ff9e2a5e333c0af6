// The tree view: a real search, recorded by the server, gone through step by step.

import { button, el, put, trouble } from "../ui.js";
import { AHEAD, TreeSteps } from "./steps.js";
import { TreeCanvas } from "./canvas.js";
import { Transport } from "./transport.js";
import { CodePanel, CountPanel, NodePanel, Outline, PathPanel } from "./panels.js";
import { SettingsPanel, readSettings, sourceOf, writeSettings } from "./settings.js";
import { copyLink, exportTree } from "./export.js";

let recordings = 0; // counts what this page has asked for, so that who leaves stops nothing that was asked for later

const HELP = [["← → ↑ ↓", "to the neighbours, the parent, a child"], ["Space", "play and pause"], [". ,", "a step forward, back"], ["Home End", "first and last step"], ["C", "next cut"], ["+ − 0", "zoom, fit"], ["Enter", "fold or unfold"]];

/** @param {HTMLElement} root  @param {import("../app.js").Address} address  @param {import("../app.js").Studio} studio */
export async function mount(root, address, studio) {
  put(root, el("div", { class: "head" }, el("h1", {}, "Tree")), el("p", { class: "hint" }, "Loading …"));
  const [sources] = await Promise.all([studio.ask("tree.sources"), studio.style("tree/tree.css"), studio.style("board/board.css")]);
  if (studio.left()) return null;
  const view = new TreeView(root, readSettings(address), sources, studio);
  studio.leaving(() => view.close());
  await view.record();
  return null; // that it is left it hears earlier
}

class TreeView {
  /** @param {HTMLElement} root  @param {any} settings  @param {any} sources  @param {import("../app.js").Studio} studio */
  constructor(root, settings, sources, studio) {
    this.root = root;
    this.settings = settings;
    this.studio = studio;
    this.answer = null;
    this.steps = null;
    this.loads = this.recording = 0;
    this.canvas = new TreeCanvas({ label: "The tree. Arrow keys move in it, Space plays.", onselect: (item) => this.select(item), onopen: (item) => this.fold(this.node(item)) });
    this.transport = new Transport({ go: (place) => this.go(place), steps: () => this.steps });
    this.code = new CodePanel();
    this.path = new PathPanel((node) => this.select(this.steps.byNode.get(node) ?? -1));
    this.counts = new CountPanel();
    this.one = new NodePanel({
      onfold: (node) => this.fold(node), onfocus: (node) => this.redraw({ root: node === this.settings.root ? null : node }),
      onedit: (path, change, value) => this.edit(path, change, value),
      onclose: () => { this.select(-1); this.canvas.element.focus(); },
      onroot: (state) => this.change({ ...this.settings, state, step: null, root: null, folded: [] }),
      onplay: (state) => studio.address("analyse", [this.settings.game], { state }),
    });
    this.outline = new Outline((node) => this.select(this.steps.byNode.get(node) ?? -1));
    this.panel = new SettingsPanel(settings, sources, (changed) => this.change(changed), (changes) => this.redraw(changes));
    this.sentence = el("p", { class: "sentence", id: "tree-sentence", role: "status" });
    this.crumbs = el("nav", { class: "crumbs row", "aria-label": "Where the drawing begins" });
    this.problem = el("div");
    this.busy = el("div", { class: "busy", hidden: true });
    this.build();
    this.canvas.element.setAttribute("aria-describedby", "tree-sentence");
    this.canvas.element.addEventListener("keydown", (event) => this.key(event));
    studio.on("recording", ({ number }) => {
      const what = this.panel.searches.find(({ name }) => name === this.settings.using)?.samples ? "simulations" : "nodes";
      this.busyText.textContent = `${number.toLocaleString("en")} ${what} so far …`;
    });
  }

  build() {
    const { canvas, studio } = this;
    this.busyText = el("span", {}, "Searching …");
    put(this.busy, this.busyText, button("Stop", () => this.guard(this.stop()), { class: "small" }));
    const zoom = el("div", { class: "zoom joined" },
      button("−", () => canvas.zoom(1 / 1.3), { class: "small", "aria-label": "Zoom out" }), button("Fit", () => canvas.fit(), { class: "small" }), button("+", () => canvas.zoom(1.3), { class: "small", "aria-label": "Zoom in" }));
    this.quizLink = el("a", { class: "button small", href: "#/quiz" }, "Quiz on this tree");
    const stage = el("div", { class: "stage-frame" }, canvas.element, zoom, this.busy);
    const help = el("details", { class: "keys" }, el("summary", {}, "Keys"), el("dl", {}, HELP.map(([keys, text]) => [el("dt", {}, keys.split(" ").map((key) => el("kbd", {}, key))), el("dd", {}, text)])));
    put(this.root,
      el("div", { class: "head" }, el("h1", {}, "Tree"), this.panel.tabs,
        el("div", { class: "row actions" }, this.quizLink,
          button("Copy link", () => copyLink(studio), { class: "small" }),
          button("Export", () => this.guard(exportTree(studio, () => ({ step: this.steps?.number ?? null, root: this.settings.root, folded: this.settings.folded, shown: this.settings.shown }))), { class: "small" }))),
      this.panel.element, this.problem,
      this.body = el("div", { class: "tree-split empty" },
        el("div", { class: "stack tight" }, this.crumbs, stage, this.transport.element, this.sentence, help),
        el("div", { class: "stack beside" }, this.one.element, this.code.element, this.path.element, this.counts.element, this.outline.element)));
  }

  close() {
    this.transport.pause();
    this.canvas.close();
    clearTimeout(this.later);
    this.stop().catch(() => {});
  }

  // ------------------------------------------------------------ searching
  /** End what this view has asked for; another one may be recording meanwhile. */
  stop() { return this.studio.ask("tree.stop", { number: this.recording }); }

  change(settings) {
    this.settings = settings;
    this.panel.draft = null;
    this.panel.settings = settings;
    this.panel.build();
    this.studio.remember(writeSettings(this.studio, settings), true);
    return this.record();
  }

  async record() {
    const s = this.settings;
    this.transport.pause();
    this.studio.title(s.from === "game" ? `Tree of ${s.game}` : "Tree");
    this.busyText.textContent = "Searching …";
    const number = this.recording = ++recordings;
    const wait = setTimeout(() => { this.busy.hidden = false; }, 150);
    try {
      const answer = await this.studio.ask("tree.record", {
        number, source: sourceOf(s), using: s.using, depth: s.depth, order: s.order, seed: s.seed, simulations: s.simulations, root: s.root, folded: s.folded, shown: s.shown });
      this.answer = answer;
      put(this.problem, answer.switched ? el("p", { class: "well", role: "status" }, answer.switched) : null);
      if (s.from === "text" && answer.text) s.text = answer.text;
      this.panel.told(answer);
      this.code.show(answer.code, answer.rule);
      const query = { ...(s.from === "game" ? { game: s.game, state: s.state } : { [s.from]: s.from === "random" ? JSON.stringify(s.random) : s[s.from] }), using: answer.using, depth: s.depth };
      this.quizLink.href = this.studio.address("quiz", [], query);
      await this.load(answer, s.step);
    } catch (error) {
      if (error.message !== "stopped") put(this.problem, trouble(error));
      else put(this.problem, el("p", { class: "well" }, "Stopped: there is nothing to show yet. Look less deep, or choose another algorithm."));
      this.look();
    } finally {
      clearTimeout(wait);
      if (number === this.recording) this.busy.hidden = true;
    }
  }

  /** After an error the algorithms that suit the source are still of use. */
  async look() {
    try {
      const answer = await this.studio.ask("tree.look", { source: sourceOf(this.settings) });
      this.panel.told(answer);
    } catch { /* the source itself is wrong, and the panel says so */ }
  }

  async load({ document: address, crumbs }, step, keep = false) {
    const number = ++this.loads;
    const steps = new TreeSteps(await (await fetch(address)).json());
    if (number !== this.loads || this.studio.left()) return; // a later one has been asked for, and may be here already
    const chosen = this.chosen;
    this.steps = steps;
    this.body.classList.remove("empty"); // not before: what is beside the tree asks for its steps
    this.canvas.show(steps, keep);
    this.showCrumbs(crumbs);
    this.go(step === null ? steps.count : steps.placeOf(step), true);
    this.outline.show(steps);
    if (step !== null && !keep) this.canvas.approach(steps.item);
    this.select(steps.byNode.get(chosen) ?? -1, true);
  }

  showCrumbs(crumbs) {
    this.crumbs.hidden = !crumbs.length;
    put(this.crumbs, crumbs.map(({ node, text }, place) => button(text, () => this.redraw({ root: place ? node : null }), { class: "small quiet", "aria-current": place === crumbs.length - 1 ? "true" : null })));
  }

  /** Draw the same recording in another way. */
  redraw(changes) {
    if (!this.steps) return this.change({ ...this.settings, ...changes }); // nothing is drawn yet: it is still on its way, or could not be had
    Object.assign(this.settings, changes);
    const { root, folded, shown } = this.settings, step = this.steps.number;
    return this.guard(this.studio.ask("tree.show", { root, folded, shown }).then((answer) => this.load(answer, step, "folded" in changes)).then(() => this.remember()));
  }

  fold(node) {
    if (node < 0) return null;
    const folded = new Set(this.settings.folded);
    if (!folded.delete(node)) folded.add(node);
    this.chosen = node;
    return this.redraw({ folded: [...folded] });
  }

  /** What a stub stands for: unfolded, if somebody folded it; else there is no room for it here, so it is shown alone. */
  unfold(node) {
    return this.settings.folded.includes(node) ? this.fold(node) : this.redraw({ root: node });
  }

  edit(path, change, value) {
    this.guard(this.studio.ask("tree.edit", { text: this.answer.text, path, change, value }).then(({ text }) => this.change({ ...this.settings, from: "text", text, step: null, root: null, folded: [] })));
  }

  async guard(promise) {
    try { return await promise; } catch (error) { put(this.problem, trouble(error)); return null; }
  }

  // ------------------------------------------------------------ stepping
  go(place, silent = false) {
    const { steps } = this;
    steps.go(place);
    this.settings.step = steps.ended ? null : steps.number;
    if (!silent) this.canvas.reveal(steps.item);
    this.canvas.draw();
    this.transport.show();
    this.tell();
    this.remember();
  }

  remember() {
    clearTimeout(this.later);
    this.later = setTimeout(() => this.studio.remember(writeSettings(this.studio, this.settings)), 250);
  }

  /** The words of the step that is shown; while one answer is awaited, only the latest further step is asked for. */
  async tell() {
    if (this.studio.left()) return;
    if (this.telling) { this.again = true; return; }
    this.telling = true;
    do {
      this.again = false;
      const { answer } = this, number = this.steps.number;
      try {
        const said = await this.studio.ask("tree.step", { number });
        if (answer === this.answer) this.said(said);
      } catch (error) { if (answer === this.answer && !this.again) this.sentence.textContent = error.message; }
      if (this.again) await new Promise((resolve) => setTimeout(resolve, 60));
    } while (this.again);
    this.telling = false;
  }

  said({ number, sentence, lit, path, counts }) {
    this.sentence.textContent = sentence;
    this.sentence.dataset.step = String(number);
    this.code.light(lit);
    this.path.show(path, this.steps.paper.windowed);
    this.counts.show(counts, this.answer.whole, this.answer.summary, number === this.steps.paper.last);
  }

  // ------------------------------------------------------------ one node
  node(item) { return item < 0 ? -1 : this.steps.paper.items.node[item]; }

  async select(item, silent = false) {
    this.canvas.selected = item;
    this.canvas.draw();
    const node = this.node(item);
    this.chosen = node;
    if (node < 0) {
      if (item >= 0 && !silent) this.unfold(this.node(this.steps.paper.items.parent[item]));
      else this.one.hide();
      return;
    }
    if (!silent) {
      this.canvas.reveal(item);
      this.studio.say(this.steps.describe(item));
    }
    const found = await this.guard(this.studio.ask("tree.node", { number: node }));
    if (found && this.chosen === node) this.one.show(found, { ahead: this.steps.status[item] === AHEAD, folded: this.settings.folded.includes(node), editable: this.answer.explicit && this.answer.text && this.settings.root === null, game: !this.answer.explicit });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.steps) return;
    const { steps, canvas, transport } = this, { items } = steps.paper;
    const at = canvas.selected < 0 ? Math.max(0, steps.item) : canvas.selected;
    const siblings = items.parent[at] >= 0 ? steps.children[items.parent[at]] : [at];
    const beside = siblings[siblings.indexOf(at) + (event.key === "ArrowLeft" ? -1 : 1)];
    const acts = {
      ArrowUp: () => this.select(canvas.selected < 0 ? at : Math.max(items.parent[at], 0)), ArrowDown: () => steps.children[at].length && this.select(steps.children[at][0]),
      ArrowLeft: () => beside !== undefined && this.select(beside), ArrowRight: () => beside !== undefined && this.select(beside),
      " ": () => transport.toggle(), ".": () => transport.move(1), ",": () => transport.move(-1), Home: () => transport.jump(0), End: () => transport.jump(Infinity),
      c: () => transport.jump(steps.nextCut()), "+": () => canvas.zoom(1.3), "=": () => canvas.zoom(1.3), "-": () => canvas.zoom(1 / 1.3), 0: () => canvas.fit(),
      Enter: () => this.fold(this.node(at)), Escape: () => this.select(-1),
    };
    if (event.shiftKey && event.key.startsWith("Arrow")) {
      event.preventDefault();
      canvas.pan({ ArrowLeft: 60, ArrowRight: -60 }[event.key] ?? 0, { ArrowUp: 60, ArrowDown: -60 }[event.key] ?? 0);
      return;
    }
    const act = acts[event.key] ?? acts[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  }
}
