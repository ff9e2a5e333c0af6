// Going through the steps: forward, back, to the ends, to the next cut, at a speed, by a bar.

import { button, choice, el, put, svg } from "../ui.js";

const SPEEDS = [["0.5", "½ a second"], ["1", "1 a second"], ["2", "2 a second"], ["5", "5 a second"], ["15", "15 a second"], ["60", "60 a second"]];
const ICONS = {
  start: "M5 5v14M19 5 9 12l10 7z", back: "M16 5 7 12l9 7z", play: "M7 4.5 19 12 7 19.5z", pause: "M7 5h4v14H7zM14 5h4v14h-4z",
  on: "M8 5l9 7-9 7z", end: "M19 5v14M5 5l10 7-10 7z", cut: "M4 5l8 7-8 7zM15 4l5 16M20 4l-5 16",
};

export class Transport {
  /** `go(place)` is asked to show a step; `steps()` is what is shown. */
  constructor({ go, steps }) {
    this.go = go;
    this.steps = steps;
    this.timer = null;
    this.speed = 2;
    const make = (name, text, act) => button(icon(name), act, { "aria-label": text, title: text, class: "icon" });
    this.start = make("start", "To the start", () => this.jump(0));
    this.back = make("back", "A step back", () => this.move(-1));
    this.play = make("play", "Play", () => this.toggle());
    this.on = make("on", "A step forward", () => this.move(1));
    this.end = make("end", "To the end", () => this.jump(Infinity));
    this.cut = button([icon("cut"), "Next cut"], () => this.jump(this.steps().nextCut()), { class: "next-cut" });
    this.bar = el("input", { type: "range", min: 0, max: 0, value: "0", "aria-label": "Step", oninput: () => this.jump(Number(this.bar.value)) });
    this.where = el("output", { class: "number muted step-number" });
    const speed = choice(SPEEDS, "2", (value) => { this.speed = Number(value); if (this.timer) this.run(); });
    speed.setAttribute("aria-label", "Steps played");
    this.element = el("div", { class: "transport", role: "group", "aria-label": "Steps" },
      el("div", { class: "row" }, el("div", { class: "joined" }, this.start, this.back, this.play, this.on, this.end), this.cut, speed, this.where), this.bar);
  }

  /** Something else is shown. */
  show() {
    const steps = this.steps();
    this.bar.max = String(steps.count);
    this.bar.value = String(steps.place);
    this.bar.setAttribute("aria-valuetext", `Step ${steps.number} of ${steps.paper.last}`);
    this.where.textContent = `Step ${steps.number} of ${steps.paper.last}`;
    this.start.disabled = this.back.disabled = steps.place === 0;
    this.on.disabled = this.end.disabled = steps.ended;
    this.cut.hidden = !steps.paper.cuts.length;
    this.cut.disabled = steps.ended;
    if (steps.ended) this.pause();
  }

  move(by) { this.pause(); this.go(this.steps().place + by); }
  jump(place) { this.pause(); this.go(Math.min(place, this.steps().count)); }

  toggle() {
    if (this.timer) return this.pause();
    if (this.steps().ended) this.go(0);
    this.run();
  }

  run() {
    clearInterval(this.timer);
    const beat = Math.max(33, 1000 / this.speed), stride = Math.max(1, Math.round(this.speed * beat / 1000));
    this.timer = setInterval(() => this.go(this.steps().place + stride), beat);
    this.mark(true);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.mark(false);
  }

  mark(playing) {
    put(this.play, icon(playing ? "pause" : "play"));
    this.play.setAttribute("aria-label", playing ? "Pause" : "Play");
    this.play.title = playing ? "Pause" : "Play";
  }
}

function icon(name) {
  return svg("svg", { viewBox: "0 0 24 24", width: "18", height: "18", "aria-hidden": "true", class: "glyph" }, svg("path", { d: ICONS[name] }));
}
