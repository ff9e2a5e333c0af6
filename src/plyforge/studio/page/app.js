// The frame of the page: which view is shown, its address, and what all views share (`studio`).
//
// A view is a module with `export async function mount(root, address, studio)`. It fills `root`, and gives a function that is
// called when the view is left. The whole setting of a view is in its address, so that a link, the Back button or a lost connection brings it back.

import { Link } from "./link.js";
import { el, put, svg, trouble } from "./ui.js";

const VIEWS = {
  "": { title: "Games", module: "./home/home.js" },
  play: { title: "Play", module: "./play/play.js", of: "game" },
  analyse: { title: "Analyse", module: "./analyse/analyse.js", of: "game" },
  tree: { title: "Tree", module: "./tree/tree.js" },
  quiz: { title: "Quiz", module: "./quiz/quiz.js" },
  learn: { title: "Learn", module: "./learn/learn.js" },
};
const CHOOSER = "./home/home.js"; // for a view of a game, as long as nobody has said which
const DOORS = ["", "play", "analyse", "tree", "quiz", "learn"]; // in the bar at the top

const $ = (id) => document.getElementById(id);
let leave = null; // ends the view that is shown
let current = "";    // the view that is shown, or being loaded
let shown = 0;    // counts visits, so that a view that loads slowly does not replace a later one

// ---------------------------------------------------------------- addresses

/** "#/play/connect4?state=44" as { view: "play", parts: ["connect4"], query: { state: "44" } }. */
export function readAddress(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [view, ...parts] = path.split("/").map(unescaped);
  return { view, parts, query: Object.fromEntries(new URLSearchParams(query)) };
}

/** The other way round; null and undefined are left out of the query. */
export function writeAddress(view, parts = [], query = {}) {
  const known = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const text = new URLSearchParams(known).toString();
  return `#/${[view, ...[parts].flat()].map(escaped).join("/")}${text ? `?${text}` : ""}`;
}

const escaped = (part) => encodeURIComponent(part).replace(/%(20|28|29|2C|3D)/g, (code) => (code === "%20" ? code : decodeURIComponent(code)));
function unescaped(part) {
  try { return decodeURIComponent(part); } catch { return part; }
}

// ---------------------------------------------------------------- what views share

const link = new Link(connection);
const styles = new Map(); // by file, a promise each: two views may want the same one at once

export const studio = {
  /** A request to the server: a promise of its answer.
   *  @param {string} what  @param {Record<string, unknown>} [fields] */
  ask: (what, fields) => link.ask(what, fields),
  /** News of a kind, until the view is left; gives a function that ends it earlier.
   *  @param {string} kind  @param {(message: any) => void} callback */
  on: (kind, callback) => link.on(kind, callback),
  /** An address for a link: href: studio.address("play", ["connect4"], { state }). */
  address: writeAddress,
  /** Go to another view.
   *  @param {string} hash */
  go: (hash) => { location.hash = hash; },
  /** Say in the address how the view is set now, without leaving it; `step` makes it something that the Back button undoes.
   *  @param {string} hash  @param {boolean} [step] */
  remember(hash, step = false) {
    if (readAddress(location.hash).view !== current) return; // the address has gone on, and another view is about to be shown
    history[step ? "pushState" : "replaceState"](null, "", hash);
    mark();
  },
  /** Load a style sheet of the view's own from the page's folder; a promise, so that nothing is shown without it.
   *  @param {string} file  @returns {Promise<void>} */
  style(file) {
    if (!styles.has(file)) {
      styles.set(file, new Promise((resolve) => document.head.append(
        el("link", { rel: "stylesheet", href: `/page/${file}`, onload: () => resolve(), onerror: () => resolve() }))));
    }
    return styles.get(file);
  },
  /** The title of the window.
   *  @param {string} text */
  title(text) { document.title = text ? `${text} · Plyforge` : "Plyforge studio"; },
  /** Say something to screen readers, and to nobody else.
   *  @param {string} text */
  say(text) {
    $("spoken").textContent = "";
    requestAnimationFrame(() => { $("spoken").textContent = text; });
  },
  /** A short note in the bar at the top; null takes it away.
   *  @param {string | null} text  @param {string} [whole] */
  note(text, whole = "") {
    $("note").hidden = !text;
    $("note").title = whole;
    $("note").textContent = text ?? "";
  },
};

// ---------------------------------------------------------------- showing a view

/** @typedef {typeof studio} Shared
 *  @typedef {ReturnType<typeof studioFor>} Studio  what a view has of what all share
 *  @typedef {ReturnType<typeof readAddress>} Address */

/** `studio` as one visit of a view has it: once the view is left, it hears nothing more, and neither title nor address are its own. */
function studioFor(visit, ends) {
  /** @template {"go" | "remember" | "title" | "say" | "note"} Method  @param {Method} method
   *  @returns {(...args: Parameters<Shared[Method]>) => void} */
  const here = (method) => (...args) => { if (visit === shown) Reflect.apply(studio[method], studio, args); };
  return {
    ...studio,
    on(kind, callback) {
      if (visit !== shown) return () => {};
      const end = studio.on(kind, callback);
      ends.push(end);
      return end;
    },
    /** True once another view is shown, or on its way: whatever is begun then would be in its way. */
    left: () => visit !== shown,
    /** Call something when the view is left, also while it is still being made. */
    leaving(callback) {
      if (visit === shown) ends.push(callback);
      else callback();
    },
    go: here("go"),
    remember: here("remember"),
    title: here("title"),
    say: here("say"),
    note: here("note"),
  };
}

async function show() {
  const visit = ++shown;
  $("rules").hidden = true; // of the view before
  const address = readAddress(location.hash);
  current = address.view;
  const view = Object.hasOwn(VIEWS, address.view) ? VIEWS[address.view] : null;
  const before = leave;
  leave = null;
  try { await before?.(); } catch (error) { console.error(error); }
  if (visit !== shown) return;
  mark();
  const choosing = view?.of === "game" && !address.parts[0];
  const root = el("div", { class: `view view-${choosing ? "home" : address.view || "home"}` });
  if (!view) {
    studio.title("Nothing here");
    put($("view"), trouble(new Error(`There is no view called “${address.view}”.`), el("p", {}, el("a", { href: "#/" }, "To the games"))));
    return;
  }
  studio.title(view.title);
  put($("view"), root);
  if (visit > 1) $("view").focus({ preventScroll: true });
  scrollTo(0, 0);
  const ends = []; // of what the view listens to
  let unmount = null;
  leave = () => {
    for (const end of ends.splice(0)) end();
    return unmount?.();
  };
  try {
    const { mount } = await import(choosing ? CHOOSER : view.module);
    if (visit !== shown) return;
    unmount = await mount(root, address, studioFor(visit, ends));
    if (visit !== shown) unmount?.();
  } catch (error) {
    if (!(error instanceof Object && "re" in error)) console.error(error); // else the server said so, in words
    if (visit === shown) put(root, trouble(error, el("p", {}, el("a", { href: "#/" }, "To the games"))));
  }
}

/** The bar at the top: where we are, and the same game in the other views. */
function mark() {
  const address = readAddress(location.hash);
  const game = address.parts[0] ?? null;
  put($("places"), DOORS.map((name) => {
    const href = name && game ? writeAddress(name, [game]) : writeAddress(name);
    return el("a", { href, "aria-current": name === address.view ? "page" : null }, VIEWS[name].title);
  }));
}

// ---------------------------------------------------------------- the connection

let lost = false;

function connection(state, reason) {
  const banner = $("banner");
  if (state === "open") {
    banner.hidden = true;
    if (lost) show(); // the server knows nothing of the old socket's desks: begin again from the address
    lost = false;
    return;
  }
  lost = true;
  banner.hidden = false;
  put(banner,
    el("span", {}, state === "shut"
      ? "The studio was started anew and does not know this page any more: open the link that its terminal shows."
      : reason
        ? `The studio has closed the connection: ${reason}. Trying again …`
        : "The connection to the studio is lost. Trying again … If it was closed, start it again and open its new link."),
    el("button", { type: "button", onclick: () => link.retry() }, "Try now"));
}

/** Rules of somebody's own run in a process of their own. One that has ended, or failed where no request could be told: begin again from the address. */
function ended({ views, why }) {
  if (!views.includes(current)) return;
  put($("rules"), el("span", {}, `${why}.`), el("button", { type: "button", onclick: () => { $("rules").hidden = true; show(); } }, "Start again"));
  $("rules").hidden = false;
}

/** An answer of such rules is late: they can be stopped. */
function slow({ game, slow: late }) {
  $("rules").hidden = !late;
  if (late) put($("rules"), el("span", {}, `${game} has not answered yet …`), el("button", { type: "button", onclick: () => studio.ask("home.stop", { game }).catch((error) => studio.say(error.message)) }, "Stop these rules"));
}

link.on("ended", ended);
link.on("trouble", ended);
link.on("slow", slow);
link.on("compiling", ({ games }) => compiling(games));
link.on("welcome", (news) => compiling(news.compiling));

function compiling(games) {
  const more = games.length > 1 ? ` and ${games.length - 1} more` : "";
  studio.note(games.length ? `Compiling ${games[0]}${more} …` : null, games.join(", "));
}

// ---------------------------------------------------------------- light and dark

const THEMES = ["auto", "light", "dark"];

function theme(name) {
  if (name === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  put($("theme"), halfMoon(), { auto: "Auto", light: "Light", dark: "Dark" }[name]);
  $("theme").setAttribute("aria-label", `Colours: ${name}. Change`);
}

function halfMoon() {
  return svg("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" },
    svg("circle", { cx: 8, cy: 8, r: 6.2, fill: "none", stroke: "currentColor", "stroke-width": 1.6 }),
    svg("path", { d: "M8 1.8a6.2 6.2 0 0 1 0 12.4z", fill: "currentColor" }));
}

let chosen = localStorage.getItem("theme");
theme(THEMES.includes(chosen) ? chosen : "auto");
$("theme").addEventListener("click", () => {
  chosen = THEMES[(THEMES.indexOf(chosen ?? "auto") + 1) % THEMES.length];
  localStorage.setItem("theme", chosen);
  theme(chosen);
});

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  $("view").focus();
});

addEventListener("hashchange", show);
show();
