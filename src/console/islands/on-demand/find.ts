const lettersLeast = 2;
/** Typing pauses for so long before anybody is troubled. */
const pauseMs = 180;

/** Shows under the box what the search page would show, while somebody types. Enter goes to that page, as without it. */
export function mount(element: HTMLElement): void {
  const [form, input] = [element.querySelector("form"), element.querySelector("input")];
  if (form === null || input === null) return;
  const panel = Object.assign(document.createElement("div"), { className: "pop found", hidden: true });
  const count = Object.assign(document.createElement("p"), { className: "unseen", role: "status" });
  element.append(panel, count);
  let timer = 0;
  let request = new AbortController();

  input.addEventListener("input", () => {
    clearTimeout(timer);
    request.abort();
    if (input.value.trim().length < lettersLeast) return close();
    timer = window.setTimeout(() => show(input.value.trim()).catch(() => {}), pauseMs); // Enter still works
  });
  element.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !panel.hidden) {
      event.preventDefault();
      close();
      input.focus();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || panel.hidden) return;
    event.preventDefault();
    const stops = [input, ...panel.querySelectorAll<HTMLElement>("a")];
    stops[stops.indexOf(document.activeElement as HTMLElement) + step]?.focus();
  });
  element.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget !== null && !element.contains(relatedTarget as Node)) close();
  });
  document.addEventListener("click", ({ target }) => {
    if (!element.contains(target as Node)) close();
  });

  function close(): void {
    panel.hidden = true;
    if (count.textContent !== "") count.textContent = "";
  }

  async function show(text: string): Promise<void> {
    request = new AbortController();
    const url = `${form?.action}?${new URLSearchParams({ q: text })}`;
    const { business } = document.documentElement.dataset;
    const own = business === undefined ? undefined : { "x-business": business };
    const headers = { accept: "text/html", "x-fragment": "true", ...own };
    const response = await fetch(url, { signal: request.signal, headers });
    if (response.status === 409) {
      panel.textContent = "You switched business in another tab. Load this page again to search.";
      panel.hidden = false;
      return;
    }
    if (!response.ok || response.redirected) return close();
    const found = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("found");
    if (found === null || input?.value.trim() !== text) return close();
    panel.replaceChildren(...found.childNodes);
    panel.hidden = false;
    const { length } = panel.querySelectorAll("a");
    count.textContent = length === 1 ? "1 link" : `${length} links`;
  }
}
