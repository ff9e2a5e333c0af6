// What a card of an own rules file says besides: does it load, what does the checker say, has it changed on disk?

import { button, count, el } from "../ui.js";

export function ownRules(card, studio) {
  return el("div", { class: "own" },
    el("p", { class: "file" }, card.file),
    card.changed ? el("p", { class: "changed" }, el("span", {}, "The file has changed. "), reload(card, studio, "Load it anew")) : null,
    card.error ? el("div", { class: "verdict bad", role: "alert" },
      el("strong", {}, card.playable ? "The new text can't be loaded; the one before still plays." : "This file can't be loaded."),
      el("p", {}, card.error),
      card.changed ? null : reload(card, studio, "Try again")) : null,
    verdict(card),
    card.playable || card.stage === "loading" ? el("p", { class: "hint" }, "It runs in a process of its own. ", stop(card, studio)) : null);
}

function stop(card, studio) {
  return button("Stop it", () => studio.ask("home.stop", { game: card.name }).then(() => studio.say(`${card.title} was stopped`), (error) => studio.say(error.message)),
    { class: "small quiet", title: "End whatever these rules do now. They start again when they are next asked." });
}

function reload(card, studio, text) {
  return button(text, (event) => {
    event.target.disabled = true;
    studio.ask("home.reload", { game: card.name }).catch((error) => studio.say(error.message));
  }, { class: "small" });
}

function verdict(card) {
  if (card.stage === "loading") return el("p", { class: "hint" }, "Loading …");
  if (card.stage === "checking") return el("p", { class: "hint" }, "The checker is looking at the rules …");
  const report = card.report;
  if (!report) return card.error ? null : el("p", { class: "hint" }, "The checker did not come to an end.");
  const seen = `${count(report.states)} states${report.complete ? ", all there are" : ""}`;
  if (report.ok) {
    return el("details", { class: "verdict good" },
      el("summary", {}, "No law is broken"), el("p", {}, `Looked at ${seen}.`), report.warnings.map(finding));
  }
  const broken = report.violations.length;
  return el("details", { class: "verdict bad", open: true },
    el("summary", {}, broken === 1 ? "One law is broken" : `${broken} laws are broken`),
    report.violations.map(finding), report.warnings.map(finding), el("p", { class: "hint" }, `Looked at ${seen}.`));
}

function finding({ law, sentence, state, path }) {
  return el("div", { class: "finding" },
    el("p", {}, el("strong", {}, `${law}: `), sentence),
    state ? el("p", { class: "hint" }, "In ", el("code", {}, state), path.length ? ` after ${path.slice(0, 20).join(" ")}${path.length > 20 ? " …" : ""}` : ", the start") : null);
}
