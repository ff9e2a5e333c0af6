// The keyboard of the Analyse view. Single keys work wherever nothing is typed, and can be turned off.

import { button, dialog, el } from "./ui.js";

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
