// A sheet of exercises with its solutions, by a seed: to look at, to print, to save.

import { button, el, put, trouble } from "../ui.js";
import { quizFields, writeQuiz } from "./quiz.js";

/** @param {HTMLElement} root  @param {any} settings  @param {any[]} topics  @param {import("../app.js").Studio} studio */
export async function showSheet(root, settings, topics, studio) {
  studio.title("Exercises");
  const paper = el("article", { class: "sheet" }), files = el("div", { class: "row" }), problem = el("div");
  const solutions = el("input", { type: "checkbox", id: "sheet-solutions", checked: true, onchange: () => paper.classList.toggle("unsolved", !solutions.checked) });
  const fields = el("div", { class: "fields" });
  let current = settings, loads = 0;
  const change = (changes) => {
    current = { ...current, ...changes };
    studio.remember(writeQuiz(studio, current), true);
    return load();
  };
  put(root,
    el("div", { class: "head" }, el("h1", {}, "Exercises"), el("p", { class: "hint" }, "The same seed gives the same sheet."),
      el("div", { class: "row actions" }, el("a", { class: "button small", href: writeQuiz(studio, { ...settings, sheet: false }) }, "Quiz"), button("Print", () => print(), { class: "small primary" }))),
    el("section", { class: "panel settings", "aria-label": "What is on the sheet" }, fields, el("div", { class: "row" }, el("label", { class: "check" }, solutions, "With solutions"), files)),
    problem, paper);
  await load();
  return () => {};

  async function load() {
    put(fields, quizFields(current, topics, change), button("Another sheet", () => change({ seed: current.seed + 1 }), { class: "another" }));
    const { topic, seed, number, level, ties } = current;
    const mine = ++loads;
    try {
      const answer = await studio.ask("quiz.sheet", { topic, seed, number, level, ties });
      const sheet = await (await fetch(answer.sheet)).json();
      if (mine !== loads) return; // another one has been asked for meanwhile
      put(files, Object.entries(answer.files).map(([format, address]) => el("a", { class: "button small", href: `${address}?keep`, download: address.split("/").pop() }, { html: "Save as HTML", tex: "LaTeX", txt: "Text" }[format])));
      put(paper, el("h2", {}, sheet.title), el("p", {}, sheet.rule),
        sheet.tasks.map((task, place) => exercise(place, task.blank, task.blank_words, task.questions.map(({ text }) => [text, el("span", { class: "answer-line" })]))),
        el("div", { class: "solutions" }, el("h2", {}, "Solutions"),
          sheet.tasks.map((task, place) => exercise(place, task.solved, task.solved_words, task.questions.map(({ solution, explanation }) => [el("strong", {}, solution), el("br"), explanation])))));
      put(problem);
    } catch (error) { put(problem, trouble(error)); }
  }
}

function exercise(place, picture, words, answers) {
  return el("section", { class: "exercise" }, el("h3", {}, `Exercise ${place + 1}`), drawn(picture, `The tree of exercise ${place + 1}`), el("pre", { class: "unseen" }, words), el("ol", { type: "a" }, answers.map((answer) => el("li", {}, answer))));
}

/** A picture that the server drew, as elements. */
function drawn(text, name) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  for (const title of parsed.querySelectorAll("title, desc")) title.remove();
  parsed.setAttribute("aria-label", name);
  return el("div", { class: "figure" }, document.importNode(parsed, true));
}
