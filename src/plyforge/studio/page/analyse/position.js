// The position under the board: who moves, the game so far (each move brings its position back), its text to copy or to set, and what has no place on the board.

import { button, choice, el, put, svg } from "../ui.js";

const ICONS = {
  first: "M6 5v14M18 5l-9 7 9 7z", back: "M15 5l-8 7 8 7z", next: "M9 5l8 7-8 7z", last: "M18 5v14M6 5l9 7-9 7z",
  turn: "M4 12a8 8 0 0 1 14-5l2 2M20 4v5h-5M20 12a8 8 0 0 1-14 5l-2-2M4 20v-5h5", copy: "M9 9h11v11H9zM5 15H4V4h11v1",
};

export const icon = (name) => svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));

export class PositionPanel {
  /** calls: { go(ply), set(text), play(text), roll(), copy(text, said), turn(), edit() }. */
  constructor(calls, players) {
    this.calls = calls;
    this.players = players;
    const step = (name, label, ply) => el("button", { type: "button", class: "nav-button", "aria-label": label, title: label, onclick: () => calls.go(ply()) }, icon(name));
    this.buttons = {
      first: step("first", "To the start", () => 0),
      back: step("back", "Back", () => this.position.ply - 1),
      next: step("next", "Forward", () => this.position.ply + 1),
      last: step("last", "To the last move", () => this.position.ply + this.position.undone.length),
    };
    this.turn = el("button", { type: "button", class: "nav-button quiet", "aria-label": "Turn the board", title: "Turn the board", onclick: calls.turn }, icon("turn"));
    this.who = el("p", { class: "who-moves" });
    this.extra = el("div", { class: "extra" });
    this.moves = el("ol", { class: "line-moves so-far", "aria-label": "Moves so far" });
    this.text = el("textarea", { rows: 1, spellcheck: "false", autocomplete: "off", class: "position-text", "aria-label": "Position as text", onkeydown: (event) => this.typed(event) });
    this.wrong = el("p", { class: "trouble-text", role: "alert", hidden: true });
    this.element = el("section", { class: "position stack", "aria-label": "Position" },
      el("div", { class: "row" }, el("div", { class: "joined", role: "group", "aria-label": "Go through the game" }, Object.values(this.buttons)), this.who, el("span", { class: "push" }, this.turn)),
      this.extra, this.moves,
      el("div", { class: "position-line" }, this.text,
        button("Set", () => this.set(), { class: "small", title: "Set the position to this text" }),
        this.edit = button("Edit", calls.edit, { class: "small", title: "Set up a position by pointing at places", hidden: true }),
        button("Copy", () => calls.copy(this.position.state, "The position is copied"), { class: "small" })),
      this.wrong);
  }

  typed(event) {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    this.set();
  }

  async set() {
    try {
      this.wrong.hidden = true;
      this.text.removeAttribute("aria-invalid");
      await this.calls.set(this.text.value);
    } catch (error) {
      this.wrong.textContent = error.message;
      this.wrong.hidden = false;
      this.text.setAttribute("aria-invalid", "true");
    }
  }

  /** A new position. shown: what is on the board, which is another one while a line is walked. */
  show(position, shown = position) {
    this.position = position;
    const { ply, undone } = position;
    this.buttons.first.disabled = this.buttons.back.disabled = ply === 0;
    this.buttons.next.disabled = this.buttons.last.disabled = undone.length === 0;
    this.who.textContent = shown.over ? shown.outcome ?? "the end" : `${shown.turn} to move`;
    this.turn.hidden = !position.board;
    const all = [...position.moves, ...undone];
    put(this.moves, all.map((text, i) => el("li", {}, button(text, () => this.calls.go(i + 1), { class: `move ${i >= ply ? "undone" : ""}`, "aria-current": i + 1 === ply ? "true" : null }))));
    this.moves.hidden = all.length === 0;
    const here = /** @type {HTMLElement} */ (this.moves.querySelector("[aria-current]"));
    if (here) this.moves.scrollTop = here.offsetTop - this.moves.offsetTop - 40;
    if (document.activeElement !== this.text) this.text.value = shown.state;
    this.text.rows = Math.min(4, Math.ceil(shown.state.length / 34) || 1);
    this.wrong.hidden = true;
    put(this.extra, this.extras(position, shown));
    this.extra.hidden = !this.extra.childElementCount;
  }

  /** Dice to roll, and choices at once. */
  extras(position, shown) {
    if (shown !== position || position.over) return null;
    if (position.choices) {
      const selects = position.choices.map((choices, player) => {
        const select = choice(choices.map((text) => [text, text]), choices[0]);
        select.setAttribute("aria-label", `Choice of ${this.players?.[player] ?? `player ${player}`}`);
        return select;
      });
      return el("div", { class: "row together" }, selects, button("Play", () => this.calls.play(selects.map((select) => select.value).join(", ")), { class: "small" }));
    }
    if (position.legal[0]?.probability !== undefined) return button("Roll", this.calls.roll, { class: "small" });
    return null;
  }
}
