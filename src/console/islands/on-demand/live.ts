const leastSeconds = 2;
const updating = "Updating";
/** A feed that was refused is tried again after so long; until then the page is asked. */
const refusedMs = 30_000;

/**
 * Keeps the rows of a table, or several parts of a page, fresh while the page is seen: by its feed where it has one, else by
 * asking for the page every few seconds. What somebody holds, by a control, a selection or details that are open, waits for
 * the next time; a focused row stays focused. It ends when the element has left the page.
 */
export function mount(element: HTMLElement): void {
  const { table: ids = "", href = location.href, feed, seconds = "5" } = element.dataset;
  const button = element.querySelector("button");
  const label = element.firstChild;
  let isPaused = false;
  let isOver = false;
  let source: EventSource | null = null;
  let refusedAt = -refusedMs;
  const parts = new Map<string, string>();
  element.hidden = false;
  button?.addEventListener("click", () => {
    if (isOver) return location.reload();
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
    if (!isHere || isOver) {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    }
    if (!isHere || isOver || isPaused || document.hidden) {
      source?.close();
      source = null;
    } else if (feed !== undefined && source === null && performance.now() - refusedAt >= refusedMs)
      source = listen(feed, parts, onRefused);
    else if (source === null) refresh().catch(() => say("Not updating: no connection")); // the next time may do
  }

  function onRefused(): void {
    refusedAt = performance.now();
    source = null;
  }

  function say(text: string): void {
    if (label !== null) label.textContent = `${text} `;
    element.classList.toggle("paused", isPaused || text !== updating);
  }

  /** Nothing comes any more until the page is loaded again. */
  function end(why: string): void {
    isOver = true;
    if (button !== null) button.textContent = "Reload";
    say(why);
    look();
  }

  async function refresh(): Promise<void> {
    const found = await pageAt(href);
    // Another page may stand here by now, with a table of the same name.
    if (!element.isConnected) return;
    if ("isOver" in found) return found.isOver ? end(found.why) : say(found.why);
    say(updating);
    for (const id of ids.split(" ")) swap(found.page.getElementById(id), document.getElementById(id));
  }
}

/** Shows what a feed sends as it comes; `parts` are those that came and are not shown yet. */
function listen(address: string, parts: Map<string, string>, onRefused: () => void): EventSource {
  const opened = new EventSource(address);
  opened.onmessage = ({ data }) => {
    for (const [name, html] of Object.entries(JSON.parse(data as string))) parts.set(name, html as string);
    for (const [name, html] of parts) {
      const next = new DOMParser().parseFromString(html, "text/html").getElementById(name);
      if (swap(next, document.getElementById(name))) parts.delete(name);
    }
  };
  // The browser comes back by itself where the connection was lost, but not where it was refused.
  opened.onerror = () => {
    if (opened.readyState === EventSource.CLOSED) onRefused();
  };
  return opened;
}

/** The page of the business and mode that are looked at here, or why it isn't to be had, for now or for good. */
async function pageAt(href: string): Promise<{ page: Document } | { why: string; isOver: boolean }> {
  const { business, mode } = document.documentElement.dataset;
  const own = business === undefined ? undefined : { "x-business": business };
  const response = await fetch(href, { headers: { accept: "text/html", "x-fragment": "true", ...own } });
  if (response.status === 409) return { why: "Not updating: you switched business in another tab", isOver: true };
  if (response.redirected || response.status === 401) return { why: "Not updating: you’re logged out", isOver: true };
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const { business: theirs, mode: other } = page.documentElement.dataset;
  const isOurs = response.ok && theirs === business && other === mode;
  return isOurs ? { page } : { why: "Not updating: no answer", isOver: false };
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
