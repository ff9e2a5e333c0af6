// All algorithms that suit the game, on one position, each with the same clock: a table that fills row by row.

import { button, choice, dialog, el, field, put, short } from "../ui.js";

/** The dialog; ends the comparison when it is closed. */
export function compare(studio, titles) {
  const seconds = choice([["0.2", "0.2 s each"], ["1", "1 s each"], ["5", "5 s each"], ["20", "20 s each"]], "1");
  const speed = choice([["", "interpreted, at once"], ["compiled", "compiled first"]], "");
  const body = el("tbody", {});
  const state = el("p", { class: "hint", role: "status" }, "One after the other, so that none takes the processor from another.");
  const begin = button("Compare", () => start(), { class: "primary" });
  const table = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "What each has found" }, el("table", {},
    el("thead", {}, el("tr", {}, ["Algorithm", "Best", "Value"].map((text) => el("th", { scope: "col" }, text)),
      ["Depth", "Nodes", "Rate", "Time"].map((text) => el("th", { scope: "col", class: "number" }, text)), el("th", { scope: "col" }, "Ended by"))), body));
  let mine = -1, early = null; // the comparison that was begun here, and what was told before its number was known
  const end = studio.on("compared", (news) => {
    if (news.comparison === mine) show(news);
    else early = news;
  });
  const show = ({ rows, now, done }) => {
    put(body, rows.map((row) => row.error
      ? el("tr", {}, el("th", { scope: "row" }, row.title), el("td", { colspan: 7, class: "muted" }, row.error))
      : el("tr", {}, el("th", { scope: "row" }, row.title), el("td", {}, row.best ?? "–"),
        el("td", { class: row.value?.proven ? "proven" : "", title: row.value?.words ?? null }, row.value?.text ?? "–"),
        [row.depth ?? "–", short(row.simulations ?? row.nodes), row.rate ? `${short(row.rate)}/s` : "–", `${row.seconds.toFixed(2)} s`].map((text) => el("td", { class: "number" }, text)),
        el("td", {}, row.reason, speed.value && !row.native ? ", interpreted" : ""))));
    state.textContent = done ? "Done." : `${titles.get(now) ?? now} ${speed.value ? "is being compiled, then thinks" : "is thinking"} …`;
    begin.disabled = !done;
  };
  const start = async () => {
    begin.disabled = true;
    mine = -1;
    put(body);
    try {
      const { comparison } = await studio.ask("analyse.compare", { seconds: Number(seconds.value), compiled: Boolean(speed.value) });
      mine = comparison;
      if (early?.comparison === mine) show(early);
    } catch (error) {
      state.textContent = error.message;
      begin.disabled = false;
    }
  };
  const shown = dialog("Compare all algorithms", (close) => [
    el("div", { class: "row analyse-compare" }, field("Clock", seconds), field("Speed", speed), begin), state, table,
    el("div", { class: "row" }, button("Close", () => close()))]);
  document.querySelector("dialog[open]").classList.add("analyse-wide");
  return shown.finally(() => {
    end();
    return studio.ask("analyse.stop").catch(() => {});
  });
}
