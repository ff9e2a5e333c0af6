// Walking a line: the board shows the position after some of its moves, while the search goes on with the position it has.

import { button, el, put } from "../ui.js";

export class Walk {
  /** calls: { show(moves) shows the position after these moves, follow(moves) plays them, leave(), copy(text) }. */
  constructor(calls) {
    this.calls = calls;
    this.line = null;
    this.title = el("h3", {});
    this.moves = el("ol", { class: "line-moves" });
    this.element = el("section", { class: "panel walk", "aria-label": "The line being walked", hidden: true }, this.title, this.moves,
      el("div", { class: "toolbar" },
        button("Back", () => this.step(-1), { class: "small", title: "Left arrow" }),
        button("Next", () => this.step(1), { class: "small", title: "Right arrow" }),
        button("Play these", () => this.follow(), { class: "small primary", title: "Enter" }),
        button("Copy", () => this.copy(), { class: "small" }),
        button("Leave", () => this.end(), { class: "small quiet", title: "Escape" })));
  }

  get walking() { return this.line !== null; }
  get played() { return this.line.moves.slice(0, this.at); }

  /** Begin to walk a line: title, its moves, and how many of them are played. */
  begin(title, moves, at, mark = (_at) => {}) {
    this.line = { title, moves: [...moves] };
    this.marked = mark;
    this.element.hidden = false;
    this.title.textContent = title;
    put(this.moves, this.line.moves.map((text, i) => el("li", {}, button(text, () => this.to(i + 1), { class: "move" }))));
    this.to(at);
  }

  step(by) {
    this.to(Math.min(this.line.moves.length, Math.max(0, this.at + by)));
  }

  to(at) {
    this.at = at;
    [...this.moves.children].forEach((item, i) => {
      if (i + 1 === at) item.firstElementChild.setAttribute("aria-current", "true");
      else item.firstElementChild.removeAttribute("aria-current");
    });
    this.marked(at);
    this.calls.show(this.played, this.line.moves[at] ?? null);
  }

  follow() {
    const moves = this.played;
    this.end(false);
    if (moves.length) this.calls.follow(moves);
    else this.calls.leave();
  }

  copy() { this.calls.copy(this.line.moves.join(" "), "The line is copied"); }

  /** Back to the position. */
  end(show = true) {
    if (!this.walking) return;
    const inside = this.element.contains(document.activeElement);
    this.line = null;
    this.marked(null);
    this.element.hidden = true;
    if (show) this.calls.leave(inside);
  }
}
