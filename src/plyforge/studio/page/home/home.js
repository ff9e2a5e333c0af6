// Home: every game as a card with its board and three doors; own rules files first, with what the checker says of them.
// Views that need a game send people here to choose one: then there is only the door to that view.

import { thumbnail } from "../board/board.js";
import { button, el, put, svg } from "../ui.js";
import { ownRules } from "./own.js";

const DOORS = [["play", "Play"], ["analyse", "Analyse"], ["tree", "Tree"]];
const WORDS = { // what stands above the cards: at home, and where another view has sent people to choose a game
  "": ["Games", "Play any of them, analyse a position, or watch the search grow its tree."],
  play: ["Play", "Which game? Against the engine, another algorithm, or a person beside you."],
  analyse: ["Analyse", "Which game? Any position, seen by any algorithm that suits it."],
};
const KINDS = [
  { name: "two", text: "Two players", suits: (traits) => traits.includes("two players") },
  { name: "one", text: "One player", suits: (traits) => traits.includes("one player") },
  { name: "many", text: "Three or more", suits: (traits) => /three|four|five|six/.test(traits[0] ?? "") },
  { name: "chance", text: "Chance", suits: (traits) => traits.includes("chance") },
  { name: "at-once", text: "At once", suits: (traits) => traits.includes("choose at once") },
  { name: "hidden", text: "Hidden", suits: (traits) => traits.includes("hidden information") },
  { name: "solved", text: "Solved", suits: (traits) => traits.some((word) => word.startsWith("solved")) },
];

/** @param {HTMLElement} root  @param {import("../app.js").Address} address  @param {import("../app.js").Studio} studio */
export async function mount(root, address, studio) {
  studio.title(WORDS[address.view][0]);
  const early = new Map(); // what is told of own rules before there is a page to show it on
  let take = (card) => { early.set(card.name, card); };
  studio.on("shelf", ({ card }) => take(card));
  const [cards] = await Promise.all([allCards(studio), studio.style("home/home.css"), studio.style("board/board.css")]);
  const home = new Home(root, cards, address, studio);
  take = (card) => home.replace(card);
  early.forEach(take);
  return () => home.observer.disconnect();
}

/** @param {import("../app.js").Studio} studio */
async function allCards(studio) {
  const { own, catalogue } = await studio.ask("home.cards");
  const answer = await fetch(catalogue);
  if (!answer.ok) throw new Error(`The games could not be fetched (${answer.status}).`);
  return [...own, ...(await answer.json()).cards];
}

class Home {
  /** @param {HTMLElement} root  @param {any[]} cards  @param {import("../app.js").Address} address  @param {import("../app.js").Studio} studio */
  constructor(root, cards, { view, query }, studio) {
    this.studio = studio;
    this.cards = cards;
    this.view = view;
    this.doors = DOORS.filter(([name]) => !view || name === view);
    this.find = query.find ?? "";
    this.kind = KINDS.some(({ name }) => name === query.kind) ? query.kind : "";
    this.boards = new WeakMap(); // pictures that wait until they can be seen, by their element
    this.observer = new IntersectionObserver((entries) => this.draw(entries), { rootMargin: "600px" });
    this.input = el("input", {
      type: "search", id: "find", placeholder: "Find a game", value: this.find, "aria-label": "Find a game", autocomplete: "off", spellcheck: "false",
      oninput: () => { this.find = this.input.value; this.filter(); },
    });
    this.kinds = el("div", { class: "kinds", role: "group", "aria-label": "Kinds of games" });
    this.found = el("p", { class: "hint found", role: "status" });
    this.list = el("div", { class: "groups" });
    put(root,
      el("div", { class: "head" },
        el("div", {}, el("h1", {}, WORDS[view][0]), el("p", { class: "lead" }, WORDS[view][1]))),
      el("div", { class: "finder" }, this.input, this.kinds, this.found),
      this.list);
    this.show();
  }

  show() {
    put(this.kinds, KINDS.map(({ name, text }) => button(text, () => { this.kind = this.kind === name ? "" : name; this.filter(); this.mark(); }, { class: "chip", "data-kind": name })));
    this.mark();
    const groups = new Map();
    for (const card of this.cards) groups.set(card.group, [...(groups.get(card.group) ?? []), card]);
    put(this.list, [...groups].map(([name, members], number) => el("section", { class: "group", "aria-labelledby": `group-${number}` },
      el("h2", { id: `group-${number}` }, name),
      el("div", { class: "cards" }, members.map((card) => this.card(card))))));
    this.filter();
  }

  mark() {
    for (const chip of this.kinds.querySelectorAll("button")) chip.setAttribute("aria-pressed", String(chip.dataset.kind === this.kind));
  }

  /** Show the cards that are looked for, and say so in the address. */
  filter() {
    const words = this.find.toLowerCase().split(/\s+/).filter(Boolean);
    const { suits } = KINDS.find(({ name }) => name === this.kind) ?? { suits: () => true };
    let number = 0;
    for (const section of this.list.querySelectorAll("section")) {
      let any = false;
      for (const element of section.querySelectorAll("article")) {
        const card = this.cards.find(({ name }) => name === element.dataset.game);
        const text = [card.name, card.title, card.about, card.group, ...(card.traits ?? [])].join(" ").toLowerCase();
        element.hidden = !(words.every((word) => text.includes(word)) && suits(card.traits ?? []));
        if (!element.hidden) { any = true; number += 1; }
      }
      section.hidden = !any;
    }
    const all = number === this.cards.length;
    this.found.textContent = all ? "" : number ? `${number} of ${this.cards.length} games` : "No game is like that. Try fewer words.";
    this.studio.remember(this.studio.address(this.view, [], { find: this.find, kind: this.kind }));
  }

  card(card) {
    const heading = `game-${card.name}`;
    return el("article", { class: "card", "data-game": card.name, "aria-labelledby": heading },
      this.picture(card),
      el("div", { class: "words" },
        el("h3", { id: heading }, card.title),
        card.about ? el("p", { class: "about" }, `${card.about}.`) : null,
        card.traits ? el("ul", { class: "traits", "aria-label": "Traits" }, card.traits.map((word) => el("li", { class: "trait" }, word))) : null,
        card.own ? ownRules(card, this.studio) : null),
      card.own && !card.playable ? null
        : el("p", { class: "doors" }, this.doors.map(([view, text], number) => el("a",
          { class: number ? "button" : "button primary", href: this.studio.address(view, [card.name]), "aria-label": `${text}: ${card.title}` }, text))));
  }

  /** The board, drawn when it is about to be seen; text where the rules draw none. */
  picture(card) {
    const frame = el("div", { class: card.board || !card.own ? "picture" : "picture low", "aria-hidden": "true" });
    if (card.board) {
      this.boards.set(frame, card.board);
      this.observer.observe(frame);
    } else if (card.group.startsWith("Trees")) frame.append(treeSign());
    else if (card.text) frame.append(el("pre", {}, card.text));
    else frame.append(el("span", { class: "blank" }, "?"));
    return frame;
  }

  draw(entries) {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      this.observer.unobserve(target);
      put(target, thumbnail(this.boards.get(target)));
    }
  }

  /** A new card of an own rules file; an older one than there is can come late, and is left alone. */
  replace(card) {
    const place = this.cards.findIndex(({ name }) => name === card.name);
    if (place < 0 || card.changes < this.cards[place].changes) return;
    this.cards[place] = card;
    const old = this.list.querySelector(`[data-game="${CSS.escape(card.name)}"]`);
    const inside = old?.contains(document.activeElement);
    const fresh = this.card(card);
    old?.replaceWith(fresh);
    if (inside) /** @type {HTMLElement} */ (fresh.querySelector("a, button"))?.focus();
    this.filter();
  }
}

/** A small tree, for games that are one: the figure of the textbooks, a root, three moves, three answers to each. */
function treeSign() {
  const parts = [];
  for (let i = 0; i < 3; i += 1) {
    const x = 30 + 60 * i;
    parts.push(svg("path", { d: `M90 16L${x} 60` }));
    for (let j = -1; j <= 1; j += 1) parts.push(svg("path", { d: `M${x} 60L${x + 18 * j} 104` }), svg("circle", { cx: x + 18 * j, cy: 104, r: 5 }));
    parts.push(svg("path", { class: "min", d: `M${x - 10} 53h20l-10 17z` }));
  }
  parts.push(svg("path", { class: "max", d: "M78 26h24l-12 -21z" }));
  return svg("svg", { class: "tree-sign", viewBox: "0 0 180 114" }, parts);
}
