import { type Static, Type } from "typebox";
import { failureCodes } from "../kernel/failure-codes.ts";
import type { JsonObject } from "../kernel/json.ts";
import type { Kobo } from "../kernel/money.ts";
import { formatNaira, multiply } from "../kernel/money.ts";
import type { Phone } from "../kernel/phone.ts";
import { networkHint, parsePhone } from "../kernel/phone.ts";
import { refuseField } from "../kernel/problems.ts";
import { smsPages } from "../kernel/sms-pages.ts";
import { type Claim, defineCategory, type UnfulfilledState } from "./category.ts";
import { patternField, textField } from "./fields.ts";
import { piecesIn } from "./fulfilment/fulfilment-by-hand.ts";
import { count, decimal, text, textOrNull } from "./fulfilment/fulfilment-fields.ts";
import { textFact } from "./fulfilment/made-up.ts";
import type { VendRequest } from "./supplier-request.ts";

const recipientsMax = 500;
const messageCharactersMax = 1_530;
/** The longest message in UCS-2, whose every character may be a surrogate pair: 33 of them a page. */
const pagesMax = 47;
/** Longer than any way to write a number: such an entry is not read, and answered no longer than this. */
const entryCharactersMax = 40;

const recipientsField = Type.Unsafe<string | string[]>({
  type: ["array", "string"],
  items: { type: "string", maxLength: 100 },
  minItems: 1,
  maxItems: recipientsMax,
  minLength: 1,
  maxLength: 65_536,
  description:
    "1 to 500 phone numbers, as an array or separated by commas. Unreadable and repeated ones are reported and not charged.",
  examples: [["08031234567", "08051234567"], "08031234567,08051234567"],
  "x-problem": { maxItems: "TOO_MANY_ITEMS", maxLength: "TOO_MANY_ITEMS" },
});

const fulfilment = Type.Object(
  {
    kind: Type.Literal("sms"),
    encoding: Type.Enum(["GSM-7", "UCS-2"], { description: "UCS-2 as soon as one character is outside GSM-7." }),
    characters: count("Unicode characters of the message.", { minimum: 1, maximum: messageCharactersMax }),
    pages: count("Pages of one message: 160 then 153 in GSM-7, 70 then 67 in UCS-2.", {
      minimum: 1,
      maximum: pagesMax,
    }),
    accepted: count("Recipients that are sent to and charged.", { maximum: recipientsMax }),
    rejected: count("Entries that are not.", { maximum: recipientsMax }),
    results: Type.Array(
      Type.Object({
        phone: text(
          "In local form; as sent (at most 40 characters) where it is unreadable.",
          "08031234567",
          entryCharactersMax,
        ),
        network: textOrNull("The network of the number's prefix.", "MTN", 20),
        status: Type.Enum(["sent", "pending", "failed", "rejected"]),
        pages: count("Pages charged for this recipient.", { maximum: pagesMax }),
        cost: decimal("Nominal price of these pages in naira; 0.00 when nothing was sent.", "6.00"),
        error_code: Type.Unsafe<string | null>({
          type: ["string", "null"],
          enum: ["INVALID_NUMBER", "DUPLICATE", ...Object.keys(failureCodes), null],
          description: "Why the entry was rejected, or, as the transaction's `error_code`, why nothing was sent to it.",
        }),
      }),
      {
        maxItems: recipientsMax,
        description: "One for each entry of `recipients`, in the order sent. There whatever the transaction's status.",
      },
    ),
  },
  { "x-component": "SmsDelivery" },
);

/** A text message to up to 500 numbers, charged by page and recipient. */
export const sms = defineCategory({
  slug: "sms",
  title: "Bulk SMS",
  paths: { purchase: "/sms/send" },
  operation: {
    id: "sendSms",
    summary: "Send a bulk SMS",
    description:
      "Sends one text to up to 500 numbers and charges a page price for each page and number. `delivery.results` tells each number's outcome; unreadable and repeated numbers are reported and not charged.",
  },
  examples: {
    "Two numbers": {
      sender_id: "DISPENSE",
      message: "Your order is ready.",
      recipients: ["08031234567", "08051234567"],
    },
    "A comma list": {
      sender_id: "DISPENSE",
      message: "Your order is ready.",
      recipients: "08031234567,08051234567",
      route: "dnd",
    },
  },
  body: Type.Object({
    sender_id: patternField({
      pattern: "^[A-Za-z0-9][A-Za-z0-9 ]{1,9}[A-Za-z0-9]$",
      maxLength: 40,
      description: "Who the message comes from: 3 to 11 letters, digits and, between them, spaces.",
      examples: ["DISPENSE"],
      "x-problem": { pattern: "INVALID_SENDER_ID", maxLength: "INVALID_SENDER_ID" },
      "x-message": "Must be 3 to 11 letters, digits and, between them, spaces.",
    }),
    message: textField({
      minLength: 1,
      maxLength: messageCharactersMax,
      description: "The text: 1 to 1,530 Unicode characters (code points), ten pages of GSM-7.",
    }),
    recipients: recipientsField,
    route: Type.Optional(
      Type.Enum(["standard", "dnd"], {
        description: "dnd also reaches numbers that opted out of marketing. Default: standard.",
        "x-message": "Must be standard or dnd.",
      }),
    ),
  }),
  sells: {
    customerLabel: "Recipients",
    amountTypes: ["fixed"],
    quantityMax: recipientsMax * pagesMax,
    attributes: Type.Object({ route: Type.Enum(["standard", "dnd"], { description: "standard or dnd" }) }),
    selectors: { route: ({ attributes }) => textFact(attributes, "route") },
  },
  customerField: "recipients",
  quantityField: "recipients",
  fulfilment,
  secrets: [],
  byHand: {
    fixed: ["encoding", "characters", "pages", "accepted", "rejected", "results.phone"],
    proposed: ["results.network", "results.pages", "results.cost", "results.error_code"],
    faults: resultFaults,
  },
  read(body) {
    const recipients = readRecipients(body.recipients);
    const accepted = recipients.flatMap((recipient) => (recipient.errorCode === null ? [recipient.phone] : []));
    const first = accepted[0];
    if (first === undefined) throw refuseField("VALIDATION_ERROR", "recipients", "Must have a Nigerian mobile number.");
    const route = body.route ?? "standard";
    const ofRoute: Claim = { field: "route", holds: (product) => product.attributes.route === route };
    return {
      selector: { by: "category", field: "route", claims: [ofRoute] },
      customerRef: first,
      phone: first,
      quantity: accepted.length * smsPages(body.message).pages,
      amount: null,
      ported: null,
      details: {
        sender_id: body.sender_id,
        message: body.message,
        route,
        recipients: recipients.map(({ phone, errorCode }) => ({ phone, error_code: errorCode })),
      },
      intent: {
        sender_id: body.sender_id,
        message: body.message,
        route,
        recipients: recipients.map(({ phone }) => phone),
      },
    };
  },
  simulate: (request) => report(request, { status: "sent", errorCode: null }),
  unfulfilled: report,
});

type Recipient =
  | { readonly phone: Phone; readonly errorCode: null }
  | { readonly phone: string; readonly errorCode: "INVALID_NUMBER" | "DUPLICATE" };

/** @throws Refusal TOO_MANY_ITEMS for a comma list of more than 500 (an array's length is its schema's to check) */
function readRecipients(sent: string | readonly string[]): readonly Recipient[] {
  // A list written by hand may end in a comma; an array's empty entry is a mistake that its result should show.
  const entries = typeof sent === "string" ? sent.split(",").filter((entry) => entry.trim() !== "") : sent;
  if (entries.length > recipientsMax) {
    const meta = { max_items: recipientsMax };
    throw refuseField("TOO_MANY_ITEMS", "recipients", `Must be at most ${recipientsMax} numbers.`, meta);
  }
  const seen = new Set<Phone>();
  return entries.map((entry) => {
    // No way to write a number is that long, and reading one may backtrack.
    const phone = entry.length > entryCharactersMax ? null : parsePhone(entry);
    if (phone === null) return { phone: legible(entry), errorCode: "INVALID_NUMBER" };
    if (seen.has(phone)) return { phone, errorCode: "DUPLICATE" };
    seen.add(phone);
    return { phone, errorCode: null };
  });
}

/** Cut between characters: half a surrogate pair could not be stored. */
function legible(entry: string): string {
  return Array.from(entry.trim()).slice(0, entryCharactersMax).join("");
}

/** The state of every recipient that was accepted. */
type Sending = UnfulfilledState | { readonly status: "sent"; readonly errorCode: null };

export type SmsFulfilment = Static<typeof fulfilment>;

function report(request: VendRequest, sending: Sending): SmsFulfilment {
  const { encoding, characters, pages } = smsPages(textFact(request.details, "message") ?? "");
  const price = multiply(request.unitAmount, pages);
  const results = storedRecipients(request.details).map((recipient) => resultOf(recipient, sending, pages, price));
  const rejected = results.filter((result) => result.status === "rejected").length;
  return { kind: "sms", encoding, characters, pages, accepted: results.length - rejected, rejected, results };
}

function resultOf(
  recipient: JsonObject,
  { status, errorCode }: Sending,
  pages: number,
  price: Kobo,
): SmsFulfilment["results"][number] {
  const phone = typeof recipient.phone === "string" ? recipient.phone : "";
  const refusedAs = textFact(recipient, "error_code");
  const parsed = parsePhone(phone);
  const network = parsed === null ? null : networkHint(parsed);
  if (refusedAs !== null) return { phone, network, status: "rejected", pages: 0, cost: "0.00", error_code: refusedAs };
  const cost = status === "failed" ? "0.00" : formatNaira(price);
  return { phone, network, status, pages, cost, error_code: errorCode };
}

function storedRecipients(details: JsonObject): readonly JsonObject[] {
  const stored = details.recipients;
  return Array.isArray(stored) ? (stored as readonly JsonObject[]) : [];
}

/** One result for each recipient, in order; rejected are those that were when it was bought, and no others. */
function resultFaults({ details }: VendRequest, fulfilment: JsonObject): readonly string[] {
  if (!Array.isArray(fulfilment.results)) return [];
  const recipients = storedRecipients(details);
  const results = piecesIn(fulfilment, "results");
  const statusFaults = recipients.flatMap((recipient, index) => {
    const status = textFact(results[index] ?? {}, "status");
    if (status === null) return [];
    const isRejected = textFact(recipient, "error_code") !== null;
    if (isRejected === (status === "rejected")) return [];
    const rule = isRejected ? "must be rejected: nothing was charged for it" : "must not be rejected: it was charged";
    return [`/results/${index}/status ${rule}`];
  });
  if (results.length === recipients.length) return statusFaults;
  return [
    `/results must hold ${recipients.length}, one for each recipient, and holds ${results.length}`,
    ...statusFaults,
  ];
}
