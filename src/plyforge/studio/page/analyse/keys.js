// The keyboard of the Analyse view. Single keys work wherever nothing is typed, and can be turned off.

import { button, dialog, el } from "../ui.js";

const OFF = "analyse-keys-off";

export const KEYS = [
  ["Space", "start or stop"], ["Left", "back, in the game or in the line being walked"], ["Right", "forward"], ["Home", "to the start"], ["End", "to the last move"],
  ["1 to 9", "walk that line"], ["Enter", "play the moves that were walked"], ["Escape", "leave the line"],
  ["C", "copy the position"], ["L", "copy the best line"], ["X", "save the analysis as JSON"], ["T", "turn the board"], ["?", "this list"],
];

/** Calls what a key stands for; gives a function that ends it. does: { " ": () => ..., ... } by event.key. */
export function listen(does) {
  const heard = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    const at = event.target;
    const typing = at.closest?.("input, select, textarea, [contenteditable]");
    if (typing || (event.key.length === 1 && localStorage.getItem(OFF) && event.key !== "?")) return;
    if ((event.key === " " || event.key === "Enter") && at.closest?.("button, a, summary, [role=button], [role=menuitem]")) return;
    const call = does[event.key] ?? does[event.key.toLowerCase()];
    if (!call || call(event) === false) return;
    event.preventDefault();
  };
  addEventListener("keydown", heard);
  return () => removeEventListener("keydown", heard);
}

export function showKeys() {
  return dialog("Keys", (close) => {
    const off = el("input", { type: "checkbox", checked: !localStorage.getItem(OFF), onchange: () => (off.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "1")) });
    return [
      el("dl", { class: "analyse-keys" }, KEYS.map(([key, text]) => el("div", {}, el("dt", {}, el("kbd", {}, key)), el("dd", {}, text)))),
      el("label", { class: "check" }, off, "Single letters and digits are shortcuts"),
      el("div", { class: "row" }, button("Close", () => close(), { class: "primary" }))];
  });
}

/** What each key does in the view. */
export function keysOf(view) {
  const walkOr = (by, ply) => () => {
    if (view.walk.walking) view.walk.step(by);
    else if (ply() >= 0 && ply() <= view.at.ply + view.at.undone.length) view.ask("go", { ply: ply() });
  };
  const best = () => view.sides[0].lines.lines;
  const digits = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [String(i + 1), () => {
    if (!best()[i]) return false;
    view.walkLine(view.sides[0], best()[i], 1, i);
    return true;
  }]));
  return {
    " ": () => { if (!view.at.over) view.toggle.click(); },
    ArrowLeft: walkOr(-1, () => view.at.ply - 1), ArrowRight: walkOr(1, () => view.at.ply + 1),
    Home: walkOr(-1e6, () => 0), End: walkOr(1e6, () => view.at.ply + view.at.undone.length),
    Enter: () => (view.walk.walking ? view.walk.follow() : false), Escape: () => (view.walk.walking ? view.walk.end() : false),
    c: () => view.copy(view.at.state, "The position is copied"),
    l: () => { if (best()[0]) view.copy(best()[0].moves.join(" "), "The line is copied"); },
    x: () => view.save(), t: () => view.turn(), "?": () => { showKeys(); }, ...digits,
  };
}
