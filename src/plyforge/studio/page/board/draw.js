// A Board of plyforge/board.py as SVG: the ground, places, lines, words and pieces. What a person does with it is in board.js.

import { svg } from "../ui.js";
import { drawPiece } from "./looks.js";

const BESIDE = 0.3;     // room around the outermost places
const MOST_SEEDS = 20;  // drawn one by one
const STACK = 0.84;     // from checker to checker

/** Where the board ends: { x, y, width, height } of everything, and of the places alone. */
export function bounds(board) {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  const take = (x, y, w, h) => {
    box.left = Math.min(box.left, x - w / 2); box.right = Math.max(box.right, x + w / 2);
    box.top = Math.min(box.top, y - h / 2); box.bottom = Math.max(box.bottom, y + h / 2);
  };
  for (const place of board.places) {
    const tall = place.shape === "hexagon" ? 1.155 : Math.abs(place.height);
    take(place.x, place.y, place.shape === "point" ? 1 : place.width, tall);
  }
  for (const line of board.lines) { take(line.x1, line.y1, 0, 0); take(line.x2, line.y2, 0, 0); }
  const inner = rectangle(box);
  for (const words of board.words) take(words.x, words.y, Math.max(words.size, 0.56 * words.size * words.text.length), words.size);
  if (!board.places.length && !board.words.length) take(0, 0, 1, 1);
  return { inner, outer: rectangle(box) };
}

const rectangle = ({ left, top, right, bottom }) => ({ x: left, y: top, width: right - left, height: bottom - top });

/** The layers of a board: { ground, pieces, over, hits, places } where places has a record of each by its name. `turned` shows it from the other side. */
export function drawBoard(board, turned = false) {
  const { inner, outer } = bounds(board);
  const flip = turned ? flipped(inner) : (x, y) => [x, y];
  const places = new Map();
  const ground = svg("g", { class: "ground", "aria-hidden": "true" });
  if (board.surface !== "plain") {
    ground.append(svg("rect", { class: "table", ...wider(outer, BESIDE), rx: 0.22 }));
    if (board.surface === "chequered" || board.surface === "frame" || board.pairs) ground.append(svg("rect", { class: "inside", ...wider(inner, board.surface === "frame" ? 0.1 : 0), rx: board.surface === "frame" ? 0.2 : 0.02 }));
  }
  for (const place of board.places) {
    const [x, y] = flip(place.x, place.y);
    const height = turned ? -place.height : place.height;
    const record = { ...place, x, y, height: place.shape === "spike" ? height : Math.abs(place.height) };
    places.set(place.name, record);
    const shape = drawPlace(record, board);
    if (shape) ground.append(shape);
    const face = place.shape === "card" ? cardFace(record) : null;
    if (face) ground.append(face);
    else if (place.text) ground.append(svg("text", { class: `placed tone-${place.tone}`, x, y, dy: "0.36em", "text-anchor": "middle", "font-size": fit(place, board) }, place.text));
  }
  for (const line of board.lines) {
    const [x1, y1] = flip(line.x1, line.y1), [x2, y2] = flip(line.x2, line.y2);
    ground.append(line.kind === "star" ? svg("circle", { class: "star", cx: x1, cy: y1, r: 0.1 })
      : svg("line", { class: `line ${line.kind} ${owned(board, line.owner)}`, x1, y1, x2, y2 }));
  }
  dots(board, flip).forEach((dot) => ground.append(dot));
  return { ground, places, outer: wider(outer, board.surface === "plain" ? 0.08 : BESIDE + 0.04) };
}

/** The words on and beside the board. */
export function drawWords(board, turned = false) {
  const { inner } = bounds(board);
  const flip = flipped(inner);
  return board.words.map((words) => {
    const [x, y] = turned ? flippedWords(words, inner, flip) : [words.x, words.y];
    return svg("text", { class: "words", x, y, dy: "0.35em", "text-anchor": "middle", "font-size": words.size }, words.text);
  });
}

const wider = (box, by) => ({ x: box.x - by, y: box.y - by, width: box.width + 2 * by, height: box.height + 2 * by });

function flipped(inner) {
  const [sumX, sumY] = [2 * inner.x + inner.width, 2 * inner.y + inner.height];
  return (x, y) => [sumX - x, sumY - y];
}

/** Names beside the board stay on their side, in the order of the turned board. */
function flippedWords(words, inner, flip) {
  const [x, y] = flip(words.x, words.y);
  const outsideX = words.x < inner.x || words.x > inner.x + inner.width;
  const outsideY = words.y < inner.y || words.y > inner.y + inner.height;
  return [outsideX ? words.x : x, outsideY ? words.y : y];
}

/** How large the words on places can be: all of one shape alike. */
function fit(place, board) {
  const alike = board.places.filter((other) => other.text && other.shape === place.shape);
  return Math.min(...alike.map((other) => Math.min(0.42 * Math.abs(other.height), (1.5 * other.width) / Math.max(2.4, other.text.length))));
}

/** The outline of a place, which is also where it can be pointed at. */
export function outline(place, grow = 0) {
  const { x, y, shape } = place, w = place.width + grow, h = Math.abs(place.height) + grow;
  if (shape === "pit") return svg("circle", { cx: x, cy: y, r: w / 2 - 0.04 });
  if (shape === "point") return svg("circle", { cx: x, cy: y, r: 0.48 });
  if (shape === "hexagon") {
    const side = 1 / Math.sqrt(3);
    return svg("polygon", { points: [[0, -side], [0.5, -side / 2], [0.5, side / 2], [0, side], [-0.5, side / 2], [-0.5, -side / 2]].map(([dx, dy]) => `${x + dx},${y + dy}`).join(" ") });
  }
  if (shape === "spike") {
    const down = place.height > 0 ? 1 : -1;
    return svg("polygon", { points: `${x - w / 2},${y - down * h / 2} ${x + w / 2},${y - down * h / 2} ${x},${y + down * h / 2}` });
  }
  const radius = { tray: 0.16, card: 0.12, edge: 0.1, square: grow ? 0.06 : 0 }[shape] ?? 0.1;
  return svg("rect", { x: x - w / 2, y: y - h / 2, width: w, height: h, rx: radius });
}

function drawPlace(place, board) {
  if (["point", "spot", "die"].includes(place.shape)) return null;
  const shape = outline(place);
  shape.setAttribute("class", `place ${place.shape} tone-${place.tone} ${place.tone > 1 ? `home ${owned(board, place.tone - 2)}` : ""}`);
  return shape;
}

const BLACK = "♠♣", RED = "♥♦";

/** A playing card: its rank and suit, or its back; null for a card that only has words on it. */
function cardFace({ x, y, width: w, height: h, text }) {
  if (text === "?") {
    const left = x - w / 2 + 0.09, top = y - h / 2 + 0.09;
    const stripes = [0.2, 0.4, 0.6, 0.8].map((part) => `M${left} ${top + part * (h - 0.18)}h${w - 0.18}`).join("");
    return svg("g", { class: "card-back" }, svg("rect", { x: left, y: top, width: w - 0.18, height: h - 0.18, rx: 0.07 }), svg("path", { d: stripes }));
  }
  const suit = text ? text[text.length - 1] : "";
  if (!suit || !(BLACK + RED).includes(suit)) return null;
  const middle = { "text-anchor": "middle", dy: "0.36em" };
  return svg("g", { class: `card-face ${RED.includes(suit) ? "red" : "black"}` },
    svg("text", { ...middle, x: x - 0.27 * w, y: y - 0.34 * h, "font-size": 0.2 * h }, text.slice(0, -1)),
    svg("text", { ...middle, x, y: y + 0.07 * h, "font-size": 0.5 * h }, suit));
}

/** The dots at the ends of edges. */
function dots(board, flip) {
  const seen = new Map();
  for (const place of board.places) {
    if (place.shape !== "edge") continue;
    const [dx, dy] = place.width > place.height ? [place.width / 2, 0] : [0, place.height / 2];
    for (const side of [-1, 1]) {
      const [x, y] = flip(place.x + side * dx, place.y + side * dy);
      seen.set(`${x.toFixed(3)} ${y.toFixed(3)}`, svg("circle", { class: "corner", cx: x, cy: y, r: 0.1 }));
    }
  }
  return [...seen.values()];
}

// ---------------------------------------------------------------- pieces

/** The class that gives a player's pieces their colour. */
export function owned(board, owner) {
  return owner < 0 ? "nobody" : board.colours[owner] ? `colour-${board.colours[owner]}` : `player-${owner}`;
}

/** Every piece by itself: [{ piece, x, y, key, label }], those of a heap spread out or stacked. */
export function units(board, pieces, places) {
  const found = [], met = new Map();
  for (const piece of pieces) {
    const place = places.get(piece.place);
    if (!place) continue;
    const shared = met.get(piece.place) ?? 0;
    met.set(piece.place, shared + 1);
    const single = ["die", "tile"].includes(piece.look);
    const number = single ? 1 : piece.count;
    const spots = number === 1 ? [alone(place, shared)] : spread(piece, place, number);
    spots.forEach(([x, y], index) => found.push({ piece, place, x, y, index, label: index === spots.length - 1 && spots.length < number ? String(number) : "" }));
    if (piece.look === "seed") found.push({ piece, place, x: place.x, y: place.y, index: -1, label: String(number), counter: true });
  }
  return found;
}

function alone(place, shared) {
  if (place.shape === "spike" || (place.shape === "tray" && place.height > 2.5)) return stacked(place, 0, 1);
  return shared ? [place.x + 0.14 * shared, place.y + 0.1 * shared] : [place.x, place.y];
}

function stacked(place, index, number) {
  const h = Math.abs(place.height);
  const down = place.shape === "spike" ? (place.height > 0 ? 1 : -1) : 0;
  if (down === 0) {
    const step = Math.min(STACK, (h - 0.9) / Math.max(1, number - 1));
    return [place.x, place.y + (index - (number - 1) / 2) * step];
  }
  return [place.x, place.y - down * (h / 2 - 0.44 - index * STACK)];
}

function spread(piece, place, number) {
  if (piece.look === "seed") {
    const shown = Math.min(number, MOST_SEEDS), wide = place.width / 2 - 0.2, tall = Math.abs(place.height) / 2 - 0.2;
    return Array.from({ length: shown }, (_, i) => {
      const r = Math.sqrt((i + 0.5) / Math.max(shown, 6)), angle = i * 2.39996;
      return [place.x + 0.95 * wide * r * Math.cos(angle), place.y + 0.95 * tall * r * Math.sin(angle)];
    });
  }
  const room = place.shape === "spike" ? 5 : number;
  return Array.from({ length: Math.min(number, room) }, (_, i) => stacked(place, i, number));
}

/** A unit as an element. */
export function drawUnit(board, unit) {
  const { piece } = unit;
  const inner = svg("g", { class: "inner" });
  if (unit.counter) {
    const middle = bounds(board).inner;
    const inwards = Math.sign(middle.y + middle.height / 2 - unit.place.y);
    inner.append(svg("text", { class: "heap", y: inwards * (Math.abs(unit.place.height) / 2 + 0.17) + 0.11, "text-anchor": "middle", "font-size": 0.27 }, unit.label));
  } else {
    const drawn = drawPiece(piece);
    if (piece.look === "bar" && unit.place.width > unit.place.height) drawn.setAttribute("transform", "rotate(90)");
    if (unit.place.shape === "pit" && piece.look === "peg") drawn.setAttribute("transform", "scale(0.98)");
    inner.append(drawn);
    if (unit.label) inner.append(svg("text", { class: "inked", "font-size": 0.36, y: 0.13, "text-anchor": "middle" }, unit.label));
  }
  return svg("g", { class: `piece look-${/^[a-z]+$/.test(piece.look) ? piece.look : "letters"} ${owned(board, piece.owner)}`, transform: `translate(${unit.x} ${unit.y})` }, inner);
}
