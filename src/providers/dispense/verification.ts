import type { VendRequest, VerifyRequest } from "../../categories/supplier-request.ts";
import type { Json, JsonObject } from "../../kernel/json.ts";
import { decimalOf, listAt, textAt } from "../reply.ts";
import { countHere, numbersPaidFor, type Sending, smsReport } from "../sms-report.ts";

/** The other deployment's answer in our category's words; null where the owner is missing. */
export function findingsIn(json: JsonObject, request: VerifyRequest): JsonObject | null {
  const name = textAt(json, "customer_name");
  if (name === null) return null;
  switch (request.category) {
    case "electricity":
      return {
        customer_name: name,
        customer_address: textAt(json, "customer_address") ?? "",
        tariff_class: textAt(json, "tariff_class")?.slice(0, 40) ?? null,
        outstanding_debt: decimalOf(textAt(json, "outstanding_debt")) ?? "0.00",
        can_vend: json.can_vend === true,
      };
    case "cable": {
      const bouquet = textAt(json, "current_bouquet");
      const due = textAt(json, "due_date");
      return {
        customer_name: name,
        account_status: statusOf(json.account_status),
        current_bouquet: bouquet,
        // Their product ids are not ours: ours is the one of the bouquet's name.
        current_product_id: request.products.find((p) => [p.plan, p.productName].includes(bouquet))?.productId ?? null,
        due_date: due !== null && /^\d{4}-\d{2}-\d{2}$/.test(due) ? due : null,
        renewal_amount: decimalOf(textAt(json, "renewal_amount")),
      };
    }
    default:
      return { customer_name: name };
  }
}

const accountStatuses = ["active", "expired", "suspended", "new"];

function statusOf(value: Json | undefined): string {
  return typeof value === "string" && accountStatuses.includes(value) ? value : "active";
}

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
