// What is searched and how: the settings of the tree view, as controls and as an address. All of them are in the address, so that a link brings the view back.

import { button, choice, el, field, put } from "../ui.js";

const EXAMPLE = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]";
const SHAPES = { minimax: "MAX and MIN", expectimax: "MAX and chance", expectiminimax: "MAX, chance, MIN, chance", three_players: "Three players" };
const ORDERS = { given: "As it is", best: "Best first", worst: "Worst first", shuffled: "Shuffled" };
const SHOWN = [["", "Some"], ["100", "100"], ["400", "400"], ["2000", "2,000"], ["10000", "10,000"]];

/** The settings that an address stands for. */
export function readSettings(address) {
  const { query } = address, game = address.parts[0] ?? "tree";
  const whole = (name, otherwise) => (/^-?\d+$/.test(query[name] ?? "") ? Number(query[name]) : otherwise);
  const [shape = "minimax", depth = "3", branching = "2", seed = "1", ties = "0"] = (query.random ?? "").split(".");
  return {
    game, from: query.text !== undefined ? "text" : query.figure ? "figure" : query.random ? "random" : game === "tree" ? "text" : "game",
    text: query.text ?? EXAMPLE, figure: query.figure ?? "alpha_beta", state: query.state ?? "",
    random: { shape, depth: Number(depth), branching: Number(branching), seed: Number(seed), ties: ties === "1" },
    using: query.using ?? null, depth: whole("depth", null), order: query.order ?? "given", seed: whole("seed", 1), simulations: whole("simulations", 100),
    shown: whole("shown", null), step: whole("step", null), root: whole("root", null), folded: (query.folded ?? "").split(",").filter(Boolean).map(Number),
  };
}

/** The address of settings. */
export function writeSettings(studio, s) {
  const { random: r } = s;
  const own = { text: { text: s.text }, figure: { figure: s.figure }, random: { random: [r.shape, r.depth, r.branching, r.seed, r.ties ? 1 : 0].join(".") }, game: { state: s.state } }[s.from];
  return studio.address("tree", [s.from === "game" ? s.game : "tree"], {
    ...own, using: s.using, depth: s.depth, order: s.order === "given" ? null : s.order, seed: s.seed === 1 ? null : s.seed,
    simulations: s.simulations === 100 ? null : s.simulations, shown: s.shown, step: s.step, root: s.root, folded: s.folded.join(",") || null,
  });
}

/** What the server is asked for. */
export function sourceOf(s) {
  return { text: { text: s.text }, figure: { figure: s.figure }, random: { random: s.random }, game: { game: s.game, state: s.state || null } }[s.from];
}

/** The panel of settings. `change(settings)` is called with new ones, to be searched at once, `redraw(changes)` where only the drawing is another. */
export class SettingsPanel {
  constructor(settings, sources, change, redraw) {
    this.settings = settings;
    this.sources = sources;
    this.change = change;
    this.redraw = redraw;
    this.searches = [];
    this.draft = null; // a tree that is being typed
    this.explicit = settings.from !== "game";
    this.tabs = el("div", { class: "joined", role: "group", "aria-label": "Where the tree comes from" });
    this.element = el("section", { class: "panel settings", "aria-label": "What is searched" });
    this.build();
  }

  /** What the server has said about the source. */
  told(answer) {
    this.searches = answer.searches;
    this.title = answer.title;
    this.explicit = answer.explicit;
    if (answer.using) this.settings.using = answer.using;
    this.build();
  }

  set(changes) {
    this.draft = null;
    const source = ["from", "text", "figure", "state", "random"].some((name) => name in changes);
    // another tree, another search: what was folded or shown of the old one says nothing about it
    this.change({ ...this.settings, ...(source ? { using: this.settings.from === (changes.from ?? this.settings.from) ? this.settings.using : null } : {}), step: null, root: null, folded: [], ...changes });
  }

  build() {
    const focused = document.activeElement?.id;
    const s = this.settings;
    const froms = [["text", "Own tree"], ["figure", "Lecture figure"], ["random", "Random tree"], ...(s.game !== "tree" ? [["game", "Position"]] : [])];
    put(this.tabs, froms.map(([name, title]) => button(title, () => this.set({ from: name }), { class: "small", "aria-pressed": String(s.from === name), id: `tree-from-${name}` })));
    put(this.element, el("div", { class: `setting from-${s.from}` }, this.source(), this.search()));
    if (focused) document.getElementById(focused)?.focus();
  }

  source() {
    const s = this.settings;
    if (s.from === "text") {
      const area = el("textarea", { rows: 2, spellcheck: "false", id: "tree-text", class: "mono" }, s.text);
      area.value = this.draft ?? s.text; // an answer that comes while somebody types does not take the text away
      area.addEventListener("input", () => { this.draft = area.value; });
      area.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.set({ text: area.value }); });
      return el("div", { class: "source" },
        field("The tree, as nested lists", area, "Click a node to change it. Chance: {\"chance\": [4, 8]}"),
        button("Search this tree", () => this.set({ text: area.value }), { class: "primary" }));
    }
    if (s.from === "figure") {
      const figure = this.sources.figures.find(({ name }) => name === s.figure);
      const names = this.sources.figures.map(({ name }) => [name, name.replaceAll("_", " ")]);
      return el("div", { class: "source" }, field("Figure", choice(names, s.figure, (value) => this.set({ figure: value })), figure ? `${figure.deck}, ${figure.place}: ${figure.shows}.` : null));
    }
    if (s.from === "random") {
      const r = s.random;
      const set = (changes) => this.set({ random: { ...r, ...changes } });
      return el("div", { class: "fields source" },
        field("Who moves", choice(Object.entries(SHAPES), r.shape, (shape) => set({ shape }))),
        field("Levels", this.number("tree-random-depth", r.depth, 1, 8, (depth) => set({ depth }))),
        field("Children", this.number("tree-random-branching", r.branching, 1, 6, (branching) => set({ branching }))),
        field("Seed", this.number("tree-random-seed", r.seed, 0, 999999, (seed) => set({ seed }))),
        field("Leaves", named(choice([["0", "All different"], ["1", "Some equal"]], r.ties ? "1" : "0", (ties) => set({ ties: ties === "1" })), "tree-ties")),
        button("Another", () => set({ seed: r.seed + 1 }), { class: "another" }));
    }
    const state = el("input", { type: "text", id: "tree-state", value: s.state, placeholder: "the start", spellcheck: "false", class: "mono", onchange: (event) => this.set({ state: event.target.value.trim() }) });
    return el("div", { class: "source" }, field(`Position of ${this.title ?? s.game.replaceAll("_", " ")}`, state));
  }

  search() {
    const s = this.settings;
    const chosen = this.searches.find(({ name }) => name === s.using), sampling = chosen?.samples ?? false;
    // what is chosen is always among the options: else the first of them would look chosen, and could not be
    const listed = this.searches.map(({ name, title }) => [name, title]);
    const searches = listed.some(([name]) => name === s.using) ? listed : [[s.using ?? "", "…"], ...listed];
    return el("div", { class: "fields how" },
      field("Algorithm", named(choice(searches, s.using ?? "", (using) => this.set({ using })), "tree-using")),
      sampling
        ? field("Simulations", this.number("tree-simulations", s.simulations, 1, 20000, (simulations) => this.set({ simulations })))
        : field("Depth", this.number("tree-depth", s.depth ?? "", 1, 60, (depth) => this.set({ depth }), this.explicit ? "all" : "2"), null),
      chosen?.ordered ? field("Order", named(choice(Object.entries(ORDERS), s.order, (order) => this.set({ order })), "tree-order")) : null,
      field("Nodes shown", named(choice(SHOWN, String(s.shown ?? ""), (shown) => this.redraw({ shown: shown ? Number(shown) : null })), "tree-shown")),
      sampling || s.order === "shuffled" ? field("Seed", this.number("tree-seed", s.seed, 0, 999999, (seed) => this.set({ seed }))) : null);
  }

  number(id, value, least, most, onchange, placeholder = null) {
    return el("input", { type: "number", id, value: String(value), min: least, max: most, placeholder, inputmode: "numeric", onchange: (event) => {
      const text = event.target.value.trim();
      if (text === "" && placeholder !== null) return onchange(null);
      const wanted = Math.round(Number(text));
      if (Number.isFinite(wanted)) onchange(Math.max(least, Math.min(most, wanted)));
    } });
  }
}

function named(control, id) {
  control.id = id;
  return control;
}
