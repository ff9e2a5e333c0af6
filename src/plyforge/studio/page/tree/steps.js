// What each item of a tree looks like at a step. The server has said what every step changes; nothing here knows about searches.

export const AHEAD = 0, OPEN = 1, DONE = 2, CUT = 3;

export class TreeSteps {
  /** `paper` is what /made/.../tree.json holds; see studio/tree/document.py. */
  constructor(paper) {
    this.paper = paper;
    const size = paper.items.x.length;
    this.size = size;
    this.status = new Uint8Array(size);
    this.label = new Int32Array(size);
    this.window = new Int32Array(size);
    this.children = Array.from({ length: size }, () => []);
    paper.items.parent.forEach((parent, item) => { if (parent >= 0) this.children[parent].push(item); });
    this.byNode = new Map(paper.items.node.map((node, item) => [node, item]));
    this.cuts = new Set(paper.cuts);
    this.place = 0;      // how many rows of paper.steps have been applied
    if (paper.names) {
      this.status.fill(DONE);
      this.label.set(paper.items.label);
    }
  }

  get count() { return this.paper.steps.length; }
  get ended() { return this.place === this.count; }
  /** The row that has just happened: [n, item, child, kind, changes]; null at the start. */
  get row() { return this.place ? this.paper.steps[this.place - 1] : null; }
  /** The step's number in the whole recording: the last one also stands for what was folded at the end. */
  get number() { return this.ended ? this.paper.last : this.row ? this.row[0] : 0; }
  /** The item where it happens; -1 at the start. */
  get item() { return this.row ? this.row[1] : -1; }

  /** Go to a place among the rows. */
  go(place) {
    const wanted = Math.max(0, Math.min(this.count, place));
    if (wanted < this.place) {
      this.status.fill(AHEAD);
      this.label.fill(0);
      this.window.fill(0);
      this.place = 0;
    }
    while (this.place < wanted) {
      const changes = this.paper.steps[this.place++][4];
      for (let i = 0; i < changes.length; i += 4) {
        const item = changes[i];
        this.status[item] = changes[i + 1];
        this.label[item] = changes[i + 2];
        this.window[item] = changes[i + 3];
      }
    }
  }

  /** The place of a step's number: of the last row that is not after it. */
  placeOf(number) {
    if (number >= this.paper.last) return this.count;
    let low = 0, high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.paper.steps[middle][0] <= number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The place of the next cut, or the end. */
  nextCut() {
    for (let place = this.place; place < this.count; place++) {
      if (this.cuts.has(this.paper.steps[place][0])) return place + 1;
    }
    return this.count;
  }

  // ------------------------------------------------------------ in words
  labelOf(item) {
    const { items, labels } = this.paper;
    if (items.node[item] < 0) return labels[items.label[item]]; // a stub, or a bunch of actions
    const text = this.status[item] === AHEAD || this.status[item] === CUT ? labels[items.given[item]] : labels[this.label[item]];
    return text.replaceAll("-", "−");
  }

  windowOf(item) {
    const text = this.paper.labels[this.window[item]];
    return text ? text.replaceAll("-", "−").split("|") : null;
  }

  /** An item for those who listen. */
  describe(item) {
    const { items, labels } = this.paper;
    const kind = KINDS[items.kind[item]] ?? "";
    const edge = labels[items.edge[item]];
    const status = ["not looked at yet", "being looked at", "", "cut, not looked at"][this.status[item]];
    const value = this.labelOf(item);
    const window = this.windowOf(item);
    return [
      edge ? `${edge}:` : "Root:", this.paper.names && items.label[item] ? labels[items.label[item]] : "",
      this.shape(item) === "player" ? `player ${items.player[item] + 1} moves` : KINDS[this.shape(item)] ?? kind,
      value && !this.paper.names ? `value ${value.replace("≥", "at least ").replace("≤", "at most ")}` : "",
      window ? `alpha ${window[0]}, beta ${window[1]}` : "", this.paper.names ? "" : status,
      labels[items.belief[item]] ? `belief ${labels[items.belief[item]]}` : "",
      this.children[item].length ? `${this.children[item].length} below` : "",
    ].filter(Boolean).join(", ").replace(":,", ":");
  }

  /** How an item is drawn: what was cut has the shape of what it would have been. */
  shape(item) {
    const { items } = this.paper;
    const kind = items.kind[item];
    if (kind !== "unvisited" || items.node[item] < 0) return kind;
    return items.player[item] === 0 ? "max" : items.player[item] === 1 ? "min" : items.player[item] > 1 ? "player" : items.shape?.[item] ?? "utility";
  }
}

const KINDS = {
  max: "MAX moves", min: "MIN moves", chance: "chance", policy: "an opponent who follows a policy", utility: "end of the game",
  estimate: "estimate at the depth limit", unvisited: "not looked at", folded: "folded",
};
