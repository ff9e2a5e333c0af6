// A stand-in until the view is built.

import { el, put } from "./ui.js";

export async function mount(root, address, studio) {
  const game = address.parts[0] ?? "";
  studio.title(game ? `Play ${game}` : "Play");
  put(root, el("h1", {}, "Play"), el("p", {}, "This view is not built yet."));
  return () => {};
}
