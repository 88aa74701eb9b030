/** Disables a form's buttons when it is sent, so that a double click sends it once. The server refuses a second one anyway. */
export function once(form: HTMLElement): void {
  const buttons = form.querySelectorAll<HTMLButtonElement>("button[type=submit]");
  form.addEventListener("submit", () => {
    form.setAttribute("aria-busy", "true");
    // Later: a disabled button's own name and value would not be sent.
    setTimeout(() => setDisabled(true));
  });
  // A returning visitor finds the page as it was left, with its buttons.
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    form.removeAttribute("aria-busy");
    setDisabled(false);
  });

  function setDisabled(isDisabled: boolean): void {
    for (const button of buttons) button.disabled = isDisabled;
  }
}
