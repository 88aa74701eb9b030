import { timingSafeEqual } from "node:crypto";
import { type Reply, textAt } from "../reply.ts";

/** Whether a header is the expected signature, whatever its case. In constant time. */
export function isSignedWith(header: string | readonly string[] | undefined, expected: string): boolean {
  const given = Buffer.from(typeof header === "string" ? header.trim().toLowerCase() : "");
  const wanted = Buffer.from(expected.toLowerCase());
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** The provider's own words of a refusal, for the operator. */
export function messageOf({ json, status }: Reply): string {
  return (textAt(json, "message") ?? textAt(json, "responseMessage") ?? `HTTP ${status}`).slice(0, 200);
}
