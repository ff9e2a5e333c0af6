// The Learn view: a run of `plyforge learn`, read from its files while it goes on: curves, games of its matches, and what the best network thinks of a board.

import { BoardView } from "../board/board.js";
import { button, choice, count, el, field, put, trouble } from "../ui.js";

const EVERY = 3000; // milliseconds between two looks at the files
const SHOWN = 12;   // moves whose opinion is on the board

/** @param {HTMLElement} root  @param {import("../app.js").Address} address  @param {import("../app.js").Studio} studio */
export async function mount(root, address, studio) {
  const [{ runs, folder }] = await Promise.all([studio.ask("learn.runs"), studio.style("learn/learn.css"), studio.style("board/board.css")]);
  if (!runs.length) {
    put(root, el("div", { class: "head" }, el("h1", {}, "Learn")),
      el("section", { class: "panel stack" }, el("p", {}, `There is no run of `, el("code", {}, "plyforge learn"), ` in the folder ${folder}, in which the studio was started.`),
        el("p", { class: "hint" }, el("code", {}, "plyforge learn connect4 --hours 1"), " makes one there; it is shown here while it goes on.")));
    return () => {};
  }
  const asked = address.query.run;
  const view = new LearnView(root, runs, runs.find(({ run }) => run === asked) ?? runs[0], studio);
  await view.look();
  const timer = setInterval(() => view.look(), EVERY);
  return () => clearInterval(timer);
}

class LearnView {
  /** @param {HTMLElement} root  @param {any[]} runs  @param {any} chosen  @param {import("../app.js").Studio} studio */
  constructor(root, runs, chosen, studio) {
    this.studio = studio;
    this.runs = runs;
    this.chosen = chosen;
    this.stamp = "";
    this.replays = [];
    this.moves = []; // of the game on the board
    this.ply = 0;
    this.board = new BoardView({ label: "The position that is judged", onplay: ({ text }) => this.play(text) });
    this.picture = el("pre", { class: "picture panel", hidden: true });
    this.facts = el("dl", { class: "facts" });
    this.curves = el("figure", { class: "curves panel" });
    this.games = el("div", { class: "stack" });
    this.said = el("p", { class: "hint", role: "status" });
    this.table = el("ol", { class: "opinion-moves" });
    this.problem = el("div");
    const choose = choice(runs.map(({ run }) => [run, run]), chosen.run, (run) => this.choose(run));
    const step = (text, label, by) => button(text, () => this.go(by()), { class: "small", "aria-label": label });
    put(root,
      el("div", { class: "head" }, el("h1", {}, "Learn"), field("Run", choose)),
      this.problem,
      el("div", { class: "learn-split" },
        el("section", { class: "stack", "aria-label": "How far it is" }, this.facts, this.curves, el("h2", {}, "Games of its matches"), this.games),
        el("section", { class: "stack", "aria-label": "What the best network thinks" },
          el("div", { class: "board-box" }, this.board.element, this.picture),
          el("div", { class: "row" }, el("div", { class: "joined", role: "group", "aria-label": "Go through the game" },
            step("|<", "To the start", () => 0), step("<", "Back", () => this.ply - 1), step(">", "Forward", () => this.ply + 1), step(">|", "To the end", () => this.moves.length))),
          this.said, this.table)));
  }

  async choose(run) {
    this.chosen = this.runs.find((each) => each.run === run);
    this.stamp = "";
    this.moves = [];
    this.ply = 0;
    this.studio.remember(this.studio.address("learn", [], { run }), true);
    await this.look();
  }

  /** What the run has written since. */
  async look() {
    const { run } = this.chosen;
    try {
      const found = await this.studio.ask("learn.run", { run, stamp: this.stamp });
      if (found.same || run !== this.chosen.run) return;
      const first = this.stamp === "";
      this.stamp = found.stamp;
      this.about = found;
      this.showRun();
      if (first && found.replays.length) this.replay(found.replays[0]);
      else await this.judge(); // a new network may think otherwise
      put(this.problem);
    } catch (error) { put(this.problem, trouble(error)); }
  }

  showRun() {
    const found = this.about;
    const facts = [["Game", found.game], ["Learned by", `${found.method}, ${found.net}`], ["Games", count(found.games)], ["Generations", count(found.generation)],
      ["Best so far", found.best ? `generation ${found.best}` : "none has won a match yet"],
      ...Object.entries(found.against).map(([name, each]) => [`Against ${name}`, `${percent(each.score)} (${percent(each.low)} to ${percent(each.high)}) of ${each.games} games`])];
    put(this.facts, facts.map(([name, text]) => el("div", {}, el("dt", {}, name), el("dd", {}, text))));
    if (found.curves) put(this.curves, el("img", { src: found.curves, alt: "Errors of the estimates and points of the best network, over games" }));
    put(this.games, found.replays.length ? found.replays.map((each) => button(`Generation ${each.generation} against ${each.against}: ${points(each.points)}`, () => this.replay(each), { class: "small" }))
      : el("p", { class: "hint" }, "None yet: games are kept of the matches after generations 2, 6, 15, 30 and every 40."));
  }

  replay({ moves }) {
    this.moves = moves;
    return this.go(0);
  }

  /** A move on the board: another game from here. */
  play(text) {
    this.moves = [...this.moves.slice(0, this.ply), text];
    return this.go(this.moves.length);
  }

  go(ply) {
    this.ply = Math.max(0, Math.min(this.moves.length, ply));
    return this.judge();
  }

  async judge() {
    const { run, game } = this.chosen;
    try {
      const found = await this.studio.ask("learn.opinion", { game, run, moves: this.moves.slice(0, this.ply) });
      this.board.element.hidden = !found.board;
      this.picture.hidden = Boolean(found.board);
      this.picture.textContent = found.text;
      if (found.board) {
        this.board.show(found.board, { actions: found.moves, last: found.last });
        this.board.arrows(found.moves.slice(0, SHOWN).filter(({ ways }) => ways.length)
          .map(({ ways, merit, value }, i) => ({ way: ways[0], weight: merit, label: value.text.split(" / ")[0], kind: i === 0 ? "best" : "" })));
      }
      this.said.textContent = [`After ${this.ply} of ${this.moves.length} plies`, found.turn ? `${found.turn} to move` : null,
        found.value ? `the network: ${found.value.text}` : "no network has won its place yet"].filter(Boolean).join(", ");
      put(this.table, found.moves.map(({ text, value }) => el("li", {}, el("span", { class: "strong" }, text), ` ${value.text}`)));
    } catch (error) { put(this.problem, trouble(error)); }
  }
}

const percent = (share) => `${(100 * share).toFixed(0)} %`;
const points = (share) => ({ 1: "won", 0: "lost" }[share] ?? "drawn");
