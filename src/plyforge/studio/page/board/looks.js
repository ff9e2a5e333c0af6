// What pieces look like: every look of plyforge/board.py as SVG, drawn here. One cell is one unit; the middle of a piece is (0, 0).
// Colours come from CSS variables that the piece's group sets: --fill, --rim (its outline) and --mark (what is drawn on it).

import { svg } from "../ui.js";

const FIGURES = { // in a box of 100 by 100
  pawn: ["M50 15a13.5 13.5 0 0 1 8.6 23.9c2.6 1 4.4 2.8 4.4 5.1h-3.6c.4 13.5 4 21 10.6 28.5v5.5H30v-5.5C36.600 65 40.200 57.500 40.600 44H37c0-2.300 1.800-4.100 4.400-5.100A13.500 13.500 0 0 1 50 15z", "M25 80.500h50v8H25z"],
  rook: ["M25 19h11.500v7h8v-7h11v7h8v-7H75v17.500L67 43v24l6 7.500v3.500H27v-3.500l6-7.500V43l-8-6.500z", "M22 80.500h56v8H22z"],
  knight: ["M31 78c-1.500-13 3-21.500 13-29 3.500-2.600 5-5.500 4.500-9-4.500 4.500-9.500 5-13.500 9-2.800 2.800-4.600 6.400-8.800 5.400-5.200-1.200-8.200-6.400-6.200-11.400 2.800-7 8-12.500 11.500-19 1.800-3.400 2.200-6.600 5-8.800L37.500 7l8.300 6C63.500 14.500 74 29.500 74 53c0 9-.8 17.500-2 25z", "M24 80.500h52v8H24z"],
  bishop: ["M50 9a5.400 5.400 0 0 1 4.200 8.800C64.500 26 69 35 69 44c0 7.500-3.600 12.800-8.600 15.500h1.600v4h-3c.6 5.500 3.800 8.500 8.500 11.500v3h-35v-3c4.700-3 7.900-6 8.500-11.500h-3v-4h1.600C34.600 56.800 31 51.500 31 44c0-9 4.500-18 14.800-26.200A5.400 5.400 0 0 1 50 9z", "M25 80.500h50v8H25z"],
  queen: ["M20 24.500a5.500 5.500 0 1 1 2.600 4.600L34 46l4.500-24.800a5.500 5.500 0 1 1 5 .1L50 43l6.500-21.700a5.500 5.500 0 1 1 5-.1L66 46l11.400-16.900A5.500 5.500 0 1 1 80 24.500C78 42 73 52 69.500 60c-1 5.500.5 11 3.500 15v3H27v-3c3-4 4.500-9.500 3.500-15C27 52 22 42 20 24.500z", "M23 80.500h54v8H23z"],
  king: ["M47 5h6v5.500h5.500v6H53v6.800c9-4.800 27-4.300 27 11.200 0 10-7.500 16.500-10 26-.9 5.500.5 10.500 3.500 14.500v3h-47v-3c3-4 4.400-9 3.500-14.500-2.500-9.500-10-16-10-26 0-15.500 18-16 27-11.200v-6.800h-5.500v-6H47z", "M22 80.500h56v8H22z"],
};
const DETAILS = {
  rook: ["M33 43h34", "M33 67h34"],
  knight: ["M36.500 30.500a1.800 1.800 0 1 0 .1 0z", "M50 22c10 7 14 20 13.500 40"],
  bishop: ["M55.500 27.500L49 39", "M41 59.500h18"],
  queen: ["M30.500 60h39"],
  king: ["M50 28c0 9 0 18 0 27", "M30 60.500h40"],
};

/** A piece in the middle of (0, 0), one cell in size. */
export function drawPiece(piece) {
  const draw = DRAWN[piece.look];
  if (draw) return draw(piece);
  if (FIGURES[piece.look]) return figure(piece.look);
  const size = piece.look.length > 2 ? 0.3 : 0.5;
  return svg("text", { class: "letters", "font-size": size, y: size * 0.36, "text-anchor": "middle" }, piece.look);
}

function figure(look) {
  return svg("g", { class: "figure", transform: "scale(0.0098) translate(-50 -50)" },
    FIGURES[look].map((d) => svg("path", { d })),
    (DETAILS[look] ?? []).map((d) => svg("path", { d, class: "detail" })));
}

const round = (r, ...more) => [
  svg("circle", { class: "shade", r, cy: 0.035 }),
  svg("circle", { class: "body", r }),
  ...more,
];

const DRAWN = {
  cross: () => svg("path", { class: "stroke", d: "M-.27 -.27L.27 .27M.27 -.27L-.27 .27" }),
  ring: () => svg("circle", { class: "stroke", r: 0.29 }),
  disc: (piece) => svg("g", {}, round(0.4, svg("circle", { class: "groove", r: 0.29 }), sign(piece.owner, 0.12))),
  crown: () => svg("g", {}, round(0.4, svg("circle", { class: "groove", r: 0.32 }),
    svg("path", { class: "inlay", d: "M-.22 .14L-.25 -.14L-.12 -.02L0 -.21L.12 -.02L.25 -.14L.22 .14Z" }))),
  stone: (piece) => svg("g", {}, round(0.455, svg("ellipse", { class: "shine", cx: -0.13, cy: -0.16, rx: 0.17, ry: 0.13 }), sign(piece.owner, 0.14))),
  peg: (piece) => svg("g", {}, round(0.37, svg("ellipse", { class: "shine", cx: -0.11, cy: -0.13, rx: 0.13, ry: 0.1 }), sign(piece.owner, 0.14))),
  seed: () => svg("circle", { class: "body", r: 0.085 }),
  bar: () => svg("rect", { class: "body", x: -0.09, y: -0.44, width: 0.18, height: 0.88, rx: 0.08 }),
  fill: () => svg("rect", { class: "body", x: -0.45, y: -0.45, width: 0.9, height: 0.9, rx: 0.08 }),
  tile: (piece) => svg("g", {},
    svg("rect", { class: "shade", x: -0.45, y: -0.42, width: 0.9, height: 0.9, rx: 0.1 }),
    svg("rect", { class: "body", x: -0.45, y: -0.45, width: 0.9, height: 0.9, rx: 0.1 }),
    svg("text", { class: "inked", "font-size": 0.44, y: 0.16, "text-anchor": "middle" }, String(piece.count))),
  die: (piece) => svg("g", {},
    svg("rect", { class: "shade", x: -0.42, y: -0.38, width: 0.84, height: 0.84, rx: 0.17 }),
    svg("rect", { class: "body", x: -0.42, y: -0.42, width: 0.84, height: 0.84, rx: 0.17 }),
    PIPS[piece.count]?.map(([x, y]) => svg("circle", { class: "pip", cx: x * 0.22, cy: y * 0.22, r: 0.08 }))
      ?? svg("text", { class: "inked", "font-size": 0.5, y: 0.18, "text-anchor": "middle" }, "?")),
  hero: () => svg("path", { class: "body", d: "M0 0L.35 -.22A.41 .41 0 1 0 .35 .22Z" }),
  ghost: (piece) => svg("g", {}, ghostBody(),
    [-0.13, 0.15].map((x) => [svg("circle", { class: "white", cx: x, cy: -0.08, r: 0.11 }), svg("circle", { class: "ink", cx: x + 0.03, cy: -0.06, r: 0.05 })]),
    sign(piece.owner - 1, 0.08, 0.18)),
  scared: () => svg("g", { class: "scared" }, ghostBody(),
    [-0.13, 0.13].map((x) => svg("circle", { class: "white", cx: x, cy: -0.07, r: 0.05 })),
    svg("path", { class: "mouth", d: "M-.2 .16l.08 -.08 .08 .08 .08 -.08 .08 .08 .08 -.08" })),
  dot: () => svg("circle", { class: "food", r: 0.09 }),
  pill: () => svg("circle", { class: "food", r: 0.22 }),
  robot: () => svg("g", {},
    svg("path", { class: "thin", d: "M0 -.26V-.4" }), svg("circle", { class: "body", cy: -0.4, r: 0.05 }),
    svg("rect", { class: "body", x: -0.27, y: -0.27, width: 0.54, height: 0.44, rx: 0.1 }),
    [-0.11, 0.11].map((x) => svg("circle", { class: "pip", cx: x, cy: -0.07, r: 0.06 })),
    [-0.16, 0.16].map((x) => svg("circle", { class: "body", cx: x, cy: 0.27, r: 0.1 }))),
  runner: (piece) => svg("g", {},
    svg("circle", { class: "body", cy: -0.22, r: 0.15 }),
    svg("path", { class: "body", d: "M-.28 .36C-.28 .08 -.16 -.04 0 -.04S.28 .08 .28 .36Z" }), sign(piece.owner, 0.09, 0.2)),
};

const ghostBody = () => svg("path", { class: "body", d: "M-.36 .38V-.02C-.36 -.26 -.2 -.42 0 -.42S.36 -.26 .36 -.02V.38L.24 .27 .12 .38 0 .27 -.12 .38 -.24 .27Z" });

const PIPS = {
  1: [[0, 0]], 2: [[-1, -1], [1, 1]], 3: [[-1, -1], [0, 0], [1, 1]], 4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], 6: [[-1, -1], [-1, 0], [-1, 1], [1, -1], [1, 0], [1, 1]],
};

const SIGNS = ["M-1 0L0 -1L1 0L0 1Z", "M0 -1L.95 .7H-.95Z", "M-.8 -.8H.8V.8H-.8Z", "M-.35 -1H.35V-.35H1V.35H.35V1H-.35V.35H-1V-.35H-.35Z", "M0 1L.95 -.7H-.95Z", "M-1 -.35H1V.35H-1Z"];

/** A sign for each player, so that colours are not all that tells pieces apart; black and white hide it. */
function sign(owner, size, y = 0) {
  return owner < 0 ? null : svg("path", { class: "sign", d: SIGNS[owner % SIGNS.length], transform: `translate(0 ${y}) scale(${size})` });
}
