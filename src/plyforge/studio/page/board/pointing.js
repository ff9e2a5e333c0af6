// Pointing at actions. The server says which ways lead to which action; this keeps what a person has pointed at so far, and says what may come next.
// Nothing here knows rules, and nothing here draws.

export class Pointing {
  /** actions: [{ text, ways: [[place, ...], ...], ... }]. */
  constructor(actions = []) {
    this.ways = actions.flatMap((action) => (action.ways ?? []).map((way) => ({ way, action })));
    this.at = []; // the places pointed at so far
  }

  /** The ways that begin with these places. */
  beginning(places) {
    return this.ways.filter(({ way }) => way.length >= places.length && places.every((place, i) => way[i] === place));
  }

  /** The places that may be pointed at next. */
  next() {
    const found = new Set();
    for (const { way } of this.beginning(this.at)) if (way.length > this.at.length) found.add(way[this.at.length]);
    return found;
  }

  /** Those of them that are worth a mark: of places that mean the same action, the first. */
  worthShowing() {
    const found = new Set(), done = new Set();
    const ways = this.beginning(this.at).filter(({ way }) => way.length > this.at.length);
    const longer = new Set(ways.filter(({ way }) => way.length > this.at.length + 1).map(({ action }) => action));
    for (const { way, action } of ways) {
      if (done.has(action) && !longer.has(action)) continue;
      done.add(action);
      found.add(way[this.at.length]);
    }
    return found;
  }

  /** The actions that are pointed at in full by `places`, each once. */
  whole(places) {
    return [...new Set(this.ways.filter(({ way }) => way.length === places.length && places.every((place, i) => way[i] === place)).map(({ action }) => action))];
  }

  /** True if somebody who has come this far could end here by pointing at the last place again. */
  mayEnd() {
    return this.at.length > 0 && this.whole(this.at).length > 0;
  }

  /** Point at a place. Gives { actions } if that is one action or several with the same way, { more: true } if there is more to point at,
   *  { cleared: true } if it takes back what was pointed at, { refused: true } if it means nothing. */
  point(place) {
    const further = [...this.at, place];
    const ways = this.beginning(further);
    if (ways.length) {
      if (ways.every(({ way }) => way.length === further.length)) return this.end(further);
      this.at = further;
      return { more: true };
    }
    const last = this.at.at(-1);
    if (place === last) {
      if (this.mayEnd()) return this.end(this.at);
      this.back();
      return { cleared: true };
    }
    if (this.at.length === 1 && this.beginning([place]).length) {
      this.at = [];
      return this.point(place);
    }
    return { refused: true };
  }

  end(places) {
    const actions = this.whole(places);
    this.at = [];
    return { actions, places };
  }

  /** Take back the last place; in pairs, the last pair or its half. */
  back() {
    this.at = this.at.slice(0, -1);
  }

  clear() {
    this.at = [];
  }
}

/** Pieces as they would stand with every pair of places carried out: one piece from each first place to the second. */
export function carried(pieces, places) {
  const found = pieces.map((piece) => ({ ...piece }));
  for (let i = 0; i + 1 < places.length; i += 2) {
    const from = found.find((piece) => piece.place === places[i] && piece.look !== "die");
    if (!from) continue;
    const there = found.find((piece) => piece.place === places[i + 1] && piece.owner === from.owner && piece.look === from.look);
    if (there) there.count += 1;
    else found.push({ ...from, place: places[i + 1], count: 1 });
    from.count -= 1;
  }
  return found.filter((piece) => piece.count > 0 || piece.look === "die");
}
