/** Names of what is worth money, or opens something, wherever it stands. */
const secretNames = new Set([
  "token",
  "token_formatted",
  "value",
  "pin",
  "code",
  "lpa",
  "qr_code",
  "matching_id",
  "claim_url",
  "load_code",
  "secret",
]);

/** A body for the log: what could be used by whoever reads it is `***`. */
export function maskBody(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(maskBody);
  if (typeof body !== "object" || body === null) return body;
  const isError = "status" in body && body.status === "error";
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      secretNames.has(name) && typeof value === "string" && !(isError && name === "code") ? "***" : maskBody(value),
    ]),
  );
}
