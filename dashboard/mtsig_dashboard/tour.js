// The first tour: where things stand on a page, in outline.

const kept = new WeakMap();

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  if (!kept.has(parentElement)) kept.set(parentElement, new Tour(data, parentElement));
  const shown = kept.get(parentElement);
  shown.tell = setTriggerValue;
  return () => {
    shown.root.remove();
    kept.delete(parentElement);
  };
}

function el(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children); // strings become text, whatever they hold
  return element;
}

// Where it has come to outlives its element, which a page that is drawn again may replace.
let toured = 0;

class Tour {
  constructor(data, parent) {
    this.steps = data.tour;
    this.root = el("section", { className: "tour", ariaLabel: "A first tour" });
    parent.append(this.root);
    this.back = el("button", { type: "button" }, "Back");
    this.next = el("button", { type: "button", className: "first" }, "Next");
    const close = el("button", { type: "button" }, "Do not show again");
    const done = () => {
      toured = 0;
      this.tell("done", true);
    };
    this.back.onclick = () => this.go(this.at - 1);
    this.next.onclick = () => (this.at + 1 < this.steps.length ? this.go(this.at + 1) : done());
    close.onclick = done;
    this.picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.picture.setAttribute("viewBox", "0 0 160 100");
    this.picture.setAttribute("role", "img");
    this.words = el("div", { className: "words", ariaLive: "polite" });
    const controls = el("div", { className: "controls" }, this.back, this.next, close);
    this.root.append(el("div", { className: "steps" }, this.picture, this.words), controls);
    this.go(toured);
  }

  go(at) {
    this.at = toured = at;
    const step = this.steps[at];
    const title = el("h3", {}, `${at + 1} of ${this.steps.length}: ${step.title}`);
    this.words.replaceChildren(title, el("p", {}, step.text));
    this.back.disabled = at === 0;
    this.next.textContent = at + 1 < this.steps.length ? "Next" : "Done";
    this.picture.setAttribute("aria-label", step.picture);
    this.picture.replaceChildren(
      ...step.boxes.map(([x, y, width, height, meant]) => {
        const box = document.createElementNS("http://www.w3.org/2000/svg", "rect");
        for (const [name, value] of Object.entries({ x, y, width, height, rx: 2 })) box.setAttribute(name, value);
        if (meant) box.setAttribute("class", "meant");
        return box;
      }),
    );
  }
}
