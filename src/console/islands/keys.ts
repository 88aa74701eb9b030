import { areShortcutsOn, showShortcuts } from "./shortcuts.ts";

const betweenMsMax = 1_000;

/** `/` and Ctrl-K to search, `?` for all shortcuts, and whatever keys the links of the page name in `data-keys`. */
export function listenForKeys(): void {
  let first = { key: "", at: 0 };
  document.addEventListener("keydown", (event) => {
    if (isFindKey(event)) return find(event);
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
    if (document.querySelector("dialog[open], :popover-open") !== null) return;
    if (event.key === "?") return act(event, showShortcuts);
    if (!areShortcutsOn()) return;
    const search = findBox();
    if (event.key === "/" && search !== undefined) return act(event, () => search.select());
    const sequence = event.timeStamp - first.at < betweenMsMax ? `${first.key} ${event.key}` : "";
    const target = linkFor(sequence) ?? linkFor(event.key);
    first = { key: event.key, at: event.timeStamp };
    if (target !== null) act(event, () => target.click());
  });
}

/** Also while somebody types, as it writes nothing. */
function isFindKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === "k";
}

/** The box over the page; where a narrow page has none, that of its list. */
function findBox(): HTMLInputElement | undefined {
  return [...document.querySelectorAll<HTMLInputElement>(".find input")].find((box) => box.checkVisibility());
}

function find(event: KeyboardEvent): void {
  const search = findBox();
  if (search !== undefined && document.querySelector("dialog[open]") === null) act(event, () => search.select());
}

function linkFor(keys: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-keys="${CSS.escape(keys)}"]`);
}

function act(event: KeyboardEvent, action: () => void): void {
  event.preventDefault();
  action();
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}
