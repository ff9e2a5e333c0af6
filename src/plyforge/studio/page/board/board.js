// The board that people look at and point at: any Board of plyforge/board.py, by mouse, finger or keyboard.
//
//   const view = new BoardView({ label: "Chess", players: ["White", "Black"], say: studio.say, onplay: (action) => ... });
//   root.append(view.element);                     // the view needs board.css
//   view.show(board, { actions, last: ["e2", "e4"] });   // actions: [{ text, ways: [[place, ...], ...], ... }]
//   view.arrows([{ way: ["e2", "e4"], weight: 1, label: "+0.3" }]);
//   thumbnail(board)                               // a picture only, for cards
//
// The server alone knows which actions there are; pointing.js keeps what was pointed at, draw.js draws.

import { el, put, svg } from "../ui.js";
import { drawBoard, drawUnit, drawWords, outline, units } from "./draw.js";
import { carried, Pointing } from "./pointing.js";
import { beside, Hand } from "./hand.js";
import { animate } from "./motion.js";
import { drawArrows } from "./arrows.js";

/** The board as a picture without anything to point at. */
export function thumbnail(board, label = "") {
  const { ground, places, outer } = drawBoard(board);
  const pieces = svg("g", {}, units(board, board.pieces, places).map((unit) => drawUnit(board, unit)));
  return svg("svg", { class: `board thumbnail surface-${board.surface}`, viewBox: box(outer), ...(label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }) }, ground, drawWords(board), pieces);
}

const box = ({ x, y, width, height }) => [x, y, width, height].map((n) => n.toFixed(3)).join(" ");

export class BoardView {
  constructor({ label = "Board", players = [], say = (_text) => {}, onplay = (_action) => {}, onpoint = (_places) => {}, turned = false } = {}) {
    this.label = label;
    this.players = players;
    this.say = say;
    this.onplay = onplay;
    this.onpoint = onpoint;
    this.turned = turned;
    this.board = null;
    this.pointing = new Pointing();
    this.last = [];
    this.marked = [];
    this.places = new Map();
    this.hits = new Map();
    this.focus = null; // the place that the keyboard is at
    this.svg = svg("svg", { class: "board", role: "group", "aria-label": label, onkeydown: (event) => this.key(event) });
    this.menu = el("div", { class: "board-menu", role: "menu", hidden: true, onkeydown: (event) => this.menuKey(event) });
    this.element = el("div", { class: "board-view" }, this.svg, this.menu);
    this.hand = new Hand(this);
  }

  /** Show a board. `actions` is what may be pointed at (none: nothing), `last` the places of the last move, `moving: false` shows it at once. */
  show(board, { actions = [], last = [], moving = true } = {}) {
    const before = this.board && this.shownUnits;
    const layout = JSON.stringify([board.places.map(({ tone, text, ...place }) => place), board.surface, this.turned]);
    const inside = this.svg.contains(document.activeElement);
    this.board = board;
    this.last = last;
    this.marked = [];
    this.pointing = new Pointing(actions);
    this.closeMenu();
    if (layout !== this.layout) this.build(layout);
    else this.ground();
    this.drawPieces(board.pieces, moving && this.facing === this.turned ? before : null);
    this.facing = this.turned;
    this.light();
    this.arrows([]);
    if (inside && !this.svg.contains(document.activeElement)) this.hits.get(this.focus)?.focus();
  }

  /** See it from the other side. */
  turn(turned) {
    this.turned = turned;
    if (this.board) this.show(this.board, { actions: this.pointing.ways.length ? this.actionsOf() : [], last: this.last, moving: false });
  }

  /** Mark places, for a hint. */
  mark(places) {
    this.marked = places;
    if (this.board) this.light();
  }

  /** Arrows, or dots where a way has one place: [{ way, weight, label }], weights from 0 to 1. */
  arrows(list) {
    if (this.board) put(this.arrowLayer, drawArrows(list, this.places));
  }

  /** Take back all that was pointed at. */
  clear() {
    this.pointing.clear();
    this.refresh();
  }

  actionsOf() {
    const found = new Map();
    for (const { way, action } of this.pointing.ways) found.set(action, [...(found.get(action) ?? []), way]);
    return [...found].map(([action, ways]) => ({ ...action, ways }));
  }

  // ---------------------------------------------------------------- drawing

  build(layout) {
    this.layout = layout;
    const { ground, places, outer } = drawBoard(this.board, this.turned);
    this.places = places;
    this.outer = outer;
    this.svg.setAttribute("viewBox", box(outer));
    this.svg.setAttribute("class", `board surface-${this.board.surface}`);
    this.element.style.setProperty("--cells", outer.width.toFixed(3));
    this.element.style.setProperty("--ratio", (outer.width / outer.height).toFixed(4));
    this.groundLayer = svg("g", { "aria-hidden": "true" }, ground, drawWords(this.board, this.turned));
    this.underLayer = svg("g", { class: "under", "aria-hidden": "true" });
    this.pieceLayer = svg("g", { class: "pieces", "aria-hidden": "true" });
    this.overLayer = svg("g", { class: "over", "aria-hidden": "true" });
    this.arrowLayer = svg("g", { class: "arrows", "aria-hidden": "true" });
    this.hits.clear();
    const hitLayer = svg("g", { class: "hits" });
    for (const [name, place] of places) {
      if (place.shape === "die") continue;
      const shape = place.shape === "spike" ? outline({ ...place, shape: "tray" }) : outline(place, place.shape === "edge" ? 0.16 : 0);
      shape.setAttribute("class", "hit");
      for (const [key, value] of Object.entries({ role: "button", tabindex: -1, "data-place": name })) shape.setAttribute(key, value);
      shape.addEventListener("focus", () => { this.focus = name; });
      this.hits.set(name, shape);
      hitLayer.append(shape);
    }
    if (!this.hits.has(this.focus)) this.focus = null;
    put(this.svg, this.groundLayer, this.underLayer, this.pieceLayer, this.overLayer, this.arrowLayer, hitLayer);
  }

  /** Tones, lines and words may change from state to state, places and their names stay. */
  ground() {
    const { ground, places } = drawBoard(this.board, this.turned);
    this.places = places;
    put(this.groundLayer, ground, drawWords(this.board, this.turned));
  }

  drawPieces(pieces, before) {
    const now = units(this.board, pieces, this.places).map((unit) => ({ ...unit, element: drawUnit(this.board, unit) }));
    put(this.pieceLayer, now.map((unit) => unit.element));
    this.standing = pieces;
    this.shownUnits = now;
    if (before) animate(before, now, this.board, this.last);
  }

  /** Show what is selected, what may come next, and what was last. */
  light() {
    const next = this.pointing.next(), at = this.pointing.at;
    const under = [], over = [];
    for (const name of new Set(this.last)) if (this.places.has(name)) under.push(this.shape(name, "was-last"));
    for (const name of this.marked) if (this.places.has(name)) under.push(this.shape(name, "hinted"));
    for (const name of new Set(at)) if (this.places.has(name)) under.push(this.shape(name, "chosen"));
    const starts = at.length === 0;
    const taken = new Set(this.standing.map((piece) => piece.place));
    for (const name of this.pointing.worthShowing()) {
      const place = this.places.get(name);
      if (!place) continue;
      if (starts && taken.has(name)) {
        if (this.board.pairs || this.pointing.whole([name]).length) over.push(this.shape(name, "may-start"));
        continue;
      }
      over.push(taken.has(name) || place.text ? this.shape(name, "next-taken") : svg("circle", { class: "next", cx: place.x, cy: place.shape === "spike" ? this.tip(place) : place.y, r: place.shape === "edge" ? 0.07 : 0.12 }));
    }
    if (this.pointing.mayEnd()) over.push(this.shape(at.at(-1), "next-taken"));
    put(this.underLayer, under);
    put(this.overLayer, over);
    this.name(next);
  }

  tip(place) {
    const there = this.shownUnits.filter((unit) => unit.place.name === place.name).length;
    const down = place.height > 0 ? 1 : -1;
    return place.y - down * (Math.abs(place.height) / 2 - 0.44 - Math.min(there, 4) * 0.84);
  }

  shape(name, kind) {
    const place = this.places.get(name);
    const shape = outline(place);
    shape.setAttribute("class", `${kind} on-${place.shape}`);
    return shape;
  }

  /** What screen readers hear of every place, and which of them the Tab key comes to. */
  name(next) {
    const standing = new Map();
    for (const piece of this.standing) standing.set(piece.place, [...(standing.get(piece.place) ?? []), this.spoken(piece)]);
    for (const [name, hit] of this.hits) {
      const place = this.places.get(name);
      const words = [name, ...(standing.get(name) ?? []), place.text && !name.includes(place.text) ? place.text : ""];
      if (this.pointing.at.includes(name)) words.push("chosen");
      if (this.last.includes(name)) words.push("last move");
      hit.setAttribute("aria-label", words.filter(Boolean).join(", "));
      hit.setAttribute("aria-disabled", next.has(name) || this.pointing.at.includes(name) ? "false" : "true");
      hit.classList.toggle("open", next.has(name));
      hit.setAttribute("tabindex", "-1");
    }
    const first = this.hits.has(this.focus) ? this.focus : [...this.hits.keys()].find((name) => next.has(name)) ?? this.hits.keys().next().value;
    if (first !== undefined) this.hits.get(first).setAttribute("tabindex", "0");
  }

  spoken(piece) {
    const who = piece.owner >= 0 ? this.players[piece.owner] ?? "" : "";
    const what = piece.name || (piece.owner >= 0 && this.players[piece.owner] ? `${who} ${piece.look}` : piece.look);
    return piece.count > 1 && !["die", "tile"].includes(piece.look) ? `${piece.count} ${what}` : what;
  }

  refresh() {
    if (this.board.pairs) this.drawPieces(carried(this.board.pieces, this.pointing.at), this.shownUnits);
    this.light();
    this.onpoint([...this.pointing.at]);
  }

  // ---------------------------------------------------------------- pointing

  /** Point at a place, as a click does. */
  point(name) {
    if (!this.pointing.ways.length) return;
    this.closeMenu();
    const answer = this.pointing.point(name);
    if (answer.actions) {
      if (answer.actions.length === 1) this.play(answer.actions[0]);
      else this.openMenu(answer.actions, name);
    } else if (answer.more) {
      const next = [...this.pointing.next()];
      this.say(`${this.hits.get(name)?.getAttribute("aria-label") ?? name} chosen. Then ${next.slice(0, 8).join(", ")}${next.length > 8 ? ` or ${next.length - 8} others` : ""}`);
    } else if (answer.refused) {
      this.say(`${name} is not possible here`);
      if (this.pointing.at.length && !this.board.pairs) this.pointing.clear();
    }
    this.refresh();
  }

  play(action) {
    this.pointing = new Pointing();
    this.light();
    this.onplay(action);
  }

  openMenu(actions, name) {
    const place = this.places.get(name), { outer } = this;
    put(this.menu, actions.map((action) => el("button", { type: "button", role: "menuitem", onclick: () => { this.closeMenu(); this.play(action); } }, action.text)));
    this.menu.hidden = false;
    this.menu.style.left = `${(100 * (place.x - outer.x)) / outer.width}%`;
    this.menu.style.top = `${(100 * (place.y - outer.y)) / outer.height}%`;
    this.say(`Which: ${actions.map((action) => action.text).join(", ")}`);
    this.menu.querySelector("button").focus();
  }

  closeMenu() {
    if (this.menu.hidden) return;
    const inside = this.menu.contains(document.activeElement);
    this.menu.hidden = true;
    put(this.menu);
    if (inside) this.hits.get(this.focus)?.focus();
  }

  menuKey(event) {
    const items = [...this.menu.querySelectorAll("button")], at = items.findIndex((item) => item === document.activeElement);
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (step) items[(at + step + items.length) % items.length].focus();
    else if (event.key === "Escape") this.closeMenu();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // ---------------------------------------------------------------- keyboard

  key(event) {
    const name = event.target.dataset?.place;
    if (name === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (way) this.go(beside(this.places, this.hits.keys(), name, way));
    else if (event.key === "Enter" || event.key === " ") this.point(name);
    else if (event.key === "Escape") { this.pointing.back(); this.refresh(); this.say("taken back"); }
    else if (event.key === "Home") this.go(this.hits.keys().next().value);
    else if (event.key === "End") this.go([...this.hits.keys()].at(-1));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  go(name) {
    if (name === undefined) return;
    this.hits.get(this.focus)?.setAttribute("tabindex", "-1");
    const hit = this.hits.get(name);
    hit.setAttribute("tabindex", "0");
    hit.focus();
  }
}
