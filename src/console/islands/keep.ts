const yearSeconds = 31_536_000;

/** Keeps a choice of this browser in a cookie, which the server reads; an empty value takes it away. */
export function keepChoice(name: string, value: string): void {
  const secure = location.protocol === "https:" ? "; secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the other way, and this one is no secret
  document.cookie = `${name}=${value}; path=/; max-age=${value === "" ? 0 : yearSeconds}; samesite=lax${secure}`;
}

/** Keeps which radio button is chosen, under the group's name. */
export function keep(element: HTMLElement): void {
  element.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement) keepChoice(target.name, target.value);
  });
}
