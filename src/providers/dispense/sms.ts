import type { Json, JsonObject } from "../../kernel/json.ts";
import { formatNaira, multiply } from "../../kernel/money.ts";
import { networkHint, parsePhone } from "../../kernel/phone.ts";
import type { VendRequest } from "../contract.ts";
import { listAt, textAt } from "../reply.ts";

/** The request to the other deployment: only for the numbers that our merchant pays for. */
export function smsFields({ details }: VendRequest): JsonObject {
  const recipients = recipientsIn(details).flatMap(({ phone, refusedAs }) => (refusedAs === null ? [phone] : []));
  const { sender_id = null, message = null, route = null } = details;
  // The message's route chooses the product there, as it does here.
  return { product_id: null, sender_id, message, route, recipients };
}

/**
 * Its report in our own merchant's words: every entry of the request in its order, at our prices. Null where it does not
 * tell of each number, or counted other pages than were bought.
 */
export function smsReport(told: JsonObject, request: VendRequest): JsonObject | null {
  const statuses = new Map(
    listAt(told, "results").map((result) => [textAt(result, "phone"), textAt(result, "status")]),
  );
  const pages = Number(textAt(told, "pages"));
  const recipients = recipientsIn(request.details);
  const accepted = recipients.filter(({ refusedAs }) => refusedAs === null);
  const isTold = accepted.every(({ phone }) => /^(sent|pending|failed)$/.test(statuses.get(phone) ?? ""));
  if (!isTold || pages * accepted.length !== request.quantity) return null;
  const price = formatNaira(multiply(request.unitAmount, pages));
  const results = recipients.map(({ phone, refusedAs }) => {
    const number = parsePhone(phone);
    const network = number === null ? null : networkHint(number);
    if (refusedAs !== null)
      return { phone, network, status: "rejected", pages: 0, cost: "0.00", error_code: refusedAs };
    const status = statuses.get(phone) ?? null;
    return { phone, network, status, pages, cost: status === "failed" ? "0.00" : price, error_code: null };
  });
  const { encoding = null, characters = null } = told;
  const rejected = recipients.length - accepted.length;
  return { kind: "sms", encoding, characters, pages, accepted: accepted.length, rejected, results };
}

function recipientsIn(details: JsonObject): readonly { readonly phone: string; readonly refusedAs: string | null }[] {
  return listAt(details, "recipients").map((entry: Json) => ({
    // To the letter: `textAt` would trim an entry that nobody can read.
    phone: String((entry as JsonObject).phone ?? ""),
    refusedAs: textAt(entry, "error_code"),
  }));
}
