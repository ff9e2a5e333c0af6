// The look back: what the game was worth after each turn, as a graph; mistakes by what they cost; another try at each before the answer is shown.

import { button, el, put, svg } from "../ui.js";
import { SIGNS } from "./moves.js";

const WIDTH = 320, HEIGHT = 120, EDGE = 8;

export class Review {
  constructor(view) {
    this.view = view;
    this.rows = null;
    this.graph = el("div", { class: "graph" });
    this.words = el("p", { class: "hint", role: "status" });
    this.start = button("Look back", () => this.begin(), { class: "primary" });
    this.next = button("Next mistake", () => this.toNext(), { hidden: true });
    this.again = button("Try again", () => this.tryAgain(), { hidden: true });
    this.element = el("section", { class: "panel review stack", "aria-label": "Look back" }, el("h2", {}, "Look back"), this.graph, this.words,
      el("div", { class: "row" }, this.start, this.next, this.again));
  }

  clear() {
    this.rows = null;
    this.ply = null;
    put(this.graph);
    this.next.hidden = this.again.hidden = true;
    this.words.textContent = "What the game was worth after each turn, and which turns cost something.";
  }

  /** The game has gone on, or is another one. */
  ended(stands) {
    const { judges } = this.view.options;
    this.element.hidden = !judges || stands.moves.length === 0;
    if (!this.rows || this.rows.length !== stands.moves.length + 1) this.clear();
    this.start.hidden = Boolean(this.rows);
    this.view.trying = false;
  }

  async begin() {
    this.start.disabled = true;
    this.words.textContent = "Looking at every position …";
    await this.view.ask("review");
    this.start.disabled = false;
  }

  take(news) {
    const { stands } = this.view;
    if (news.why) this.words.textContent = news.why;
    if (!stands || news.rows.length !== stands.moves.length + 1) return;
    this.rows = news.rows;
    this.draw();
    const mistakes = this.mistakes();
    this.start.hidden = news.done;
    this.next.hidden = !news.done || mistakes.length === 0;
    const exact = news.rows.every((row) => row.exact);
    if (news.done) this.words.textContent = `${mistakes.length === 0 ? "No mistakes" : mistakes.length === 1 ? "One turn cost something" : `${mistakes.length} turns cost something`}${exact ? "; everything is exact." : "; values are estimates unless the end was seen."}`;
    this.view.moves.show(stands.moves, stands.players, this.view.looking?.ply ?? stands.moves.length, this.rows);
  }

  mistakes() {
    return (this.rows ?? []).map((row, ply) => ({ ...row, ply })).filter((row) => row.grade);
  }

  // ---------------------------------------------------------------- the graph

  draw() {
    const { rows } = this, { players } = this.view.stands;
    const many = players.length > 2 ? players.map((_, player) => player) : [0];
    const values = rows.flatMap((row) => (row.values ? many.map((player) => row.values[player]) : []));
    let low = Math.min(...values), high = Math.max(...values);
    if (high - low < 1e-9) [low, high] = [low - 1, high + 1];
    const x = (ply) => EDGE + ((WIDTH - 2 * EDGE) * ply) / Math.max(1, rows.length - 1);
    const y = (value) => HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (value - low)) / (high - low);
    const middle = low < 0 && high > 0 ? 0 : (low + high) / 2;
    const lines = many.map((player) => svg("polyline", { class: `value value-${player}`, points: rows.map((row, ply) => (row.values ? `${x(ply).toFixed(1)},${y(row.values[player]).toFixed(1)}` : "")).filter(Boolean).join(" ") }));
    const marks = this.mistakes().map((row) => {
      const at = svg("g", { class: `mark ${row.grade}`, transform: `translate(${x(row.ply).toFixed(1)} ${y(row.values[many.length > 1 ? row.player : 0]).toFixed(1)})` },
        svg(row.grade === "slip" ? "circle" : "rect", row.grade === "slip" ? { r: 3.5 } : { x: -4, y: -4, width: 8, height: 8, transform: row.grade === "mistake" ? "rotate(45)" : "" }));
      at.addEventListener("click", () => this.view.look(row.ply - 1));
      return at;
    });
    this.line = svg("line", { class: "cursor", y1: 0, y2: HEIGHT, x1: -10, x2: -10 });
    const chart = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `The value for ${players[0]} over the game, from ${low.toFixed(2)} to ${high.toFixed(2)}` },
      svg("line", { class: "zero", x1: EDGE, x2: WIDTH - EDGE, y1: y(middle), y2: y(middle) }), lines, this.line, marks);
    chart.addEventListener("click", (event) => {
      const box = chart.getBoundingClientRect();
      const share = ((event.clientX - box.left) / box.width) * WIDTH - EDGE;
      this.view.look(Math.max(0, Math.min(rows.length - 1, Math.round((share / (WIDTH - 2 * EDGE)) * (rows.length - 1)))));
    });
    this.x = x;
    const better = (player) => (players.length === 2 ? `, better for ${players[player]}` : "");
    put(this.graph, el("p", { class: "scale" }, `${high.toFixed(2)}${better(0)}`), chart, el("p", { class: "scale" }, `${low.toFixed(2)}${better(1)}`));
  }

  cursor(ply) {
    if (!this.line) return;
    for (const end of ["x1", "x2"]) this.line.setAttribute(end, String(this.x(ply)));
  }

  // ---------------------------------------------------------------- mistakes

  async toNext() {
    const mistakes = this.mistakes();
    const row = mistakes.find((each) => each.ply > (this.ply ?? 0)) ?? mistakes[0];
    if (!row) return;
    this.ply = row.ply;
    await this.view.look(row.ply - 1);
    const { stands } = this.view;
    if (this.ply !== row.ply || !this.view.looking) return; // the game has gone on, or back, meanwhile
    this.words.textContent = `Turn ${row.ply}: ${stands.players[row.player]} played ${stands.moves[row.ply - 1].text}${SIGNS[row.grade]}, which cost ${number(row.cost)}.`;
    this.again.hidden = false;
  }

  async tryAgain() {
    if (!this.ply) return;
    await this.view.look(this.ply - 1);
    if (!this.view.looking) return;
    this.view.trying = true;
    this.words.textContent = "Play something better on the board.";
    this.view.redraw();
  }

  async attempt(action) {
    const answer = await this.view.ask("attempt", { ply: this.ply - 1, text: action.text });
    if (!answer) return;
    this.words.textContent = answer.good ? `${action.text} is right.` : `${action.text} costs ${number(answer.cost)}, ${answer.grade === "slip" ? "a slip" : `a ${answer.grade}`}. Try again, or see the answer.`;
    if (answer.good) this.view.trying = false;
    this.view.redraw();
  }

  async answer() {
    const answer = await this.view.ask("attempt", { ply: this.ply - 1 });
    if (!answer) return;
    this.view.trying = false;
    this.view.redraw();
    this.words.textContent = `Better was ${answer.answer}.`;
    if (answer.way.length) this.view.board.arrows([{ way: answer.way, weight: 0.9, kind: "good" }]);
  }

  enough() {
    this.view.trying = false;
    this.view.looking = null;
    this.view.redraw();
  }
}

const number = (value) => String(Number(value.toPrecision(3)));
