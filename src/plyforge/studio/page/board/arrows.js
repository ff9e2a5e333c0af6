// Arrows over a board, for analysis and hints: thick where a move is good, a ring where a way has one place only.

import { svg } from "../ui.js";

/** list: [{ way, weight (0 to 1), label, kind }], the best first; places: name to { x, y }. */
export function drawArrows(list, places) {
  return [...list].reverse().flatMap(({ way, weight = 1, label = "", kind = "" }) => {
    const points = way.map((name) => places.get(name)).filter(Boolean);
    if (!points.length) return [];
    const [from, to] = [points[0], points.at(-1)];
    const shape = points.length === 1 || from === to ? ring(from, weight) : arrow(points, weight);
    shape.setAttribute("class", `arrow ${kind}`);
    shape.setAttribute("opacity", (0.35 + 0.6 * weight).toFixed(2));
    return label ? [shape, tag(to, label)] : [shape];
  });
}

function ring(place, weight) {
  const size = Math.min(1, Math.abs(place.width ?? 1), Math.abs(place.height ?? 1));
  return svg("g", {}, svg("circle", { class: "ring", cx: place.x, cy: place.y, r: size * (0.18 + 0.2 * weight), "stroke-width": 0.05 + 0.06 * weight }));
}

function arrow(points, weight) {
  const width = 0.06 + 0.12 * weight, head = 0.2 + 0.16 * weight;
  const to = points.at(-1), before = points.at(-2);
  const length = Math.hypot(to.x - before.x, to.y - before.y) || 1;
  const [ux, uy] = [(to.x - before.x) / length, (to.y - before.y) / length];
  const neck = { x: to.x - ux * (head + 0.06), y: to.y - uy * (head + 0.06) }, tip = { x: to.x - ux * 0.06, y: to.y - uy * 0.06 };
  const line = [...points.slice(0, -1), neck].map(({ x, y }) => `${x.toFixed(3)},${y.toFixed(3)}`).join(" ");
  const wing = head * 0.62;
  return svg("g", {},
    svg("polyline", { points: line, "stroke-width": width }),
    svg("polygon", { points: `${tip.x},${tip.y} ${neck.x - uy * wing},${neck.y + ux * wing} ${neck.x + uy * wing},${neck.y - ux * wing}` }));
}

function tag(place, label) {
  const width = 0.2 + 0.15 * label.length;
  return svg("g", { class: "tag", transform: `translate(${place.x} ${place.y + 0.3})` },
    svg("rect", { x: -width / 2, y: -0.16, width, height: 0.32, rx: 0.1 }),
    svg("text", { "text-anchor": "middle", y: 0.085, "font-size": 0.24 }, label));
}
