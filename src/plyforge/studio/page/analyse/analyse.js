// Analyse: a position of any game, and what one algorithm, or two side by side, think of it.
//
// The server tells how each side stands, at most ten times a second, with the number of the position it is about; what is about another one is not shown.
// All that the view is set to is in its address.

import { button, el, put, trouble } from "../ui.js";
import { askSettings, orders, planControls, readPlan, writePlan } from "./plan.js";
import { keysOf, listen, showKeys } from "./keys.js";
import { CalmVoice } from "./calm_voice.js";
import { compare } from "./compare.js";
import { copyText, saveFrom } from "./take.js";
import { Chart } from "./findings/chart.js";
import { Editor } from "./edit.js";
import { Mixes } from "./findings/mixes.js";
import { MovesTable } from "./findings/moves_table.js";
import { PositionPanel } from "./position.js";
import { ShownBoard } from "./board.js";
import { Side } from "./side.js";
import { colourSeats, ValueBar } from "./findings/value_bar.js";
import { Walk } from "./walk.js";


/** @param {HTMLElement} root  @param {import("../app.js").Address} address  @param {import("../app.js").Studio} studio */
export async function mount(root, address, studio) {
  await Promise.all([studio.style("board/board.css"), studio.style("analyse/analyse.css")]);
  if (studio.left()) return null;
  const view = new Analyse(root, address, studio);
  studio.leaving(() => view.close());
  await view.open();
  return () => view.leave();
}

class Analyse {
  /** @param {HTMLElement} root  @param {import("../app.js").Address} address  @param {import("../app.js").Studio} studio */
  constructor(root, address, studio) {
    this.root = root;
    this.studio = studio;
    this.name = address.parts[0];
    this.query = address.query;
    this.number = this.latest = 0;
    this.on = false;
    this.told = {};      // the last message of each side
    this.early = {};     // messages that came before the answer to the request that they belong to
    this.fast = new Map(); // searches that were compiled before anything was told of what they had begun: the news, and up to which number that is
    this.voice = new CalmVoice(studio.say);
  }

  async open() {
    const { studio, query } = this;
    const moves = query.moves ? query.moves.split(";") : [];
    const said = await studio.ask("analyse.open", { game: this.name, state: query.state ?? "", moves });
    this.game = said.game;
    this.offered = said;
    this.plan = readPlan(query, said);
    studio.title(`Analyse ${this.game.title}`);
    colourSeats(this.root, said.position.board?.colours);
    this.build();
    if (studio.left()) return;
    this.unlisten = listen(keysOf(this));
    studio.on("analysis", (message) => this.hear(message));
    studio.on("compiled", (news) => this.compiled(news));
    studio.on("editable", ({ game, editable }) => { if (game === this.name) this.position.edit.hidden = !editable; });
    this.moved(said);
    if (query.on) await this.start();
    await studio.ask("analyse.editable");
  }

  /** Also where it never came to a position. */
  close() { this.unlisten?.(); }

  leave() {
    const number = this.number === -1 ? this.latest + 1 : this.latest; // one more, if a request is on its way
    return this.studio.ask("analyse.leave", { number }).catch(() => {});
  }

  // ---------------------------------------------------------------- what is on the page

  build() {
    const { game } = this;
    const calls = { go: (ply) => this.ask("go", { ply }), set: (text) => this.setText(text), play: (text) => this.play(text), roll: () => this.ask("roll"), copy: (text, said) => this.copy(text, said), turn: () => this.turn(), edit: () => this.edit() };
    this.board = new ShownBoard(game, this.studio.say, (text) => (this.editor.active ? this.editor.put(text) : this.play(text)));
    this.position = new PositionPanel(calls, game.players);
    this.walk = new Walk({ show: (moves, next) => this.look(moves, next), follow: (moves) => this.ask("follow", { moves }), leave: () => this.back(), copy: calls.copy });
    this.editor = new Editor({
      ask: (what, fields) => this.studio.ask(`analyse.${what}`, fields),
      show: (board, places) => this.board.draft(board, places),
      use: (text) => this.setText(text).catch((error) => put(this.failed, trouble(error))), leave: () => this.back(),
    });
    this.moves = new MovesTable((text) => this.play(text));
    this.mixes = new Mixes();
    this.chart = new Chart(game.players, game.players.length === 2 && game.constant);
    this.toggle = button("Start", () => (this.running ? this.stop() : this.start()), { class: "primary start" });
    this.beside = button("Side by side", () => this.addSide(), { title: "A second algorithm on the same position, with the same clock" });
    this.bars = el("div", { class: "bars" });
    this.barB = el("div", { class: "bars second" });
    this.sidesBox = el("div", { class: "sides" });
    this.failed = el("div", {});
    this.known = el("section", { class: "panel known", "aria-label": "Moves" });
    put(this.root,
      el("div", { class: "head" }, el("h1", {}, `Analyse ${game.title}`), el("span", { class: "push row" }, this.doors = el("span", { class: "row" }))),
      el("div", { class: "controls panel" }, this.toggle, this.limits = el("div", { class: "limits" }), this.beside,
        el("span", { class: "push row" }, button("Compare all", () => this.compareAll(), { class: "quiet" }), button("Save", () => this.save(), { class: "quiet", title: "The analysis as JSON" }), button("Keys", showKeys, { class: "quiet" }))),
      this.failed,
      el("div", { class: "desk" },
        el("div", { class: "left stack" }, el("div", { class: "with-bars" }, this.bars, this.board.element, this.barB), this.editor.element, this.walk.element, this.position.element),
        el("div", { class: "right stack" }, this.sidesBox, el("div", { class: "below" }, this.known, el("section", { class: "panel", "aria-label": "Value so far" }, this.chart.element)))));
    this.arrange();
  }

  /** One side or two. */
  arrange() {
    const { game, plan } = this;
    const many = game.players.length > 2 || !game.constant;
    put(this.limits, planControls(plan, this.offered, () => this.planned()));
    this.sides = plan.sides.map((wanted, i) => {
      const key = "ab"[i];
      const side = new Side(key, this.offered, {
        using: (using) => { plan.sides[i] = { using, options: {} }; this.planned(true); },
        settings: () => this.settings(i),
        remove: () => { plan.sides.splice(i, 1); this.planned(true); },
        walk: (line, ply, at) => this.walkLine(this.sides[i], line, ply, at),
      });
      side.bar = new ValueBar(plan.sides.length > 1 ? side.algorithm?.title ?? key : "Value", game.players, game.constant);
      return side;
    });
    const two = this.sides.length > 1;
    const lettered = (side) => (side ? [two ? el("span", { class: "letter", "aria-hidden": "true" }, side.key.toUpperCase()) : null, side.bar.element] : null);
    put(this.bars, lettered(this.sides[0]));
    put(this.barB, lettered(this.sides[1]));
    this.barB.hidden = !this.sides[1];
    this.root.classList.toggle("many-players", many);
    this.root.classList.toggle("one-player", game.players.length === 1);
    put(this.sidesBox, this.sides.map((side) => side.element));
    this.sidesBox.classList.toggle("two", this.sides.length > 1);
    this.beside.hidden = this.sides.length > 1;
    this.begin();
  }

  /** Nothing is known of the position yet. */
  begin() {
    this.told = {};
    this.sides.forEach((side, i) => {
      side.begin(this.plan.sides[i].using, this.sides.length > 1);
      side.bar.show(null);
    });
    const about = this.sides.map((side) => ({ key: side.key, title: this.sides.length > 1 ? `${side.key.toUpperCase()} ${side.algorithm.title}` : side.algorithm.title, samples: side.algorithm.family === "samples" }));
    this.chart.begin(about);
    this.chart.measure(this.sides.every((side) => side.algorithm.family === "depths") ? "depth" : "seconds");
    if (!this.at) return;
    const together = Boolean(this.at.choices);
    this.moves.begin(this.at.legal, about, this.at.legal[0]?.probability !== undefined);
    put(this.known, together ? this.mixes.element : this.moves.element);
    if (together) this.mixes.show(this.game.players, this.at.choices, null, null);
    this.known.hidden = this.at.over;
  }

  // ---------------------------------------------------------------- the position

  async edit() {
    this.walk.end(false);
    try { await this.editor.begin(); } catch (error) { put(this.failed, trouble(error)); }
  }

  async ask(what, fields = {}) {
    this.walk.end(false);
    this.editor.end(false);
    try {
      put(this.failed);
      this.moved(await this.request(what, fields));
    } catch (error) { put(this.failed, trouble(error)); this.showBoard(this.at, true); }
  }

  /** Ask for something that begins a new count. Until the answer says which, what is told may be about the old one: it waits. */
  async request(what, fields) {
    if (this.number !== -1) this.latest = this.number;
    this.number = -1;
    try { return await this.studio.ask(`analyse.${what}`, fields); } catch (error) { this.count(this.latest); throw error; }
  }

  /** From now on messages with this number are shown; some may have come already. */
  count(number) {
    this.number = this.latest = number;
    const { early } = this;
    this.early = {};
    for (const message of Object.values(early)) this.hear(message);
  }

  play(text) {
    return this.ask("play", { move: text });
  }

  async setText(text) {
    const said = await this.request("set", { text });
    this.walk.end(false);
    this.moved(said);
  }

  moved({ number, position }) {
    this.at = position;
    this.running = this.on && !position.over;
    this.begin();
    this.position.show(position);
    this.showBoard(position, true);
    this.label();
    this.remember();
    this.studio.say(position.over ? position.outcome : `${position.turn} to move`);
    this.count(number);
    put(this.doors, [["play", "Play from here"], ["tree", "Tree"]].map(([view, text]) => el("a", { class: "button quiet small", href: this.studio.address(view, [this.name], { state: position.state }) }, text)));
  }

  showBoard(position, open) {
    this.board.show(position, open);
    if (open) this.drawArrows();
  }

  turn() {
    if (this.at.board) this.board.turn();
    this.drawArrows();
  }

  drawArrows() {
    if (!this.walk.walking && !this.editor.active) this.board.arrows(this.at, this.told.a);
  }

  // ---------------------------------------------------------------- walking a line

  walkLine(side, line, ply, at) {
    this.editor.end(false);
    if (line) this.walk.begin(`Line ${at + 1} of ${side.algorithm.title}`, line.moves, ply, (now) => side.lines.mark(now === null ? null : at, now));
  }

  async look(moves, next) {
    const asked = (this.looking = (this.looking ?? 0) + 1);
    try {
      const { position } = await this.studio.ask("analyse.look", { moves });
      if (asked !== this.looking || !this.walk.walking) return;
      this.shown = position;
      this.showBoard(position, false);
      this.position.show(this.at, position);
      this.board.next(position, next);
      this.studio.say(moves.length ? `After ${moves.at(-1)}` : "The position itself");
    } catch (error) { put(this.failed, trouble(error)); }
  }

  back() {
    this.position.show(this.at);
    this.showBoard(this.at, true);
  }

  // ---------------------------------------------------------------- thinking

  /** Begin to think. `again`: at another speed; what is shown stays until there is something better. */
  async start(again = false) {
    this.on = true;
    this.running = !this.at.over;
    if (again) this.chart.begin(this.chart.sides);
    else this.begin();
    this.label();
    try {
      put(this.failed);
      const { number } = await this.request("start", orders(this.plan));
      this.count(number);
    } catch (error) {
      this.on = this.running = false;
      put(this.failed, trouble(error));
    }
    this.label();
    this.remember();
  }

  async stop() {
    this.on = this.running = false;
    this.label();
    this.remember();
    try { await this.studio.ask("analyse.stop"); } catch (error) { put(this.failed, trouble(error)); }
  }

  /** A search has been compiled: what it has found interpreted, it finds again, a hundred times as fast. */
  compiled(news) {
    const { using, why } = news;
    const slow = this.sides.filter(({ algorithm, message }) => algorithm.name === using && message?.native === false);
    if (slow.length) this.fast.delete(using);
    else this.fast.set(using, { news, last: this.number === -1 ? this.latest + 1 : this.latest });
    if (why) for (const side of slow) side.speed.title = `It stays interpreted: ${why}`;
    else if (this.on && !this.at.over && slow.some(({ message }) => !message.value?.proven)) this.start(true);
  }

  label() {
    this.toggle.textContent = this.running ? "Stop" : "Start";
    this.toggle.disabled = this.at.over;
    this.root.classList.toggle("thinking", Boolean(this.running));
  }

  /** Another plan: it holds at once. `anew`: other sides. */
  planned(anew = false) {
    if (anew) this.arrange();
    if (this.on) this.start();
    this.remember();
  }

  addSide() {
    const first = this.plan.sides[0].using;
    const suits = this.offered.algorithms.filter(({ missing }) => !missing).map(({ name }) => name);
    const wanted = ["uct", "alpha_beta", "engine", "expectiminimax", "decoupled_uct", "ida_star", "max_n", ...suits].find((name) => name !== first && suits.includes(name)) ?? first;
    this.plan.sides.push({ using: wanted, options: {} });
    this.planned(true);
  }

  async settings(i) {
    const chosen = await askSettings(this.sides[i].algorithm, this.plan.sides[i].options);
    if (chosen === undefined) return;
    this.plan.sides[i].options = chosen;
    this.planned();
  }

  hear(message) {
    const side = this.sides.find(({ key }) => key === message.side);
    if (message.number > this.number) this.early[message.side] = message;
    if (!side || message.number !== this.number) return;
    this.told[message.side] = message;
    side.show(message);
    if (message.value) {
      side.bar.show(message.value);
      this.chart.add(message.side, message);
    }
    if (message.moves?.length) {
      if (this.at.choices) this.mixes.show(this.game.players, this.at.choices, message.mixes ?? null, message.moves);
      else this.moves.show(message.side, message.moves);
      if (message.side === "a") { this.moves.best(message.best); this.drawArrows(); }
    }
    const over = ({ status }) => status === "ended" || status === "failed";
    if (over(message) && this.sides.every(({ key }) => this.told[key] && over(this.told[key]))) {
      this.running = false;
      this.label();
    }
    if (message.side === "a") this.voice.hear(message, over(message));
    const fast = this.fast.get(message.using);
    if (message.native === false && fast && message.number <= fast.last) this.compiled(fast.news);
  }

  async compareAll() {
    if (this.running) await this.stop();
    if (this.studio.left()) return;
    await compare(this.studio, new Map(this.offered.algorithms.map(({ name, title }) => [name, title])));
  }

  // ---------------------------------------------------------------- to take away

  copy(text, said) { return this.tried(async () => { await copyText(text); this.notice(said); }); }

  save() { return this.tried(() => saveFrom(this.studio.ask("analyse.export"))); }

  /** Do something; what goes wrong is shown. */
  async tried(what) {
    try { await what(); } catch (error) { put(this.failed, trouble(error)); }
  }

  /** Say something for a moment, to all. */
  notice(text) {
    const shown = el("p", { class: "badge good notice" }, text);
    this.studio.say(text);
    put(this.failed, shown);
    setTimeout(() => shown.remove(), 2500);
  }

  remember() {
    const { at } = this;
    const plain = at.moves.every((text) => !text.includes(";"));
    const query = { state: plain ? at.start : at.state, moves: plain ? at.moves.join(";") : null, ...writePlan(this.plan, this.offered), on: this.on ? 1 : null };
    this.studio.remember(this.studio.address("analyse", [this.name], query));
  }
}
