/**
 * Follows links without loading everything anew, where the browser has the Navigation API: the next page's body takes the
 * place of this one's, and the focus goes to what it opened, back to the row it came from, or to the heading. Whatever is
 * unusual is left to the browser.
 */
export function navigateSoftly(afterSwap: () => void): void {
  if (!("navigation" in window)) return;
  navigation.addEventListener("navigate", (event) => {
    const isPlain =
      event.canIntercept && !event.hashChange && event.downloadRequest === null && event.formData === null;
    // Going back leads to an entry of this document, as all were swapped in; anything else within it is a script's own doing.
    const isOwnDoing = event.destination.sameDocument && event.navigationType !== "traverse";
    if (!isPlain || isOwnDoing || event.navigationType === "reload") return;
    const from = location.href;
    const handler = async () => {
      try {
        await showPage(event.destination.url, event.signal);
        focusIn(from);
        afterSwap();
      } catch {
        if (event.signal.aborted) return;
        location.reload(); // a file, another program's page, an error on the way: the browser knows what to do
      }
    };
    event.intercept({ handler, focusReset: "manual" });
  });
}

async function showPage(url: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(url, { signal, headers: { accept: "text/html" } });
  const next = await pageIn(response);
  if (response.redirected) history.replaceState(null, "", response.url);
  swapIn(next);
}

/** Shows what a form was answered, under the address that it led to; `isLast`: in place of the form's page. */
export async function showAnswer(response: Response, isLast: boolean): Promise<void> {
  try {
    const next = await pageIn(response);
    const way = isLast ? "replaceState" : "pushState";
    if (response.redirected) history[way](null, "", response.url);
    const from = location.href;
    swapIn(next);
    focusIn(from);
  } catch {
    location.assign(response.url); // it was carried out: the browser shows what came of it
  }
}

async function pageIn(response: Response): Promise<Document> {
  if (!response.headers.get("content-type")?.startsWith("text/html")) throw new Error("no page");
  const next = new DOMParser().parseFromString(await response.text(), "text/html");
  // Another version of the script, or a page that isn't of a console, starts afresh.
  if (scriptOf(next) !== scriptOf(document)) throw new Error("another page");
  return next;
}

function swapIn(next: Document): void {
  const { business } = document.documentElement.dataset;
  document.title = next.title;
  for (const name of ["data-console", "data-mode", "data-theme", "data-business", "data-viewing"]) {
    const value = next.documentElement.getAttribute(name);
    if (value === null) document.documentElement.removeAttribute(name);
    else document.documentElement.setAttribute(name, value);
  }
  document.body.replaceWith(next.body);
  const now = document.documentElement.dataset.business;
  if (business === undefined || now === undefined || business === now) return;
  const note = Object.assign(document.createElement("div"), { className: "notice wait", role: "status" });
  const name = document.querySelector(".side .brand .name")?.textContent ?? "another business";
  note.textContent = `You switched to ${name} in another tab. This page is theirs.`;
  document.querySelector("main")?.prepend(note);
}

function focusIn(from: string): void {
  const row = [...document.querySelectorAll<HTMLAnchorElement>(".row-link")].find(({ href }) => href === from);
  const target = document.querySelector<HTMLElement>("main [autofocus]") ?? row ?? document.querySelector("h1");
  target?.focus({ preventScroll: true });
}

function scriptOf(page: Document): string | null | undefined {
  return page.querySelector("head script")?.getAttribute("src");
}
