/** Prints the page. Unseen without JavaScript, where the browser's own menu prints. */
export function print(button: HTMLElement): void {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
