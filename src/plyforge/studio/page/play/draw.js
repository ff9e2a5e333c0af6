// A draw is offered: people at one board are asked, an algorithm answers by what it thought.

import { button, dialog, el } from "../ui.js";

export async function offerDraw(view) {
  const { stands } = view, other = 1 - stands.player;
  if (stands.seats[other].human && !(await agreed(stands.players[stands.player], stands.players[other]))) return;
  const answer = await view.ask("offer_draw", { version: stands.version });
  if (!answer) return;
  view.hintLine.hidden = false;
  view.hintLine.textContent = `${answer.words}.`;
}

function agreed(offers, asked) {
  return dialog("A draw?", (close) => [
    el("p", {}, `${offers} offers a draw. ${asked}, do you accept?`),
    el("div", { class: "row" }, button("Decline", () => close(false)), button("Accept", () => close(true), { class: "primary" }))]);
}
