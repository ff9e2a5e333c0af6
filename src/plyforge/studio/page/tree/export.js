// What is on the screen as a file: SVG, LaTeX, DOT, JSON and text come from the server, PNG is made here from the SVG; and the link.

import { button, dialog, el, field, choice } from "../ui.js";

const FORMATS = [["svg", "SVG: a picture for slides and the web"], ["png", "PNG: a picture in pixels"], ["tex", "LaTeX: compiles on its own (TikZ)"], ["dot", "DOT: for Graphviz"], ["json", "JSON: everything, for programs"], ["txt", "Text: for a terminal"]];
const DENSE = 2, MOST_PIXELS = 16_000;

/** Ask which, and hand it out. `setting()` is the step, root and folding of what is shown. */
export async function exportTree(studio, setting) {
  const wanted = await dialog("Export what is on the screen", (close) => {
    const kind = choice(FORMATS, "svg", () => {});
    const numbers = el("input", { type: "checkbox" });
    return [field("Format", kind), el("label", { class: "check" }, numbers, "With the order of visits (pictures)"),
      el("div", { class: "row" }, button("Cancel", () => close(), { class: "quiet" }), button("Save", () => close({ format: kind.value, numbers: numbers.checked }), { class: "primary" }))];
  });
  if (!wanted) return null;
  const { format, numbers } = wanted;
  const { address } = await studio.ask("tree.export", { format: format === "png" ? "svg" : format, numbers, ...setting() });
  if (format === "png") save(await picture(address), address.split("/").pop().replace(/svg$/, "png"));
  else save(`${address}?keep`, address.split("/").pop());
  return format;
}

/** An SVG of ours as the address of a PNG. */
async function picture(address) {
  const text = await (await fetch(address)).text();
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const scale = Math.min(DENSE, MOST_PIXELS / Math.max(image.width, image.height));
  const canvas = el("canvas", { width: Math.round(image.width * scale), height: Math.round(image.height * scale) });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error("The picture is too large for this browser: fold some of it, or save it as SVG.");
  return URL.createObjectURL(blob);
}

function save(href, name) {
  const link = el("a", { href, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  if (href.startsWith("blob:")) setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

/** The address of the view, copied; shown where it can't be. */
export async function copyLink(studio) {
  try {
    await navigator.clipboard.writeText(location.href);
    studio.say("The link is copied.");
    return true;
  } catch {
    await dialog("The link to this view", (close) => [el("input", { type: "text", value: location.href, readonly: true, "aria-label": "Link" }), el("div", { class: "row" }, button("Close", () => close()))]);
    return false;
  }
}
