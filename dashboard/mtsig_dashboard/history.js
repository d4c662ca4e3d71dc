// One press of Back for each page. Streamlit writes an entry into the browser's history whenever the server changes what
// the address asks for; here such a change goes into the entry of its page, and only another page makes a new one. The
// page that is left keeps the address that it had when the visitor last touched it: what is written between the click
// and the next page is that page's already.

export default function () {
  if (history.ofPages) return;
  history.ofPages = true;
  const push = history.pushState.bind(history), replace = history.replaceState.bind(history);
  let left = location.href;
  for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, () => (left = location.href), true);
  history.pushState = (state, unused, url) => {
    const { pathname } = new URL(url ?? "", location.href);
    if (pathname === location.pathname) return replace(state, unused, url);
    // The address without a page leads on by itself: nobody goes back to it.
    if (location.pathname.endsWith("/")) return replace(state, unused, url);
    replace(history.state, unused, left);
    push(state, unused, url);
    left = location.href;
  };
}
