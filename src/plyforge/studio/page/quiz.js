// A stand-in until the view is built.

import { el, put } from "./ui.js";

export async function mount(root, address, studio) {
  const game = address.parts[0] ?? "";
  studio.title(game ? `Quiz ${game}` : "Quiz");
  put(root, el("h1", {}, "Quiz"), el("p", {}, "This view is not built yet."));
  return () => {};
}
