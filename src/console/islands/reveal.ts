/** Shows a password and hides it again. */
export function reveal(button: HTMLElement): void {
  const control = document.getElementById(button.dataset.control ?? "");
  if (!(control instanceof HTMLInputElement)) return;
  button.hidden = false;
  button.addEventListener("click", () => setShown(control.type === "password"));
  control.form?.addEventListener("submit", () => setShown(false)); // password managers look for a password

  function setShown(isShown: boolean): void {
    (control as HTMLInputElement).type = isShown ? "text" : "password";
    button.textContent = isShown ? "Hide" : "Show";
  }
}
