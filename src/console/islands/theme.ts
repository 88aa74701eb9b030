import { keepChoice } from "./keep.ts";

/** Keeps what was chosen in a cookie, which the server reads: so no page comes in the wrong colours first. */
export function theme(element: HTMLElement): void {
  const select = element.querySelector("select");
  if (select === null) return;
  element.hidden = false;
  select.addEventListener("change", () => {
    const { value } = select;
    const isChosen = value !== "system";
    if (isChosen) document.documentElement.dataset.theme = value;
    else delete document.documentElement.dataset.theme;
    keepChoice("theme", isChosen ? value : "");
  });
}
