// The tree on a canvas: moved, zoomed and pointed at. How it is painted is in paint.js.

import { el } from "../ui.js";
import { TreePaint } from "./paint.js";
import { readColours } from "./colours.js";

const SMALLEST = 0.004, LARGEST = 4, OVERVIEW = 0.36, PADDING = 28, BOTTOM = 52; // the buttons are there

export class TreeCanvas extends TreePaint {
  /** `onselect(item)` is told of clicks; `marked` is a set of items that are marked (a quiz). */
  constructor({ label, onselect = (_item) => {}, onopen = (_item) => {} }) {
    const canvas = el("canvas", { class: "tree-canvas", "aria-hidden": "true" });
    super(canvas.getContext("2d"));
    this.canvas = canvas;
    this.onselect = onselect;
    this.onopen = onopen;
    this.element = el("div", { class: "tree-stage", tabindex: "0", role: "application", "aria-roledescription": "tree", "aria-label": label }, this.canvas);
    this.pointers = new Map();
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.canvas.addEventListener("pointerdown", (event) => this.press(event));
    this.canvas.addEventListener("pointermove", (event) => this.drag(event));
    for (const kind of ["pointerup", "pointercancel"]) this.canvas.addEventListener(kind, (event) => this.release(event));
    this.canvas.addEventListener("dblclick", (event) => { const item = this.at(event); if (item >= 0) this.onopen(item); });
    this.colours = readColours(this.element, () => this.draw());
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.element);
  }

  close() {
    this.observer.disconnect();
    this.colours.close();
  }

  /** Show a tree; `keep` leaves the view where it is. */
  show(steps, keep = false) {
    this.steps = steps;
    this.selected = -1;
    if (!keep) this.fit();
    this.draw();
  }

  /** Where the search is, large enough to read, if all of it at once would be too small. */
  approach(item) {
    if (!this.width || this.view.scale >= OVERVIEW || item < 0) return;
    const { items } = this.steps.paper, scale = 0.75;
    this.view = { scale, x: this.width / 2 - items.x[item] * scale, y: Math.min(PADDING, this.height * 0.6 - items.y[item] * scale) };
    this.draw();
  }

  // ------------------------------------------------------------ the view
  resize() {
    const { clientWidth, clientHeight } = this.element;
    const dense = devicePixelRatio || 1;
    if (!clientWidth || (this.canvas.width === Math.round(clientWidth * dense) && this.canvas.height === Math.round(clientHeight * dense))) return;
    const first = !this.width;
    this.width = clientWidth;
    this.height = clientHeight;
    this.canvas.width = Math.round(clientWidth * dense);
    this.canvas.height = Math.round(clientHeight * dense);
    if (first) this.colours.read();
    if (first && this.steps) this.fit();
    this.draw();
  }

  /** All of it in sight, but small trees not too large. */
  fit() {
    if (!this.width || !this.steps) return;
    const { width, height } = this.steps.paper;
    const room = this.height - PADDING - BOTTOM;
    const scale = clamp(Math.min((this.width - 2 * PADDING) / width, room / height), SMALLEST, 1.35);
    this.view = { scale, x: (this.width - width * scale) / 2, y: PADDING + Math.max(0, (room - height * scale) / 2) };
    this.draw();
  }

  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const scale = clamp(this.view.scale * factor, SMALLEST, LARGEST);
    const change = scale / this.view.scale;
    this.view = { scale, x: x - (x - this.view.x) * change, y: y - (y - this.view.y) * change };
    this.draw();
  }

  pan(dx, dy) {
    this.view.x += dx;
    this.view.y += dy;
    this.draw();
  }

  /** Bring an item into sight, moving no more than needed. */
  reveal(item) {
    if (item < 0 || !this.width) return;
    const { items } = this.steps.paper, { scale, x, y } = this.view;
    const px = items.x[item] * scale + x, py = items.y[item] * scale + y;
    const edge = Math.min(90, this.width / 5, this.height / 4);
    const dx = px < edge ? edge - px : px > this.width - edge ? this.width - edge - px : 0;
    const dy = py < edge ? edge - py : py > this.height - edge ? this.height - edge - py : 0;
    if (dx || dy) this.pan(dx, dy);
  }

  // ------------------------------------------------------------ pointing
  /** The item under a pointer; -1 for none, also while there is no tree. */
  at(event) {
    if (!this.steps) return -1;
    const box = this.canvas.getBoundingClientRect();
    const { scale, x, y } = this.view;
    return this.find((event.clientX - box.left - x) / scale, (event.clientY - box.top - y) / scale, Math.max(4, 10 / scale));
  }

  find(x, y, reach) {
    const { items } = this.steps.paper;
    let found = -1, nearest = Infinity;
    for (let item = 0; item < this.steps.size; item++) {
      const dx = Math.abs(items.x[item] - x) - items.half[item], dy = Math.abs(items.y[item] - y) - items.top[item];
      const away = Math.max(dx, dy);
      if (away < reach && away < nearest) [nearest, found] = [away, item];
    }
    return found;
  }

  wheel(event) {
    event.preventDefault();
    const box = this.canvas.getBoundingClientRect();
    this.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), event.clientX - box.left, event.clientY - box.top);
  }

  press(event) {
    if (event.button > 0) return;
    try { this.canvas.setPointerCapture(event.pointerId); } catch { /* a pointer that a program made */ }
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.moved = this.pointers.size > 1;
  }

  drag(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      this.canvas.classList.toggle("over", this.at(event) >= 0);
      return;
    }
    const now = { x: event.clientX, y: event.clientY };
    if (this.pointers.size === 2) {
      const [other] = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      const box = this.canvas.getBoundingClientRect();
      const apart = (a) => Math.hypot(a.x - other.x, a.y - other.y) || 1;
      this.zoom(apart(now) / apart(before), (now.x + other.x) / 2 - box.left, (now.y + other.y) / 2 - box.top);
      this.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
    } else if (this.moved || Math.hypot(now.x - before.x, now.y - before.y) > 4) {
      this.moved = true;
      this.canvas.classList.add("moving");
      this.pan(now.x - before.x, now.y - before.y);
    } else return;
    this.pointers.set(event.pointerId, now);
  }

  release(event) {
    if (!this.pointers.delete(event.pointerId)) return;
    this.canvas.classList.remove("moving");
    if (!this.moved && event.type === "pointerup") {
      const item = this.at(event);
      if (item >= 0) this.onselect(item);
    }
    if (!this.pointers.size) this.moved = false;
  }

  // ------------------------------------------------------------ drawing
  /** At the next frame; many calls are one. */
  draw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      if (this.width && this.steps && this.colours.fills) this.paint();
    });
  }
}

const clamp = (value, least, most) => Math.max(least, Math.min(most, value));
