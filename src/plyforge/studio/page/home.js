// Home: every game as a card, with three doors.

import { el, put } from "./ui.js";

const DOORS = [["play", "Play"], ["analyse", "Analyse"], ["tree", "Tree"]];

export async function mount(root, address, studio) {
  studio.title("Games");
  put(root, el("h1", {}, "Games"), el("p", { class: "hint" }, "Loading …"));
  const [{ cards }] = await Promise.all([studio.ask("home.cards"), studio.style("home.css")]);
  const groups = new Map();
  for (const card of cards) groups.set(card.group, [...(groups.get(card.group) ?? []), card]);
  put(root, el("h1", {}, "Games"),
    [...groups].map(([name, members]) => el("section", { class: "group" }, el("h2", {}, name),
      el("div", { class: "cards" }, members.map((card) => makeCard(card, studio))))));
  return () => {};
}

function makeCard(card, studio) {
  return el("article", { class: "card" },
    el("h3", {}, card.title),
    el("pre", { class: "picture", "aria-hidden": "true" }, card.text ?? ""),
    el("p", { class: "about" }, card.about ?? card.error),
    el("p", { class: "traits" }, (card.traits ?? []).map((word) => el("span", { class: "trait" }, word))),
    el("p", { class: "doors" }, DOORS.map(([view, text]) => el("a", { class: "button", href: studio.address(view, [card.name]), "aria-label": `${text}: ${card.title}` }, text))));
}
