// Who plays, and how: the form for a new game.

import { askSettings } from "../analyse/plan.js";
import { button, choice, dialog, el, field, put } from "../ui.js";

/** What a game begins with if nobody says otherwise: a person against somebody who can be beaten. */
export function defaults(options) {
  const casual = (options.steps[1] ?? options.steps[0]).text;
  return { players: options.players.map((_, player) => (player === 0 ? "human" : casual)), state: "", clock: null, roll: "auto", turn: false };
}

/** Ask for a new setting; undefined if the person thinks better of it. */
export function setUp(options, setting) {
  return dialog("New game", (close) => {
    const seats = options.players.map((name, player) => new SeatForm(name, setting.players[player] ?? "human", options));
    const minutes = el("input", { type: "number", min: 0, max: 1440, step: "any", value: setting.clock ? setting.clock[0] / 60 : "", placeholder: "none" });
    const more = el("input", { type: "number", min: 0, max: 3600, step: "any", value: setting.clock ? setting.clock[1] : 0 });
    const state = el("input", { value: setting.state ?? "", placeholder: "the start", spellcheck: "false", autocomplete: "off" });
    const roll = el("input", { type: "checkbox", checked: setting.roll === "hand" });
    const turn = el("input", { type: "checkbox", checked: Boolean(setting.turn) });
    const read = () => ({
      players: seats.map((seat) => seat.text()),
      state: state.value.trim(),
      clock: Number(minutes.value) > 0 ? [Math.max(1, Number(minutes.value) * 60), Number(more.value) || 0] : null,
      roll: roll.checked ? "hand" : "auto",
      turn: turn.checked,
    });
    return [el("form", { class: "stack setup", onsubmit: (event) => { event.preventDefault(); close(read()); } },
      seats.map((seat) => seat.element),
      el("div", { class: "fields" }, field("Clock", minutes, "minutes for each"), field("And for each move", more, "seconds more")),
      field("Position", state, "as text; empty is the start"),
      options.chance ? el("label", { class: "check" }, roll, "People roll by hand") : null,
      options.turns ? el("label", { class: "check" }, turn, "Turn the board to whoever moves, where people share a machine") : null,
      el("div", { class: "row" }, button("Cancel", () => close()), el("button", { class: "primary", type: "submit" }, "Play")))];
  });
}

/** One seat: a person, a named step, or an algorithm with limits of one's own. */
class SeatForm {
  constructor(name, text, options) {
    this.options = options;
    const step = options.steps.find((each) => each.text === text);
    const kind = text === "human" ? "human" : step ? `step ${step.text}` : "own";
    const [algorithm, limits] = text.split(":");
    this.kind = choice([["human", "A person"], ...options.steps.map((each) => [`step ${each.text}`, each.rating ? `${each.name} (${each.rating})` : each.name]), ["own", "An algorithm …"]], kind, () => this.show());
    this.algorithm = choice(options.algorithms.map((each) => [each.name, each.title]), options.algorithms.some((each) => each.name === algorithm) ? algorithm : "best", () => this.limitFields({}));
    this.limits = el("div", { class: "fields" });
    this.own = el("div", { class: "stack own" }, field("Algorithm", this.algorithm), this.limits);
    this.element = el("fieldset", { class: "well stack" }, el("legend", { class: "unseen" }, name), field(name, this.kind), this.own);
    this.limitFields(Object.fromEntries((limits ?? "").split(",").filter(Boolean).map((part) => part.split("="))));
    this.show();
  }

  show() {
    this.own.hidden = this.kind.value !== "own";
  }

  limitFields(given) {
    const { takes, settings } = this.options.algorithms.find((each) => each.name === this.algorithm.value) ?? { takes: [], settings: [] };
    this.settings = settings;
    const hints = { seconds: "a move", depth: "plies ahead", nodes: "a move", simulations: "a move" };
    this.inputs = takes.map((name) => [name, el("input", { type: "number", min: 0, step: name === "seconds" ? "any" : 1, value: given[name] ?? "", placeholder: name === "seconds" && !Object.keys(given).length ? "1" : "" })]);
    const others = Object.entries(given).filter(([name]) => !takes.includes(name)).map(([name, value]) => `${name}=${value}`).join(",");
    this.further = el("input", { value: others, placeholder: "none", spellcheck: "false", autocomplete: "off" });
    put(this.limits, this.inputs.map(([name, input]) => field(name.charAt(0).toUpperCase() + name.slice(1), input, hints[name])),
      takes.length ? field("Further", this.further, "as in threads=2") : null,
      this.settings.length ? button("Settings …", () => this.askFurther(), { class: "small" }) : null);
  }

  /** The settings of the algorithm in a dialog; what is chosen there is written as text. */
  async askFurther() {
    const { title, about, settings } = this.options.algorithms.find((each) => each.name === this.algorithm.value);
    const given = Object.fromEntries(this.further.value.split(",").filter(Boolean).map((part) => part.trim().split("=")));
    const known = new Set(settings.map(({ name }) => name));
    const options = Object.fromEntries(settings.filter(({ name }) => name in given).map((setting) => [setting.name, readText(setting, given[setting.name])]));
    const chosen = await askSettings({ title, says: about, settings }, options);
    if (!chosen) return;
    const others = Object.entries(given).filter(([name]) => !known.has(name));
    this.further.value = [...others, ...Object.entries(chosen).map(([name, value]) => [name, writeText(value)])].map(([name, value]) => `${name}=${value}`).join(",");
  }

  text() {
    const kind = this.kind.value;
    if (kind === "human") return "human";
    if (kind.startsWith("step ")) return kind.slice(5);
    const limits = this.inputs.filter(([, input]) => Number(input.value) > 0).map(([name, input]) => `${name}=${Number(input.value)}`);
    if (this.further.value.trim()) limits.push(this.further.value.trim());
    return limits.length ? `${this.algorithm.value}:${limits.join(",")}` : this.algorithm.value;
  }
}

/** A setting's value from the text of a description, and the other way round. */
const readText = (setting, text) => (setting.kind === "yes" ? ["yes", "true", "1", "on"].includes(text.toLowerCase()) : setting.kind === "choice" ? text : Number(text));
const writeText = (value) => (value === true ? "yes" : value === false ? "no" : value);

// ---------------------------------------------------------------- settings as text

/** As the desk wants it. */
export const wire = ({ players, state, clock, roll }) => ({ players, state: state || null, clock: clock ?? null, roll: roll ?? "auto" });

/** As an address has it. */
export function writeSetting({ players, state, clock, roll, turn }) {
  return { players: players.join("|"), state: state || null, clock: clock ? clock.join("+") : null, roll: roll === "hand" ? "hand" : null, turn: turn ? "mover" : null };
}

/** From an address. */
export function readSetting(query, options) {
  const players = query.players?.split("|") ?? defaults(options).players;
  const clock = query.clock?.split("+").map(Number);
  return { players, state: query.state ?? "", clock: clock?.length === 2 && clock.every(Number.isFinite) ? clock : null, roll: query.roll === "hand" ? "hand" : "auto", turn: query.turn === "mover" };
}
