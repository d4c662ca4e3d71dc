// Cells of a picture by keyboard: arrow keys go from cell to cell, Home and End to the ends of a row; the cell is marked
// and read out; Enter chooses it.
// Cells are the points of the picture that have data of their own; what they say on being pointed at is what is read: a
// template for all points of a trace, and the words of each.

const STEPS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  Home: [-Infinity, 0],
  End: [Infinity, 0],
};
const ROOM = 120; // pixels that the page's bar takes above, and the line below
const HALO = "drop-shadow(0 0 1px #fff)"; // black with white round it is seen on cells of any colour
const MARK = `opacity: 1; fill: none; stroke: #000; stroke-width: 3px; filter: ${HALO} ${HALO}`;
const places = new WeakMap(); // Streamlit calls this anew whenever the page was drawn: the place is kept

export default function ({ data, parentElement, setTriggerValue }) {
  const line = parentElement.querySelector("[role=application]");
  const says = line.querySelector("[aria-live]");
  let unmark = () => {};
  line.setAttribute("aria-label", data.label);

  // The picture may be drawn anew at any time: it is looked at whenever a key is pressed.
  const picture = () => document.querySelector(`.st-key-${CSS.escape(data.picture)} .js-plotly-plot`);
  const ofTrace = (trace) => trace.customdata.map((said, at) => ({ trace, at, said, x: trace.x[at], y: trace.y[at] }));
  const cells = () =>
    (picture()?._fullData ?? [])
      .filter(({ customdata }) => customdata)
      .flatMap(ofTrace)
      .sort((one, other) => one.y - other.y || one.x - other.x);
  const chosen = (all) => all[Math.min(places.get(line) ?? 0, all.length - 1)];
  const word = (said) => (_, number) => said[number];

  const show = () => {
    unmark();
    const cell = chosen(cells());
    if (!cell) return;
    const { trace, at, said } = cell;
    const text = trace.hovertemplate.replace(/%{customdata\[(\d+)\]}/g, word(said)).replaceAll("<br>", ". ");
    says.textContent = new DOMParser().parseFromString(text, "text/html").body.textContent;
    const point = picture().querySelectorAll(`.scatterlayer .trace${trace.uid} .point`)[at];
    if (!point) return;
    const before = point.style.cssText;
    point.style.cssText += `; ${MARK}`;
    const { top, bottom } = point.getBoundingClientRect();
    if (top < ROOM || bottom > innerHeight - ROOM) point.scrollIntoView({ block: "center" });
    unmark = () => (point.style.cssText = before);
  };

  const go = (right, down) => {
    const all = cells();
    const from = chosen(all);
    const ahead = (cell) => (cell.x - from.x) * Math.sign(right) + (cell.y - from.y) * down;
    const inLine = (cell) => (right ? cell.y === from.y : cell.x === from.x) && ahead(cell) > 0;
    const way = all.filter(inLine).sort((one, other) => ahead(one) - ahead(other));
    const next = way.at(Number.isFinite(right) ? 0 : -1);
    if (next) places.set(line, all.indexOf(next));
    show();
  };

  line.onfocus = show;
  line.onblur = () => unmark();
  line.onkeydown = (event) => {
    const cell = chosen(cells());
    if (!cell) return;
    if (event.key in STEPS) go(...STEPS[event.key]);
    else if (event.key === "Enter") setTriggerValue("cell", cell.said);
    else return;
    event.preventDefault();
  };
  return () => unmark();
}
