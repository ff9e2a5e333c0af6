// The colours of the canvas, from the variables of the style sheet: they follow light, dark and forced colours.

import { el } from "../ui.js";

const NAMES = ["text", "muted", "surface", "accent", "focus", "bad", "edge", "faint"];
const SHAPES = ["max", "min", "chance", "third", "fourth", "fifth", "plain", "guess"];
const PLAYERS = ["max", "min", "third", "fourth", "fifth", "chance"];

/** The colours as they are now, kept up to date; `onchange` is called when they change. */
export function readColours(element, onchange) {
  const probe = el("span", { hidden: true });
  const found = { family: "sans-serif", shape, read, close };
  const forced = matchMedia("(forced-colors: active)"), dark = matchMedia("(prefers-color-scheme: dark)");

  function colour(variable) {
    probe.style.setProperty("color", `var(${variable})`);
    return getComputedStyle(probe).color;
  }
  function read() {
    if (!probe.isConnected) element.append(probe);
    found.family = getComputedStyle(element).fontFamily;
    for (const name of NAMES) found[name] = forced.matches ? "CanvasText" : colour(`--tree-${name}`);
    if (forced.matches) Object.assign(found, { surface: "Canvas", accent: "Highlight", focus: "Highlight" });
    found.fills = Object.fromEntries(SHAPES.map((name) => [name, forced.matches ? ["Canvas", "CanvasText"] : [colour(`--tree-${name}-fill`), colour(`--tree-${name}`)]]));
    onchange();
  }
  function shape(kind, player) {
    if (kind === "player" || kind === "policy") return found.fills[PLAYERS[Math.max(0, player) % PLAYERS.length]];
    return found.fills[{ max: "max", min: "min", chance: "chance", estimate: "guess" }[kind] ?? "plain"];
  }
  const theme = new MutationObserver(read);
  theme.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  forced.addEventListener("change", read);
  dark.addEventListener("change", read);
  function close() {
    theme.disconnect();
    forced.removeEventListener("change", read);
    dark.removeEventListener("change", read);
  }
  requestAnimationFrame(read); // only what is in the document has colours
  return found;
}
