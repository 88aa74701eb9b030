const leastSeconds = 2;
/** A feed that was refused is tried again after so long; until then the page is asked. */
const refusedMs = 30_000;

/**
 * Keeps the rows of a table, or several parts of a page, fresh while the page is seen: by its feed where it has one, else by
 * asking for the page every few seconds. What somebody holds, by a control, a selection or details that are open, waits for
 * the next time; a focused row stays focused. It ends when the element has left the page.
 */
export function mount(element: HTMLElement): void {
  const { table: id = "", href, feed, seconds = "5" } = element.dataset;
  const button = element.querySelector("button");
  let isPaused = false;
  let source: EventSource | null = null;
  let refusedAt = -refusedMs;
  /** Parts that came and are not shown yet. */
  const parts = new Map<string, string>();
  element.hidden = false;
  button?.addEventListener("click", () => {
    isPaused = !isPaused;
    button.textContent = isPaused ? "Resume" : "Pause";
    element.classList.toggle("paused", isPaused);
    look();
  });
  const timer = setInterval(look, Math.max(leastSeconds, Number(seconds)) * 1_000);
  document.addEventListener("visibilitychange", look);
  if (feed !== undefined) look();

  function look(): void {
    const isHere = element.isConnected;
    if (!isHere) {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    }
    if (!isHere || isPaused || document.hidden) {
      source?.close();
      source = null;
    } else if (feed !== undefined && source === null && performance.now() - refusedAt >= refusedMs) listen(feed);
    else if (source === null) refresh(id, href ?? location.href).catch(() => {}); // the next time may do
  }

  function listen(address: string): void {
    const opened = new EventSource(address);
    source = opened;
    opened.onmessage = ({ data }) => {
      for (const [name, html] of Object.entries(JSON.parse(data as string))) parts.set(name, html as string);
      for (const [name, html] of parts) {
        const next = new DOMParser().parseFromString(html, "text/html").getElementById(name);
        if (swap(next, document.getElementById(name))) parts.delete(name);
      }
    };
    // The browser comes back by itself where the connection was lost, but not where it was refused.
    opened.onerror = () => {
      if (opened.readyState !== EventSource.CLOSED) return;
      refusedAt = performance.now();
      source = null;
    };
  }
}

async function refresh(ids: string, href: string): Promise<void> {
  const response = await fetch(href, { headers: { accept: "text/html", "x-fragment": "true" } });
  if (!response.ok || response.redirected) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const id of ids.split(" ")) swap(page.getElementById(id), document.getElementById(id));
}

/** False where the present part is held by somebody. */
function swap(next: HTMLElement | null, present: HTMLElement | null): boolean {
  if (next === null || present === null || next.innerHTML === present.innerHTML) return true;
  if (isBusy(present)) return false;
  const focused = present.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
  present.replaceWith(next);
  const links = [...next.querySelectorAll<HTMLElement>(".row-link")];
  links.find((link) => link.getAttribute("href") === focused)?.focus({ preventScroll: true });
  return true;
}

function isBusy(element: Element): boolean {
  const { activeElement } = document;
  if (element.contains(activeElement) && !activeElement?.matches(".row-link")) return true;
  if (element.querySelector("details[open]") !== null) return true;
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(element, true);
}
