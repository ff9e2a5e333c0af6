// What was played, as a list to walk through. Mistakes carry their sign once the game was looked back at.

import { el, put } from "../ui.js";

const CHANCE = -1;
export const SIGNS = { slip: "?!", mistake: "?", blunder: "??" };

export class MoveList {
  constructor(onlook) {
    this.onlook = onlook;
    this.element = el("ol", { class: "moves", "aria-label": "Moves" });
    this.empty = el("p", { class: "hint" }, "Nothing was played yet.");
    this.shown = 0;
  }

  clear() {
    this.shown = 0;
    put(this.element);
  }

  /** moves: [{ player, text }], `at` how many of them the board shows, `rows` what the look back found. */
  show(moves, players, at, rows) {
    if (this.same !== moves || this.rows !== rows) {
      put(this.element, moves.length ? moves.map((move, ply) => this.item(move, ply, players, rows?.[ply + 1])) : el("li", { class: "hint none" }, "Nothing was played yet."));
      this.same = moves;
      this.rows = rows;
    }
    [...this.element.querySelectorAll("button")].forEach((item, ply) => {
      if (ply + 1 === at) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    });
    const current = /** @type {HTMLElement} */ (this.element.querySelector("[aria-current]") ?? this.element.lastElementChild);
    if (current) this.element.scrollTop = current.offsetTop - this.element.offsetTop - this.element.clientHeight + current.offsetHeight + 12;
  }

  item({ player, text }, ply, players, row) {
    const who = player === CHANCE ? "chance" : players[player] ?? "all";
    const sign = SIGNS[row?.grade] ?? "";
    return el("li", { class: player === CHANCE ? "chance" : `by-${player}` },
      el("button", { type: "button", class: `quiet small ${row?.grade ?? ""}`, onclick: () => this.onlook(ply + 1) },
        el("span", { class: "ply" }, `${ply + 1}`), el("span", { class: "unseen" }, `${who}: `), text,
        sign ? [el("b", { class: "sign", "aria-hidden": "true" }, sign), el("span", { class: "unseen" }, `, a ${row.grade}`)] : null));
  }
}
