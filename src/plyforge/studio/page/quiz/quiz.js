// The quiz: a tree, questions about it, answers judged and explained by the server; and sheets of exercises to print (sheet.js).

import { button, choice, el, field, put, trouble } from "../ui.js";
import { TreeSteps } from "../tree/steps.js";
import { TreeCanvas } from "../tree/canvas.js";
import { showSheet } from "./sheet.js";

const LEVELS = [["1", "Small"], ["2", "Middling"], ["3", "Wide"], ["4", "Deep"]];
const SOURCES = ["text", "figure", "random", "game"];

/** The settings that an address stands for; `source` where the quiz is about a tree of the tree view. */
export function readQuiz({ query }) {
  const whole = (name, otherwise) => (/^\d+$/.test(query[name] ?? "") ? Number(query[name]) : otherwise);
  const from = SOURCES.find((name) => query[name] !== undefined);
  let source = null;
  if (from === "game") source = { game: query.game, state: query.state ?? null };
  else if (from === "random") { try { source = { random: JSON.parse(query.random) }; } catch { source = null; } }
  else if (from) source = { [from]: query[from] };
  return {
    topic: query.topic ?? "alpha_beta", level: whole("level", 2), seed: whole("seed", 1), ties: query.ties === "1", number: whole("number", 4),
    source, using: query.using ?? null, depth: whole("depth", null), sheet: query.sheet === "1", kept: from ? query : {},
  };
}

export function writeQuiz(studio, s) {
  const tree = s.source ? { ...s.kept } : { topic: s.topic, level: s.level, ties: s.ties ? 1 : null };
  return studio.address("quiz", [], { ...tree, seed: s.seed, ...(s.sheet ? { sheet: 1, number: s.number } : {}) });
}

/** @param {HTMLElement} root  @param {import("../app.js").Address} address  @param {import("../app.js").Studio} studio */
export async function mount(root, address, studio) {
  put(root, el("div", { class: "head" }, el("h1", {}, "Quiz")), el("p", { class: "hint" }, "Loading …"));
  const settings = readQuiz(address);
  const [{ topics }] = await Promise.all([studio.ask("quiz.topics"), studio.style("tree/tree.css"), studio.style("quiz/quiz.css")]);
  if (settings.sheet) return showSheet(root, settings, topics, studio);
  const view = new QuizView(root, settings, topics, studio);
  await view.begin();
  return () => view.canvas.close();
}

/** The controls that quiz and sheet share. */
export function quizFields(settings, topics, change) {
  const number = (name, least, most) => el("input", { type: "number", id: `quiz-${name}`, value: String(settings[name]), min: least, max: most, onchange: (event) => {
    const wanted = Math.round(Number(event.target.value));
    if (Number.isFinite(wanted)) change({ [name]: Math.max(least, Math.min(most, wanted)) });
  } });
  return [
    field("Topic", choice(topics.map(({ name, title }) => [name, title]), settings.topic, (topic) => change({ topic }))),
    field("Trees", choice(LEVELS, String(settings.level), (level) => change({ level: Number(level) }))),
    field("Leaves", choice([["0", "All different"], ["1", "Some equal"]], settings.ties ? "1" : "0", (ties) => change({ ties: ties === "1" }))),
    field("Seed", number("seed", 0, 999999)),
    settings.sheet ? field("Exercises", number("number", 1, 40)) : null,
  ];
}

class QuizView {
  /** @param {HTMLElement} root  @param {any} settings  @param {any[]} topics  @param {import("../app.js").Studio} studio */
  constructor(root, settings, topics, studio) {
    this.root = root;
    this.settings = settings;
    this.topics = topics;
    this.studio = studio;
    this.begun = 0;
    this.canvas = new TreeCanvas({ label: "The tree of the quiz. Arrow keys move in it; Enter marks a branch.", onselect: (item) => this.point(item) });
    this.canvas.element.addEventListener("keydown", (event) => this.key(event));
    this.card = el("section", { class: "panel card-question", "aria-live": "polite" });
    this.score = el("span", { class: "badge" });
    this.rule = el("p", { class: "hint" });
    this.fields = el("section", { class: "panel settings", "aria-label": "What is asked" });
    this.problem = el("div");
    put(root,
      el("div", { class: "head" }, el("h1", {}, "Quiz"), this.score, el("div", { class: "row actions" },
        el("a", { class: "button small", href: writeQuiz(studio, { ...settings, source: null, sheet: true }) }, "A sheet to print"))),
      this.fields, this.problem,
      el("div", { class: "tree-split" },
        el("div", { class: "stack tight" }, el("div", { class: "stage-frame" }, this.canvas.element,
          el("div", { class: "zoom joined" }, button("−", () => this.canvas.zoom(1 / 1.3), { class: "small", "aria-label": "Zoom out" }), button("Fit", () => this.canvas.fit(), { class: "small" }), button("+", () => this.canvas.zoom(1.3), { class: "small", "aria-label": "Zoom in" }))), this.rule),
        this.card));
  }

  change(changes) {
    this.settings = { ...this.settings, ...changes };
    this.studio.remember(writeQuiz(this.studio, this.settings), true);
    return this.begin();
  }

  async begin() {
    const { topic, seed, level, ties, source, using, depth } = this.settings;
    const next = button("Another tree", () => this.change({ seed: seed + 1 }), { class: "another" });
    put(this.fields, this.settings.source
      ? el("div", { class: "row" }, el("p", {}, "Questions about the tree that you were looking at."), button("Other questions", () => this.change({ seed: seed + 1 }), { class: "small" }), button("Trees by topic", () => this.change({ source: null, kept: {} }), { class: "small" }))
      : el("div", { class: "fields" }, quizFields(this.settings, this.topics, (changes) => this.change(changes)), next));
    try {
      const number = ++this.begun;
      const answer = await this.studio.ask("quiz.begin", { topic, seed, level, ties, source, using, depth });
      const paper = await (await fetch(answer.document)).json();
      if (number !== this.begun) return; // another tree has been asked for meanwhile
      this.paper = paper;
      this.questions = answer.questions;
      this.rule.textContent = answer.rule;
      this.steps = new TreeSteps(this.paper);
      this.byPath = new Map(this.paper.addresses.map((path, item) => [path.join("."), item]));
      this.canvas.show(this.steps);
      put(this.problem);
      this.scored(answer.score);
      this.ask(0);
    } catch (error) { put(this.problem, trouble(error)); }
  }

  scored({ right, asked }) {
    this.score.textContent = asked ? `${right} of ${asked} right` : "No answers yet";
    this.score.className = `badge ${asked && right === asked ? "good" : ""}`;
  }

  // ------------------------------------------------------------ asking
  ask(number) {
    this.number = number;
    this.verdict = null;
    const question = this.questions[number], { canvas } = this;
    canvas.marked = new Set();
    canvas.wrong = new Set();
    canvas.asked = question.path === null ? -1 : this.byPath.get(question.path.join(".")) ?? -1;
    canvas.reveal(canvas.asked);
    canvas.draw();
    this.form(question);
  }

  form(question) {
    const check = button("Check", () => this.check(question), { class: "primary" });
    const send = (event) => { if (event.key === "Enter") { event.preventDefault(); this.check(question); } };
    const input = (id) => el("input", { type: "text", id, autocomplete: "off", inputmode: "text", onkeydown: send });
    this.inputs = [];
    let control;
    if (question.kind === "move") {
      this.choice = null;
      control = el("fieldset", { class: "row" }, el("legend", { class: "unseen" }, "Move"), question.moves.map((move) => el("label", { class: "check" }, el("input", { type: "radio", name: "quiz-move", value: move, onchange: () => { this.choice = move; } }), move)));
    } else if (question.kind === "cuts") {
      this.chips = el("ul", { class: "chips" });
      control = el("div", { class: "stack tight" }, el("p", { class: "hint" }, "Click the topmost node of each branch that is cut (or go there with the arrow keys and press Enter). None is an answer, too."), this.chips);
      this.showMarked();
    } else if (question.kind === "window") {
      this.inputs = [input("quiz-alpha"), input("quiz-beta")];
      control = el("div", { class: "fields" }, field("alpha", this.inputs[0], "Infinity is inf"), field("beta", this.inputs[1]));
    } else {
      this.inputs = [input("quiz-answer")];
      control = field("Your answer", this.inputs[0]);
    }
    this.result = el("div", { class: "verdict" });
    put(this.card, el("p", { class: "muted" }, `Question ${this.number + 1} of ${this.questions.length}`), el("h2", {}, question.text), control, el("div", { class: "row" }, check), this.result);
    this.inputs[0]?.focus({ preventScroll: true });
    this.checkButton = check;
  }

  answer(question) {
    if (question.kind === "move") return this.choice;
    if (question.kind === "cuts") return [...this.canvas.marked].map((item) => this.paper.addresses[item]);
    const texts = this.inputs.map((each) => each.value.trim());
    return question.kind === "window" ? texts : texts[0];
  }

  async check(question) {
    if (this.verdict) return;
    const answer = this.answer(question);
    if (answer === null || answer === "" || (question.kind === "window" && answer.includes(""))) {
      put(this.result, el("p", { class: "hint" }, "Give an answer first."));
      return;
    }
    let verdict;
    try { verdict = await this.studio.ask("quiz.answer", { number: this.number, answer }); } catch (error) { put(this.result, el("p", { class: "hint" }, error.message)); return; }
    if (question !== this.questions[this.number]) return; // that one is not asked any more
    this.verdict = verdict;
    this.scored(verdict.score);
    this.checkButton.disabled = true;
    if (question.kind === "cuts") this.showCuts(verdict);
    const last = this.number + 1 === this.questions.length;
    const next = last ? button("Another tree", () => this.change({ seed: this.settings.seed + 1 }), { class: "primary" }) : button("Next question", () => this.ask(this.number + 1), { class: "primary" });
    put(this.result, el("div", { class: `well ${verdict.right ? "right" : "wrong"}` },
      el("p", { class: "strong" }, verdict.right ? "Right." : "Not right.", verdict.correct !== null && !verdict.right ? ` It is ${verdict.correct}.` : ""),
      verdict.remark ? el("p", {}, verdict.remark) : null, el("p", {}, verdict.explanation)), el("div", { class: "row" }, next));
    next.focus({ preventScroll: true });
  }

  /** The cut branches in the tree: what was right is marked, what was marked wrongly ringed. */
  showCuts({ cut }) {
    const right = new Set(cut.map((path) => this.byPath.get(path.join("."))));
    this.canvas.wrong = new Set([...this.canvas.marked].filter((item) => !right.has(item)));
    this.canvas.marked = right;
    this.canvas.draw();
  }

  // ------------------------------------------------------------ marking
  point(item) {
    this.canvas.selected = item;
    if (this.questions[this.number]?.kind === "cuts" && !this.verdict && item > 0) {
      const { marked } = this.canvas;
      if (!marked.delete(item)) marked.add(item);
      this.showMarked();
      this.studio.say(`${marked.has(item) ? "Marked" : "Not marked"}: ${this.steps.describe(item)}`);
    } else this.studio.say(this.steps.describe(item));
    this.canvas.draw();
  }

  showMarked() {
    put(this.chips, [...this.canvas.marked].map((item) => el("li", {}, button(`${this.branch(item)} ×`, () => this.point(item), { class: "small", "aria-label": `${this.branch(item)}: take the mark away` }))));
  }

  branch(item) {
    const { items, labels } = this.paper, parent = items.parent[item];
    return `${labels[items.label[parent]] || "root"} → ${labels[items.edge[item]]}`;
  }

  key(event) {
    const { canvas, steps } = this;
    if (!steps || event.ctrlKey || event.metaKey) return;
    const { items } = this.paper, at = Math.max(0, canvas.selected);
    const siblings = items.parent[at] >= 0 ? steps.children[items.parent[at]] : [at];
    const target = { ArrowUp: items.parent[at], ArrowDown: steps.children[at][0], ArrowLeft: siblings[siblings.indexOf(at) - 1], ArrowRight: siblings[siblings.indexOf(at) + 1] }[event.key];
    if (target >= 0) {
      canvas.selected = target;
      canvas.reveal(target);
      canvas.draw();
      this.studio.say(steps.describe(target));
    } else if (event.key === "Enter" || event.key === " ") this.point(at);
    else if (event.key === "+" || event.key === "=") canvas.zoom(1.3);
    else if (event.key === "-") canvas.zoom(1 / 1.3);
    else if (event.key === "0") canvas.fit();
    else if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
  }
}
