const bytesMax = 10_000_000;

/** Puts the text of the chosen file into the form's text area. */
export function mount(element: HTMLElement): void {
  const input = element.querySelector("input");
  const shown = element.querySelector<HTMLElement>("[role=status]");
  const area = document.getElementById(element.dataset.area ?? "");
  if (input === null || shown === null || !(area instanceof HTMLTextAreaElement)) return;
  element.hidden = false;
  input.addEventListener("change", async () => {
    const file = input.files?.[0];
    if (file === undefined) return;
    if (file.size > bytesMax) {
      shown.textContent = `${file.name} is larger than ${bytesMax / 1_000_000} MB.`;
      return;
    }
    area.value = await file.text();
    area.dispatchEvent(new Event("input", { bubbles: true }));
    shown.textContent = `${file.name}: ${area.value.trimEnd().split("\n").length} lines`;
  });
}
