/**
 * Puts the rows of a table in another order where they stand: by their buttons, or dragged at their handles. Nothing is
 * saved: the form sends its fields in the order of the rows.
 */
export function mount(area: HTMLElement): void {
  const body = area.querySelector("tbody");
  const said = area.querySelector("[role=status]");
  if (body === null) return;
  for (const handle of body.querySelectorAll<HTMLElement>(".handle")) {
    handle.hidden = false;
    drag(handle, settle);
  }
  area.addEventListener("click", (event) => {
    const button = (event.target as HTMLElement).closest<HTMLButtonElement>("button[data-move]");
    const row = button?.closest("tr");
    if (!button || !row) return;
    event.preventDefault();
    if (button.dataset.move === "up") row.previousElementSibling?.before(row);
    else row.nextElementSibling?.after(row);
    settle(row);
    // At an end its button is off: the other one leads back.
    (button.disabled ? row.querySelector<HTMLElement>("button[data-move]:enabled") : button)?.focus();
  });

  function settle(moved: HTMLTableRowElement): void {
    const rows = [...(body as HTMLElement).querySelectorAll("tr")];
    for (const [at, row] of rows.entries()) {
      const place = row.querySelector("[data-place]");
      if (place !== null) place.textContent = `${at + 1}`;
      for (const button of row.querySelectorAll<HTMLButtonElement>("button[data-move]")) {
        button.disabled = button.dataset.move === "up" ? at === 0 : at === rows.length - 1;
      }
    }
    const name = moved.querySelector<HTMLInputElement>("input[type=hidden]")?.value ?? "";
    if (said !== null) said.textContent = `${name}: ${rows.indexOf(moved) + 1} of ${rows.length}`;
  }
}

/** Fingers, pens and mice alike. Escape leaves the row where it has come to. */
function drag(handle: HTMLElement, settle: (row: HTMLTableRowElement) => void): void {
  const row = handle.closest("tr");
  if (row === null) return;
  handle.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    row.classList.add("dragged");
  });
  handle.addEventListener("pointermove", ({ pointerId, clientY }) => {
    if (!handle.hasPointerCapture(pointerId)) return;
    // The others move: a row that is taken out of the page for a moment loses the pointer.
    let [before, after] = [row.previousElementSibling, row.nextElementSibling];
    for (; before !== null && clientY < middleOf(before); before = row.previousElementSibling) row.after(before);
    for (; after !== null && clientY > middleOf(after); after = row.nextElementSibling) row.before(after);
  });
  handle.addEventListener("lostpointercapture", () => {
    row.classList.remove("dragged");
    settle(row);
  });
}

function middleOf(row: Element): number {
  const { top, height } = row.getBoundingClientRect();
  return top + height / 2;
}
