// Pieces that move: from how the board was to how it is. Everything is in place at once; what moves only comes from where it was.

const LONG = 220; // milliseconds
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** `before` and `now` are units with their elements, see draw.js. */
export function animate(before, now, board, last) {
  if (calm() || document.hidden) return;
  const kind = (unit) => `${unit.piece.look} ${unit.piece.owner} ${unit.piece.look === "tile" ? unit.piece.count : ""} ${unit.piece.name}`;
  const spot = (unit) => `${unit.place.name} ${unit.index}`;
  const was = new Map(before.filter((unit) => !unit.counter).map((unit) => [spot(unit), unit]));
  const added = [], gone = new Map(was);
  for (const unit of now) {
    if (unit.counter) continue;
    const old = was.get(spot(unit));
    if (old && kind(old) === kind(unit)) {
      gone.delete(spot(unit));
      if (Math.hypot(old.x - unit.x, old.y - unit.y) > 0.01) slide(unit, old);
    } else if (old && old.piece.look === unit.piece.look && unit.piece.look === "disc" && !last.includes(unit.place.name)) {
      gone.delete(spot(unit));
      turnOver(unit);
    } else added.push(unit);
  }
  const left = [...gone.values()];
  for (const unit of added) {
    const from = nearest(left.filter((old) => kind(old) === kind(unit)), unit, last);
    if (from) {
      left.splice(left.indexOf(from), 1);
      slide(unit, from);
    } else if (board.surface === "frame") fall(unit, board);
    else if (unit.piece.look !== "die") appear(unit);
  }
}

function nearest(candidates, unit, last) {
  const far = (old) => Math.hypot(old.x - unit.x, old.y - unit.y) - (last.includes(old.place.name) ? 100 : 0);
  return candidates.sort((a, b) => far(a) - far(b))[0];
}

const inner = (unit) => unit.element.firstChild;

function slide(unit, from) {
  unit.element.parentNode.append(unit.element);
  const way = `translate(${from.x - unit.x}px, ${from.y - unit.y}px)`;
  inner(unit).animate([{ transform: way }, { transform: "none" }], { duration: LONG, easing: "cubic-bezier(.3,.7,.3,1)" });
}

function fall(unit, board) {
  const top = Math.min(...board.places.map((place) => place.y)) - 1;
  const height = unit.y - top;
  inner(unit).animate([{ transform: `translate(0px, ${-height}px)` }, { transform: "none" }], { duration: 90 + 70 * Math.sqrt(height), easing: "cubic-bezier(.5,0,.9,.6)" });
}

function appear(unit) {
  inner(unit).animate([{ transform: "scale(0.6)", opacity: 0 }, { transform: "none", opacity: 1 }], { duration: 140, easing: "ease-out" });
}

function turnOver(unit) {
  inner(unit).animate([{ transform: "scale(1, 1)" }, { transform: "scale(0.05, 1.05)" }, { transform: "scale(1, 1)" }], { duration: LONG, easing: "ease-in-out" });
}
