import { createHash, timingSafeEqual } from "node:crypto";
import type { CallbackMessage } from "../contract.ts";

type Header = CallbackMessage["headers"][string];

/** Whether a header is this secret or signature, to the letter. In constant time, and telling nothing of its length. */
export function isSame(header: Header, expected: string): boolean {
  return timingSafeEqual(digestOf(typeof header === "string" ? header : ""), digestOf(expected));
}

/** The same for what is spelt in hexadecimal, where either case means the same. */
export function isSameHex(header: Header, expected: string): boolean {
  return isSame(typeof header === "string" ? header.toLowerCase() : header, expected.toLowerCase());
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
