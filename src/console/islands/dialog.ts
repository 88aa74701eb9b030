/** Opens the dialog that a link names; without one in the page, the link leads to its own page. */
export function dialog(link: HTMLElement): void {
  link.addEventListener("click", (event) => {
    const target = document.getElementById(link.dataset.dialog ?? "");
    if (!(target instanceof HTMLDialogElement) || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    target.showModal();
  });
}
