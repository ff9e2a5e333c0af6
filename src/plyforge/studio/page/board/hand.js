// Mouse and finger on a board: a press is a click or becomes a drag. And, for the keyboard, what lies beside what.

const DRAG = 6; // pixels before a press becomes a drag

export class Hand {
  /** `view` is a BoardView. */
  constructor(view) {
    this.view = view;
    this.pressed = null;
    view.svg.addEventListener("pointerdown", (event) => this.press(event));
    view.svg.addEventListener("pointermove", (event) => this.drag(event));
    view.svg.addEventListener("pointerup", (event) => this.release(event));
    view.svg.addEventListener("pointercancel", () => this.drop());
  }

  press(event) {
    const name = event.target.dataset?.place;
    if (name === undefined || event.button !== 0 || !this.view.pointing.ways.length) return;
    this.pressed = { name, x: event.clientX, y: event.clientY, at: this.view.pointing.at.length };
    this.view.focus = name;
    this.view.svg.setPointerCapture(event.pointerId);
    const starts = this.view.pointing.next().has(name) || (this.view.pointing.at.length === 1 && this.view.pointing.beginning([name]).length > 0);
    const goesOn = this.view.pointing.ways.some(({ way }) => way.includes(name) && way.indexOf(name) < way.length - 1);
    this.pressed.unit = starts && goesOn ? [...this.view.shownUnits].reverse().find((unit) => unit.place.name === name && !unit.counter) : null;
  }

  drag(event) {
    const held = this.pressed;
    if (!held?.unit) return;
    if (!held.dragging) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < DRAG) return;
      held.dragging = true;
      if (this.view.pointing.at.at(-1) !== held.name || this.view.board.pairs) {
        const answer = this.view.pointing.point(held.name);
        if (!answer.more) { this.pressed = null; if (answer.actions) this.view.point(held.name); return; }
        this.view.light();
      }
      this.view.pieceLayer.append(held.unit.element);
      held.unit.element.classList.add("held");
    }
    const at = this.position(event);
    held.unit.element.setAttribute("transform", `translate(${at.x} ${at.y})`);
  }

  release(event) {
    const held = this.pressed;
    this.pressed = null;
    if (!held) return;
    const over = document.elementFromPoint(event.clientX, event.clientY)?.getAttribute("data-place") ?? undefined;
    if (!held.dragging) {
      if (over === held.name) this.view.point(held.name);
      return;
    }
    held.unit.element.classList.remove("held");
    const at = this.position(event);
    Object.assign(held.unit, { x: at.x, y: at.y });
    if (over !== undefined && over !== held.name && this.view.pointing.next().has(over)) {
      this.view.point(over);
      return;
    }
    this.view.pointing.back();
    held.unit.element.setAttribute("transform", `translate(${held.unit.x} ${held.unit.y})`);
    this.view.drawPieces(this.view.standing, this.view.shownUnits);
    this.view.refresh();
  }

  drop() {
    if (this.pressed?.dragging) { this.view.pointing.back(); this.view.drawPieces(this.view.standing, null); this.view.refresh(); }
    this.pressed = null;
  }

  position(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.view.svg.getScreenCTM().inverse());
  }
}

/** The nearest place in a direction, [dx, dy]; undefined where there is none. */
export function beside(places, names, name, [dx, dy]) {
  const here = places.get(name);
  let best, least = Infinity;
  for (const other of names) {
    if (other === name) continue;
    const place = places.get(other);
    const along = (place.x - here.x) * dx + (place.y - here.y) * dy;
    const aside = Math.abs((place.x - here.x) * dy) + Math.abs((place.y - here.y) * dx);
    const cost = along + 2.2 * aside;
    if (along > 0.05 && cost < least) [best, least] = [other, cost];
  }
  return best;
}
