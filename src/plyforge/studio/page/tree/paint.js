// How a tree is painted on its canvas: edges, shapes, words. Only what is in sight is drawn, alike things in one stroke.

import { AHEAD, CUT, OPEN } from "./steps.js";

const READABLE = 0.42; // below this scale there are no words

/** The painting half of a TreeCanvas (canvas.js), which sets what is to be painted. */
export class TreePaint {
  constructor(context) {
    this.context = context;
    this.steps = null;
    this.colours = null;
    this.view = { scale: 1, x: 0, y: 0 };
    this.width = this.height = 0;
    this.selected = this.asked = -1; // items
    this.marked = new Set();
    this.wrong = new Set();
    this.frames = 0; // painted so far
  }

  paint() {
    this.frames++;
    const { context, steps, view } = this, dense = devicePixelRatio || 1, { items } = steps.paper;
    context.setTransform(dense, 0, 0, dense, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    context.setTransform(dense * view.scale, 0, 0, dense * view.scale, dense * view.x, dense * view.y);
    const seen = { left: -view.x / view.scale, right: (this.width - view.x) / view.scale, top: -view.y / view.scale, bottom: (this.height - view.y) / view.scale };
    const path = new Set();
    for (let item = steps.item; item >= 0; item = items.parent[item]) path.add(item);
    this.edges(seen, path);
    this.sets();
    this.shapes(seen, path);
    if (view.scale >= READABLE) this.words(seen, path);
  }

  edges(seen, path) {
    const { context, steps, colours } = this, { items } = steps.paper;
    const lines = { ahead: [], plain: [], cut: [], path: [], best: [] }, bars = [];
    for (let item = 1; item < steps.size; item++) {
      const parent = items.parent[item];
      const x1 = items.x[parent], y1 = items.y[parent] + items.bottom[parent], x2 = items.x[item], y2 = items.y[item] - items.top[item];
      if (Math.max(x1, x2) < seen.left || Math.min(x1, x2) > seen.right || y2 < seen.top || y1 > seen.bottom) continue;
      const status = steps.status[item];
      const best = steps.ended && items.line[item] && !steps.paper.names;
      const kind = path.has(item) && !steps.ended ? "path" : best ? "best" : status === CUT ? "cut" : status === AHEAD || items.kind[item] === "folded" ? "ahead" : "plain";
      lines[kind].push(x1, y1, x2, y2);
      const topmost = status === CUT && steps.status[parent] !== CUT;
      if (topmost || this.marked.has(item)) bars.push(x1, y1, x2, y2);
    }
    const thin = Math.max(1, 0.7 / this.view.scale);
    const styles = { ahead: [colours.faint, thin, [2, 4]], plain: [colours.edge, 1.3 * thin, []], cut: [colours.faint, 1.3 * thin, [5, 4]], best: [colours.text, 3 * thin, []], path: [colours.accent, 3 * thin, []] };
    for (const [kind, points] of Object.entries(lines)) {
      const [colour, width, dashes] = styles[kind];
      stroke(context, points, colour, width, dashes);
    }
    const crossing = [];
    for (let i = 0; i < bars.length; i += 4) {
      const [x1, y1, x2, y2] = bars.slice(i, i + 4), length = Math.hypot(x2 - x1, y2 - y1) || 1;
      const ux = (x2 - x1) / length, uy = (y2 - y1) / length;
      for (const along of [0.4 * length - 2.5, 0.4 * length + 2.5]) {
        const x = x1 + ux * along, y = y1 + uy * along;
        crossing.push(x + uy * 7, y - ux * 7, x - uy * 7, y + ux * 7);
      }
    }
    stroke(context, crossing, colours.accent, 2 * thin, []);
  }

  /** Dashed curves between what a player can't tell apart, each set at a depth of its own: as in exported pictures. */
  sets() {
    const { context, steps, colours } = this, { items, sets } = steps.paper;
    sets.forEach((members, rank) => {
      context.beginPath();
      for (let place = 1; place < members.length; place++) {
        const one = members[place - 1], other = members[place];
        const depth = 1.4 * Math.max(items.bottom[one], items.bottom[other]) + 10 + 4 * (rank % 6);
        context.moveTo(items.x[one], items.y[one]);
        context.bezierCurveTo(items.x[one], items.y[one] + depth, items.x[other], items.y[other] + depth, items.x[other], items.y[other]);
      }
      context.setLineDash([6, 4]);
      context.lineWidth = Math.max(1.5, 0.9 / this.view.scale);
      context.strokeStyle = colours.shape("player", items.player[members[0]])[1];
      context.stroke();
    });
    context.setLineDash([]);
  }

  shapes(seen, path) {
    const { context, steps, colours } = this, { items } = steps.paper;
    const groups = new Map();
    for (let item = 0; item < steps.size; item++) {
      if (items.x[item] + items.half[item] < seen.left || items.x[item] - items.half[item] > seen.right || items.y[item] + 24 < seen.top || items.y[item] - 24 > seen.bottom) continue;
      const status = steps.status[item], shape = steps.shape(item);
      const faint = status === AHEAD || status === CUT;
      const heavy = path.has(item) && !steps.ended || (steps.ended && items.line[item] && !steps.paper.names) || status === OPEN && steps.row?.[3] !== "s";
      const key = `${shape} ${shape === "player" || shape === "policy" ? items.player[item] : ""} ${faint} ${heavy}`;
      if (!groups.has(key)) groups.set(key, { shape, player: items.player[item], faint, heavy, items: [] });
      groups.get(key).items.push(item);
    }
    for (const { shape, player, faint, heavy, items: members } of groups.values()) {
      const [fill, line] = colours.shape(shape, player);
      context.beginPath();
      for (const item of members) outline(context, shape, items.x[item], items.y[item], items.half[item], items.top[item], items.bottom[item]);
      context.fillStyle = faint ? colours.surface : fill;
      context.fill();
      context.setLineDash(faint || shape === "folded" ? [4, 3] : []);
      context.lineWidth = heavy ? 2.8 : 1.5;
      context.strokeStyle = faint ? colours.faint : line;
      context.stroke();
    }
    context.setLineDash([]);
    this.ring(steps.ended ? -1 : steps.item, colours.accent, 5, []);
    this.ring(this.asked, colours.accent, 6, []);
    this.ring(this.selected, colours.focus, 9, [5, 3]);
    for (const item of this.marked) this.ring(item, colours.accent, 5, []);
    for (const item of this.wrong) this.ring(item, colours.bad, 9, [3, 3]);
  }

  /** The outline of an item once more, some way outside it. */
  ring(item, colour, away, dashes) {
    if (item < 0) return;
    const { context } = this, { items } = this.steps.paper, shape = this.steps.shape(item);
    const pointed = shape === "max" || shape === "min"; // the corners of a triangle are further out than its sides
    const half = items.half[item] + away * (pointed ? 1.9 : 1), top = items.top[item] + away * (shape === "max" ? 1.9 : 1), bottom = items.bottom[item] + away * (shape === "min" ? 1.9 : 1);
    context.setLineDash(dashes);
    context.lineJoin = "round";
    context.lineWidth = Math.max(2.4, 1.6 / this.view.scale);
    context.strokeStyle = colour;
    context.beginPath();
    outline(context, shape, items.x[item], items.y[item], half, top, bottom);
    context.stroke();
    context.setLineDash([]);
  }

  words(seen, path) {
    const { context, steps, colours } = this, { items, labels } = steps.paper;
    context.textBaseline = "alphabetic";
    for (let item = 0; item < steps.size; item++) {
      const x = items.x[item], y = items.y[item];
      if (x < seen.left - 80 || x > seen.right + 80 || y < seen.top - 30 || y > seen.bottom + 60) continue;
      const status = steps.status[item], shape = steps.shape(item);
      const faint = status === AHEAD || status === CUT;
      const text = steps.labelOf(item);
      const strong = path.has(item) && !steps.ended;
      context.textAlign = "center";
      context.fillStyle = faint || shape === "folded" ? colours.muted : colours.text;
      if (shape === "player") {
        say(context, `P${items.player[item] + 1}`, x, y - 6, 10.5, true, colours.family);
        say(context, text, x, y + 12, fitted(text, 13, 2 * items.half[item] - 6), strong, colours.family);
      } else {
        const room = 2 * items.half[item] * (shape === "max" || shape === "min" ? 0.72 : 0.9);
        const rise = shape === "max" ? 13 : shape === "min" ? -3.5 : 4.5;
        say(context, text, x, y + rise * Math.min(1, items.top[item] / 19), fitted(text, 13, room), strong, colours.family);
      }
      const belief = labels[items.belief[item]];
      if (belief) {
        context.textAlign = "right";
        context.fillStyle = colours.muted;
        say(context, belief, x - items.half[item] - 3, y + 4, 10.5, false, colours.family);
        context.textAlign = "center";
      }
      const window = steps.windowOf(item);
      if (window) {
        context.textAlign = "left";
        context.fillStyle = status === OPEN ? colours.accent : colours.muted;
        say(context, `α ${window[0]}`, x + items.half[item] + 8, y - 2, 10.5, status === OPEN, colours.family);
        say(context, `β ${window[1]}`, x + items.half[item] + 8, y + 11, 10.5, status === OPEN, colours.family);
        context.textAlign = "center";
      }
      const edge = labels[items.edge[item]];
      if (edge && items.parent[item] >= 0) {
        const parent = items.parent[item];
        const y1 = items.y[parent] + items.bottom[parent], y2 = y - items.top[item], at = y2 - 13;
        const across = items.x[parent] + (x - items.x[parent]) * (at - y1) / (y2 - y1 || 1);
        context.font = `11.5px ${colours.family}`;
        const width = context.measureText(edge).width + 4;
        context.fillStyle = colours.surface;
        context.fillRect(across - width / 2, at - 8, width, 15);
        context.fillStyle = faint ? colours.muted : colours.text;
        say(context, edge, across, at + 4, 11.5, items.line[item] && steps.ended && !steps.paper.names, colours.family);
      }
    }
  }
}

function say(context, text, x, y, size, bold, family) {
  context.font = `${bold ? 700 : 400} ${size}px ${family}`;
  context.fillText(text, x, y);
}

const fitted = (text, size, room) => Math.max(7, Math.min(size, room / (0.56 * Math.max(1, text.length))));

function stroke(context, points, colour, width, dashes) {
  if (!points.length) return;
  context.beginPath();
  for (let i = 0; i < points.length; i += 4) {
    context.moveTo(points[i], points[i + 1]);
    context.lineTo(points[i + 2], points[i + 3]);
  }
  context.setLineDash(dashes);
  context.lineWidth = width;
  context.strokeStyle = colour;
  context.stroke();
  context.setLineDash([]);
}

/** The outline of a shape around its middle: the same shapes as in exported pictures. */
function outline(context, shape, x, y, half, top, bottom) {
  if (shape === "max" || shape === "min" || shape === "policy") {
    const points = shape === "max" ? [[0, -top], [half, bottom], [-half, bottom]]
      : shape === "min" ? [[-half, -top], [half, -top], [0, bottom]] : [[0, -top], [half, 0], [0, bottom], [-half, 0]];
    context.moveTo(x + points[0][0], y + points[0][1]);
    for (const [dx, dy] of points.slice(1)) context.lineTo(x + dx, y + dy);
    context.closePath();
  } else if (shape === "chance") {
    context.moveTo(x + half, y);
    context.ellipse(x, y, half, top, 0, 0, 2 * Math.PI);
  } else {
    context.roundRect(x - half, y - top, 2 * half, top + bottom, shape === "estimate" || shape === "folded" ? top : 2);
  }
}
