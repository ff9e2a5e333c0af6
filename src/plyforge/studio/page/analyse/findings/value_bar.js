// What a position is worth, as a bar: who is better, by how much, and whether that is proven or a guess.
//
// Two players share one bar, the first from below (or from the left, where it lies); one player fills it; three and more have a bar each.
// A proven value has a solid edge and says so; a guess has a dotted edge, and a band as wide as its standard error.

import { el, put } from "../../ui.js";

export class ValueBar {
  /** players: their names; constant: what one wins the other loses. */
  constructor(label, players, constant) {
    this.label = label;
    this.players = players;
    this.shared = players.length === 2 && constant;
    this.element = el("div", { class: `value-bar ${players.length > 1 && !this.shared ? "many" : "one"}`, role: "img" });
    this.build();
    this.show(null);
  }

  build() {
    if (this.shared || this.players.length === 1) {
      this.fill = el("span", { class: "fill" });
      this.band = el("span", { class: "band" });
      this.number = el("span", { class: "number" });
      put(this.element, el("span", { class: "track" }, this.fill, this.band), this.number);
      return;
    }
    this.rows = this.players.map((name, player) => {
      const fill = el("span", { class: `fill seat-${player}` }), number = el("span", { class: "number" });
      return { fill, number, row: el("span", { class: "value-row" }, el("span", { class: "who" }, name), el("span", { class: "track" }, fill), number) };
    });
    put(this.element, this.rows.map(({ row }) => row));
  }

  /** value: as the server tells it, or null before there is one. */
  show(value) {
    this.element.classList.toggle("empty", value?.shares.every((share) => share === null) ?? true);
    this.element.classList.toggle("proven", Boolean(value?.proven));
    this.element.setAttribute("aria-label", value ? `${this.label}: ${value.words}` : `${this.label}: no value yet`);
    this.element.title = value?.words ?? "";
    if (this.rows) {
      this.rows.forEach(({ fill, number }, player) => {
        fill.style.setProperty("--share", value?.shares[player] ?? 0);
        number.textContent = value ? several(value.text)[player] ?? "" : "–";
      });
      return;
    }
    const share = value?.shares[0] ?? 0.5;
    this.fill.style.setProperty("--share", share);
    this.band.hidden = !value?.band;
    if (value?.band) {
      this.band.style.setProperty("--from", value.band[0]);
      this.band.style.setProperty("--wide", String(value.band[1] - value.band[0]));
    }
    this.number.textContent = value?.text ?? "–";
  }
}

/** Let bars and charts have the colours of the pieces: custom properties --seat-0, --seat-1 ... of `element`. names: as a Board has them. */
export function colourSeats(element, names) {
  for (let player = 0; player < 8; player++) {
    element.style.setProperty(`--seat-${player}`, PIECES[names?.[player]] ?? `var(--player-${player % 6})`);
  }
}

const PIECES = { white: "#faf7f1", black: "#2c2926", red: "#d13a32", yellow: "#e0a81c", blue: "#2f6fd0", green: "#2f9560", orange: "#e8842a" };

const several = (text) => text.split(" / ");
