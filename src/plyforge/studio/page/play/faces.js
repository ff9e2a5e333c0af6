// The faces around the board: a bar for each player with name, clock and points; dice.

import { el, put, svg } from "../ui.js";
import { drawPiece } from "../board/looks.js";

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Seconds as a clock shows them; tenths when it gets close. */
export function clockText(seconds) {
  const whole = Math.floor(seconds), minutes = Math.floor(whole / 60);
  return seconds < 10 ? `0:0${seconds.toFixed(1)}` : `${minutes}:${String(whole % 60).padStart(2, "0")}`;
}

/** "31" as two dice, anything else as text. */
export function dice(text) {
  if (!/^[1-6]{1,2}$/.test(text)) return el("strong", {}, text);
  return el("span", { role: "img", "aria-label": text.split("").join(" and ") }, [...text].map((face) =>
    svg("svg", { class: "board die", viewBox: "-.5 -.5 1 1" }, svg("g", { class: "piece look-die" }, drawPiece({ look: "die", count: Number(face) })))));
}

const SIMULTANEOUS = -2;

/** A bar for each player. */
export class Bars {
  constructor(players) {
    this.elements = players.map(() => el("div", { class: "bar" }));
  }

  show(stands) {
    this.stands = stands;
    this.arrived = performance.now();
    this.elements.forEach((bar, player) => this.bar(bar, player));
  }

  bar(bar, player) {
    const { stands } = this, seat = stands.seats[player];
    const moving = !stands.over && (stands.player === player || (stands.player === SIMULTANEOUS && stands.choosers.some((each) => each.player === player)));
    bar.className = `bar${moving ? " moving" : ""}`;
    put(bar, el("span", { class: `swatch ${this.swatch(player)}`, "aria-hidden": "true" }),
      el("strong", {}, stands.players[player]), el("span", { class: "muted" }, seat.label),
      moving ? el("span", { class: "badge" }, stands.player === SIMULTANEOUS ? "to choose" : "to move") : null,
      stands.over?.winners.includes(player) ? el("span", { class: "badge good" }, "won") : null,
      stands.paid ? el("span", { class: "number push" }, `${stands.paid[player]} points`) : null,
      stands.clock ? el("time", { class: "clock number push" }, clockText(stands.clock.left[player])) : null);
  }

  swatch(player) {
    const colours = this.stands.board?.colours ?? [];
    return colours[player] ? `swatch-${colours[player]}` : `swatch-player-${player}`;
  }

  /** The clock of whoever moves goes on between two answers of the server. */
  tick() {
    const clock = this.stands?.clock;
    if (!clock || clock.runs === null || this.stands.over) return;
    const face = this.elements[clock.runs].querySelector("time");
    face.textContent = clockText(Math.max(0, clock.left[clock.runs] - (performance.now() - this.arrived) / 1000));
  }
}
