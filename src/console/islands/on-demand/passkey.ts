import { startAuthentication, startRegistration } from "@simplewebauthn/browser";

/** What the server answers: what the authenticator must sign, and the token that names it. */
interface Begun {
  readonly options?: never;
  readonly token?: string;
  readonly error?: string;
}

/**
 * A form that brings a passkey's answer: for a log-in, or to add a passkey, whose challenge is in the page (`data-begun`). The button
 * asks the browser for its signature and sends the form. Without passkeys the form stays hidden.
 */
export function mount(form: HTMLElement): void {
  if (!(form instanceof HTMLFormElement) || window.PublicKeyCredential === undefined) return;
  const complaint = form.querySelector<HTMLElement>("[role=alert]");
  const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement;
  // A passkey belongs to a name; the browser refuses one for an address of digits.
  const isNamed = !/^[\d.]+$|^\[/.test(location.hostname);
  form.hidden = !isNamed && form.dataset.begun === undefined;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    show("");
    sign().catch((error: unknown) => show(error instanceof Error ? error.message : "That did not work. Try again."));
  });

  async function sign(): Promise<void> {
    if (!isNamed) throw new Error("A passkey needs a host name. Open this console by its name, or as localhost.");
    const { begun } = form.dataset;
    const response =
      begun === undefined ? await logIn() : await startRegistration({ optionsJSON: JSON.parse(begun) as never });
    field("response").value = JSON.stringify(response);
    (form as HTMLFormElement).submit();
  }

  async function logIn() {
    const answer = await fetch(form.dataset.options ?? "", { method: "POST" });
    const { options, token, error } = (await answer.json()) as Begun;
    if (options === undefined || token === undefined) throw new Error(error ?? "That did not work. Try again.");
    field("token").value = token;
    return startAuthentication({ optionsJSON: options });
  }

  function show(sentence: string): void {
    if (complaint === null) return;
    complaint.textContent = sentence;
    complaint.hidden = sentence === "";
  }
}
