// The value over the depths of a search, or over its time: a small chart, one line for each algorithm, or for each player where there are many.

import { el, put, svg } from "../../ui.js";

const WIDE = 360, HIGH = 150, LEFT = 46, RIGHT = 12, TOP = 12, LOW = 24;

export class Chart {
  /** players: their names; shared: one number says everything. */
  constructor(players, shared) {
    this.players = players;
    this.shared = shared || players.length === 1;
    this.by = "depth";
    this.samples = {};   // by side: [{ depth, seconds, shares, text, proven }]
    this.picture = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": "Value over depth" });
    this.buttons = [["depth", "Depth"], ["seconds", "Time"]].map(([by, text]) =>
      el("button", { type: "button", class: "small", "aria-pressed": String(by === this.by), "data-by": by, onclick: () => this.measure(by) }, text));
    this.legend = el("p", { class: "legend muted" });
    this.element = el("div", { class: "chart" }, el("div", { class: "row" }, this.legend, el("div", { class: "joined push", role: "group", "aria-label": "Over" }, this.buttons)), this.picture);
  }

  measure(by) {
    this.by = by;
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(button.dataset.by === by));
    this.draw();
  }

  begin(sides) {
    this.sides = sides;
    this.samples = Object.fromEntries(sides.map(({ key }) => [key, []]));
    put(this.legend, sides.length > 1 || this.shared
      ? sides.map(({ key, title }) => el("span", { class: `key side-${key}` }, title))
      : this.players.map((name, player) => el("span", { class: `key seat-${player}` }, name)));
    this.draw();
  }

  /** How one side stands now. */
  add(key, message) {
    const all = this.samples[key];
    if (!all || !message.value || message.value.shares.every((share) => share === null)) return;
    const now = { depth: message.depth, seconds: message.seconds, shares: message.value.shares, text: message.value.text, proven: message.value.proven };
    const last = all.at(-1);
    if (last && last.seconds === now.seconds && last.text === now.text) return;
    all.push(now);
    if (all.length > 600) this.samples[key] = all.filter((_, i) => i % 2 === 0 || i === all.length - 1);
    this.draw();
  }

  /** The samples to draw: over depth, the last of each depth. */
  points(key) {
    const all = this.samples[key] ?? [];
    if (this.by === "seconds") return all.map((one) => ({ ...one, x: one.seconds }));
    const last = new Map();
    for (const one of all) if (one.depth !== null && one.depth !== undefined) last.set(one.depth, one);
    return [...last].map(([depth, one]) => ({ ...one, x: depth })).sort((a, b) => a.x - b.x);
  }

  draw() {
    const series = (this.sides ?? []).flatMap(({ key, title }, at) => {
      const points = this.points(key);
      if (this.shared) return [{ points: points.map((one) => ({ ...one, y: one.shares[0] })), kind: `side-${key}`, title }];
      if (at > 0) return [];
      return this.players.map((name, player) => ({ points: points.map((one) => ({ ...one, y: one.shares[player] })).filter((one) => one.y !== null), kind: `seat-${player}`, title: name }));
    });
    const xs = series.flatMap(({ points }) => points.map(({ x }) => x));
    const [least, most] = [Math.min(...xs, this.by === "depth" ? 1 : 0), Math.max(...xs, this.by === "depth" ? 2 : 1)];
    const x = (value) => LEFT + ((value - least) / (most - least || 1)) * (WIDE - LEFT - RIGHT);
    const y = (share) => TOP + (1 - share) * (HIGH - TOP - LOW);
    const ticks = whole(least, most).filter((at) => this.by === "seconds" || Number.isInteger(at)).map((at) => [
      svg("line", { class: "tick", x1: x(at), x2: x(at), y1: HIGH - LOW, y2: HIGH - LOW + 4 }),
      svg("text", { x: x(at), y: HIGH - 5, "text-anchor": "middle" }, this.by === "depth" ? String(at) : `${at} s`)]);
    const lines = series.map(({ points, kind }) => points.length === 0 ? null : svg("g", { class: kind },
      svg("polyline", { points: points.map((one) => `${x(one.x).toFixed(1)},${y(one.y).toFixed(1)}`).join(" ") }),
      points.length <= 40 || points.at(-1).proven ? points.slice(points.length <= 40 ? 0 : -1).map((one) => dot(x(one.x), y(one.y), one.proven)) : null));
    const [above, below] = this.shared && this.players.length === 2 ? this.players : ["most", "least"];
    put(this.picture,
      [0, 0.5, 1].map((share) => svg("line", { class: share === 0.5 ? "middle" : "edge", x1: LEFT, x2: WIDE - RIGHT, y1: y(share), y2: y(share) })),
      svg("text", { x: LEFT - 6, y: y(1) + 8, "text-anchor": "end" }, brief(above)), svg("text", { x: LEFT - 6, y: y(0), "text-anchor": "end" }, brief(below)),
      ticks, lines);
    const first = series[0]?.points;
    this.picture.setAttribute("aria-label", first?.length
      ? `Value over ${this.by === "depth" ? "depth" : "time"}: from ${first[0].text} to ${first.at(-1).text}` : "No value yet");
  }
}

const dot = (x, y, proven) => proven
  ? svg("rect", { class: "dot proven", x: x - 4, y: y - 4, width: 8, height: 8 })
  : svg("circle", { class: "dot", cx: x, cy: y, r: 2.5 });

const brief = (name) => (name.length > 5 ? `${name.slice(0, 4)}…` : name);

/** A handful of round numbers from one to another. */
function whole(from, to) {
  const rough = Math.max((to - from) / 6, 1e-9), size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * size).find((n) => n >= rough);
  const found = [];
  for (let at = Math.ceil(from / step) * step; at <= to + 1e-9; at += step) found.push(Number(at.toPrecision(6)));
  return found;
}
