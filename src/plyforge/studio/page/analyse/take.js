// To take away: text for the clipboard, and a file that the server has made.

import { el } from "../ui.js";

export async function copyText(text) {
  try { await navigator.clipboard.writeText(text); } catch { throw new Error("The browser does not let this page copy. Mark the text and copy it yourself."); }
}

/** Have the browser keep what an answer gives the address of. */
export async function saveFrom(answer) {
  const { address } = await answer;
  const link = el("a", { href: `${address}?keep`, download: "" });
  document.body.append(link);
  link.click();
  link.remove();
}
