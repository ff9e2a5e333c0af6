// The board of the Analyse view, or the position as text where there is none; with arrows and dots by merit.

import { BoardView } from "../board/board.js";
import { el } from "../ui.js";

const ARROWS = 6;  // the best moves that are drawn
const LABELS = 3;  // and those of them that have their value beside them
const POOR = 0.15; // moves of less merit are not drawn

export class ShownBoard {
  /** onplay(text): a move, or a place, was pointed at. */
  constructor(game, say, onplay) {
    this.view = new BoardView({ label: `${game.title}, board`, players: game.players, say, onplay: ({ text }) => onplay(text) });
    this.picture = el("pre", { class: "picture panel", role: "img" });
    this.element = el("div", { class: "board-box" }, this.view.element, this.picture);
  }

  /** Show a position; `open`: it can be played from. */
  show(position, open) {
    const { board } = position;
    this.view.element.hidden = !board;
    this.picture.hidden = Boolean(board);
    if (board) this.view.show(board, { actions: open && !position.choices ? position.legal : [], last: position.last });
    this.picture.textContent = position.show;
    this.picture.setAttribute("aria-label", `Position ${position.state}`);
  }

  /** A board that is being set up. */
  draft(board, places) {
    this.view.show(board, { actions: places.map((place) => ({ text: place, ways: [[place]] })), moving: false });
  }

  turn() {
    this.view.turn(!this.view.turned);
  }

  /** The best moves of a message about this position. */
  arrows(position, message) {
    if (!position.board) return;
    const ways = waysOf(position);
    const best = (message?.moves ?? []).filter((move) => move.merit > POOR && ways.get(move.move) && move.probability === undefined)
      .sort((a, b) => b.merit - a.merit || Number(b.move === message.best) - Number(a.move === message.best)).slice(0, ARROWS);
    this.view.arrows(best.map((move, i) => ({ way: ways.get(move.move), weight: move.merit, label: i < LABELS ? tag(move.value, position.player) : "", kind: i === 0 ? "best" : "" })));
  }

  /** The next move of a line. */
  next(position, text) {
    const way = waysOf(position).get(text);
    if (position.board && way) this.view.arrows([{ way, weight: 0.8, kind: "next" }]);
  }
}

const waysOf = (position) => new Map(position.legal.map((each) => [each.text, each.ways[0]]));

/** A value in a few letters: of many players, that of whoever moves. */
function tag(value, player) {
  const parts = value?.text.split(" / ") ?? [""];
  return parts[parts.length > 1 ? player : 0] ?? "";
}
