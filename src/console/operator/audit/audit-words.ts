/** `staff:ada@kobo.example` and `member:…` without the realm; the operator's name of a command as it is. */
export function personName(who: string): string {
  return who.replace(/^(?:staff|member):/, "");
}

/** An entry's details on one line, but for some: `merchant: mer_1 · reason: asked by phone`. */
export function detailsText(details: string, without: readonly string[] = []): string {
  return Object.entries(JSON.parse(details) as Readonly<Record<string, unknown>>)
    .filter(([name]) => !without.includes(name))
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" · ");
}
