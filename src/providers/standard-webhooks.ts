import { createHmac, timingSafeEqual } from "node:crypto";
import type { CallbackMessage } from "./contract.ts";

const toleranceSeconds = 300;

/**
 * Whether a message carries a signature of Standard Webhooks under the secret (`whsec_…`), made within five minutes of
 * its arrival. https://www.standardwebhooks.com
 */
export function isSigned(message: CallbackMessage, secret: string): boolean {
  const id = headerOf(message, "webhook-id");
  const timestamp = headerOf(message, "webhook-timestamp");
  if (id === null || timestamp === null || !/^[0-9]{1,12}$/.test(timestamp)) return false;
  if (Math.abs(message.at / 1_000 - Number(timestamp)) > toleranceSeconds) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${message.body}`).digest();
  return (headerOf(message, "webhook-signature") ?? "").split(" ").some((signature) => {
    const given = Buffer.from(/^v1,(.+)$/.exec(signature)?.[1] ?? "", "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function headerOf({ headers }: CallbackMessage, name: string): string | null {
  const value = headers[name];
  return typeof value === "string" && value !== "" ? value : null;
}
