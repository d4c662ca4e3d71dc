// Says which point of a picture was clicked. Where a box can be drawn over a picture, Streamlit hands no clicks on; the
// pictures themselves tell of them all the same.

const hearing = new WeakMap();
let asking = null;

export default function ({ data, setTriggerValue }) {
  // Streamlit calls this anew whenever the page was drawn, and lets go what the last call returned alone.
  document.removeEventListener("pointerdown", asking, true);

  // A picture may be made anew at any time: it is asked to tell just before it is clicked.
  const ask = ({ target }) => {
    const graph = target.closest?.(".js-plotly-plot");
    const key = graph && data.pictures.find((name) => graph.closest(`.st-key-${CSS.escape(name)}`));
    if (!key) return;
    if (hearing.has(graph)) graph.removeListener("plotly_click", hearing.get(graph));
    hearing.set(graph, ({ points }) => {
      if (points.length) setTriggerValue("point", { picture: key, number: points[0].pointNumber, data: points[0].customdata });
    });
    graph.on("plotly_click", hearing.get(graph));
  };

  asking = ask;
  document.addEventListener("pointerdown", ask, true);
  return () => document.removeEventListener("pointerdown", ask, true);
}
