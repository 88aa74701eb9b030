const shownMs = 1_500;

/** Copies `data-text` and says so in the button itself. */
export function copy(button: HTMLElement): void {
  if (navigator.clipboard === undefined) return; // not over plain http
  button.hidden = false;
  const label = button.querySelector("span");
  const text = label?.textContent ?? "";
  button.addEventListener("click", async () => {
    const isCopied = await navigator.clipboard.writeText(button.dataset.text ?? "").then(
      () => true,
      () => false,
    );
    if (label === null) return;
    label.textContent = isCopied ? "Copied" : "Not allowed";
    setTimeout(() => {
      label.textContent = text;
    }, shownMs);
  });
}
