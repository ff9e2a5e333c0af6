// What is to be thought: one algorithm or two, how far, how many lines. As controls, and as part of the address.

import { choice, dialog, el, field } from "../ui.js";

const LIMITS = [["", "Until stopped"], ["seconds", "Seconds"], ["depth", "Depth"], ["nodes", "Nodes"], ["simulations", "Simulations"]];
const USUAL = { seconds: 10, depth: 8, nodes: 1000000, simulations: 100000 };

/** The plan that an address holds. offered: what the server says of the game's algorithms. */
export function readPlan(query, offered) {
  const known = new Set(offered.algorithms.filter(({ missing }) => !missing).map(({ name }) => name));
  const side = (name, options) => (known.has(name) ? { using: name, options: parsed(options) } : null);
  const sides = [side(query.using, query.options) ?? { using: offered.strongest, options: {} }];
  const second = side(query.beside, query.beside_options);
  if (second) sides.push(second);
  const limit = LIMITS.map(([name]) => name).find((name) => name && Number(query[name]) > 0) ?? "";
  const lines = Math.min(10, Math.max(1, Math.round(Number(query.lines)) || 3));
  return { sides, limit, amount: limit ? Number(query[limit]) : null, lines };
}

/** The other way round: fields of a query. */
export function writePlan(plan, offered) {
  const [first, second] = plan.sides;
  return {
    using: first.using === offered.strongest ? null : first.using,
    options: packed(first.options),
    beside: second?.using,
    beside_options: second ? packed(second.options) : null,
    [plan.limit || "limit"]: plan.limit ? plan.amount : null,
    lines: plan.lines === 3 ? null : plan.lines,
  };
}

const packed = (options) => (Object.keys(options).length ? JSON.stringify(options) : null);

function parsed(text) {
  try {
    const options = JSON.parse(text ?? "{}");
    return options && typeof options === "object" && !Array.isArray(options) ? options : {};
  } catch { return {}; }
}

/** What the server is asked for. */
export const orders = (plan) => ({ sides: plan.sides, limits: plan.limit ? { [plan.limit]: plan.amount } : {}, lines: plan.lines });

/** Controls for how far and how many lines; onchange() after each change. */
export function planControls(plan, offered, onchange) {
  const known = new Set(plan.sides.flatMap(({ using }) => offered.algorithms.find(({ name }) => name === using).limits));
  if (plan.limit && !known.has(plan.limit)) Object.assign(plan, { limit: "", amount: null });
  const amount = el("input", { type: "number", min: 0, step: "any", value: plan.amount ?? "", "aria-label": "How much", hidden: !plan.limit });
  const limit = choice(LIMITS.filter(([name]) => !name || known.has(name)), plan.limit, (name) => {
    plan.limit = name;
    plan.amount = name ? USUAL[name] : null;
    amount.hidden = !name;
    amount.value = plan.amount ?? "";
    onchange();
  });
  amount.addEventListener("change", () => {
    const given = Number(amount.value);
    const whole = plan.limit !== "seconds";
    if (!(given > 0) || (whole && !Number.isInteger(given))) {
      amount.setAttribute("aria-invalid", "true");
      return;
    }
    amount.removeAttribute("aria-invalid");
    plan.amount = given;
    onchange();
  });
  const lines = choice(Array.from({ length: 10 }, (_, i) => [String(i + 1), String(i + 1)]), String(plan.lines), (value) => {
    plan.lines = Number(value);
    onchange();
  });
  return [el("div", { class: "limit" }, field("How far", limit), amount), field("Lines", lines)];
}

/** The settings of one algorithm, in a dialog; a promise of the new options, or undefined. */
export function askSettings(algorithm, options) {
  return dialog(`${algorithm.title}: settings`, (close) => {
    const controls = algorithm.settings.map((setting) => ({ setting, control: controlFor(setting, options[setting.name] ?? setting.default) }));
    const read = () => Object.fromEntries(controls.map(({ setting, control }) => [setting.name, valueOf(setting, control)])
      .filter(([name, value]) => value !== null && value !== algorithm.settings.find((each) => each.name === name).default));
    return el("form", { method: "dialog", class: "stack", onsubmit: (event) => { event.preventDefault(); close(read()); } },
      el("p", { class: "hint" }, algorithm.says),
      controls.map(({ setting, control }) => setting.kind === "yes"
        ? el("label", { class: "check", title: setting.help }, control, setting.title)
        : field(setting.title, control, setting.hint)),
      el("div", { class: "row" },
        el("button", { type: "button", class: "quiet", onclick: () => close({}) }, "Defaults"),
        el("button", { type: "button", onclick: () => close(undefined) }, "Cancel"),
        el("button", { type: "submit", class: "primary" }, "Use these")));
  });
}

function controlFor(setting, value) {
  if (setting.kind === "choice") return choice(setting.choices, value);
  if (setting.kind === "yes") return el("input", { type: "checkbox", checked: Boolean(value) });
  return el("input", { type: "number", step: setting.kind === "whole" ? 1 : "any", min: setting.least, max: setting.most, value: value ?? "", placeholder: setting.default === null ? setting.none : null, title: setting.help });
}

function valueOf(setting, control) {
  if (setting.kind === "yes") return control.checked;
  if (setting.kind === "choice") return control.value;
  return control.value === "" ? null : Number(control.value);
}
