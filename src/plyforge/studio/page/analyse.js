// Analyse: a position of any game, and what one algorithm, or two side by side, think of it.
//
// The server tells how each side stands, at most ten times a second, with the number of the position it is about; what is about another one is not shown.
// All that the view is set to is in its address.

import { BoardView } from "./board.js";
import { button, el, field, choice, put, trouble } from "./ui.js";
import { askSettings, orders, planControls, readPlan, writePlan } from "./analyse_plan.js";
import { listen, showKeys } from "./analyse_keys.js";
import { compare } from "./analyse_compare.js";
import { Chart } from "./chart.js";
import { Editor } from "./analyse_edit.js";
import { Mixes } from "./mixes.js";
import { MovesTable } from "./moves_table.js";
import { PositionPanel } from "./analyse_position.js";
import { Side } from "./analyse_side.js";
import { colourSeats, ValueBar } from "./value_bar.js";
import { Walk } from "./walk.js";

const CALM = 6000; // milliseconds between two things that are said aloud
const ARROWS = 6; // the best moves that are drawn

export async function mount(root, address, studio) {
  await Promise.all([studio.style("board.css"), studio.style("analyse.css")]);
  if (!address.parts[0]) return chooser(root, studio);
  const view = new Analyse(root, address, studio);
  await view.open();
  return () => view.leave();
}

async function chooser(root, studio) {
  const { cards } = await studio.ask("home.cards");
  const select = choice(cards.filter(({ error }) => !error).map(({ name, title }) => [name, title]), "connect4");
  put(root, el("div", { class: "head" }, el("h1", {}, "Analyse")), el("div", { class: "panel stack chooser" }, el("p", {}, "Any position of any game, seen by any algorithm that suits it."),
    field("Game", select), el("div", {}, button("Analyse", () => studio.go(studio.address("analyse", [select.value])), { class: "primary" }))));
}

class Analyse {
  constructor(root, address, studio) {
    Object.assign(this, { root, studio, name: address.parts[0], query: address.query });
    this.number = this.latest = 0;
    this.on = false;
    this.told = {};      // the last message of each side
    this.early = {};     // messages that came before the answer to the request that they belong to
    this.spoken = { at: 0, text: "" };
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
    this.ended = [
      listen(this.keys()),
      studio.on("analysis", (message) => this.hear(message)),
      studio.on("compiled", (news) => this.compiled(news)),
      studio.on("editable", ({ game, editable }) => { if (game === this.name) this.position.edit.hidden = !editable; }),
    ];
    this.moved(said);
    if (query.on) await this.start();
    await studio.ask("analyse.editable");
  }

  leave() {
    for (const end of this.ended ?? []) end();
    const number = this.number === -1 ? this.latest + 1 : this.latest; // one more, if a request is on its way
    return this.studio.ask("analyse.leave", { number }).catch(() => {});
  }

  // ---------------------------------------------------------------- what is on the page

  build() {
    const { game } = this;
    const calls = { go: (ply) => this.ask("go", { ply }), set: (text) => this.setText(text), play: (text) => this.play(text), roll: () => this.ask("roll"), copy: (text, said) => this.copy(text, said), turn: () => this.turn(), edit: () => this.edit() };
    this.board = new BoardView({ label: `${game.title}, board`, players: game.players, say: this.studio.say, onplay: ({ text }) => (this.editor.active ? this.editor.put(text) : this.play(text)) });
    this.picture = el("pre", { class: "picture panel", role: "img" });
    this.position = new PositionPanel(calls);
    this.position.players = game.players;
    this.walk = new Walk({ show: (moves, next) => this.look(moves, next), follow: (moves) => this.ask("follow", { moves }), leave: () => this.back(), copy: calls.copy });
    this.editor = new Editor({
      ask: (what, fields) => this.studio.ask(`analyse.${what}`, fields),
      show: (board, places) => this.board.show(board, { actions: places.map((place) => ({ text: place, ways: [[place]] })), moving: false }),
      use: (text) => this.setText(text).catch((error) => put(this.failed, trouble(error))), leave: () => this.back(),
    });
    this.moves = new MovesTable((text) => this.play(text));
    this.mixes = new Mixes();
    this.chart = new Chart(game.players, game.players.length === 2 && game.constant);
    this.toggle = button("Start", () => { this.running ? this.stop() : this.start(); }, { class: "primary start" });
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
        el("div", { class: "left stack" }, el("div", { class: "with-bars" }, this.bars, el("div", { class: "board-box" }, this.board.element, this.picture), this.barB), this.editor.element, this.walk.element, this.position.element),
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
    for (const message of Object.values(this.early)) this.hear(message);
    this.early = {};
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
    this.board.element.hidden = !position.board;
    this.picture.hidden = Boolean(position.board);
    if (position.board) this.board.show(position.board, { actions: open && !position.choices ? position.legal : [], last: position.last });
    this.picture.textContent = position.show;
    this.picture.setAttribute("aria-label", `Position ${position.state}`);
    if (open) this.drawArrows();
  }

  turn() {
    if (!this.at.board) return;
    this.board.turn(!this.board.turned);
    this.drawArrows();
  }

  /** Arrows and dots by merit: the first side's moves. */
  drawArrows() {
    if (!this.at.board || this.walk.walking || this.editor.active) return;
    const ways = new Map(this.at.legal.map((each) => [each.text, each.ways[0]]));
    const best = (this.told.a?.moves ?? []).filter((move) => move.merit > 0.15 && ways.get(move.move) && move.probability === undefined)
      .sort((a, b) => b.merit - a.merit || (b.move === this.told.a.best) - (a.move === this.told.a.best)).slice(0, ARROWS);
    this.board.arrows(best.map((move, i) => ({ way: ways.get(move.move), weight: move.merit, label: i < 3 ? this.tag(move.value) : "", kind: i === 0 ? "best" : "" })));
  }

  /** A value in a few letters: of many players, that of whoever moves. */
  tag(value) {
    const parts = value?.text.split(" / ") ?? [""];
    return parts[parts.length > 1 ? this.at.player : 0] ?? "";
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
      const way = position.legal.find(({ text }) => text === next)?.ways[0];
      if (position.board && way) this.board.arrows([{ way, weight: 0.8, kind: "next" }]);
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
  compiled({ using, why }) {
    const slow = this.sides.filter(({ algorithm, message }) => algorithm.name === using && message?.native === false);
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
    this.speak(message, over(message));
  }

  /** Say the best move aloud: when it is another one, and not too often; and at the end. */
  speak(message, last) {
    if (message.side !== "a" || !message.value) return;
    const text = message.best ? `Best: ${message.best}, ${message.value.words}` : message.value.words;
    const news = last || message.best !== this.spoken.best || message.value.proven !== this.spoken.proven;
    if (text === this.spoken.text || !news || (!last && Date.now() - this.spoken.at < CALM)) return;
    this.spoken = { at: Date.now(), text, best: message.best, proven: message.value.proven };
    this.studio.say(text);
  }

  async compareAll() {
    if (this.running) await this.stop();
    await compare(this.studio, new Map(this.offered.algorithms.map(({ name, title }) => [name, title])));
  }

  // ---------------------------------------------------------------- to take away

  async copy(text, said) {
    try { await navigator.clipboard.writeText(text); this.studio.say(said); this.notice(said); } catch { put(this.failed, trouble(new Error("The browser does not let this page copy. Mark the text and copy it yourself."))); }
  }

  notice(text) {
    this.studio.note(text);
    clearTimeout(this.noticed);
    this.noticed = setTimeout(() => this.studio.note(null), 2000);
  }

  async save() {
    try {
      const { address } = await this.studio.ask("analyse.export");
      const link = el("a", { href: `${address}?keep`, download: "" });
      document.body.append(link);
      link.click();
      link.remove();
    } catch (error) { put(this.failed, trouble(error)); }
  }

  remember() {
    const { at } = this;
    const plain = at.moves.every((text) => !text.includes(";"));
    const query = { state: plain ? at.start : at.state, moves: plain ? at.moves.join(";") : null, ...writePlan(this.plan, this.offered), on: this.on ? 1 : null };
    this.studio.remember(this.studio.address("analyse", [this.name], query));
  }

  // ---------------------------------------------------------------- keyboard

  keys() {
    const walkOr = (by, ply) => () => {
      if (this.walk.walking) this.walk.step(by);
      else if (ply() >= 0 && ply() <= this.at.ply + this.at.undone.length) this.ask("go", { ply: ply() });
    };
    const digits = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [String(i + 1), () => {
      const line = this.sides[0].lines.lines[i];
      if (!line) return false;
      this.walkLine(this.sides[0], line, 1, i);
      return true;
    }]));
    return {
      " ": () => { if (!this.at.over) this.toggle.click(); },
      ArrowLeft: walkOr(-1, () => this.at.ply - 1), ArrowRight: walkOr(1, () => this.at.ply + 1),
      Home: walkOr(-1e6, () => 0), End: walkOr(1e6, () => this.at.ply + this.at.undone.length),
      Enter: () => (this.walk.walking ? this.walk.follow() : false), Escape: () => (this.walk.walking ? this.walk.end() : false),
      c: () => this.copy(this.at.state, "The position is copied"),
      l: () => { const line = this.sides[0].lines.lines[0]; if (line) this.copy(line.moves.join(" "), "The line is copied"); },
      x: () => this.save(), t: () => this.turn(), "?": () => { showKeys(); }, ...digits,
    };
  }
}
