const leastSeconds = 2;

/**
 * Looks for the rows of a table anew every few seconds while the page is seen, and swaps them. Rows that somebody holds,
 * by a control or a selection, wait for the next time; a focused row stays focused. It ends when the table has left the page.
 */
export function mount(element: HTMLElement): void {
  const { table: id = "", href, seconds = "5" } = element.dataset;
  const button = element.querySelector("button");
  let isPaused = false;
  element.hidden = false;
  button?.addEventListener("click", () => {
    isPaused = !isPaused;
    button.textContent = isPaused ? "Resume" : "Pause";
    element.classList.toggle("paused", isPaused);
  });
  const timer = setInterval(
    async () => {
      if (!element.isConnected) return clearInterval(timer);
      if (isPaused || document.hidden) return;
      await refresh(id, href ?? location.href).catch(() => {}); // the next time may do
    },
    Math.max(leastSeconds, Number(seconds)) * 1_000,
  );
}

async function refresh(id: string, href: string): Promise<void> {
  const response = await fetch(href, { headers: { accept: "text/html", "x-fragment": "true" } });
  if (!response.ok || response.redirected) return;
  const next = new DOMParser().parseFromString(await response.text(), "text/html").getElementById(id);
  const present = document.getElementById(id);
  if (next === null || present === null || isBusy(present) || next.innerHTML === present.innerHTML) return;
  const focused = present.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
  present.replaceWith(next);
  const links = [...next.querySelectorAll<HTMLElement>(".row-link")];
  links.find((link) => link.getAttribute("href") === focused)?.focus({ preventScroll: true });
}

function isBusy(element: Element): boolean {
  const { activeElement } = document;
  if (element.contains(activeElement) && !activeElement?.matches(".row-link")) return true;
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(element, true);
}
