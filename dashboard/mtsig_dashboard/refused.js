// Says which files the browser did not take, and why: their chips go, with what they say, when the page is drawn anew.

let watching = null;

export default function ({ setTriggerValue }) {
  watching?.disconnect();
  const seen = new WeakSet();
  const look = () => {
    const chips = [...document.querySelectorAll('[data-testid="stFileChip"][aria-invalid="true"]')];
    if (chips.every((chip) => seen.has(chip))) return;
    chips.forEach((chip) => seen.add(chip));
    setTriggerValue("files", chips.map((chip) => [
      chip.querySelector('[data-testid="stFileChipName"]')?.title ?? "",
      document.getElementById(chip.getAttribute("aria-describedby"))?.textContent ?? "",
    ]));
  };
  watching = new MutationObserver(look);
  watching.observe(document.body, { childList: true, subtree: true });
  look();
  return () => watching.disconnect();
}
