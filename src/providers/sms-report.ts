import type { SmsFulfilment } from "../categories/sms.ts";
import type { VendRequest } from "../categories/supplier-request.ts";
import type { FailureCode } from "../kernel/failure-codes.ts";
import type { Json, JsonObject } from "../kernel/json.ts";
import { formatNaira, multiply } from "../kernel/money.ts";
import { networkHint, parsePhone } from "../kernel/phone.ts";
import { smsPages } from "../kernel/sms-pages.ts";
import { listAt, textAt } from "./reply.ts";

/** What became of one number that our merchant pays for. `pending`: its supplier did not say. */
export type Sending =
  | { readonly status: "sent" | "pending" }
  | { readonly status: "failed"; readonly errorCode: FailureCode | null };

/** How long the text is. */
export type SmsCount = Pick<SmsFulfilment, "encoding" | "characters" | "pages">;

/** What is sent: the numbers in local form, each once. Null where the purchase has no such text, or nobody to send it to. */
export function letterOf({ details }: VendRequest): {
  readonly sender: string;
  readonly text: string;
  readonly numbers: readonly string[];
} | null {
  const { sender_id: sender, message: text } = details;
  const numbers = numbersPaidFor(details);
  // To the letter: `textAt` would trim and cut the text.
  if (typeof sender !== "string" || typeof text !== "string" || text === "" || numbers.length === 0) return null;
  return { sender, text, numbers };
}

/** The numbers that our merchant pays for. */
export function numbersPaidFor(details: JsonObject): readonly string[] {
  return recipientsIn(details).flatMap(({ phone, refusedAs }) => (refusedAs === null ? [phone] : []));
}

/** `08031234567` as `2348031234567`. */
export function international(phone: string): string {
  return phone.replace(/^0/, "234");
}

/** A number as a supplier wrote it, in local form; what is none, as it is. */
export function local(number: string): string {
  return parsePhone(number) ?? number;
}

/** The count that was charged, for suppliers that do not tell theirs. */
export function countHere({ details }: VendRequest): SmsCount {
  const { message } = details;
  return smsPages(typeof message === "string" ? message : "");
}

/**
 * A supplier's report in our own merchant's words: every entry of the request in its order, at our prices. Null where it
 * does not tell of each number, or where other pages were counted than were bought.
 */
export function smsReport(
  request: VendRequest,
  counted: SmsCount,
  sendingOf: (phone: string) => Sending | null,
): SmsFulfilment | null {
  const { encoding, characters, pages } = counted;
  const recipients = recipientsIn(request.details);
  const accepted = recipients.filter(({ refusedAs }) => refusedAs === null);
  if (pages * accepted.length !== request.quantity) return null;
  const price = formatNaira(multiply(request.unitAmount, pages));
  const results = recipients.map(({ phone, refusedAs }): SmsFulfilment["results"][number] | null => {
    const number = parsePhone(phone);
    const network = number === null ? null : networkHint(number);
    if (refusedAs !== null)
      return { phone, network, status: "rejected", pages: 0, cost: "0.00", error_code: refusedAs };
    const sending = sendingOf(phone);
    if (sending === null) return null;
    if (sending.status !== "failed")
      return { phone, network, status: sending.status, pages, cost: price, error_code: null };
    return { phone, network, status: "failed", pages, cost: "0.00", error_code: sending.errorCode };
  });
  const received = results.filter((result) => result !== null);
  if (received.length !== results.length) return null;
  const rejected = recipients.length - accepted.length;
  return { kind: "sms", encoding, characters, pages, accepted: accepted.length, rejected, results: received };
}

function recipientsIn(details: JsonObject): readonly { readonly phone: string; readonly refusedAs: string | null }[] {
  return listAt(details, "recipients").map((entry: Json) => ({
    // To the letter: `textAt` would trim an entry that nobody can read.
    phone: String((entry as JsonObject).phone ?? ""),
    refusedAs: textAt(entry, "error_code"),
  }));
}
