import type { PlantedFault } from "./faults.ts";

const connector = "src/providers/payments/http-payments.ts";
const flutterwave = "src/providers/payments/flutterwave.ts";

/** Remembers what each event said, in the form in which two of the providers say it of a verified transfer, too. */
const keepsEvents = [
  {
    file: connector,
    from: "  const ask = openAsk(dialect, services);\n",
    to: "  const ask = openAsk(dialect, services);\n  const events = new Map<string, Reply>();\n",
  },
  {
    file: connector,
    from: "    readEvent: (message) => dialect.readEvent(message),\n",
    to: `    readEvent(message) {
      const reading = dialect.readEvent(message);
      if (reading.kind !== "payment" || reading.isRefund) return reading;
      const event = { status: 200, json: parseJson(message.body) as JsonObject };
      if (dialect.readVerified(event, reading.paymentId).kind === "paid") events.set(reading.paymentId, event);
      return reading;
    },
`,
  },
  {
    file: connector,
    from: "{ paymentId, withRefunds }, refundsSince),",
    to: "{ paymentId, withRefunds }, refundsSince, events.get(paymentId) ?? null),",
  },
  {
    file: connector,
    from: "  refundsSince: RefundsSince,\n): Promise<PaymentAnswer> {\n",
    to: "  refundsSince: RefundsSince,\n  event: Reply | null,\n): Promise<PaymentAnswer> {\n",
  },
  {
    file: connector,
    from: `import type { Reply } from "../reply.ts";\n`,
    to: `import type { JsonObject } from "../../kernel/json.ts";\nimport { parseJson, type Reply } from "../reply.ts";\n`,
  },
];

/** What `npm run torture -- --funding` must notice. */
export const fundingFaults: readonly PlantedFault[] = [
  {
    name: "verify-skipped",
    shows: "an event says that it is paid what failed since, or never was: it is credited",
    edits: [
      ...keepsEvents,
      {
        file: connector,
        from: "  const { readable } = await talk.ask(dialect.verify(paymentId));\n",
        to: "  const readable = event ?? (await talk.ask(dialect.verify(paymentId))).readable;\n",
      },
    ],
  },
  {
    name: "keyed-by-our-id",
    shows: "the second transfer to an account is taken for the first one: it is lost",
    edits: [
      {
        file: flutterwave,
        from: `textAt(data, "payment_type") === transferType ? numberAt(data, "id") : null`,
        to: `textAt(data, "payment_type") === transferType ? paymentIdAt(data, "tx_ref") : null`,
      },
      { file: flutterwave, from: "/v3/transactions/$", to: "/v3/transactions/verify_by_reference?tx_ref=$" },
      { file: flutterwave, from: "}/verify`", to: "}`" },
      {
        file: flutterwave,
        from: `textAt(data, "id") !== paymentId`,
        to: `textAt(data, "tx_ref") !== paymentId`,
      },
      {
        file: flutterwave,
        from: `transfers.flatMap((one) => numberAt(one, "id") ?? [])`,
        to: `transfers.flatMap((one) => paymentIdAt(one, "tx_ref") ?? [])`,
      },
    ],
  },
  {
    name: "event-trusted",
    shows: "an event says ten times what arrived: that is credited",
    edits: [
      ...keepsEvents,
      {
        file: connector,
        from: "dialect.readVerified(readable, paymentId);",
        to: "dialect.readVerified(event ?? readable, paymentId);",
      },
    ],
  },
];
