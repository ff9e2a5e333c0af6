// The best lines of play, each with its value. Every move of a line is a button: it shows the position after it.
//
// The list changes several times a second. Buttons stay where they are and only their words change, so that a finger, a click or the keyboard's focus does not lose them.

import { el } from "../../ui.js";

const SHOWN = 14; // plies of a line

export class Lines {
  /** onwalk(line, ply): a move was chosen: the line as it was, and how many of its moves to play. */
  constructor(onwalk) {
    this.onwalk = onwalk;
    this.lines = [];
    this.element = el("ol", { class: "lines", "aria-label": "Best lines" });
    this.element.addEventListener("click", (event) => {
      const move = /** @type {Element} */ (event.target).closest("button");
      if (!move) return;
      const at = [...this.element.children].indexOf(move.closest("li"));
      this.onwalk(this.lines[at], Number(move.dataset.ply), at);
    });
  }

  /** lines: [{ value, moves, longer }], best first. */
  show(lines) {
    this.lines = lines;
    while (this.element.children.length > lines.length) this.element.lastChild.remove();
    lines.forEach((line, at) => {
      const row = this.element.children[at] ?? this.element.appendChild(newRow(at));
      const [value, moves] = /** @type {HTMLCollectionOf<HTMLElement>} */ (row.children);
      write(value, line.value?.text ?? "–");
      value.classList.toggle("proven", Boolean(line.value?.proven));
      value.title = line.value?.words ?? "";
      const shown = line.moves.slice(0, SHOWN);
      while (moves.querySelectorAll("button").length > shown.length) [...moves.querySelectorAll("button")].at(-1).remove();
      shown.forEach((text, i) => {
        const button = moves.querySelectorAll("button")[i] ?? moves.insertBefore(el("button", { type: "button", class: "move", "data-ply": i + 1 }), moves.lastChild);
        write(button, text);
      });
      /** @type {HTMLElement} */ (moves.lastElementChild).hidden = !(line.longer || line.moves.length > SHOWN);
    });
    const { line, ply, words } = this.marked ?? {};
    if (this.marked && lines[line]?.moves.slice(0, ply).join(" ") !== words) this.mark(null, null); // it is another line by now
  }

  /** Mark the move that is shown on the board; null for none. */
  mark(line, ply) {
    this.marked = line === null ? null : { line, ply, words: this.lines[line]?.moves.slice(0, ply).join(" ") };
    [...this.element.children].forEach((row, at) => {
      row.querySelectorAll("button").forEach((button, i) => {
        if (at === line && i + 1 === ply) button.setAttribute("aria-current", "true");
        else button.removeAttribute("aria-current");
      });
    });
  }
}

function newRow(at) {
  return el("li", {}, el("span", { class: "line-value number" }),
    el("span", { class: "line-moves", role: "group", "aria-label": `Line ${at + 1}` }, el("span", { class: "muted" }, "…")));
}

function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
