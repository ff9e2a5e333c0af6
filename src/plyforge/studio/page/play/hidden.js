// Hidden information with several people at one machine: the screen is passed on, and nothing is shown until who is to move says that nobody else looks.

import { button, el } from "../ui.js";

/** What stands below the board until then. */
export function passing(view, stands) {
  const player = stands.pass_to, name = stands.players[player];
  return el("div", { class: "well hand-over" }, el("p", {}, `Pass the screen to ${name}. Nobody else looks.`),
    button(`I am ${name}`, () => view.ask("take_screen", { player, version: stands.version }), { class: "primary" }));
}
