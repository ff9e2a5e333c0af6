// Where players choose at once: everybody's mix, and for two players the table of what each pair of choices is worth.

import { el, put } from "../../ui.js";
import { percent } from "./moves_table.js";

const MOST = 14; // choices of a player that a table has room for

export class Mixes {
  constructor() {
    this.element = el("div", { class: "mixes" });
  }

  /** choices: each player's; mixes: as told, or null; moves: what is known of the joint actions. */
  show(names, choices, mixes, moves) {
    const share = (player, choice) => mixes?.find((mix) => mix.player === player)?.choices.find((each) => each.choice === choice)?.probability ?? null;
    const tabled = choices?.length === 2 && choices.every((each) => each.length > 0 && each.length <= MOST);
    if (tabled) {
      const worth = new Map((moves ?? []).map((move) => [move.move, move.value]));
      put(this.element, el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "What each pair of choices is worth" },
        el("table", {}, el("caption", {}, `What each pair is worth to ${names[0]}, by play so far`),
          el("thead", {}, el("tr", {}, el("td", {}), choices[1].map((choice) => el("th", { scope: "col", class: "number" }, choice, chance(share(1, choice)))))),
          el("tbody", {}, choices[0].map((row) => el("tr", {}, el("th", { scope: "row" }, row, chance(share(0, row))),
            choices[1].map((column) => {
              const value = worth.get(`${row}, ${column}`);
              return el("td", { class: "number", title: value?.words ?? null }, value?.text ?? "–");
            })))))));
      return;
    }
    put(this.element, (mixes ?? []).map((mix) => el("section", {}, el("h4", {}, mix.name),
      el("ul", { class: "plain" }, mix.choices.map(({ choice, probability }) => el("li", { class: "row" }, el("span", {}, choice), chance(probability)))))));
  }
}

function chance(part) {
  if (part === null) return null;
  const bar = el("span", { class: "merit", "aria-hidden": "true" }, el("span", {}));
  bar.style.setProperty("--merit", part);
  return el("span", { class: "chance" }, bar, el("span", { class: "number" }, percent(part)));
}
