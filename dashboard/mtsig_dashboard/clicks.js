// Says which point of a picture was clicked, or which of its names. Where a box can be drawn over a picture, Streamlit hands no clicks on; the
// pictures themselves tell of them all the same. Of a picture in HTML, the marks that can be pressed have a number.

const hearing = new WeakMap();
let asking = null, pressing = null;

export default function ({ data, setTriggerValue }) {
  // Streamlit calls this anew whenever the page was drawn, and lets go what the last call returned alone.
  document.removeEventListener("pointerdown", asking, true);
  document.removeEventListener("click", pressing);

  const keyOf = (mark) => mark && data.pictures.find((name) => mark.closest(`.st-key-${CSS.escape(name)}`));

  // A picture may be made anew at any time: it is asked to tell just before it is clicked.
  const ask = ({ target }) => {
    const graph = target.closest?.(".js-plotly-plot");
    const key = keyOf(graph);
    if (!key) return;
    for (const [event, hear] of hearing.get(graph) ?? []) graph.removeListener(event, hear);
    const tell = (number, told) => setTriggerValue("point", { picture: key, number, data: told });
    hearing.set(graph, [
      ["plotly_click", ({ points }) => points.length && !data.names && tell(points[0].pointNumber, points[0].customdata)],
      ["plotly_clickannotation", ({ index, annotation }) => annotation.name && tell(index, annotation.name)],
    ]);
    for (const [event, hear] of hearing.get(graph)) graph.on(event, hear);
  };

  const press = ({ target }) => {
    const mark = target.closest?.("[data-number]");
    const key = keyOf(mark);
    if (key) setTriggerValue("point", { picture: key, number: Number(mark.dataset.number), data: null });
  };

  asking = ask;
  pressing = press;
  document.addEventListener("pointerdown", ask, true);
  document.addEventListener("click", press);
  return () => {
    document.removeEventListener("pointerdown", ask, true);
    document.removeEventListener("click", press);
  };
}
