// One algorithm at work: which one, how it stands, its value in words, its effort, its best lines.

import { button, el, put, short } from "../ui.js";
import { Lines } from "./findings/lines.js";

export class Side {
  /** calls: { using(name), settings(), remove(), walk(line, ply, at) }. */
  constructor(key, offered, calls) {
    this.key = key;
    this.offered = offered;
    this.calls = calls;
    this.bar = null; // its value, beside the board
    const suits = offered.algorithms.filter(({ missing }) => !missing);
    this.select = el("select", { class: "algorithm", "aria-label": `Algorithm ${key.toUpperCase()}`, onchange: () => calls.using(this.select.value) },
      suits.map(({ name, title }) => el("option", { value: name }, title)));
    this.status = el("span", { class: "badge" }, "Ready");
    this.speed = el("span", { class: "badge warn", hidden: true }, "interpreted");
    this.settings = button("Settings", calls.settings, { class: "small quiet" });
    this.away = button("Remove", calls.remove, { class: "small quiet", hidden: true });
    this.speed.title = "Not compiled, or not yet: about 100 times slower";
    this.words = el("p", { class: "verdict" });
    this.says = el("p", { class: "hint" });
    this.effort = el("dl", { class: "effort" });
    this.cells = new Map();
    this.lines = new Lines(calls.walk);
    this.error = el("p", { class: "trouble-text", role: "alert", hidden: true });
    this.element = el("section", { class: `panel side side-${key}`, "aria-label": `Algorithm ${key.toUpperCase()}` },
      el("div", { class: "side-head" }, el("span", { class: "letter", "aria-hidden": "true" }, key.toUpperCase()), this.select, this.settings, this.away),
      el("div", { class: "row" }, this.status, this.speed),
      this.says, this.words, this.error, this.lines.element, this.effort);
  }

  get algorithm() {
    return this.offered.algorithms.find(({ name }) => name === this.select.value);
  }

  /** Set which algorithm it is; nothing is known yet. */
  begin(using, removable) {
    this.select.value = using;
    this.away.hidden = !removable;
    this.settings.hidden = this.algorithm.settings.length === 0;
    this.settings.setAttribute("aria-label", `Settings of ${this.algorithm.title}`);
    this.says.textContent = this.algorithm.says;
    this.message = null;
    this.error.hidden = true;
    this.words.textContent = "";
    this.state("Ready");
    this.lines.show([]);
    put(this.effort);
    this.cells.clear();
  }

  state(text, kind = "") {
    if (this.status.textContent !== text) this.status.textContent = text;
    this.status.className = `badge ${kind}`;
  }

  /** How it stands. */
  show(message) {
    this.message = message;
    this.error.hidden = message.status !== "failed";
    if (message.status === "failed") {
      this.error.textContent = message.error;
      this.state("Failed", "bad");
      return;
    }
    const proven = Boolean(message.value?.proven);
    if (message.status === "preparing") this.state("Starting");
    else if (message.status === "compiling") this.state("Compiling", "warn");
    else if (message.status === "thinking") this.state("Thinking", "live");
    else this.state(proven ? "Proven" : sentence(message.reason ?? "Ended"), proven ? "good" : "");
    this.speed.hidden = message.native !== false;
    if (message.value) {
      this.words.textContent = message.best && this.algorithm.family !== "mixes" ? `${message.best}: ${message.value.words}` : sentence(message.value.words);
      this.words.classList.toggle("proven", proven);
      this.says.hidden = true;
    }
    if (message.lines.length || message.status !== "preparing") this.lines.show(message.lines);
    const sampled = ["samples", "mixes"].includes(this.algorithm.family);
    this.tell("Depth", message.depth ?? "–");
    if (sampled) this.tell("Simulations", short(message.simulations ?? 0));
    this.tell(sampled ? "Tree" : "Nodes", short(message.nodes));
    if (message.states) this.tell("States held", short(message.states));
    this.tell("Rate", message.rate ? `${short(message.rate)}/s` : "–");
    this.tell("Time", `${message.seconds.toFixed(message.seconds < 10 ? 1 : 0)} s`);
    if (message.table !== null && message.table !== undefined) this.tell("Table", `${(100 * message.table).toFixed(message.table < 0.1 ? 1 : 0)} %`);
    if (message.cost !== undefined) this.tell("Cost", String(Number(message.cost.toPrecision(6))));
  }

  tell(name, text) {
    if (!this.cells.has(name)) {
      const value = el("dd", { class: "number" });
      this.cells.set(name, value);
      this.effort.append(el("div", {}, el("dt", {}, name), value));
    }
    const cell = this.cells.get(name);
    if (cell.textContent !== String(text)) cell.textContent = String(text);
  }
}

const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);
