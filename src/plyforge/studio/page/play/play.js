// The play view: a board, the people and algorithms around it, and what they can do.
// The server holds the game; every answer is how it stands, in full, and is shown as it is. The record is kept in the browser's session, so that a lost connection loses no game.

import { button, el, put } from "../ui.js";
import { BoardView } from "../board/board.js";
import { Bars, capital, dice } from "./faces.js";
import { defaults, readSetting, setUp, wire, writeSetting } from "./setup.js";
import { MoveList } from "./moves.js";
import { Review } from "./review.js";
import { files } from "./files.js";
import { choosing } from "./together.js";
import { passing } from "./hidden.js";
import { offerDraw } from "./draw.js";

const CHANCE = -1, SIMULTANEOUS = -2;
const keptAs = (game) => `plyforge play ${game}`;

/** @param {HTMLElement} root  @param {import("../app.js").Address} address  @param {import("../app.js").Studio} studio */
export async function mount(root, address, studio) {
  const game = address.parts[0];
  if (!game) {
    put(root, el("h1", {}, "Play"), el("p", {}, "Which game? ", el("a", { href: "#/" }, "Choose one."), ""));
    return () => {};
  }
  const [options] = await Promise.all([studio.ask("play.options", { game }), studio.style("board/board.css"), studio.style("play/play.css")]);
  if (studio.left()) return null;
  studio.title(`Play ${options.title}`);
  const view = new PlayView(root, game, options, studio);
  studio.leaving(() => view.close());
  root.inert = true; // until there is a game: what can be clicked acts on one
  try { await view.begin(address.query); } finally { root.inert = false; }
  return () => view.leave();
}

class PlayView {
  /** @param {HTMLElement} root  @param {string} game  @param {any} options  @param {import("../app.js").Studio} studio */
  constructor(root, game, options, studio) {
    this.game = game;
    this.options = options;
    this.studio = studio;
    this.stands = this.early = this.looking = null;
    this.hintStep = 0;
    this.board = new BoardView({ label: `${options.title} board`, players: options.players, say: studio.say, onplay: (action) => this.played(action) });
    this.text = el("pre", { class: "picture", role: "img", hidden: true });
    this.bars = new Bars(options.players);
    this.status = el("p", { class: "status", role: "status" });
    this.extra = el("div", { class: "extra" });
    this.buttons = el("div", { class: "actions", role: "group", "aria-label": "Actions" });
    this.every = el("div", { class: "actions" });
    this.everyName = el("summary", {}, "");
    this.guessed = el("details", { class: "every-action", hidden: true }, this.everyName, this.every);
    this.hintLine = el("p", { class: "hint-line", role: "status", hidden: true });
    this.typed = el("input", { "aria-label": "Type a move", placeholder: "Type a move", autocomplete: "off", spellcheck: "false" });
    this.trouble = el("p", { class: "refused", role: "alert", hidden: true });
    this.moves = new MoveList((ply) => this.look(ply));
    this.review = new Review(this);
    this.note = el("p", { class: "thought" });
    this.build(root);
    this.listen();
  }

  build(root) {
    const act = (name, fields) => () => this.ask(name, fields);
    this.undo = button("Undo", act("undo"), { title: "Take back one turn (Ctrl+Z)" });
    this.redo = button("Redo", act("redo"), { title: "Play it again (Ctrl+Y)" });
    this.back = button("Take back", act("take_back"), { title: "Back to your last turn" });
    this.hint = button("Hint", () => this.askHint(), { title: "Three steps: where, which piece, which move" });
    this.resign = button("Resign", act("resign"), { class: "danger" });
    this.draw = button("Offer draw", () => offerDraw(this), { title: "The game ends if the other side accepts", hidden: true });
    this.swap = button(this.options.players.length === 2 ? "Swap sides" : "Change seats", act("swap"));
    this.pause = button("Pause", () => this.ask("pause", { on: !this.stands.paused }));
    this.turn = button("Turn board", () => { this.sitAt(!this.board.turned); this.redraw(); });
    this.now = button("Move now", () => this.ask("stop"), { hidden: true, class: "small" });
    const form = el("form", { class: "type", onsubmit: (event) => { event.preventDefault(); this.type(); } }, this.typed, el("button", { type: "submit" }, "Play"));
    put(root,
      el("div", { class: "head" }, el("h1", {}, this.options.title), el("span", { class: "row push" },
        button("New game …", () => this.newGame(), { class: "primary" }),
        el("a", { class: "button", id: "to-analyse", href: "#/" }, "Analyse"), el("a", { class: "button", id: "to-tree", href: "#/" }, "Tree"))),
      el("div", { class: "split table" },
        this.section = el("section", { class: "play-board", "aria-label": "The game" },
          el("div", { class: "row state" }, this.status, this.now),
          this.bars.elements.slice(1).reverse(),
          el("div", { class: "field-of-play" }, this.board.element, this.text),
          this.bars.elements[0],
          this.extra, this.buttons, this.guessed, this.hintLine, this.trouble),
        el("aside", { class: "stack side" },
          el("section", { class: "panel stack", "aria-label": "What you can do" },
            el("div", { class: "tools" }, this.undo, this.redo, this.back, this.hint, this.swap, this.turn, this.pause, this.draw, this.resign),
            form),
          el("section", { class: "panel" }, el("h2", {}, "Moves"), this.moves.element, this.note),
          this.review.element,
          el("section", { class: "panel" }, el("h2", {}, "Keep"), files(this)))));
    this.analyse = root.querySelector("#to-analyse");
    this.tree = root.querySelector("#to-tree");
  }

  listen() {
    this.studio.on("play", (news) => this.hear(news));
    this.studio.on("hint", (news) => this.showHint(news));
    this.studio.on("review", (news) => this.review.take(news));
    this.studio.on("thinking", (news) => { if (this.stands?.thinking) this.note.textContent = `depth ${news.depth}, ${Math.round(news.nodes).toLocaleString("en")} nodes`; });
    this.onkey = (event) => this.key(event);
    document.addEventListener("keydown", this.onkey);
    this.ticking = setInterval(() => this.bars.tick(), 200);
  }

  /** Also where it never came to a game. */
  close() {
    document.removeEventListener("keydown", this.onkey);
    clearInterval(this.ticking);
  }

  leave() {
    return this.studio.ask("play.leave", { sitting: this.stands.sitting }).catch(() => {});
  }

  // ---------------------------------------------------------------- beginning

  /** From the address; what was being played, if that is the same. */
  async begin(query) {
    const kept = JSON.parse(sessionStorage.getItem(keptAs(this.game)) ?? "null");
    const asked = Object.keys(query).length > 0;
    const setting = asked ? readSetting(query, this.options) : kept?.setting ?? defaults(this.options);
    this.setting = setting;
    const same = kept && (!asked || JSON.stringify(kept.setting) === JSON.stringify(setting));
    if (same && kept.record) {
      try {
        return this.began(await this.studio.ask("play.resume", { game: this.game, record: kept.record, ...wire(setting), state: undefined, paused: kept.paused ?? false, left: kept.left ?? null }));
      } catch { /* what was kept is no game of these rules any more: begin anew */ }
    }
    this.began(await this.studio.ask("play.new", { game: this.game, ...wire(setting) }));
  }

  /** The first answer: what was told of this sitting before it came counts from now on. */
  began(stands) {
    this.take(stands);
    if (this.early?.sitting === stands.sitting) this.take(this.early);
    this.remember();
  }

  async newGame() {
    const setting = await setUp(this.options, this.setting);
    if (!setting) return;
    this.setting = setting;
    this.moves.clear();
    this.review.clear();
    if (await this.ask("new", { game: this.game, ...wire(setting) })) this.remember();
  }

  /** The setting belongs into the address, the moves into the session. */
  remember() {
    this.setting.players = this.stands.seats.map((seat) => seat.text);
    this.studio.remember(this.studio.address("play", [this.game], writeSetting(this.setting)));
    this.keep();
  }

  keep() {
    const { record, paused, clock } = this.stands;
    if (record) sessionStorage.setItem(keptAs(this.game), JSON.stringify({ setting: this.setting, record, paused, left: clock?.left }));
  }

  // ---------------------------------------------------------------- asking and showing

  /** Ask the desk for something, and show how the game stands then. */
  async ask(what, fields = {}) {
    this.refuse("");
    try {
      const answer = await this.studio.ask(`play.${what}`, fields);
      if (answer.version !== undefined) this.take(answer);
      return answer;
    } catch (error) {
      this.refuse(error.message);
      this.redraw();
      return null;
    }
  }

  refuse(text) {
    this.trouble.hidden = !text;
    this.trouble.textContent = text;
  }

  /** News of how the game stands. The desk outlives views: what it tells may be of a game that was played here before. */
  hear(news) {
    if (!this.stands) this.early = news;
    else if (news.sitting >= this.stands.sitting) this.take(news);
  }

  /** How the game stands now. */
  take(stands) {
    if (stands.game !== this.game || (this.stands && stands.version < this.stands.version)) return;
    const before = this.stands;
    this.stands = stands;
    this.looking = null;
    this.hintStep = 0;
    this.hintLine.hidden = true;
    if (before && stands.moves.length > before.moves.length) this.announce(stands, before);
    if (before && stands.seats.some((seat, i) => seat.text !== before.seats[i]?.text)) this.remember();
    this.review.ended(stands);
    this.sit(stands, before);
    this.keep();
    this.redraw();
  }

  announce(stands, before) {
    const words = stands.moves.slice(before.moves.length).map(({ player, text }) => (player === CHANCE ? `rolled ${text}` : player === SIMULTANEOUS ? text : `${stands.players[player]} ${text}`));
    this.studio.say(`${words.slice(-4).join(", ")}. ${stands.over ? stands.over.text : ""}`);
  }

  redraw() {
    const { stands } = this;
    if (!stands) return;
    const seen = this.looking ?? stands;
    this.board.element.hidden = !seen.board;
    this.text.hidden = Boolean(seen.board);
    const open = !this.looking && stands.waits && stands.player >= 0 ? stands.actions : [];
    if (seen.board) this.board.show(seen.board, { actions: this.trying ? seen.actions : open, last: seen.last });
    else {
      this.text.textContent = seen.text;
      this.text.setAttribute("aria-label", `The position: ${seen.text}`);
    }
    this.section.dataset.version = stands.version;
    this.section.dataset.stage = stands.over ? "over" : stands.waits ? "waits" : stands.thinking ? "thinking" : "paused";
    this.bars.show(stands);
    this.say();
    this.showExtra(open, seen.board);
    this.moves.show(stands.moves, stands.players, this.looking?.ply ?? stands.moves.length, this.review.rows);
    this.note.textContent = stands.note;
    if (stands.trouble) this.refuse(stands.trouble);
    const over = Boolean(stands.over), people = stands.seats.some((seat) => seat.human);
    const hidden = this.options.hidden; // what was seen can't be taken back, and no search plays
    for (const tool of [this.undo, this.redo, this.hint]) tool.hidden = hidden;
    this.swap.hidden = hidden || stands.seats.length < 2;
    for (const link of [this.analyse, this.tree]) link.hidden = hidden;
    this.undo.disabled = stands.moves.length === 0 && !over;
    this.redo.disabled = stands.future === 0;
    this.back.disabled = !people || stands.moves.length === 0;
    this.back.hidden = !people || hidden;
    this.hint.disabled = !(stands.waits && stands.player >= 0);
    this.resign.disabled = over || !people;
    this.draw.hidden = !this.options.draws || !people;
    this.draw.disabled = over || !(stands.waits && stands.player >= 0);
    this.pause.hidden = stands.seats.every((seat) => seat.human) || over;
    this.pause.textContent = stands.paused ? "Go on" : "Pause";
    this.pause.setAttribute("aria-pressed", String(stands.paused));
    this.turn.hidden = !stands.board?.turns;
    this.typed.disabled = !stands.waits;
    this.now.hidden = !stands.thinking;
    const position = stands.position;
    this.analyse.href = this.studio.address("analyse", [this.game], { state: position });
    this.tree.href = this.studio.address("tree", [this.game], { state: position });
  }

  /** Whoever sits below: the second player if the board is turned. */
  sitAt(turned) {
    this.board.turned = turned;
    this.section.classList.toggle("turned", turned);
  }

  /** A person who plays second sits below; where people share a machine, whoever moves, if they like. */
  sit(stands, before) {
    const people = stands.seats.flatMap((seat, player) => (seat.human ? [player] : []));
    const moved = !before || stands.seats.some((seat, i) => seat.text !== before.seats[i]?.text);
    if (!stands.board?.turns) return;
    if (people.length === 1 && moved) this.sitAt(people[0] === 1);
    if (people.length === 2 && this.setting.turn && stands.waits && stands.player >= 0) this.sitAt(stands.player === 1);
  }

  say() {
    const { stands } = this;
    if (!stands) return;
    const words = () => {
      if (this.trying) return "Try again: what would have been better?";
      if (this.looking) return `After ${this.looking.ply} of ${stands.moves.length} turns`;
      if (stands.over) return `${capital(stands.over.text)} (${stands.over.reason})`;
      if (stands.paused && !stands.waits) return "Paused";
      if (stands.pass_to !== null) return `Pass the screen to ${stands.players[stands.pass_to]}`;
      if (stands.thinking) return `${stands.player >= 0 ? stands.players[stands.player] : "The other side"} is thinking …`;
      if (stands.player === CHANCE) return "The dice are to be rolled";
      if (stands.player === SIMULTANEOUS) return "All choose at once";
      const one = stands.seats.filter((seat) => seat.human).length === 1;
      return one ? `Your move, ${stands.players[stands.player]}` : `${stands.players[stands.player]} to move`;
    };
    const text = words();
    if (this.status.textContent !== text) this.status.textContent = text;
  }

  /** Dice, what is chosen at once, the way back from an earlier position, and buttons for what can't be pointed at. */
  showExtra(open, board) {
    const { stands } = this, parts = [];
    const rolled = stands.moves.findLast((move) => move.player === CHANCE);
    const dies = stands.board?.pieces.filter((piece) => piece.look === "die") ?? [];
    if (rolled && !this.looking && !dies.some((piece) => /^die/.test(piece.place))) {
      parts.push(el("p", { class: "rolled" }, dies.length ? "Last roll: " : "Chance: ", dies.length ? dice(rolled.text) : el("strong", {}, rolled.text)));
    }
    if (!this.looking && stands.player === CHANCE && stands.waits) parts.push(button("Roll", () => this.ask("roll"), { class: "primary roll" }));
    if (!this.looking && stands.pass_to !== null) parts.push(passing(this, stands));
    if (!this.looking && stands.player === SIMULTANEOUS && stands.choosers.length) parts.push(choosing(this, stands));
    if (this.looking && !this.trying) {
      parts.push(button("Back to the game", () => { this.looking = null; this.redraw(); }, { class: "primary" }),
        button("Go on from here", () => this.ask("undo", { turns: stands.moves.length - this.looking.ply })));
    }
    if (this.trying) parts.push(button("Show the answer", () => this.review.answer()), button("Enough", () => this.review.enough()));
    put(this.extra, parts);
    const actions = this.trying ? this.looking.actions : open;
    const buttons = (some) => some.map((action) => button(action.text, () => this.played(action)));
    const without = actions.filter((action) => !board || action.ways.length === 0);
    this.buttons.hidden = without.length === 0;
    put(this.buttons, buttons(without));
    this.showEvery(board?.found && without.length < actions.length ? actions : [], board, buttons);
  }

  /** A board that nobody drew may be wrong about where to point: every action keeps a button, folded away where all agreed. */
  showEvery(actions, board, buttons) {
    if (this.guessed.hidden && board?.found === "guess") this.guessed.open = true;
    this.guessed.hidden = actions.length === 0;
    this.everyName.textContent = `Every action as a button (${actions.length})`;
    put(this.every, buttons(actions));
  }

  // ---------------------------------------------------------------- playing

  played(action) {
    if (this.trying) return this.review.attempt(action);
    if (action.player !== undefined) return this.ask("choose", { player: action.player, text: action.text, version: this.stands.version });
    return this.ask("move", { text: action.text, version: this.stands.version });
  }

  async type() {
    const text = this.typed.value.trim();
    if (text && (await this.ask("move", { text }))) this.typed.value = "";
  }

  key(event) {
    if ((event.ctrlKey || event.metaKey) && ["z", "y"].includes(event.key.toLowerCase())) {
      if (event.target.matches?.("input, textarea")) return;
      event.preventDefault();
      (event.key.toLowerCase() === "z" && !event.shiftKey ? this.undo : this.redo).click();
      return;
    }
    const name = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", " ": "space" }[event.key];
    const steer = this.options.steering.find(([key]) => key === name);
    if (!steer || event.target.matches?.("input, textarea, select, button") || !this.stands?.waits) return;
    event.preventDefault();
    if (this.stands.actions.some((action) => action.text === steer[1])) this.ask("move", { text: steer[1] });
  }

  async look(ply) {
    const answer = await this.ask("look", { ply });
    if (!answer) return;
    this.trying = false;
    this.looking = ply === this.stands.moves.length ? null : answer;
    this.redraw();
    this.review.cursor(ply);
  }

  // ---------------------------------------------------------------- hints

  askHint() {
    this.hintStep = Math.min(3, this.hintStep + 1);
    this.hintLine.hidden = false;
    this.hintLine.textContent = "Thinking about a hint …";
    this.ask("hint", { step: this.hintStep });
  }

  showHint(news) {
    if (news.version !== this.stands?.version) return;
    this.hintLine.hidden = false;
    this.hintLine.textContent = `${news.step ? `Hint ${news.step} of 3: ` : ""}${news.words}`;
    this.board.mark(news.places ?? []);
    if (news.way?.length) this.board.arrows([{ way: news.way, weight: 0.8 }]);
  }
}
