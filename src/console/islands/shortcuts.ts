/** People who speak to the machine, or have trouble with keys, turn them off; it is kept in this browser. */
const offKey = "keys-off";

export function areShortcutsOn(): boolean {
  return localStorage.getItem(offKey) === null;
}

/** Shows all shortcuts of this page in a dialog, with the switch that turns them off. */
export function showShortcuts(): void {
  const dialog = make("dialog", {}, [
    make("h2", {}, ["Keyboard"]),
    make("dl", { className: "facts" }, [
      fact("/", "Search"),
      fact("Ctrl+K", "Search, also while typing"),
      ...fromLinks(),
      fact("?", "This list"),
    ]),
    switchLine(),
    make("form", { method: "dialog" }, [make("button", { className: "button", autofocus: true }, ["Close"])]),
  ]);
  dialog.setAttribute("aria-label", "Keyboard");
  dialog.setAttribute("closedby", "any");
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function fromLinks(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("[data-keys]")].map((link) =>
    fact(
      link.dataset.keys ?? "",
      link.getAttribute("aria-label") ?? (link.querySelector(".label") ?? link).textContent ?? "",
    ),
  );
}

function fact(keys: string, what: string): HTMLElement {
  const pressed = keys.split(" ").flatMap((key) => [make("kbd", {}, [key]), " "]);
  return make("div", {}, [make("dt", {}, pressed), make("dd", {}, [what])]);
}

function switchLine(): HTMLElement {
  const check = make("input", { type: "checkbox", checked: areShortcutsOn() }, []);
  check.addEventListener("change", () => {
    if (check.checked) localStorage.removeItem(offKey);
    else localStorage.setItem(offKey, "yes");
  });
  return make("label", { className: "choice" }, [check, make("span", {}, ["Shortcuts on (? stays)"])]);
}

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  children: readonly (Node | string)[],
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}
