// What is known of every move here, by each algorithm: value, standard error, visits; of chance, how likely. A move's name is a button that plays it.
//
// Rows are sorted by the first algorithm, best first, but never under a pointer or the keyboard's focus.

import { count, el, put } from "../../ui.js";

export class MovesTable {
  /** onplay(text): a move was chosen. */
  constructor(onplay) {
    this.onplay = onplay;
    this.head = el("tr", {});
    this.body = el("tbody", {});
    this.rows = new Map();
    this.sides = [];
    this.told = {};
    this.table = el("table", { class: "moves" }, el("caption", { class: "unseen" }, "Moves here"), el("thead", {}, this.head), this.body);
    this.element = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Moves here" }, this.table);
  }

  /** legal: what can be played; sides: [{ key, title, samples }]. */
  begin(legal, sides, chance) {
    this.legal = legal;
    this.chance = chance;
    this.sides = sides;
    this.told = {};
    this.rows.clear();
    put(this.head, el("th", { scope: "col" }, chance ? "Outcome" : "Move"), chance ? el("th", { scope: "col", class: "number" }, "Likely") : null,
      sides.flatMap(({ key, title, samples }) => [
        el("th", { scope: "col" }, sides.length > 1 ? title : "Value"),
        samples ? el("th", { scope: "col", class: "number" }, sides.length > 1 ? `Visits ${key.toUpperCase()}` : "Visits") : null,
      ]));
    put(this.body, legal.map((each) => this.newRow(each)));
  }

  newRow(each) {
    const cells = {};
    const row = el("tr", {}, el("th", { scope: "row" }, el("button", { type: "button", class: "move", onclick: () => this.onplay(each.text) }, each.text)),
      this.chance ? el("td", { class: "number" }, percent(each.probability)) : null,
      this.sides.flatMap(({ key, samples }) => {
        const text = el("span", { class: "value-text number" }), error = el("span", { class: "muted number" }), bar = el("span", { class: "merit" }, el("span", {}));
        cells[key] = { text, error, bar, value: el("td", { class: "value-cell" }, bar, text, " ", error), visits: samples ? el("td", { class: "number" }) : null };
        return [cells[key].value, cells[key].visits];
      }));
    this.rows.set(each.text, { row, cells });
    return row;
  }

  /** What one side says about the moves. */
  show(key, moves) {
    this.told[key] = moves;
    for (const move of moves) {
      const cell = this.rows.get(move.move)?.cells[key];
      if (!cell) continue;
      write(cell.text, move.value?.text ?? (move.worse ? "not better" : "–"));
      cell.text.classList.toggle("proven", Boolean(move.value?.proven));
      cell.text.classList.toggle("muted", !move.value);
      cell.text.title = move.value?.words ?? (move.worse ? "Looked at as far as needed to see that it is no better than the best" : "");
      write(cell.error, move.value?.error ? `± ${digits(move.value.error)}` : "");
      cell.bar.style.setProperty("--merit", move.merit ?? 0);
      if (cell.visits) write(cell.visits, count(move.visits ?? 0));
    }
    if (key === this.sides[0]?.key) this.sort(moves);
  }

  sort(moves) {
    if (this.chance || this.element.matches(":hover") || this.element.contains(document.activeElement)) return;
    const order = moves.map((move, i) => ({ name: move.move, merit: move.merit ?? 0, known: Boolean(move.value), i }))
      .sort((a, b) => b.merit - a.merit || b.known - a.known || a.i - b.i).map(({ name }) => name);
    const now = [...this.body.children];
    const wanted = order.map((name) => this.rows.get(name)?.row).filter(Boolean);
    if (wanted.some((row, i) => row !== now[i])) this.body.append(...wanted);
  }

  /** Mark the best move. */
  best(text) {
    for (const [name, { row }] of this.rows) row.setAttribute("aria-current", String(name === text));
  }
}

export const percent = (part) => `${(100 * part).toFixed(part < 0.1 && part > 0 ? 1 : 0)} %`;
const digits = (number) => (number < 10 ? number.toFixed(2) : number.toFixed(0));

function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
