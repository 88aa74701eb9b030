import type { VendRequest } from "../../categories/supplier-request.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { listAt, textAt } from "../reply.ts";
import { countHere, numbersPaidFor, type Sending, smsReport } from "../sms-report.ts";

/** The request to the other deployment: only for the numbers that our merchant pays for. */
export function smsFields({ details }: VendRequest): JsonObject {
  const { sender_id = null, message = null, route = null } = details;
  // The message's route chooses the product there, as it does here.
  return { product_id: null, sender_id, message, route, recipients: numbersPaidFor(details) };
}

const sendings: Readonly<Record<string, Sending>> = {
  sent: { status: "sent" },
  pending: { status: "pending" },
  failed: { status: "failed", errorCode: null },
};

/** Its report in our own merchant's words. Null where it does not tell of each number, or counted other pages. */
export function reportedBy(received: JsonObject, request: VendRequest): JsonObject | null {
  const statuses = new Map(
    listAt(received, "results").map((result) => [textAt(result, "phone"), textAt(result, "status")]),
  );
  const { encoding = null, characters = null } = received;
  const counted = { ...countHere(request), pages: Number(textAt(received, "pages")) };
  const report = smsReport(request, counted, (phone) => {
    const status = statuses.get(phone) ?? "";
    return Object.hasOwn(sendings, status) ? (sendings[status] ?? null) : null;
  });
  return report === null ? null : { ...report, encoding, characters };
}
