// Draws lessons, games, the course, and what a class answered (mtsig/lessons). Every sentence and every number comes from
// the library; this file says where they stand, and counts only what can be counted on a picture: how much of a pile a
// guess held, and what lies beyond a cut-off.

const kept = new WeakMap();

export default function lessons(component) {
  const { data, parentElement } = component;
  let shown = kept.get(parentElement);
  if (!shown || shown.id !== data.id) {
    if (shown) shown.end();
    const kind = data.course ? Course : data.stage?.rounds.length ? Game : Lesson;
    shown = new kind(data, parentElement, component);
    kept.set(parentElement, shown);
  }
  shown.keep = component.setStateValue;
  shown.tell = component.setTriggerValue;
  shown.update(data);
  return () => {
    shown.end();
    kept.delete(parentElement);
  };
}

// What was answered: kept in this browser, and sent nowhere.

const SHELF = "mtsig-lessons";
let unkept = {}; // where a browser keeps nothing

const answers = {
  all() {
    try {
      return JSON.parse(localStorage.getItem(SHELF)) ?? {};
    } catch {
      return unkept;
    }
  },
  of(id) {
    return this.all()[id] ?? {};
  },
  add(id, more) {
    const all = this.all();
    all[id] = { ...all[id], ...more };
    this.write(all);
  },
  write(all) {
    unkept = all;
    try {
      localStorage.setItem(SHELF, JSON.stringify(all));
    } catch {
      // They last as long as the page does.
    }
  },
};

// Elements, text and numbers.

function el(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children); // strings become text, whatever they hold
  return element;
}

// Answers of which one is picked; `done` is told its number.
function choices(name, answers, question, done) {
  const labels = answers.map((answer, i) => {
    const radio = el("input", { type: "radio", name, value: String(i) });
    radio.onchange = () => done(i);
    return el("label", {}, radio, answer);
  });
  return el("div", { className: "options", role: "radiogroup", ariaLabel: question }, ...labels);
}

const REDUCED = window.matchMedia("(prefers-reduced-motion: reduce)");
const DARK = window.matchMedia("(prefers-color-scheme: dark)");

function number(value, decimals, signed = false) {
  const text = Math.abs(value).toLocaleString("en-US", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  const zero = !/[1-9]/.test(text);
  return (value < 0 && !zero ? "−" : signed && !zero ? "+" : "") + text;
}

const count = (character) => parseInt(character, 36);

function ticks(low, high, most) {
  const rough = (high - low) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const places = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) places.push(i * step);
  return places.map((at) => ({ at, text: number(at, decimals) }));
}

function logTicks(low, high, most) {
  for (const factors of [[1, 2, 5], [1, 3], [1]]) {
    const places = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
      for (const factor of factors) {
        const at = factor * 10 ** power;
        if (at >= low * 0.999 && at <= high * 1.001) places.push({ at, text: number(at, at < 1 ? -power : 0) });
      }
    if (places.length <= most || factors.length === 1) return places;
  }
}

const GROUPS = ["blue", "red", "green", "purple", "orange", "soft"];

// A picture on a canvas, drawn anew when its place changes size.
class Chart {
  constructor(show, panel, paint) {
    this.show = show;
    this.paint = paint;
    this.canvas = el("canvas", { role: "img" });
    this.canvas.setAttribute("aria-label", panel.title);
    this.title = panel.title;
    this.element = el("div", { className: "chart" }, this.canvas);
    this.watcher = new ResizeObserver(() => this.resize());
    this.watcher.observe(this.element);
    show.charts.push(this);
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    this.width = this.element.clientWidth;
    this.height = this.element.clientHeight;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.pen = this.canvas.getContext("2d");
    this.pen.scale(ratio, ratio);
    this.laid = null;
    this.draw();
  }

  draw() {
    if (!this.pen || this.width < 20 || this.height < 20) return;
    const { pen } = this;
    this.ink = this.show.ink;
    this.size = this.show.textSize;
    pen.clearRect(0, 0, this.width, this.height);
    pen.font = `${this.size}px ${this.show.font}`;
    pen.lineWidth = 1;
    pen.setLineDash([]);
    pen.globalAlpha = 1;
    pen.textBaseline = "alphabetic";
    this.paint(this);
  }

  // Words over a picture that cannot be drawn.
  over(words) {
    const wide = this.pen.measureText(words).width;
    this.box((this.width - wide) / 2 - 4, this.height / 2 - this.size * 1.2, wide + 8, this.size * 1.8, "back");
    this.text(words, this.width / 2, this.height / 2, "center");
  }

  text(words, x, y, align = "left", colour = "ink") {
    const { pen } = this;
    const wide = pen.measureText(words).width;
    const left = align === "left" ? x : align === "right" ? x - wide : x - wide / 2;
    pen.fillStyle = this.ink[colour];
    pen.textAlign = "left";
    const place = Math.max(0, Math.min(left, this.width - wide));
    pen.fillText(words, place, y);
    return [place, place + wide];
  }

  // What the mouse points at, and what arrow keys move to: by so many, up and down by a row where there are any.
  pointing(at, move, row = () => 0) {
    const { canvas, show } = this;
    canvas.tabIndex = 0;
    canvas.onpointermove = canvas.onpointerdown = at;
    canvas.onpointerleave = canvas.onblur = () => show.point(null);
    canvas.onkeydown = (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -row(), ArrowDown: row() }[event.key];
      if (!by) return;
      stop(event);
      move(by);
    };
  }

  // Words as long as there is room for; what is cut off is marked.
  fitting(words, width = this.width) {
    let end = words.length;
    const shown = () => (end < words.length ? `${words.slice(0, end)}…` : words);
    while (end > 1 && this.pen.measureText(shown()).width > width) end--;
    return shown();
  }

  // A dot, filled or with a ring of a width, or both; a null leaves the filling out.
  dot(x, y, radius, colour, ring = null, width = 1) {
    const { pen } = this;
    pen.beginPath();
    pen.arc(x, y, radius, 0, 7);
    if (colour) {
      pen.fillStyle = this.ink[colour] ?? colour;
      pen.fill();
    }
    if (!ring) return;
    pen.strokeStyle = this.ink[ring];
    pen.lineWidth = width;
    pen.stroke();
  }

  box(x, y, wide, high, colour) {
    this.pen.fillStyle = this.ink[colour] ?? colour;
    this.pen.fillRect(x, y, wide, high);
  }

  line(x1, y1, x2, y2, colour = "line", width = 1, dash = []) {
    const { pen } = this;
    pen.strokeStyle = this.ink[colour];
    pen.lineWidth = width;
    pen.setLineDash(dash);
    pen.beginPath();
    pen.moveTo(x1, y1);
    pen.lineTo(x2, y2);
    pen.stroke();
    pen.setLineDash([]);
  }

  // The axis below, with the numbers on it and what they are; returns where a value stands.
  xAxis(low, high, title, left, bottom, log = false, between = 0, beside = 0) {
    const right = this.width - Math.max(this.size * 0.7, beside);
    const place = log ? Math.log : (value) => value;
    const at = (value) => left + ((place(value) - place(low)) / (place(high) - place(low))) * (right - left);
    this.line(left, bottom, right, bottom);
    const most = Math.max(2, Math.floor((right - left) / (this.size * (log ? 4.4 : 3.6))));
    let free = -Infinity;
    for (const tick of log ? logTicks(low, high, most) : ticks(low, high, most)) {
      const wide = this.pen.measureText(tick.text).width;
      if (at(tick.at) - wide / 2 < free) continue;
      this.line(at(tick.at), bottom, at(tick.at), bottom + 4);
      free = this.text(tick.text, at(tick.at), bottom + this.size * 1.25, "center", "soft")[1] + this.size * 0.4;
    }
    this.text(this.fitting(title), (left + right) / 2, bottom + between + this.size * 2.5, "center", "soft");
    return at;
  }

  // Names of places on the axis at the top, on as many lines as keep them apart; returns the height they take.
  marks(marks, at, bottom) {
    const lines = [];
    const placed = [...marks]
      .sort((one, other) => one.at - other.at)
      .map((mark) => {
        const wide = this.pen.measureText(mark.text).width;
        const left = Math.max(0, Math.min(at(mark.at) - wide / 2, this.width - wide));
        let line = lines.findIndex((end) => end < left);
        if (line < 0) line = lines.length;
        lines[line] = left + wide + this.size * 3; // so that two names do not read as one
        return { mark, line, wide, left };
      });
    const height = (line) => (line + 1) * this.size * 1.15;
    for (const { mark, line } of placed) this.line(at(mark.at), height(line) + 3, at(mark.at), bottom, "ink", 1, [5, 4]);
    for (const { mark, line, wide, left } of placed) {
      this.box(left - 2, height(line) - this.size, wide + 4, this.size * 1.2, "back"); // no line crosses the words
      this.text(mark.text, left, height(line));
    }
    return lines.length * this.size * 1.15 + 6;
  }

  hatch() {
    if (!this.hatched || this.hatched.colour !== this.ink.red) {
      const tile = el("canvas", { width: 5, height: 5 });
      const pen = tile.getContext("2d");
      pen.fillStyle = this.ink.back;
      pen.fillRect(0, 0, 5, 5);
      pen.strokeStyle = this.ink.red;
      pen.lineWidth = 1.8;
      pen.beginPath();
      for (const shift of [-5, 0, 5]) {
        pen.moveTo(shift - 1, 6);
        pen.lineTo(shift + 6, -1);
      }
      pen.stroke();
      this.hatched = { colour: this.ink.red, pattern: this.pen.createPattern(tile, "repeat") };
    }
    return this.hatched.pattern;
  }
}

// Where n squares stand, as large as they may be, in the order of reading.
function squares(n, width, height) {
  let columns = Math.max(1, Math.ceil(Math.sqrt((n * width) / height)));
  while (Math.ceil(n / columns) * (width / columns) > height) columns++;
  const side = Math.min(34, width / columns);
  const across = Math.floor(width / side + 1e-6);
  return { side, places: Array.from({ length: n }, (_, i) => [(i % across) * side, Math.floor(i / across) * side]) };
}

// A value, or the end of a panel's axis that it is beyond.
const within = ({ low, high }, value) => Math.max(low, Math.min(high, value));

// Panels: each returns its element, and what it does at a step.

function bag(show, panel) {
  const n = panel.cells.length;
  const layout = (chart) => {
    const { width, height } = chart;
    if (panel.rows.length) {
      const widest = Math.max(...panel.rows);
      const side = Math.min(26, width / widest, height / panel.rows.length);
      const places = [];
      panel.rows.forEach((long, row) => {
        for (let i = 0; i < long; i++) places.push([i * side, row * side]);
      });
      return { side, places };
    }
    return squares(n, width, height);
  };
  const chart = new Chart(show, panel, (chart) => {
    chart.laid ??= layout(chart);
    const { side, places } = chart.laid;
    const { pen, ink } = chart;
    const partly = show.picking;
    const step = show.pointed?.step ?? show.k;
    const weights = step && !partly ? panel.weights[step - 1] : null;
    const lost = step > panel.weights.length && !partly;
    const room = side > 4 ? 1 : 0;
    const letters = show.projector ? 18 : 11;
    for (let i = 0; i < n; i++) {
      const [x, y] = places[i];
      const times = partly ? partly.counts[i] : weights ? count(weights[i]) : step ? 0 : 1;
      if (lost) chart.box(x + room / 2, y + room / 2, side - room, side - room, "pale");
      else if (times === 0) {
        const dot = Math.max(1, side / 6);
        chart.box(x + (side - dot) / 2, y + (side - dot) / 2, dot, dot, "line");
      } else {
        pen.globalAlpha = step || partly ? Math.min(1, 0.25 + 0.22 * times) : 0.3;
        chart.box(x + room / 2, y + room / 2, side - room, side - room, "blue");
        pen.globalAlpha = 1;
        if (times > 1 && side > letters * 1.05) {
          pen.font = `${letters}px ${show.font}`;
          const words = String(times);
          pen.fillStyle = times > 2 ? ink.back : ink.ink;
          pen.textAlign = "center";
          pen.fillText(words, x + side / 2, y + side / 2 + letters * 0.36);
        }
      }
      if (show.pointed?.cell === i || (partly && partly.last === i)) {
        pen.strokeStyle = ink.red;
        pen.lineWidth = 2;
        pen.strokeRect(x + 1, y + 1, side - 2, side - 2);
      }
    }
    if (lost) chart.over("This bag was not saved.");
  });
  const cellAt = (event) => {
    const { side, places } = chart.laid;
    return places.findIndex(
      ([x, y]) => event.offsetX >= x && event.offsetX < x + side && event.offsetY >= y && event.offsetY < y + side,
    );
  };
  const row = () => panel.rows[0] || chart.laid.places.filter(([, y]) => y === 0).length;
  const move = (by) => show.point({ cell: Math.max(0, Math.min(n - 1, (show.pointed?.cell ?? -1) + by)) });
  chart.pointing((event) => show.point({ cell: cellAt(event) }), move, row);
  return { element: chart.element };
}

function pile(show, panel) {
  const steps = panel.values.length;
  const inside = (value) => within(panel, value);
  const between = panel.ends.length ? 1.8 : 0; // the interval lies between the axis and its title
  const base = (chart) => chart.height - chart.size * (2.9 + between);
  const chart = new Chart(show, panel, (chart) => {
    const { pen, ink, size } = chart;
    const bottom = base(chart);
    const at = chart.xAxis(panel.low, panel.high, panel.axis, size * 0.7, bottom, false, between * size);
    const top = chart.marks(panel.marks, at, bottom);
    chart.laid ??= piled(panel, show.shown, at, bottom - top);
    const { side, places, highest } = chart.laid;
    const bars = side < 3;
    const wide = bars ? 4 : side;
    const high = bars ? (bottom - top) / highest : side;
    let ends = null;
    for (const known of panel.ends) if (known.after <= show.k) ends = known;
    const pointedCell = panel.apart ? undefined : show.pointed?.cell;
    const now = performance.now();
    const hatched = (i) => panel.beyond[i] === "1" && !show.veiled;
    const colourOf = (i) => {
      if (hatched(i)) return chart.hatch();
      const out = ends && (panel.values[i] < ends.low || panel.values[i] > ends.high);
      return out && !panel.groups ? ink.light : ink[panel.groups ? GROUPS[count(panel.groups[i])] : "blue"];
    };
    for (let i = 0; i < show.k; i++) {
      const [column, height] = places[i];
      const x = chart.laid.left + column * wide;
      let y = bottom - (height + 1) * high;
      let across = x;
      const late = show.falling && i >= show.falling.from ? Math.min(1, (now - show.falling.times[i]) / 350) : 1;
      if (late < 1) {
        y = top + (y - top) * late * late;
        if (panel.before.length) across = at(inside(panel.before[i])) - wide / 2 + (x - at(inside(panel.before[i])) + wide / 2) * late;
      }
      const beyond = hatched(i);
      const holds = pointedCell >= 0 && show.holdsTwice(i, pointedCell);
      const colour = holds && !beyond ? "red" : colourOf(i);
      pen.globalAlpha = pointedCell >= 0 && !holds && !beyond ? 0.35 : 1;
      if (bars) chart.box(across, y, wide - 0.5, Math.max(high, 0.5), colour);
      else chart.dot(across + side / 2, y + side / 2, side / 2 - 0.4, colour, beyond && "red");
      pen.globalAlpha = 1;
    }
    const marked = (!panel.apart && show.pointed?.step) || (show.k <= 200 || show.pointed ? show.k : 0);
    if (marked > 0 && marked <= show.k && !show.falling) {
      // A ring tells the last draw: colours tell what kind of draw one is.
      const [column, height] = places[marked - 1];
      const radius = Math.max(5, side * 0.6);
      const [x, y] = [chart.laid.left + (column + 0.5) * wide, bottom - (height + 0.5) * high];
      chart.dot(x, y, radius, colourOf(marked - 1), "ink", 2.5);
      if (panel.before.length) {
        const from = at(inside(panel.before[marked - 1]));
        chart.line(from, y, x, y, "ink", 1.5, [3, 3]);
        chart.dot(from, y, radius, null, "ink", 1.5);
      }
    }
    if (ends) {
      const [left, right, y] = [at(inside(ends.low)), at(inside(ends.high)), bottom + size * 1.7];
      chart.box(left, y, right - left, 4, "ink");
      const middle = (left + right) / 2;
      chart.text(number(ends.low, panel.decimals, true), Math.min(left + size, middle - size * 0.3), y + size * 1.3, "right");
      chart.text(number(ends.high, panel.decimals, true), Math.max(right - size, middle + size * 0.3), y + size * 1.3);
    }
    chart.from = (x) => panel.low + ((x - at(panel.low)) / (at(panel.high) - at(panel.low))) * (panel.high - panel.low);
    if (panel.cut !== undefined) {
      const sides = panel.sides === 2 ? [-Math.abs(panel.cut), Math.abs(panel.cut)] : [panel.cut];
      for (const side of sides) chart.line(at(inside(side)), top, at(inside(side)), bottom, "purple", 2.5);
      chart.cut = sides.map((side) => at(inside(side)));
    }
    const guess = show.locked && show.stage.ask.kind === "range" ? show.guess : null;
    if (guess && guess[0] >= panel.low && guess[1] <= panel.high) {
      for (const end of guess) chart.line(at(end), top, at(end), bottom, "green", 2);
      chart.line(at(guess[0]), top + 4, at(guess[1]), top + 4, "green", 2);
      const words = "your guess";
      const middle = (at(guess[0]) + at(guess[1])) / 2;
      const wide = pen.measureText(words).width;
      chart.box(middle - wide / 2 - 2, top + size * 0.4, wide + 4, size * 1.2, "back");
      chart.text(words, middle, top + size * 1.3, "center", "green");
    }
  });
  const { canvas } = chart;
  canvas.onpointerup = canvas.onpointercancel = () => (chart.dragged = false);
  const at = (event) => {
    if (event.type === "pointerdown" && chart.cut?.some((x) => Math.abs(x - event.offsetX) < 10)) {
      chart.dragged = true;
      canvas.setPointerCapture(event.pointerId);
    }
    if (chart.dragged) {
      chart.drag(event.offsetX);
      return;
    }
    const { side, places, left, highest, room } = chart.laid;
    const bars = side < 3;
    const wide = bars ? 4 : side;
    const high = bars ? room / highest : side;
    const bottom = base(chart);
    let best = null;
    let nearest = Math.max(wide, 8) ** 2;
    for (let i = 0; i < show.k; i++) {
      const across = left + (places[i][0] + 0.5) * wide - event.offsetX;
      const up = bottom - (places[i][1] + 0.5) * high - event.offsetY;
      const far = across * across + up * up;
      if (far < nearest) [best, nearest] = [i + 1, far];
    }
    show.point(best && { step: best });
  };
  const move = (by) => show.k && show.point({ step: Math.max(1, Math.min(show.k, (show.pointed?.step ?? show.k) + by)) });
  if (!panel.apart) chart.pointing(at, move); // its dots have other bags than the one that is seen
  const names = panel.group_names.map((name, i) => [GROUPS[i], name]);
  if (!panel.beyond) return { element: chart.element, legend: names };
  const cut = cutoff(show, panel, chart);
  return { element: el("div", { className: "stack" }, chart.element, cut.element), legend: names, draw: cut.draw };
}

// A line that is dragged over a pile, by its slider or on the picture, and what lies beyond it.
function cutoff(show, panel, chart) {
  const start = panel.marks[0]?.at ?? (panel.low + panel.high) / 2;
  const slider = el("input", { type: "range", min: panel.low, max: panel.high, step: (panel.high - panel.low) / 500 });
  slider.value = start;
  slider.setAttribute("aria-label", `Cut-off of the pile: ${panel.title}`);
  const says = el("output", {}, "drag a line to count what lies beyond it");
  const element = el("label", { className: "cut" }, slider, says);
  const move = (value) => {
    panel.cut = value;
    slider.value = value;
    show.draw();
  };
  slider.oninput = () => move(Number(slider.value));
  chart.drag = (x) => element.hidden || move(within(panel, chart.from(x)));
  const draw = () => {
    element.hidden = !show.k || !!show.veiled; // in a game it would count what is guessed
    if (panel.cut === undefined || !show.k) return;
    const far = panel.sides === 2 ? (value) => Math.abs(value) >= Math.abs(panel.cut) : (value) => value >= panel.cut;
    const beyond = panel.values.slice(0, show.k).filter(far).length;
    const place = number(panel.sides === 2 ? Math.abs(panel.cut) : panel.cut, panel.decimals, panel.sides === 1);
    const where = panel.sides === 2 ? `at least ${place} from zero` : `at or above ${place}`;
    says.textContent = `${number(beyond, 0)} of ${number(show.k, 0)} (${((100 * beyond) / show.k).toFixed(1)}%) ${where}`;
  };
  return { element, draw };
}

// Where each value of a pile lies: columns of dots, the largest dots that leave room for all of them, and for those of
// the piles beside it on the same axis, so that as many are as high.
function piled(panel, panels, at, room) {
  const left = at(panel.low);
  const right = at(panel.high);
  const alike = panels.filter(({ kind, low, high }) => kind === "pile" && low === panel.low && high === panel.high);
  const pack = (values, wide) => {
    const columns = Math.max(1, Math.floor((right - left) / wide));
    const heights = new Array(columns).fill(0);
    const places = values.map((value) => {
      const share = (value - panel.low) / (panel.high - panel.low);
      const column = Math.max(0, Math.min(columns - 1, Math.floor(share * columns)));
      return [column, heights[column]++];
    });
    return { places, highest: Math.max(1, ...heights) };
  };
  const packed = (wide) => {
    const highest = Math.max(...alike.map(({ values }) => pack(values, wide).highest));
    return { ...pack(panel.values, wide), highest, left, room };
  };
  for (let side = 14; side >= 3; side -= 0.5) {
    const found = packed(side);
    if (found.highest * side <= room) return { side, ...found };
  }
  return { side: 0, ...packed(4) };
}

function labels(show, panel) {
  const n = panel.texts.length;
  const strip = new Chart(show, panel, (chart) => {
    chart.laid ??= squares(n, chart.width, chart.height);
    const { side, places } = chart.laid;
    const flips = show.k ? panel.flips[show.step() - 1] : null;
    for (let i = 0; i < n; i++) {
      const flipped = flips && flips[i] === "1";
      chart.box(...places[i], side - 1, side - 1, panel.same[i] === "1" ? "pale" : flipped ? "purple" : "light");
    }
    if (show.step() > panel.flips.length) chart.over("These coins were not saved.");
  });
  strip.element.style.cssText = "height: 4.5em; flex: none";
  const names = el("div", { className: "couple" }, el("strong", {}, panel.names[0]), "", el("strong", {}, panel.names[1]));
  names.children[0].after(el("b"));
  // A few of either kind in turn, so that both are seen.
  const kinds = ["0", "1"].map((mark) => panel.texts.map((_, i) => i).filter((i) => panel.same[i] === mark));
  const turns = panel.texts.flatMap((_, i) => kinds.flatMap((kind) => kind.slice(i, i + 1))).slice(0, 60);
  const couples = turns.map((i) => {
    const [first, second] = panel.texts[i];
    const same = panel.same[i] === "1";
    const parts = [el("span", { className: "a" }, first), el("b", {}, same ? "=" : ""), el("span", { className: "b" }, second)];
    return el("div", { className: same ? "couple same" : "couple" }, ...parts);
  });
  const list = el("div", { className: "scroll", tabIndex: 0, role: "group", ariaLabel: panel.title }, ...couples);
  const draw = () => {
    const flips = show.k ? panel.flips[show.step() - 1] : null;
    couples.forEach((couple, at) => {
      const i = turns[at];
      const flipped = Boolean(flips) && flips[i] === "1";
      couple.classList.toggle("flipped", flipped);
      const sign = show.step() > panel.flips.length ? "?" : flipped ? "⇄" : "";
      if (panel.same[i] !== "1") couple.children[1].textContent = sign;
    });
  };
  const more = n > couples.length ? [el("p", { className: "note" }, `${couples.length} of ${number(n, 0)}; each square above is one of the ${number(n, 0)}.`)] : [];
  const legend = [["light", "as it was"], ["purple", "swapped (⇄)"], ["pale", "same counts, swapped or not (=)"]];
  return { element: el("div", { className: "stack" }, strip.element, names, list, ...more), draw, legend };
}

function reading(show, panel) {
  const head = el("p", { className: "head" });
  const list = el("ul", { className: "lines" });
  const draw = () => {
    const step = show.step();
    const full = step && !show.picking;
    head.textContent = full ? (panel.heads[step - 1] ?? "") : show.picking ? "…" : "";
    const lines = full ? (panel.lines[step - 1] ?? []) : [];
    list.replaceChildren(...lines.map((line) => el("li", { title: line }, line)));
  };
  return { element: el("div", {}, head, list), draw };
}

function rows(show, panel) {
  const chart = new Chart(show, panel, (chart) => {
    const { size } = chart;
    const bottom = chart.height - size * 2.9;
    const at = chart.xAxis(panel.low, panel.high, panel.axis, size * 0.7, bottom);
    const top = chart.marks([{ at: panel.truth, text: panel.truth_text }], at, bottom);
    const n = panel.lows.length;
    const high = (bottom - top) / n;
    for (let i = 0; i < Math.min(show.k, n); i++) {
      const y = top + (i + 0.5) * high;
      const missed = panel.missed[i] === "1";
      const thick = Math.max(1, Math.min(missed ? 5 : 3, high * (missed ? 0.9 : 0.6)));
      const [left, right] = [at(within(panel, panel.lows[i])), at(within(panel, panel.highs[i]))];
      chart.line(left, y, right, y, missed ? "red" : "blue", thick);
      if (missed) {
        const arm = Math.max(3, Math.min(6, high));
        const middle = (left + right) / 2;
        chart.line(middle - arm, y - arm, middle + arm, y + arm, "red", 2);
        chart.line(middle - arm, y + arm, middle + arm, y - arm, "red", 2);
      }
    }
  });
  return { element: chart.element, legend: [["blue", "holds the truth"], ["red", "misses it (×)"]] };
}

function threads(show, panel) {
  const chart = new Chart(show, panel, (chart) => {
    const { size, pen } = chart;
    const bottom = chart.height - size * 2.9;
    const at = chart.xAxis(panel.low, panel.high, panel.axis, size * 0.7, bottom);
    const upper = size * 1.9;
    const lower = bottom - size * 1.9;
    chart.text(panel.names[0], 0, size, "left", "blue");
    chart.text(panel.names[1], 0, bottom - size * 0.4, "left", "red");
    panel.bars.forEach(([low, high], i) => {
      const y = i ? lower + 9 : upper - 9; // beside the scores that are joined
      chart.line(at(low), y, at(high), y, i ? "red" : "blue", 5);
    });
    const n = Math.min(show.k, panel.values.length);
    const step = show.step();
    for (let i = 0; i < n; i++) {
      const [first, second] = panel.values[i].map(at);
      const last = i === step - 1;
      pen.globalAlpha = last ? 1 : Math.max(0.08, Math.min(0.5, 30 / n));
      chart.line(first, upper, second, lower, last ? "red" : "ink", last ? 2.5 : 1);
      pen.globalAlpha = last ? 1 : 0.6;
      chart.box(first - 2, upper - 4, 4, 8, "blue");
      chart.box(second - 2, lower - 4, 4, 8, "red");
    }
    pen.globalAlpha = 1;
  });
  return { element: chart.element };
}

const LINES = ["blue", "red", "green", "purple", "orange"];

function curves(show, panel) {
  const colours = panel.lines.map((line, i) => (line.style === "ghost" ? "soft" : LINES[i % LINES.length]));
  const chart = new Chart(show, panel, (chart) => {
    const { size, pen, ink } = chart;
    const bottom = chart.height - size * 2.9;
    const heights = ticks(panel.y_low, panel.y_high, Math.max(2, (bottom - size * 2) / (size * 2.4)));
    const left = Math.max(...heights.map((tick) => pen.measureText(tick.text).width)) + size * 0.8;
    const top = size * 1.7;
    const shownMarks = panel.marks.filter((mark) => show.k >= mark.since);
    // What lines across mean stands beside them, where it hides nothing.
    const beside = Math.max(0, ...panel.marks.map((mark) => pen.measureText(mark.text).width + 5));
    const right = chart.width - beside;
    const at = chart.xAxis(panel.x_low, panel.x_high, panel.x_axis, left, bottom, panel.log_x, 0, beside);
    const up = (value) => {
      const share = (value - panel.y_low) / (panel.y_high - panel.y_low);
      return bottom - Math.max(0, Math.min(1, share)) * (bottom - top);
    };
    chart.text(panel.y_axis, 0, size, "left", "soft");
    chart.line(left, top, left, bottom);
    for (const tick of heights) chart.text(tick.text, left - 5, up(tick.at) + size * 0.35, "right", "soft");
    for (const mark of shownMarks) chart.line(left, up(mark.at), right, up(mark.at), "ink", 1, [5, 4]);
    // Of as many places as there are steps, the first is that of step 1; of one more, of step 0.
    const place = panel.at[panel.at.length > show.stage.steps ? show.k : show.k - 1];
    const now = panel.run ? show.step() : show.k;
    const from = panel.run && now ? now - 1 - ((now - 1) % panel.run) : 0;
    panel.lines.forEach((line, i) => {
      let seen = line.x.length;
      if (panel.grows) seen = panel.at.length ? line.x.filter((x) => x <= place).length : Math.min(now, seen);
      const colour = colours[i];
      pen.fillStyle = ink[colour];
      if (line.style === "points") {
        for (let j = 0; j < seen; j++) chart.dot(at(line.x[j]), up(line.y[j]), 4, colour);
        return;
      }
      if (!seen) return;
      pen.beginPath();
      for (let j = from; j < seen; j++) pen.lineTo(at(line.x[j]), up(line.y[j]));
      if (line.style === "band") {
        for (let j = seen - 1; j >= 0; j--) pen.lineTo(at(line.x[j]), up(line.upper[j]));
        pen.closePath();
        pen.globalAlpha = 0.25;
        pen.fill();
        pen.globalAlpha = 1;
        return;
      }
      pen.strokeStyle = ink[colour];
      pen.lineWidth = 2.5;
      pen.setLineDash(line.style === "ghost" ? [3, 5] : []);
      pen.stroke();
      pen.setLineDash([]);
      if (seen === from + 1 || panel.run)
        for (let j = from; j < seen; j++) pen.fillRect(at(line.x[j]) - 3, up(line.y[j]) - 3, 6, 6);
      if (i) return;
      for (let j = from; j < seen; j++) if (panel.flags[j] === "1") chart.dot(at(line.x[j]), up(line.y[j]), 9, null, "red", 2.5);
    });
    if (place !== undefined) chart.line(at(place), top, at(place), bottom, "red", 2);
    let free = 0;
    for (const mark of shownMarks.sort((one, other) => other.at - one.at)) {
      const y = Math.max(up(mark.at) + size * 0.35, free + size);
      chart.text(mark.text, right + 5, y);
      free = y;
    }
    chart.at = at;
    const slid = show.pointed?.place;
    if (slid !== undefined && panel.tells.length) {
      const x = at(panel.lines[0].x[slid]);
      chart.line(x, top, x, bottom, "ink", 1.5);
      panel.lines.forEach((line, i) => chart.dot(x, up(line.y[slid]), 5, colours[i]));
    }
  });
  if (panel.tells.length) {
    const places = panel.lines[0].x;
    const tell = (place) => show.point({ place, text: panel.tells[place] });
    const at = (event) => {
      const far = places.map((x) => Math.abs(chart.at(x) - event.offsetX));
      tell(far.indexOf(Math.min(...far)));
    };
    const here = () => show.pointed?.place ?? Math.floor(places.length / 2);
    chart.pointing(at, (by) => tell(Math.max(0, Math.min(places.length - 1, here() + by))));
  }
  return { element: chart.element, legend: panel.lines.map((line, i) => [colours[i], line.name]) };
}

function crowd(show, panel) {
  const chart = new Chart(show, panel, (chart) => {
    const { pen } = chart;
    const n = panel.names.length;
    const bottom = chart.height - chart.size * 2.9;
    const high = bottom / n;
    const letters = Math.max(show.projector ? 18 : 11, Math.min(chart.size, high * 0.8));
    const every = Math.max(1, Math.ceil((letters * 1.05) / high));
    pen.font = `${letters}px ${show.font}`;
    const names = panel.names.map((name) => chart.fitting(name, chart.width * 0.3));
    const left = Math.max(...names.map((name) => pen.measureText(name).width)) + 12;
    pen.font = `${chart.size}px ${show.font}`;
    const at = chart.xAxis(panel.low, panel.high, panel.axis, left, bottom);
    pen.font = `${letters}px ${show.font}`;
    if (panel.low < 0 && panel.high > 0) chart.line(at(0), 0, at(0), bottom, "ink", 1, [5, 4]);
    const step = show.step();
    const crowned = step ? panel.crowned[step - 1] : -1;
    for (let i = 0; i < n; i++) {
      const y = (i + 0.5) * high;
      const claimed = step && panel.claimed[step - 1][i] === "1";
      // Bold tells the best: colours tell what is claimed.
      pen.font = `${i === crowned ? "bold " : ""}${letters}px ${show.font}`;
      if (i % every === 0 || i === crowned) chart.text(names[i], 0, y + letters * 0.35, "left", i === crowned ? "ink" : "soft");
      pen.font = `${letters}px ${show.font}`;
      if (!step) continue;
      const x = at(within(panel, panel.values[step - 1][i]));
      chart.line(left, y, chart.width, y, "pale");
      chart.dot(x, y, Math.max(3, Math.min(6, high * 0.35)), claimed ? "red" : "blue");
      const said = [i === crowned ? "♛ best" : "", claimed ? "claimed" : ""].filter(Boolean).join(", ");
      if (said) chart.text(said, x + 10, y + letters * 0.35, "left", claimed ? "red" : "ink");
    }
  });
  return { element: chart.element, legend: [["blue", "no claim"], ["red", "claimed to differ"]] };
}

// A small picture for each world, all of them at once; the one pointed at is drawn large in its neighbour.
function worlds(show, panel) {
  const n = panel.values.length;
  const chart = new Chart(show, panel, (chart) => {
    const { pen, ink, width, height } = chart;
    const columns = Math.ceil(Math.sqrt((n * width) / Math.max(height, 1)));
    const [wide, high] = [width / columns, height / Math.ceil(n / columns)];
    chart.laid = { columns, wide, high };
    const done = Math.floor(show.k / panel.run);
    const here = Math.ceil((show.pointed?.step ?? 0) / panel.run) - 1;
    for (let i = 0; i < n; i++) {
      const [x, y] = [(i % columns) * wide, Math.floor(i / columns) * high];
      const flagged = panel.flagged[i].includes("1");
      pen.globalAlpha = i < done && flagged ? 0.3 : 1;
      chart.box(x + 1, y + 1, wide - 2, high - 2, i < done && flagged ? "red" : "pale");
      pen.globalAlpha = 1;
      if (i >= done) continue;
      const values = panel.values[i];
      const across = (j) => x + 3 + (values.length > 1 ? j / (values.length - 1) : 0.5) * (wide - 6);
      const up = (value) => y + high - 3 - ((value - panel.low) / (panel.high - panel.low)) * (high - 6);
      if (panel.mark !== null) chart.line(x + 2, up(panel.mark), x + wide - 2, up(panel.mark), "line");
      pen.beginPath();
      pen.strokeStyle = ink[flagged ? "red" : "blue"];
      pen.lineWidth = 1.5;
      if (panel.joined) values.forEach((value, j) => pen.lineTo(across(j), up(value)));
      pen.stroke();
      values.forEach((value, j) => {
        const marked = panel.flagged[i][j] === "1";
        if (panel.joined && !marked) return;
        const side = marked ? 3.5 : 2;
        chart.box(across(j) - 1, up(value) - 1, side, side, marked ? "red" : "blue");
      });
      if (i === here) {
        pen.strokeStyle = ink.ink;
        pen.lineWidth = 2;
        pen.strokeRect(x + 1, y + 1, wide - 2, high - 2);
      }
    }
  });
  const point = (world) => {
    const known = world >= 0 && world < Math.floor(show.k / panel.run);
    show.point(known ? { step: (world + 1) * panel.run } : null);
  };
  const at = ({ offsetX, offsetY }) => {
    const { columns, wide, high } = chart.laid;
    point(Math.floor(offsetY / high) * columns + Math.floor(offsetX / wide));
  };
  const here = () => Math.ceil((show.pointed?.step ?? show.k) / panel.run) - 1;
  const move = (by) => point(Math.max(0, Math.min(Math.floor(show.k / panel.run) - 1, here() + by)));
  chart.pointing(at, move, () => chart.laid.columns);
  return { element: chart.element, legend: [["blue", panel.names[0]], ["red", panel.names[1]]] };
}

function tiles(show, panel) {
  const row = el("div", { className: "tile-row", role: "group", ariaLabel: panel.title });
  const meter = el("p", { className: "meter" });
  let order = [];
  let step = -1;
  const buttons = panel.tiles.map((text) => el("button", { type: "button" }, text));
  const place = (next, by) => {
    order = next;
    const focused = by ?? row.getRootNode().activeElement;
    row.replaceChildren(...order.map((i) => buttons[i]));
    if (buttons.includes(focused)) focused.focus();
  };
  const moved = (tile, to) => {
    const next = order.filter((i) => i !== tile);
    next.splice(to, 0, tile);
    if (next.every((i, at) => i === order[at])) return;
    place(next, buttons[tile]);
    meter.textContent = panel.any_order;
    show.moved();
  };
  const movable = () => panel.any_order && show.locked;
  buttons.forEach((button, tile) => {
    button.onkeydown = (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by === undefined || !movable()) return;
      stop(event);
      moved(tile, Math.max(0, Math.min(order.length - 1, order.indexOf(tile) + by)));
    };
    button.onpointerdown = (event) => {
      if (!movable()) return;
      button.setPointerCapture(event.pointerId);
      button.classList.add("held");
    };
    button.onpointermove = (event) => {
      if (!button.classList.contains("held")) return;
      const under = buttons.findIndex((other) => {
        const box = other.getBoundingClientRect();
        return event.clientX > box.left && event.clientX < box.right && event.clientY > box.top && event.clientY < box.bottom;
      });
      if (under >= 0 && under !== tile) moved(tile, order.indexOf(under));
    };
    button.onpointerup = button.onpointercancel = () => button.classList.remove("held");
  });
  const draw = () => {
    for (const button of buttons) button.disabled = !movable();
    if (step === show.k) return;
    step = show.k;
    place(step ? panel.orders[step - 1] : panel.tiles.map((_, i) => i));
    meter.textContent = step ? panel.meters[step - 1] : "";
  };
  const how = panel.any_order ? [el("p", { className: "note" }, "Drag a phrase, or select one and move it with ← and →.")] : [];
  return { element: el("div", {}, row, meter, ...how), draw };
}

function lineup(show, panel) {
  const pictures = panel.matrices.map((matrix, i) => {
    const canvas = el("canvas", { width: 104, height: 104, role: "presentation" });
    const button = el("button", { type: "button" }, canvas, String(i + 1));
    button.setAttribute("aria-label", `Picture ${i + 1}`);
    button.onclick = () => show.choose(i);
    return { canvas, button, matrix };
  });
  const draw = () => {
    for (const [i, { canvas, button, matrix }] of pictures.entries()) {
      button.setAttribute("aria-pressed", String(show.guess === i));
      button.disabled = show.locked;
      button.classList.toggle("real", show.played[show.round]?.answer === i);
      const pen = canvas.getContext("2d");
      pen.clearRect(0, 0, 104, 104);
      const side = 104 / matrix.length;
      matrix.forEach((row, r) =>
        row.forEach((value, c) => {
          pen.globalAlpha = 1;
          pen.fillStyle = show.ink.back;
          pen.fillRect(c * side, r * side, side, side);
          pen.globalAlpha = Math.min(1, Math.abs(value) / panel.high);
          pen.fillStyle = show.ink[value > 0 ? "blue" : "red"];
          pen.fillRect(c * side, r * side, side, side);
        }),
      );
    }
  };
  return { element: el("div", { className: "line-up" }, ...pictures.map(({ button }) => button)), draw,
    legend: [["blue", "the system of the row leads that of the column"], ["red", "it trails"]] };
}

function facts(show, panel) {
  const head = el("tr", {}, ...panel.columns.map((name) => el("th", { scope: "col" }, name)));
  const body = el("tbody");
  const draw = () => {
    // What says how it comes out is not in the page before.
    const seen = !panel.since || (show.locked && show.k >= panel.since);
    if (seen === Boolean(body.childElementCount)) return;
    body.replaceChildren(...(seen ? panel.rows.map((row) => el("tr", {}, ...row.map((cell) => el("td", {}, cell)))) : []));
  };
  const wide = panel.rows.some((row) => row.some((cell) => cell.length > 40));
  return { draw, wide, element: el("div", { className: "scroll", tabIndex: 0, role: "group", ariaLabel: panel.title },
    el("table", {}, el("thead", {}, head), body)) };
}

const PANELS = { bag, labels, pile, reading, rows, threads, curves, crowd, worlds, tiles, lineup, facts };

function stop(event) {
  event.preventDefault();
  event.stopPropagation();
}


// What all pages have in common: a place, its colours, pictures, and words that say what they mean when pointed at.
class Show {
  constructor(data, parent, component) {
    this.id = data.id;
    this.data = data;
    this.stage = data.stage;
    this.projector = data.projector;
    this.keep = component.setStateValue;
    this.tell = component.setTriggerValue;
    this.charts = [];
    this.drawn = [];
    this.root = el("section", { className: "lessons", ariaLabel: data.title });
    this.tip = el("p", { className: "tip", role: "tooltip", hidden: true, id: "tip" });
    parent.append(this.root);
    this.k = 0;
    this.locked = false;
    this.guess = null;
    this.keys = (event) => this.key(event);
    window.addEventListener("keydown", this.keys, true);
    // Light or dark may change while a lesson is open; charts know colours, not variables.
    this.recolour = () => {
      this.look(this.projector);
      this.draw();
    };
    DARK.addEventListener("change", this.recolour);
    const terms = (data.glossary ?? []).flatMap(([words, says]) => words.map((word) => [word, says]));
    this.terms = new Map(terms.map(([word, says]) => [word.toLowerCase(), says]));
    const words = terms.map(([word]) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).sort((a, b) => b.length - a.length);
    this.term = words.length ? new RegExp(`(?<![\\w-])(${words.join("|")})(s?)(?![\\w-])`, "gi") : null;
  }

  end() {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.later);
    window.removeEventListener("keydown", this.keys, true);
    DARK.removeEventListener("change", this.recolour);
    for (const chart of this.charts) chart.watcher.disconnect();
    this.root.remove();
  }

  // The colours and the letters as the theme has them now.
  look(projector) {
    this.projector = projector;
    this.root.classList.toggle("projector", Boolean(projector));
    const probe = this.root.appendChild(el("span"));
    this.ink = {};
    for (const name of ["ink", "soft", "line", "pale", "back", "blue", "light", "red", "green", "purple", "orange"]) {
      probe.style.color = `var(--${name})`;
      this.ink[name] = getComputedStyle(probe).color;
    }
    probe.remove();
    const style = getComputedStyle(this.root);
    this.font = style.fontFamily;
    this.textSize = projector ? 18 : Math.max(12, parseFloat(style.fontSize) * 0.85);
  }

  step() {
    return this.pointed?.step ?? this.k;
  }

  // A text whose words say what they mean when they are pointed at, each where it stands first.
  glossed(text) {
    if (!this.term) return [text];
    const parts = [];
    const seen = new Set();
    let from = 0;
    for (const found of text.matchAll(this.term)) {
      const says = this.terms.get(found[1].toLowerCase());
      if (seen.has(says)) continue;
      seen.add(says);
      const word = el("dfn", { tabIndex: 0 }, found[0]);
      word.onpointerenter = word.onfocus = word.onclick = () => this.explain(word, says);
      word.onpointerleave = word.onblur = () => this.explain(null);
      parts.push(text.slice(from, found.index), word);
      from = found.index + found[0].length;
    }
    return [...parts, text.slice(from)];
  }

  explain(word, says) {
    this.tip.hidden = !word;
    if (!word) return;
    this.root.append(this.tip);
    this.tip.textContent = says;
    word.setAttribute("aria-describedby", "tip");
    const [box, all] = [word.getBoundingClientRect(), this.root.getBoundingClientRect()];
    const wide = Math.min(320, all.width);
    this.tip.style.width = `${wide}px`;
    this.tip.style.left = `${Math.max(0, Math.min(box.left - all.left, all.width - wide))}px`;
    this.tip.style.top = `${box.bottom - all.top + 4}px`;
  }

  panels(panels) {
    for (const chart of this.charts) chart.watcher.disconnect();
    this.charts = [];
    this.shown = panels;
    this.drawn = panels.map((panel) => PANELS[panel.kind](this, panel));
    const figures = panels.map((panel, i) => {
      const { element, legend = [], wide = false } = this.drawn[i];
      const names = legend.filter(([, name]) => name);
      const under = el("div", { className: "legend" });
      for (const [colour, name] of names) {
        const swatch = el("i");
        swatch.style.background = `var(--${colour})`;
        under.append(el("span", {}, swatch, name));
      }
      const parts = [el("figcaption", {}, panel.title), element, ...(names.length ? [under] : [])];
      return el("figure", { className: `panel ${panel.kind}${wide ? " wide" : ""}` }, ...parts);
    });
    this.pictures.replaceChildren(...figures);
    this.draw();
  }

  draw() {
    for (const { draw } of this.drawn) if (draw) draw();
    for (const chart of this.charts) chart.draw();
  }

  // The line above a lesson: what it is, and the ways on.
  heading() {
    const { data } = this;
    const go = (where, words) => {
      const button = el("button", { type: "button", className: "way" }, words);
      button.onclick = () => this.go_to(where);
      return button;
    };
    this.projecting = el("button", { type: "button", className: "way" });
    this.projecting.onclick = () => this.keep("projector", !this.projector);
    const ways = ["all", "previous", "next"].filter((where) => where in data.nav);
    const words = { all: "All lessons", previous: "Previous", next: "Next" };
    this.told = el("button", { type: "button", className: "way say", hidden: true }, "Say it");
    this.told.onclick = () => this.root.classList.toggle("telling");
    const nav = el("nav", { ariaLabel: "Lessons" }, this.told, ...ways.map((where) => go(where, words[where])), this.projecting);
    const about = el("p", { className: "against" }, `A common mistake: “${data.against}” See ${data.from}.`);
    if (!data.heading) return el("header", {}, nav, about);
    const title = el("h1", { className: "title" }, data.title);
    return el("header", {}, title, nav, about, el("p", { className: "main" }, ...this.glossed(data.question)));
  }

  go_to(where) {
    clearTimeout(this.later); // what is told after it would be told of this lesson, and bring it back
    this.tell("go", where);
  }

  // The question, and the inputs of its kind; `lock` is what is done with the guess.
  asking(lock) {
    const { ask } = this.stage;
    const setting = this.stage.setting ? [el("p", { className: "setting" }, ...this.glossed(this.stage.setting))] : [];
    const parts = [...setting, el("p", { className: "question" }, ...this.glossed(ask.question))];
    const inputs = [];
    if (ask.kind === "choice") {
      if (!this.choosesPicture) {
        parts.push(choices("answer", ask.options, ask.question, (i) => this.choose(i)));
        inputs.push(...parts.at(-1).querySelectorAll("input"));
      }
    } else {
      const [low, high] = ask.log ? [Math.log10(ask.low), Math.log10(ask.high)] : [ask.low, ask.high];
      const middle = (share) => low + Math.round(((high - low) * share) / ask.step) * ask.step;
      const names = ask.kind === "range" ? ["from", "to"] : ask.names.length ? ask.names : ["your guess"];
      const starts = ask.kind === "range" ? [middle(0.4), middle(0.6)] : names.map(() => middle(0.5));
      starts.forEach((start, i) => {
        const slider = el("input", { type: "range", min: low, max: high, step: ask.step });
        slider.value = start;
        const says = el("output", {}, "?");
        // Where a slider stands at first is no guess before it was touched.
        slider.onclick = slider.oninput = () => {
          if (this.locked) return;
          const value = this.guessed(slider);
          if (starts.length === 1) this.guess = value;
          else {
            this.guess ??= ask.kind === "range" ? [...starts] : starts.map(() => null);
            this.guess[i] = value;
            // The ends of a range do not pass each other.
            if (ask.kind === "range" && (i ? value < this.guess[0] : value > this.guess[1])) this.guess[1 - i] = value;
          }
          this.shown_guess(slider);
        };
        slider.says = says;
        slider.setAttribute("aria-label", `${ask.question} ${names[i]}`);
        inputs.push(slider);
        parts.push(el("label", {}, names[i], slider, says));
      });
    }
    this.lock = el("button", { type: "button", className: "first lock" }, "Lock in");
    this.lock.onclick = lock;
    this.inputs = inputs;
    parts.push(this.lock);
    this.ask.replaceChildren(...parts);
    this.ask.classList.remove("locked");
    this.lockable();
  }

  // What a slider means where it stands: of a logarithmic one, the power of ten, with the digits that are shown.
  guessed(slider) {
    const { log, decimals } = this.stage.ask;
    const value = Number(slider.value);
    return log ? Number((10 ** value).toFixed(decimals)) : value;
  }

  // Show the guess in the inputs, but for the one that it comes from.
  shown_guess(from) {
    const { log, decimals } = this.stage.ask;
    this.inputs.forEach((input, i) => {
      const value = Array.isArray(this.guess) ? this.guess[i] : this.guess;
      if (input.type === "radio") input.checked = i === value;
      else if (value !== null) {
        if (input !== from) input.value = log ? Math.log10(value) : value;
        input.says.textContent = number(value, decimals);
      }
    });
    this.lockable();
  }

  choose(i) {
    this.guess = i;
    this.lockable();
    this.draw();
  }

  lockable() {
    const whole = Array.isArray(this.guess) ? !this.guess.includes(null) : this.guess !== null;
    this.lock.disabled = this.locked || !whole;
  }

  // Put a guess back into the inputs, and lock them.
  locking(guess) {
    this.locked = true;
    this.guess = guess;
    this.shown_guess();
    for (const input of this.inputs) {
      input.parentElement.classList.toggle("picked", input.type === "radio" && input.checked);
      input.disabled = true;
    }
    this.lock.textContent = "Locked in";
    this.ask.classList.add("locked");
  }

  // What is told when the drawing has come out: what to take home, what to try, and a question that goes on.
  after() {
    const { data } = this;
    if (this.rest.childElementCount) return;
    const solution = el("details", {}, el("summary", {}, "Solution, computed from the data shown here"), el("p"));
    solution.ontoggle = () => {
      if (solution.open && this.data.solution === null) this.keep("solve", true);
    };
    this.solution = solution.lastChild;
    this.solution.textContent = data.solution ?? "…";
    this.rest.replaceChildren(
      el("h2", {}, "Say it"),
      el("p", { className: "take" }, ...this.glossed(data.take_home)),
      el("h2", {}, "Try"),
      el("p", {}, ...this.glossed(data.exercise)),
      solution,
      el("h2", {}, "Quiz"),
      this.quiz(),
    );
    this.told.hidden = false;
  }

  quiz() {
    const { quiz } = this.data;
    const known = answers.of(this.id).quiz;
    const verdict = el("p", { className: "verdict", role: "status" });
    const check = el("button", { type: "button", className: "first", disabled: true }, "Check");
    const options = choices("quiz", quiz.answers, quiz.question, () => (check.disabled = false));
    const labels = [...options.children];
    const tell = (picked) => {
      labels.forEach((label, i) => {
        label.firstChild.checked = i === picked;
        label.firstChild.disabled = true;
        label.classList.toggle("right", i === quiz.right);
      });
      check.hidden = true;
      const right = picked === quiz.right ? "Right." : `The answer is: ${quiz.answers[quiz.right]}.`;
      verdict.textContent = `${right} ${quiz.why}`;
    };
    check.onclick = () => {
      const picked = labels.findIndex((label) => label.firstChild.checked);
      answers.add(this.id, { ...this.data.facts, quiz: { answer: picked, right: picked === quiz.right } });
      tell(picked);
    };
    if (known) tell(known.answer);
    return el("div", { className: "quiz" }, el("p", {}, ...this.glossed(quiz.question)), options, check, verdict);
  }

  // A lesson that these data do not carry says why, and what it would have said.
  refuse() {
    if (!this.data.refused) return false;
    this.root.append(el("p", { className: "reveal" }, this.data.refused), this.rest);
    return true;
  }

  update(data) {
    this.data = data;
    if (data.projector !== this.projector) for (const chart of this.charts) chart.laid = null;
    this.look(data.projector);
    if (this.projecting) this.projecting.textContent = data.projector ? "Leave projector mode" : "Projector";
    if (!data.projector) this.root.classList.remove("telling");
    if (this.solution && data.solution !== null) this.solution.textContent = data.solution;
    this.draw();
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const target = event.composedPath()[0];
    const writes = /^(input|textarea|select)$/i.test(target.tagName) || target.isContentEditable;
    if (writes && (target.type !== "range" || event.key.startsWith("Arrow"))) {
      if (target.type !== "radio" || event.key.startsWith("Arrow")) return;
    }
    const arrows = /^(canvas|svg)$/i.test(target.tagName) || target.closest?.(".tile-row,[role=tab],[role=radio],[role=radiogroup],[role=listbox],[role=option]");
    if (event.key === "ArrowRight" && arrows) return;
    const act = this.keyed(event.key);
    if (!act) return;
    stop(event); // Streamlit takes R for itself
    act();
  }

  keyed(key) {
    // Who reads alone moves sliders with this key: on one that is switched off, it would turn the page.
    return this.projector && key === "ArrowRight" && "next" in this.data.nav ? () => this.go_to("next") : null;
  }

  point() {}

  holdsTwice() {
    return false;
  }
}

const PICKING = 1200;
const FALLING = 350;

class Lesson extends Show {
  constructor(data, parent, component) {
    super(data, parent, component);
    this.rest = el("div", { className: "after" });
    this.root.append(this.heading());
    this.look(data.projector);
    if (this.refuse()) return;
    const { stage } = this;
    stage.reveal_at ||= stage.steps;
    this.ask = el("div", { className: "ask" });
    this.hint = el("p", { className: "hint" }, "Enter a guess and lock it in. Then you can draw.");
    this.controls = el("div", { className: "controls", role: "group", ariaLabel: "Draws" });
    this.says = el("p", { className: "says", ariaLive: "polite" });
    this.out = el("div", { className: "out" });
    this.pictures = el("div", { className: "panels" });
    this.hover = el("p", { className: "pointed" });
    this.root.append(this.ask, this.hint, this.controls, this.says, this.out, this.pictures, this.hover, this.rest);
    const notes = [...stage.missing, data.about];
    this.root.append(el("ul", { className: "missing" }, ...notes.map((text) => el("li", {}, text))));
    const known = answers.of(this.id);
    const view = data.start.view || known.view;
    this.view = view in stage.views ? view : Object.keys(stage.views)[0];
    this.asking(() => {
      this.locking(this.guess);
      this.note();
      this.set(this.waiting);
      this.keep("guess", this.guess);
    });
    this.buttons();
    // A link may hold how much was drawn: it is seen when a guess is locked in, and never before.
    this.waiting = Math.max(0, Math.min(stage.steps, data.start.shown));
    if (known.guess !== undefined) {
      this.locking(known.guess);
      this.k = Math.max(this.waiting, known.shown ?? 0);
    }
    this.see(this.view);
  }

  // Keep what was guessed, and what came out first: a class pools that, whatever else is looked at afterwards.
  note() {
    const { ask, steps } = this.stage;
    const { kind, low, high, options, names, question } = ask;
    const out = this.k >= this.stage.reveal_at && !answers.of(this.id).found ? { found: this.found() } : {};
    const asked = { kind, low, high, options, names };
    answers.add(this.id, { ...this.data.facts, question, asked, guess: this.guess, view: this.view, shown: Math.min(this.k, steps), ...out });
  }

  found() {
    const { views, found } = this.stage;
    return [views[this.view].found, Object.values(views)[0].found, found].find((one) => one.length) ?? [];
  }

  buttons() {
    const { stage } = this;
    this.acts = stage.buttons.map((size, i) => {
      const words = number(size, 0);
      // The last button goes to the end, whatever was drawn before.
      const all = size >= stage.steps && stage.steps > 1 ? "all " : "";
      const button = el("button", { type: "button" }, i ? all + words : `${stage.verb} ${all}${words}`);
      button.setAttribute("aria-label", `${stage.verb} ${all}${words}`);
      button.onclick = () => this.go(size);
      return button;
    });
    this.again = el("button", { type: "button" }, "Start again");
    this.again.onclick = () => this.restart();
    this.controls.append(...this.acts, this.again);
    if (stage.pace === "slider") {
      this.slider = el("input", { type: "range", min: 0, max: stage.steps, step: 1, ariaLabel: stage.noun });
      this.slider.oninput = () => {
        const to = Number(this.slider.value);
        this.finish();
        this.set(to);
        this.milestone();
      };
      this.controls.append(this.slider);
    }
    this.counter = el("span", { className: "counter" });
    this.controls.append(this.counter);
    const names = Object.keys(stage.views);
    if (names.length > 1) {
      const name = stage.switch || "View";
      this.switch = names.map((view) => {
        const button = el("button", { type: "button" }, view);
        button.onclick = () => {
          this.see(view);
          if (this.locked) this.note();
          this.keep("view", view);
        };
        return button;
      });
      this.controls.append(el("span", { className: "switch", role: "group", ariaLabel: name }, name, ...this.switch));
    }
  }

  // Show the panels and sentences of one position of the switch.
  see(view) {
    this.finish();
    this.view = view;
    for (const button of this.switch ?? []) button.setAttribute("aria-pressed", String(button.textContent === view));
    this.panels(this.stage.views[view].panels);
    this.bag = this.stage.views[view].panels.find((panel) => panel.kind === "bag");
    this.pointed = null;
    if (this.stage.views[view].reveal) this.out.replaceChildren();
    this.set(this.k);
  }

  unlock() {
    const { steps, pace } = this.stage;
    this.hint.hidden = this.locked;
    for (const button of this.acts) button.disabled = !this.locked || this.k >= steps;
    if (this.again) this.again.disabled = !this.locked || (!this.k && !this.moves);
    if (this.slider) this.slider.disabled = !this.locked;
    // Which hundred is one's own may be chosen before; what they show comes after.
    const own = Object.values(this.stage.views).every((view) => view.found.length);
    for (const button of this.switch ?? []) button.disabled = !this.locked && !own;
    this.revealing();
    if (pace === "hand") this.draw();
  }

  // What was asked, as it came out: never in the page before its time; on the projector on a cue.
  revealing() {
    if (!this.locked || this.k < this.stage.reveal_at || this.out.childElementCount) return;
    const reveal = this.stage.views[this.view].reveal || this.stage.reveal;
    const tell = () => {
      const reply = el("p", { className: "reply" }, ...this.glossed(this.reply()));
      this.out.replaceChildren(reply, el("p", { className: "reveal", role: "status" }, ...this.glossed(reveal)));
      this.root.classList.toggle("told-much", reveal.length > 300); // smaller pictures leave room for it
      this.after();
      this.note();
    };
    if (!this.projector) {
      tell();
      return;
    }
    const cue = el("button", { type: "button", className: "cue" }, "Reveal");
    cue.onclick = tell;
    this.out.append(cue);
  }

  // What is said of the guess, in the library's sentences.
  reply() {
    const { ask, near, replies, says_of, noun, reveal_at } = this.stage;
    const [low, close, high, held] = says_of;
    const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
    if (ask.kind === "choice") return replies[this.guess];
    if (ask.kind === "range") {
      const pile = this.stage.views[this.view].panels.find((panel) => panel.kind === "pile");
      const values = pile.values.slice(0, reveal_at);
      const inside = values.filter((value) => this.guess[0] <= value && value <= this.guess[1]).length;
      const share = `${((100 * inside) / values.length).toFixed(1)}%`;
      return fill(held, { count: number(inside, 0), of: number(values.length, 0), share, noun });
    }
    const guesses = ask.names.length ? this.guess : [this.guess];
    return (this.stage.found.length ? this.stage.found : this.found())
      .map((found, i) => {
        const text = Math.abs(guesses[i] - found) <= near ? close : guesses[i] < found ? low : high;
        const name = ask.names.length ? `${ask.names[i]}: ` : "";
        return name + fill(text, { guess: number(guesses[i], ask.decimals), found: number(found, ask.decimals) });
      })
      .join(" ");
  }

  // What a view shows, where the switch turns to it after all draws: the sentence before the first draw is not seen then.
  explained(k) {
    const [start, first] = [this.view, Object.keys(this.stage.views)[0]].map((view) => this.stage.views[view].says[0]);
    return k && k === this.stage.steps && start !== first && !this.projector ? [start] : [];
  }

  set(k) {
    this.k = k;
    const { steps, noun } = this.stage;
    this.says.textContent = [...this.explained(k), this.stage.views[this.view].says[k]].join(" ");
    this.counter.textContent = `${number(k, 0)} of ${number(steps, 0)} ${noun}s`;
    if (this.slider) this.slider.value = k;
    if (!this.pointed) this.hover.textContent = this.pointable();
    this.draw();
    const sentence = this.says.textContent;
    for (const chart of this.charts) chart.canvas.setAttribute("aria-label", `${chart.title}. ${sentence}`);
    this.unlock();
  }

  restart() {
    this.finish();
    this.moves = 0;
    this.pointed = null;
    this.set(0);
    this.milestone();
  }

  // Tiles were moved by hand.
  moved() {
    this.moves = (this.moves ?? 0) + 1;
    if (this.again) this.again.disabled = false;
  }

  milestone() {
    clearTimeout(this.later);
    this.later = setTimeout(() => {
      // What moves now tells of itself when it stands still.
      if (this.goal !== undefined) return;
      this.note();
      this.keep("shown", this.k);
    }, 400);
  }

  // End what is moving where it was going.
  finish() {
    if (this.goal === undefined) return;
    cancelAnimationFrame(this.frame);
    const goal = this.goal;
    this.goal = undefined;
    this.picking = this.falling = null;
    this.says.ariaBusy = "false";
    this.set(goal);
    this.milestone();
  }

  go(size) {
    this.finish();
    const from = this.k;
    this.goal = Math.min(this.stage.steps, from + size);
    this.pointed = null;
    this.hover.textContent = "";
    const picks = this.goal === from + 1 && this.bag ? this.bag.picks[from] : null;
    if (REDUCED.matches || this.goal === from) {
      this.finish();
      return;
    }
    this.says.ariaBusy = "true";
    const began = performance.now();
    if (picks && picks.length) this.pick(picks, began, from);
    else this.fall(from, began);
  }

  // One by one into the bag; the score is not told before it is full.
  pick(picks, began, from) {
    const noun = this.stage.noun;
    this.k = from + 1;
    this.picking = { counts: new Array(this.bag.cells.length).fill(0), last: -1 };
    let done = 0;
    const counts = this.picking.counts;
    const frame = (now) => {
      const due = Math.min(picks.length, Math.ceil((picks.length * (now - began)) / PICKING));
      for (; done < due; done++) counts[picks[done]]++;
      this.picking.last = picks[done - 1] ?? -1;
      this.says.textContent = `The bag of ${noun} ${number(from + 1, 0)} is being filled: ${number(done, 0)} of ${number(picks.length, 0)}.`;
      // The value falls when the bag is full.
      this.k = from;
      this.draw();
      if (done < picks.length) this.frame = requestAnimationFrame(frame);
      else {
        this.picking = null;
        this.fall(from, performance.now());
      }
    };
    this.frame = requestAnimationFrame(frame);
  }

  // Values fall onto the pile; a thousand within three seconds.
  fall(from, began) {
    const steps = this.goal - from;
    const long = steps === 1 ? 0 : Math.min(2000, 500 + 150 * Math.log2(steps));
    const times = {};
    for (let i = 0; i < steps; i++) times[from + i] = began + (long * i) / steps;
    this.falling = { from, times };
    const frame = (now) => {
      const share = long ? Math.min(1, (now - began) / long) : 1;
      this.set(from + Math.max(1, Math.floor(steps * share)));
      if (now - began < long + FALLING) this.frame = requestAnimationFrame(frame);
      else this.finish();
    };
    this.frame = requestAnimationFrame(frame);
  }

  // Pointed at: a draw ({step}), a segment ({cell}), or nothing.
  point(pointed) {
    if (this.goal !== undefined) return;
    const what = pointed && (pointed.step || pointed.cell >= 0 || pointed.text) ? pointed : null;
    const { step, cell, place } = this.pointed ?? {};
    if (what?.step === step && what?.cell === cell && what?.place === place) return;
    this.pointed = what;
    const head = this.shown.find((panel) => panel.kind === "reading")?.heads[what?.step - 1];
    const world = this.shown.some((panel) => panel.kind === "worlds");
    if (!what) this.hover.textContent = this.pointable();
    else if (what.text) this.hover.textContent = what.text;
    else if (what.step && world) this.hover.textContent = this.stage.views[this.view].says[what.step];
    else if (what.step) this.hover.textContent = `${this.stage.noun} ${number(what.step, 0)}${head ? `: ${head}` : ""}`;
    else this.hover.textContent = `${this.bag.cells[what.cell]}. Marked: the draws that contain it at least twice.`;
    this.hover.ariaLive = "polite";
    this.draw();
  }

  // What can be pointed at, for those who do not.
  pointable() {
    if (this.shown.some((panel) => panel.tells?.length)) return "Point at the curves to see their values.";
    if (!this.k) return "";
    if (this.shown.some((panel) => panel.kind === "worlds")) return "Point at a world to see it alone.";
    if (this.bag) return "Point at a dot to see its bag, or at a cell to see which draws contain it at least twice.";
    return this.shown.some((panel) => panel.kind === "reading") ? `Point at a dot to see its ${this.stage.noun}.` : "";
  }

  holdsTwice(i, cell) {
    const weights = this.bag?.weights[i];
    return weights !== undefined && count(weights[cell]) >= 2;
  }

  keyed(key) {
    if (!this.locked || this.data.refused) return super.keyed(key);
    if (/^[1-9]$/.test(key)) {
      const button = this.acts[Number(key) - 1];
      return button && !button.disabled ? () => button.click() : null;
    }
    if (/^r$/i.test(key) && this.again) return () => this.restart();
    return super.keyed(key);
  }
}

// A game: rounds, each with a guess; what came out is told when it is locked in.
class Game extends Show {
  constructor(data, parent, component) {
    super(data, parent, component);
    this.choosesPicture = this.stage.rounds.some(({ panels }) => panels.some(({ kind }) => kind === "lineup"));
    this.counter = el("p", { className: "says", ariaLive: "polite" });
    this.ask = el("div", { className: "ask" });
    this.out = el("div", { className: "out" });
    this.pictures = el("div", { className: "panels" });
    this.rest = el("div", { className: "after" });
    this.root.append(this.heading(), this.counter, this.ask, this.out, this.pictures, this.rest);
    const notes = [...this.stage.missing, data.about];
    this.root.append(el("ul", { className: "missing" }, ...notes.map((text) => el("li", {}, text))));
    this.played = answers.of(this.id).rounds ?? [];
    this.look(data.projector);
    this.open(Math.min(this.played.length, this.stage.rounds.length - 1));
  }

  open(round) {
    this.round = round;
    this.locked = false;
    this.guess = null;
    this.veiled = true; // what counts is hatched when p is told
    this.out.replaceChildren();
    this.asking(() => this.judge());
    const { panels } = this.stage.rounds[round];
    // All of a round is seen at once.
    this.k = Math.max(0, ...panels.map((panel) => (panel.values ?? panel.lows ?? panel.heads ?? []).length));
    this.panels(panels);
    this.score();
  }

  judge() {
    const { answer, after, points, replies } = this.stage.rounds[this.round];
    const { ask } = this.stage;
    const low = ask.log ? Math.log10(ask.low) : ask.low;
    const place = ask.kind === "choice" ? this.guess : Math.round((Number(this.inputs[0].value) - low) / ask.step);
    this.played[this.round] = { guess: this.guess, answer, points: points[place], reply: replies[place], after };
    answers.add(this.id, { ...this.data.facts, question: ask.question, rounds: this.played });
    this.score();
  }

  score() {
    const { rounds } = this.stage;
    const sum = this.played.reduce((all, one) => all + one.points, 0);
    this.counter.textContent = `Round ${this.round + 1} of ${rounds.length}.${this.played.length ? ` ${sum} ${sum === 1 ? "point" : "points"} so far.` : ""}`;
    const known = this.played[this.round];
    if (!known || this.out.childElementCount) return;
    this.locking(known.guess);
    this.veiled = false;
    const parts = [el("p", { className: "reply" }, known.reply ?? ""), el("p", { className: "reveal", role: "status" }, known.after)];
    if (this.round + 1 < rounds.length) {
      const next = el("button", { type: "button", className: "next" }, "Next round");
      next.onclick = () => {
        this.open(this.round + 1);
        (this.inputs[0] ?? this.pictures.querySelector("button"))?.focus();
      };
      parts.push(next);
    } else {
      parts.push(el("p", { className: "reply" }, this.stage.reveal));
      this.after();
    }
    this.out.replaceChildren(...parts);
    this.draw();
  }
}

// What a class sends may be anything: files of half a megabyte, of answers by the hundred, with numbers that an axis can have.
const MOST = { files: 300, bytes: 2 ** 19, answers: 500, options: 20, letters: 300 };

const isSize = (value) => Number.isFinite(value) && Math.abs(value) <= 1e9;

const isAsked = (asked) =>
  asked?.kind === "choice"
    ? Array.isArray(asked.options) && asked.options.length <= MOST.options
    : isSize(asked?.low) && isSize(asked?.high) && asked.high - asked.low > 1e-6 * Math.max(1, -asked.low, asked.high);

const words = (value) => (typeof value === "string" ? value.slice(0, MOST.letters) : "");

const rightly = (given) => (Array.isArray(given) ? given.slice(0, MOST.options).filter((one) => one?.right === true).length : 0);

// What most of them are: one answer decides nothing for the others.
function usual(items) {
  const counts = new Map();
  for (const item of items.map((one) => JSON.stringify(one))) counts.set(item, (counts.get(item) ?? 0) + 1);
  return JSON.parse([...counts].reduce((one, other) => (other[1] > one[1] ? other : one))[0]);
}

// The course: its lessons, what a teacher needs, and the answers.
class Course extends Show {
  constructor(data, parent, component) {
    super(data, parent, component);
    const { course } = data;
    const given = Object.values(answers.all());
    this.titles = new Map([...course.lessons, ...course.games].map((one) => [one.number, one.title]));
    const cards = (lessons) =>
      el("div", { className: "cards" }, ...lessons.map((lesson) => {
        const open = el("button", { type: "button", className: "card" }, el("strong", {}, lesson.title), el("span", {}, `“${lesson.against}”`));
        open.onclick = () => this.tell("go", String(lesson.number));
        if (given.some((answer) => answer?.lesson === lesson.number)) open.append(el("span", { className: "given" }, "answered"));
        return open;
      }));
    const title = data.heading ? [el("h1", {}, data.title)] : [];
    const games = course.games.length ? [el("h2", {}, "Games"), cards(course.games)] : [];
    this.root.append(...title, el("p", {}, course.intro), this.quiz());
    this.root.append(el("h2", {}, "Lessons"), cards(course.lessons), ...games);
    this.root.append(this.own(), this.teacher());
    this.look(false);
    this.picks();
  }

  // The whole quiz, before and after the course: it tells how many are right, and which lessons treat the others.
  quiz() {
    const { quiz, invitation: about } = this.data.course;
    this.handed = el("p", { className: "reveal", role: "status" });
    this.ways = el("p", { className: "controls" });
    const hand = el("button", { type: "button", className: "first" }, "Hand in");
    const items = quiz.map(({ lesson, question, answers: texts }) => {
      // What is picked is kept at once: a page that is loaded again has it still.
      const keep = (place) => {
        answers.add("quiz", { picked: { ...answers.of("quiz").picked, [lesson]: place } });
        this.picks();
      };
      return el("li", { value: lesson + 1 }, question, choices(`quiz${lesson}`, texts, question, keep));
    });
    this.picks = () => {
      const { picked = {} } = answers.of("quiz");
      hand.disabled = !Object.keys(picked).length;
      quiz.forEach(({ lesson }, i) => items[i].querySelectorAll("input").forEach((radio, j) => (radio.checked = picked[lesson] === j)));
      this.refresh();
    };
    hand.onclick = () => {
      const { picked, times = [] } = answers.of("quiz");
      const given = quiz.map(({ lesson, right }) => ({ lesson, answer: picked[lesson] ?? null, right: picked[lesson] === right }));
      answers.add("quiz", { picked: {}, times: [...times, given] });
      this.picks();
    };
    return el("details", { className: "quiz" }, el("summary", {}, "Quiz, before and after the course"), el("p", {}, about),
      el("ol", {}, ...items), hand, this.handed, this.ways);
  }

  // What depends on the answers of this browser.
  refresh() {
    const { quiz } = this.data.course;
    const times = answers.of("quiz").times ?? [];
    const wrong = (times.at(-1) ?? []).filter(({ right }) => !right);
    const on = wrong.length ? " Lessons on the questions you missed:" : "";
    this.handed.textContent = `Right answers out of ${quiz.length}: ${times.map(rightly).join(", then ")}.${on}`;
    this.handed.hidden = this.ways.hidden = !times.length;
    this.ways.replaceChildren(...wrong.map(({ lesson }) => {
      const way = el("button", { type: "button" }, this.titles.get(lesson));
      way.onclick = () => this.tell("go", String(lesson));
      return way;
    }));
    for (const button of this.kept) button.disabled = !Object.keys(answers.all()).length;
  }

  // The answers of this browser: a file, or nothing.
  own() {
    const download = el("button", { type: "button" }, "Download my answers");
    download.onclick = () => {
      const text = JSON.stringify(Object.values(answers.all()), null, 1);
      const link = el("a", { href: URL.createObjectURL(new Blob([text], { type: "application/json" })), download: "answers.json" });
      link.click();
    };
    const forget = el("button", { type: "button" }, "Forget my answers");
    forget.onclick = () => {
      answers.write({});
      this.picks();
      for (const mark of this.root.querySelectorAll(".given")) mark.remove();
    };
    this.kept = [download, forget];
    return el("div", { className: "controls own" }, ...this.kept, el("span", { className: "hint" }, "Answers are saved in this browser only, and sent nowhere."));
  }

  teacher() {
    const { course } = this.data;
    const table = ({ title, header, rows }) => [
      el("h3", {}, title),
      el("table", {}, el("thead", {}, el("tr", {}, ...header.map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((cell) => el("td", {}, cell)))))),
    ];
    const files = el("input", { type: "file", accept: ".json,application/json", multiple: true });
    files.setAttribute("aria-label", "Answer files");
    const pooled = el("div", { className: "pool" });
    files.onchange = async () => {
      const texts = [...files.files].slice(0, MOST.files).map(async (file) => {
        const text = file.size > MOST.bytes ? "" : await file.text().catch(() => "");
        return [file.name, text];
      });
      const read = await Promise.all(texts);
      pooled.replaceChildren(...this.pool(read));
      this.draw();
    };
    return el("details", { className: "teacher" }, el("summary", {}, "For the teacher"),
      ...course.notes.map((note) => el("p", {}, note)), ...course.plans.flatMap(table),
      el("h3", {}, "Answers of a class"), el("p", {}, "Choose the files that the class downloaded. They are read here, and sent nowhere."),
      files, pooled);
  }

  // The answers of many files, lesson by lesson: guesses with what came out, and how often the quiz was right.
  pool(read) {
    for (const chart of this.charts) chart.watcher.disconnect();
    this.charts = [];
    const { titles } = this;
    const parts = [];
    const hint = (text) => parts.push(el("p", { className: "hint" }, text));
    const every = [];
    const handed = [];
    const names = new Map();
    for (const [name, text] of read) {
      try {
        const given = JSON.parse(text);
        if (!Array.isArray(given)) throw new Error();
        if (names.has(text)) hint(`${name} contains the same answers as ${names.get(text)}; both are counted.`);
        names.set(text, name);
        every.push(...given.slice(0, MOST.answers).filter((one) => titles.has(one?.lesson)));
        handed.push(...given.slice(0, MOST.answers).map((one) => one?.times).filter((times) => Array.isArray(times) && times.length));
      } catch {
        hint(`${name} is not an answer file, or is larger than half a megabyte.`);
      }
    }
    if (read.length === MOST.files) hint(`At most ${MOST.files} files are read.`);
    if (handed.length) {
      const [first, last] = [0, -1].map((at) => number(handed.reduce((sum, times) => sum + rightly(times.at(at)), 0) / handed.length, 1));
      parts.push(el("p", {}, `Whole quiz, submitted by ${handed.length}: on average, ${first} right answers the first time, and ${last} the last time.`));
    }
    for (const [lesson, title] of titles) {
      const all = every.filter((one) => one.lesson === lesson);
      if (all.length) parts.push(el("h4", {}, title));
      const guessed = all.filter((one) => one.guess !== undefined && isAsked(one.asked));
      if (guessed.length) parts.push(...this.guesses(guessed));
      const quiz = all.filter((one) => one.quiz);
      if (quiz.length) parts.push(el("p", {}, `Quiz: ${quiz.filter((one) => one.quiz.right === true).length} of ${quiz.length} right.`));
    }
    if (!every.length && !handed.length) hint("These files contain no answers.");
    return parts;
  }

  guesses(guessed) {
    const asked = usual(guessed.map(({ asked: { kind, low, high, options } }) => (kind === "choice" ? { kind, options: options.map(words) } : { low, high })));
    const parts = [el("p", {}, words(usual(guessed.map((one) => words(one.question)))))];
    if (asked.kind === "choice") {
      const rows = asked.options.map((option, i) => `${words(option)}: ${guessed.filter((one) => one.guess === i).length}`);
      return [...parts, el("ul", {}, ...rows.map((row) => el("li", {}, row)))];
    }
    const numbers = (value) => [value].flat().filter(isSize).slice(0, 100);
    const points = guessed.flatMap((one) => numbers(one.guess)).slice(0, 10_000);
    const found = guessed.flatMap((one) => (Array.isArray(one.found) ? numbers(one.found) : [])).slice(0, 10_000);
    const ends = [Math.min(asked.low, ...points, ...found), Math.max(asked.high, ...points, ...found)];
    const dots = (title, values, colour) => {
      const chart = new Chart(this, { title }, (chart) => {
        const bottom = chart.height - chart.size * 2.9;
        const at = chart.xAxis(...ends, title, chart.size, bottom);
        const heights = {};
        for (const value of values) {
          const x = Math.round(at(value) / 9) * 9;
          heights[x] = (heights[x] ?? 0) + 1;
          chart.dot(x, bottom - heights[x] * 9 + 3, 4, colour);
        }
      });
      chart.element.style.height = "9rem";
      return chart.element;
    };
    const mean = (values) => number(values.reduce((all, one) => all + one, 0) / values.length, 2);
    if (points.length) parts.push(dots(`guesses (${points.length}, on average ${mean(points)})`, points, "blue"));
    if (found.length) parts.push(dots(`results (${found.length}, on average ${mean(found)})`, found, "red"));
    return parts;
  }
}
