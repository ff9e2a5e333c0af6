// Games as files, positions as text: save, load, copy.

import { button, el } from "../ui.js";

const LARGEST = 60000; // bytes that fit into one frame, if most of them are ASCII; the link refuses what does not fit

export function files(view) {
  const pick = el("input", { type: "file", class: "unseen", tabindex: -1, "aria-hidden": "true", accept: ".json,.pgn,.pdn,.sgf,.mat,.txt", onchange: () => load(view, pick) });
  return el("div", { class: "row" },
    view.options.formats.map((kind) => button(`Save ${kind.toUpperCase()}`, () => save(view, kind), { class: "small" })),
    button("Load …", () => pick.click(), { class: "small" }), pick,
    button("Copy position", () => copy(view), { class: "small" }));
}

async function save(view, kind) {
  const answer = await view.ask("save", { kind });
  if (!answer) return;
  const link = el("a", { href: `${answer.address}?keep`, download: "" });
  document.body.append(link);
  link.click();
  link.remove();
}

/** A letter for each byte: what they say is for the server to read, which knows the encodings of files. */
const letters = (bytes) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

async function load(view, pick) {
  const file = pick.files[0];
  pick.value = "";
  if (!file) return;
  if (file.size > LARGEST) {
    view.refuse(`That file has ${file.size.toLocaleString("en")} bytes; at most ${LARGEST.toLocaleString("en")} can be loaded.`);
    return;
  }
  const answer = await view.ask("load", { content: letters(new Uint8Array(await file.arrayBuffer())) });
  if (!answer) return;
  view.setting = { ...view.setting, state: "", clock: null };
  if (answer.game !== view.game) {
    sessionStorage.setItem(`plyforge play ${answer.game}`, JSON.stringify({ setting: { ...view.setting, players: answer.seats.map((seat) => seat.text) }, record: answer.record, paused: true }));
    view.studio.go(view.studio.address("play", [answer.game]));
  } else view.remember();
}

async function copy(view) {
  const text = (view.looking ?? view.stands).position;
  try {
    await navigator.clipboard.writeText(text);
    view.studio.say("The position was copied");
    view.hintLine.textContent = `Copied: ${text}`;
  } catch {
    view.hintLine.textContent = `The position: ${text}`;
  }
  view.hintLine.hidden = false;
}
