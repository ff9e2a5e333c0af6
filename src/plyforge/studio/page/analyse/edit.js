// Setting up a position by hand: choose a piece, point at places. The server says which word of the text belongs to which place, and whether the text is a position.

import { thumbnail } from "../board/board.js";
import { button, choice, el, field, put } from "../ui.js";

export class Editor {
  /** calls: { ask(what, fields), show(board, places), use(text), leave() }. */
  constructor(calls) {
    this.calls = calls;
    this.active = false;
    this.palette = el("div", { class: "palette", role: "radiogroup", "aria-label": "What to put on a place" });
    this.turn = el("div", {});
    this.text = el("p", { class: "draft" });
    this.wrong = el("p", { class: "trouble-text", role: "status" });
    this.done = button("Use this position", () => this.use(), { class: "small primary" });
    this.element = el("section", { class: "panel edit", "aria-label": "Set up a position", hidden: true },
      el("h3", {}, "Choose what to put, then point at places"), this.palette, this.turn, this.text, this.wrong,
      el("div", { class: "toolbar" }, this.done, button("Clear the board", () => this.clear(), { class: "small" }), button("Cancel", () => this.end(), { class: "small quiet" })));
  }

  async begin() {
    const layout = await this.calls.ask("edit");
    this.layout = layout;
    this.tokens = [...layout.tokens];
    this.active = true;
    this.names = [...new Map(layout.words.map(({ word, name }) => [name, word])).keys()];
    this.chosen = this.names[1] ?? this.names[0];
    put(this.palette, this.names.map((name) => el("label", { class: "piece-choice", title: name },
      el("input", { type: "radio", name: "piece", value: name, "aria-label": name, checked: name === this.chosen, onchange: () => { this.chosen = name; } }), this.picture(name))));
    put(this.turn, layout.turn ? field("To move", choice(layout.turn.words, this.tokens[layout.turn.token], (word) => { this.tokens[layout.turn.token] = word; this.changed(); })) : null);
    this.element.hidden = false;
    /** @type {HTMLElement} */ (this.palette.querySelector("input:checked")).focus();
    this.changed();
  }

  /** A piece as it will stand on the board; a word, where it depends on the place. */
  picture(name) {
    const words = this.layout.words.filter((each) => each.name === name).map(({ word }) => word);
    const [pieces] = this.layout.meanings.map((means) => means[words[0]]).filter(Boolean);
    if (!pieces?.length || name === words[0]) return el("span", {}, name);
    const cell = { name: "one", x: 0, y: 0, shape: "square", width: 1, height: 1, tone: 0, text: "" };
    const shown = thumbnail({ ...this.layout.board, places: [cell], lines: [], words: [], pieces: pieces.map((piece) => ({ ...piece, place: "one" })) });
    shown.setAttribute("viewBox", "-0.5 -0.5 1 1"); // the cell without the frame of the board
    return shown;
  }

  /** The word of that name which suits a place. */
  wordFor(place, name) {
    const words = this.layout.words.filter((each) => each.name === name).map(({ word }) => word);
    return words.find((word) => this.layout.seen[place].includes(word)) ?? words[0];
  }

  /** A place was pointed at: put what is chosen there, or take it away. */
  put(place) {
    const at = this.layout.places[place];
    const word = this.wordFor(place, this.chosen);
    const pile = this.layout.piles?.[word] ?? [word]; // pointing again puts one more there; after the last it is empty
    this.tokens[at] = pile[pile.indexOf(this.tokens[at]) + 1] ?? this.wordFor(place, this.names[0]);
    this.changed();
  }

  clear() {
    for (const [place, at] of Object.entries(this.layout.places)) this.tokens[at] = this.wordFor(place, this.names[0]);
    this.changed();
  }

  board() {
    const { board, places, kinds, meanings } = this.layout;
    const others = board.pieces.filter(({ place }) => !(place in places));
    const pieces = Object.entries(places).flatMap(([place, at]) =>
      (meanings[kinds[place]][this.tokens[at]] ?? [{ look: this.tokens[at], owner: -1, count: 1, name: "" }]).map((piece) => ({ ...piece, place })));
    return { ...board, pieces: [...others, ...pieces] };
  }

  async changed() {
    this.calls.show(this.board(), Object.keys(this.layout.places));
    this.done.disabled = true; // until it is known what the text of this is
    const asked = (this.asked = (this.asked ?? 0) + 1);
    const { text, wrong } = await this.calls.ask("assemble", { tokens: this.tokens }).catch((error) => ({ text: "", wrong: error.message }));
    if (asked !== this.asked) return;
    this.made = text;
    this.text.textContent = text;
    this.wrong.textContent = wrong;
    this.done.disabled = Boolean(wrong);
  }

  use() {
    const text = this.made;
    this.end(false);
    this.calls.use(text);
  }

  end(show = true) {
    if (!this.active) return;
    this.active = false;
    this.element.hidden = true;
    if (show) this.calls.leave();
  }
}
