import { type TSchema, Type } from "typebox";
import type { EventName } from "../../domain/webhooks/events/event.ts";
import { bulkSummarySchema } from "../schemas/bulk-schemas.ts";
import { eventIdSchema } from "../schemas/delivery-schemas.ts";
import { instant, money, oneOf, productIdSchema, sandboxField, slugSchema, text } from "../schemas/schemas.ts";
import { listedTransactionSchema } from "../schemas/transaction-schemas.ts";
import type { ApiOperation, ApiParameter } from "./api-document.ts";
import sampleEvents from "./generated/sample-events.json" with { type: "json" };
import type { SchemaObject } from "./schema-object.ts";

interface EventNotes {
  readonly summary: string;
  readonly description: string;
  /** `transaction.successful` → `TransactionSuccessfulEvent`. */
  readonly component: string;
  readonly data: TSchema;
}

const exampleField = Type.Optional(
  Type.Unsafe<true>({
    type: "boolean",
    const: true,
    description: "Present, and true, only in what `POST /webhook/test` sends: nothing happened.",
  }),
);

const announcedTransaction = Type.Object(
  { ...listedTransactionSchema.properties, example: exampleField },
  { "x-component": "TransactionTold", "x-extends": listedTransactionSchema },
);

const announcedBulk = Type.Object(
  { ...bulkSummarySchema.properties, example: exampleField },
  { "x-component": "BulkOrderTold", "x-extends": bulkSummarySchema },
);

const said = (description: string, example: string) =>
  Type.Union([text(200, description, example), Type.Null()], { description });

const funded = Type.Object(
  {
    payment_id: text(
      20,
      "Names the transfer here, once: `pay_…` of one to an account of your own, `crd_…` of one to the company’s.",
      "pay_1",
    ),
    amount: money("What the sender sent.", "50000.00"),
    fee: money("What the payment provider kept of it.", "300.00"),
    credited: money("What your wallet was credited: the amount, less the fee where you bear it.", "50000.00"),
    balance_after: money("What the wallet held after it.", "150000.00"),
    currency: Type.Literal("NGN"),
    account_number: said("The account that it came to, where that is known.", "9900123456"),
    sender_name: said("As the sender’s bank, or your announcement of it, has it.", "ADA EZE"),
    sender_bank: said("The sender’s bank.", "Access Bank"),
    session_id: said(
      "The number that both banks know the transfer by. A bank’s statement has none.",
      "000014260115103012345678901234",
    ),
    bank_reference: said("What the company’s bank calls a transfer to the company’s own account.", "NIP/000132611"),
    narration: said("What the sender wrote, or the bank’s statement says.", "Stock"),
    paid_at: instant("When it arrived. Of a bank’s statement, which has no times, the beginning of its day."),
    credited_at: instant("When your wallet was credited."),
    example: exampleField,
    sandbox: sandboxField,
  },
  { "x-component": "WalletFunded" },
);

const lowBalance = Type.Object(
  {
    balance: money("What the wallet holds now.", "4999.00"),
    threshold: money("Your threshold.", "5000.00"),
    currency: Type.Literal("NGN"),
    updated_at: instant("When the wallet last changed."),
    example: exampleField,
    sandbox: sandboxField,
  },
  { "x-component": "LowBalance" },
);

const catalogueUpdate = Type.Object(
  {
    billers: Type.Array(slugSchema, {
      maxItems: 500,
      description: "Whose products changed, or were hidden or shown: read their products again.",
    }),
    products: Type.Array(productIdSchema, {
      maxItems: 500,
      description:
        "Whose price or availability changed. Where a whole category was hidden from you or shown to you, its billers are named alone.",
    }),
    updated_at: instant("When the last of it changed."),
    example: exampleField,
    sandbox: sandboxField,
  },
  { "x-component": "CatalogueUpdate" },
);

const test = Type.Object(
  {
    message: text(200, "For people.", "This is a test: your webhook receives events."),
    example: exampleField,
    sandbox: sandboxField,
  },
  { "x-component": "WebhookTest" },
);

/** The notes on each event. The compiler demands an entry for every name. */
const events: Readonly<Record<EventName, EventNotes>> = {
  "transaction.successful": {
    summary: "A transaction was successful",
    description:
      "A transaction that was pending has ended; with `notify: all`, also one that was final in its own response. `data` is the transaction without its secrets: requery it for tokens and PINs.",
    component: "TransactionSuccessfulEvent",
    data: announcedTransaction,
  },
  "transaction.failed": {
    summary: "A transaction failed and was refunded",
    description: "As `transaction.successful`. The wallet has everything back; `error_code` says why.",
    component: "TransactionFailedEvent",
    data: announcedTransaction,
  },
  "bulk.completed": {
    summary: "Every line of a bulk order is final",
    description: "`data` is the order without its lines: `GET /bulk/{reference}` tells them.",
    component: "BulkCompletedEvent",
    data: announcedBulk,
  },
  "wallet.funded": {
    summary: "Money came into the wallet",
    description:
      "A bank transfer was credited, to one of your receiving accounts or, by the company’s bank statement, to the company’s own: once for each transfer, in live alone.",
    component: "WalletFundedEvent",
    data: funded,
  },
  "wallet.low_balance": {
    summary: "The wallet fell below its threshold",
    description: "Sent once each time the balance falls below `low_balance_threshold`.",
    component: "WalletLowBalanceEvent",
    data: lowBalance,
  },
  "catalogue.updated": {
    summary: "Products changed",
    description:
      "Prices that you pay, or the availability or names of products that you see, changed: some seconds ago, so that `GET /billers/{slug}/products` tells them already. Several changes within a short while are one event. The catalogue is the same in both modes; each tells it to its own log. A `product_id` never changes meaning.",
    component: "CatalogueUpdatedEvent",
    data: catalogueUpdate,
  },
  "webhook.test": {
    summary: "A test that you asked for",
    description: "Sent by `POST /webhook/test`, once, whatever `events` says. Always an example.",
    component: "WebhookTestEvent",
    data: test,
  },
};

/** The body of an event: the envelope around its data. */
function eventSchema(name: EventName, { component, data, summary }: EventNotes): TSchema {
  return Type.Object(
    {
      event: Type.Literal(name),
      mode: oneOf(["live", "test"], { description: "Of the key that caused it; `catalogue.updated` comes in both." }),
      delivery_id: Type.String({
        format: "uuid",
        maxLength: 36,
        description: "The same on every attempt, and in the header `webhook-id`.",
        examples: ["01932f1c-9c7e-7c11-8a52-3f9d6f0b7a21"],
      }),
      event_id: eventIdSchema,
      sent_at: instant("When the event happened."),
      data,
    },
    { description: `${summary}.`, "x-component": component },
  );
}

/** Events that the sandbox sent, as recorded by a run. */
const samples: Partial<Record<EventName, object>> = sampleEvents;

const headers: readonly ApiParameter[] = [
  header("webhook-id", "The `delivery_id`.", { format: "uuid", maxLength: 36 }),
  header("webhook-timestamp", "Seconds since 1970. Refuse what is more than five minutes off.", {
    pattern: "^[0-9]+$",
    maxLength: 12,
  }),
  header("webhook-signature", "`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; one per active secret.", {
    pattern: "^v1,",
    maxLength: 200,
  }),
  header("X-Service-Event", "The event's name.", { maxLength: 40, pattern: "^[a-z._]+$" }),
  header("X-Service-Mode", "`live` or `test`.", { enum: ["live", "test"] }),
];

function header(name: string, description: string, schema: SchemaObject): ApiParameter {
  return { name, in: "header", required: true, description, schema: { type: "string", ...schema } };
}

/** The document's `webhooks`, before its schemas are moved to the components. */
export const webhooks = Object.fromEntries(
  Object.entries(events).map(([name, notes]) => [name, { post: eventOperation(name as EventName, notes) }] as const),
);

function eventOperation(name: EventName, notes: EventNotes): ApiOperation {
  const { summary, description, component } = notes;
  return {
    operationId: `on${component.replace(/Event$/, "")}`,
    summary,
    description,
    tags: ["Webhooks"],
    security: [],
    parameters: headers,
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: eventSchema(name, notes) as unknown as SchemaObject,
          examples: { usual: { summary, value: samples[name] } },
        },
      },
    },
    responses: { "2XX": { description: "Received. Anything else is tried again." } },
  };
}
