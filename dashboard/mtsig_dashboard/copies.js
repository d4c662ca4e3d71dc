// Buttons that put texts into the clipboard. Where the browser refuses that, as it does on pages that are not safe, an
// older way is tried; where that is refused, too, the text is shown, marked, to be copied by hand.

export default function ({ data, parentElement }) {
  const place = parentElement.querySelector("[role=group]");
  const says = parentElement.querySelector("[aria-live]");
  const shown = parentElement.querySelector("textarea");

  const byHand = (text) => {
    shown.value = text;
    shown.hidden = false;
    shown.focus();
    shown.select();
    return document.execCommand("copy");
  };

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      if (!byHand(text)) return false;
    }
    shown.hidden = true;
    return true;
  };

  const button = ({ label, text }) => {
    const made = document.createElement("button");
    made.textContent = label;
    made.onclick = async () => {
      says.textContent = (await copy(text)) ? "Copied." : "The browser did not allow copying. Copy the selected text yourself.";
    };
    return made;
  };

  place.replaceChildren(...data.texts.map(button));
  return () => place.replaceChildren();
}
