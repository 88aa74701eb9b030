/** Panels that a summary opens close as menus do: by a click elsewhere, and by Escape, which leads back to the summary. */
export function closeDrops(): void {
  document.addEventListener("click", ({ target }) => {
    for (const drop of openDrops()) if (!drop.contains(target as Node)) drop.open = false;
  });
  document.addEventListener(
    "keydown",
    (event) => {
      const [drop] = openDrops();
      if (event.key !== "Escape" || drop === undefined) return;
      drop.open = false;
      drop.querySelector("summary")?.focus();
      event.preventDefault(); // nothing else is closed by it
    },
    { capture: true },
  );
}

function openDrops(): HTMLDetailsElement[] {
  return [...document.querySelectorAll<HTMLDetailsElement>("details.drop[open]")];
}
