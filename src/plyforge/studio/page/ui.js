// Small helpers to make elements. Text always goes in as text: nothing here reads markup from data.

/** @typedef {Node | string | number | null | undefined | false | any[]} Child  what may stand in an element, or a list of such
 *  @typedef {Record<string, any>} Attributes */

/** An element: el("button", { class: "primary", onclick: go }, "Play", icon). Children are nodes, text, or lists of them; null is nothing.
 *  `class`, `data-*`, `aria-*` and other attributes go in as they are; true is an empty attribute, false and null none; on* are listeners.
 *  @template {keyof HTMLElementTagNameMap} Name
 *  @param {Name} name  @param {Attributes} attributes  @param {Child[]} children */
export function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** The same for SVG.
 *  @template {keyof SVGElementTagNameMap} Name
 *  @param {Name} name  @param {Attributes} attributes  @param {Child[]} children */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

/** @template {Element} E  @param {E} element  @param {Attributes} attributes  @param {Child[]} children */
function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value" || key === "checked") element[key] = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...flat(children));
  return element;
}

/** @param {Child[]} children  @returns {(Node | string)[]} */
function flat(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

/** Put `children` in place of what is in `element`.
 *  @template {Element} E  @param {E} element  @param {Child[]} children */
export function put(element, ...children) {
  element.replaceChildren(...flat(children));
  return element;
}

let labels = 0;

/** A control with its name above it: field("Depth", el("input", { type: "number" }), "in plies"). */
export function field(name, control, hint = null) {
  const id = control.id || `field-${++labels}`;
  control.id = id;
  const parts = [el("label", { for: id }, name), control];
  if (hint) {
    const about = el("p", { class: "hint", id: `${id}-hint` }, hint);
    control.setAttribute("aria-describedby", about.id);
    parts.push(about);
  }
  return el("div", { class: "field" }, parts);
}

/** A list to choose from: choice([["engine", "Engine"], ...], "engine", value => ...). */
export function choice(options, chosen, onchange = null) {
  const select = el("select", {}, options.map(([value, text]) => el("option", { value, selected: value === chosen }, text)));
  if (onchange) select.addEventListener("change", () => onchange(select.value));
  return select;
}

/** A button: button("Undo", undo, { class: "primary", title: "Ctrl+Z" }). */
export function button(text, onclick, attributes = {}) {
  return el("button", { type: "button", onclick, ...attributes }, text);
}

/** A dialog over the page; resolves with what `close(value)` is called with, undefined for Escape and when the view is left.
 *  ask => ask(close) makes the content, a list of nodes; the first is its heading. */
export function dialog(title, content) {
  return new Promise((resolve) => {
    let answer;
    const heading = el("h2", { id: `dialog-${++labels}` }, title);
    const box = el("dialog", { class: "dialog", "aria-labelledby": heading.id });
    const close = (value) => { answer = value; box.close(); };
    const gone = () => close(); // to another view: what the old one asks is of no use there
    put(box, heading, content(close));
    addEventListener("hashchange", gone);
    box.addEventListener("close", () => { removeEventListener("hashchange", gone); box.remove(); resolve(answer); });
    document.body.append(box);
    box.showModal();
  });
}

/** What went wrong, in a panel. */
export function trouble(error, ...more) {
  return el("section", { class: "panel trouble", role: "alert" }, el("h2", {}, "That did not work"), el("p", {}, error.message ?? String(error)), more);
}

/** A number as people write it: 12 345 678 becomes 12,345,678.
 *  @param {number | null | undefined} number */
export function count(number) {
  return number === null || number === undefined ? "–" : Math.round(number).toLocaleString("en");
}

const PREFIXES = { T: 1e12, G: 1e9, M: 1e6, k: 1e3 };

/** Its first three digits with a prefix: 1 234 567 becomes 1.23 M.
 *  @param {number | null | undefined} number */
export function short(number) {
  if (number === null || number === undefined) return "–";
  for (const [letter, size] of Object.entries(PREFIXES)) {
    if (Math.abs(number) >= size) return `${(number / size).toPrecision(3)} ${letter}`;
  }
  return String(Math.round(number));
}
