/** What brings an element to life. What it starts ends by itself when the element has left the page. */
export type Island = (element: HTMLElement) => void;

const mounted = new WeakSet<Element>();

/** Gives each element with `data-island` its island, once: those known here, or the one in the script it names. */
export function mountIslands(islands: Readonly<Record<string, Island>>, root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLElement>("[data-island]")) {
    if (mounted.has(element)) continue;
    mounted.add(element);
    const { island = "", script } = element.dataset;
    if (script === undefined) islands[island]?.(element);
    else import(script).then((loaded: { mount: Island }) => loaded.mount(element)).catch(() => {}); // the page works without
  }
}
