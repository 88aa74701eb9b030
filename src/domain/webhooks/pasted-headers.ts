/** The three headers that sign a webhook, as somebody copied them; null where one is not among what was copied. */
export interface PastedHeaders {
  readonly id: string | null;
  readonly timestamp: string | null;
  readonly signature: string | null;
}

/**
 * Reads the signed headers out of a copied text, whoever wrote it: lines of a request, a dump of an object, curl's
 * arguments, PHP's `HTTP_WEBHOOK_ID`. Pure.
 */
export function readPastedHeaders(text: string): PastedHeaders {
  return { id: headerIn(text, "id"), timestamp: headerIn(text, "timestamp"), signature: headerIn(text, "signature") };
}

function headerIn(text: string, name: string): string | null {
  const found = new RegExp(`webhook[-_]${name}["']?[\\t ]*(?:=>|[:=])[\\t ]*(.*)`, "i").exec(text);
  const value = (found?.[1] ?? "").trim().replace(/^\[?[\s"']+/, "");
  // What a dump or a shell writes after the value: quotes, commas, brackets, a backslash.
  const bare = value.replace(/[\s"'\\,;\]})]+$/, "").replace(/["'].*$/, "");
  return bare === "" ? null : bare;
}
