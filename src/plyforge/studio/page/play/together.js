// Where all choose at once: each person chooses alone. With several people at one machine it is handed over in between, and nobody sees what the others chose.

import { button, el } from "../ui.js";

/** What stands below the board; lets the board point at the choices of whoever's turn it is to choose. */
export function choosing(view, stands) {
  const { player, choices } = stands.choosers[0];
  const people = stands.seats.filter((seat) => seat.human).length;
  const key = `${stands.ply} ${player}`;
  if (people > 1 && view.handed !== key) {
    return el("div", { class: "well hand-over" }, el("p", {}, `Hand over to ${stands.players[player]}. Nobody else looks.`),
      button(`I am ${stands.players[player]}`, () => { view.handed = key; view.redraw(); }, { class: "primary" }));
  }
  const actions = choices.map((choice) => ({ ...choice, player }));
  if (stands.board) view.board.show(stands.board, { actions, last: [], moving: false });
  const without = actions.filter((action) => !stands.board || action.ways.length === 0);
  return el("div", { class: "stack" }, el("p", {}, people > 1 ? `${stands.players[player]} chooses:` : "Your choice:"),
    el("div", { class: "actions", role: "group", "aria-label": "Choices" }, (without.length ? without : actions).map((action) => button(action.text, () => view.played(action)))));
}
