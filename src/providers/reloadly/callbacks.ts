import { createHmac, timingSafeEqual } from "node:crypto";
import type { JsonObject } from "../../kernel/json.ts";
import { type News, readNews } from "../addressed-callback.ts";
import type { CallbackMessage, CallbackReading } from "../contract.ts";
import { firstText, objectOf, textAt } from "../reply.ts";

/** They repeat a callback for a while, so that its age says nothing: it only makes us ask. */
export function readCallback(message: CallbackMessage, secret: string | null): CallbackReading {
  const timestamp = message.headers["x-reloadly-request-timestamp"];
  const signature = message.headers["x-reloadly-signature"];
  if (secret === null || typeof timestamp !== "string" || typeof signature !== "string") {
    return { kind: "forged", evidence: "no signature, or no secret of ours" };
  }
  const expected = createHmac("sha256", secret).update(`${message.body}:${timestamp}`).digest();
  const given = Buffer.from(signature.trim(), "hex");
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    return { kind: "forged", evidence: "not signed with the webhook secret" };
  }
  return readNews(message, newsIn);
}

/** `type` is `giftcard_transaction.status` or `airtime_transaction.status`. What it is about stands in one of three places. */
function newsIn(body: JsonObject): News | null {
  if (textAt(body, "type")?.endsWith("_transaction.status") !== true) return null;
  const data = objectOf(body.data) ?? {};
  const about = objectOf(data.transaction) ?? objectOf(body.transaction) ?? data;
  const status = textAt(about, "status") ?? textAt(data, "status") ?? textAt(body, "status");
  if (status === null) return null;
  return {
    supplierReference: textAt(about, "customIdentifier"),
    providerReference: firstText(about, ["transactionId", "id"]),
    status,
  };
}
