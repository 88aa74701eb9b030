import type { Island } from "./mount.ts";
import { showAnswer } from "./navigate.ts";

/** Longer than the service waits for any supplier. */
const answerMsMax = 60_000;

/**
 * Disables a form's buttons when it is sent, so that a double click sends it once. The server refuses a second one anyway.
 * A form that sells, with `data-sent`, is sent by this script: what a lost answer means is then said beside what was typed.
 * Where it says `instead`, its page has no address to come back to, and gives its place in the history to what was bought.
 */
export function once(afterSwap: () => void): Island {
  return (element) => {
    const form = element as HTMLFormElement;
    const buttons = form.querySelectorAll<HTMLButtonElement>("button[type=submit]:enabled");
    const setBusy = (isBusy: boolean) => {
      if (isBusy) form.setAttribute("aria-busy", "true");
      else form.removeAttribute("aria-busy");
      for (const button of buttons) button.disabled = isBusy;
    };
    form.addEventListener("submit", (event) => {
      const { submitter } = event as SubmitEvent & { readonly submitter: HTMLButtonElement | null };
      const sent = new FormData(form, submitter);
      // Later: a disabled button's own name and value would not be sent.
      setTimeout(() => setBusy(true));
      const { sent: way } = form.dataset;
      if (way === undefined) return;
      event.preventDefault();
      const isOffline = !navigator.onLine;
      send(submitter?.getAttribute("formaction") ?? form.action, sent, way === "instead").then(afterSwap, () => {
        setTimeout(() => setBusy(false));
        say(form, submitter, isOffline);
      });
    });
    // A returning visitor finds the page as it was left, with its buttons.
    addEventListener("pageshow", ({ persisted }) => {
      if (persisted) setBusy(false);
    });
  };
}

async function send(action: string, fields: FormData, isLast: boolean): Promise<void> {
  const body = new URLSearchParams([...fields].map(([name, value]) => [name, String(value)]));
  const signal = AbortSignal.timeout(answerMsMax);
  const answer = await fetch(action, { method: "POST", body, signal, headers: { accept: "text/html" } });
  await showAnswer(answer, isLast);
}

/** No answer came: what that means, and what to do, over the button that was pressed. */
function say(form: HTMLFormElement, pressed: HTMLButtonElement | null, isOffline: boolean): void {
  form.querySelector("[data-lost]")?.remove();
  const note = document.createElement("div");
  note.className = "notice bad";
  note.role = "alert";
  note.dataset.lost = "";
  const text = document.createElement("div");
  note.append(text);
  const done = pressed?.dataset.done;
  if (isOffline) text.append("You’re offline. Nothing was sent. Connect, then press the button again.");
  else if (done === undefined)
    text.append("No answer came, and nothing is charged. Check your connection, then try again.");
  else {
    const link = Object.assign(document.createElement("a"), { href: done, textContent: "Check whether it was sold" });
    const rest = " before you sell it again. Pressing this same button again never charges twice.";
    text.append("The connection broke before the answer came. ", link, rest);
  }
  if (pressed === null) form.prepend(note);
  else (pressed.closest(".buttons, .save-bar") ?? pressed).before(note);
}
