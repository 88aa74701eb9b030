import { addressSecret, byAddress, type ConnectorUnderTest } from "./connector-under-test.ts";
import type { Requested, Saying, StubAnswer, StubDialect, StubRecord, Trap } from "./stub-dialect.ts";

export const africasTalkingKey = "atsk_1f0aKeyOfOursb7c2";

/** What it says of one number; its id, where it has made a message. */
interface Entry {
  readonly statusCode: number | string;
  readonly status: string;
  readonly hasId: boolean;
  readonly number?: string;
}

const sent: Entry = { statusCode: 101, status: "Success", hasId: true };
const refused = (statusCode: number, status: string): Entry => ({ statusCode, status, hasId: false });
const open = (statusCode: number, status: string): Entry => ({ statusCode, status, hasId: true });

/** It is told no reference: the tests' texts end in the transaction's id. */
export const africasTalkingStub: StubDialect = {
  receive({ method, path, query, headers, body }): Requested | null {
    const words = String(body.message ?? "").split(" ");
    const [number = ""] = String(body.to ?? "").split(",");
    const calls = { reference: words.at(-1) ?? "", number, body };
    const username = method === "POST" ? body.username : query.get("username");
    if (headers.apikey !== africasTalkingKey || username !== "shop") return { ...calls, question: "denied" };
    if (method === "POST") return path === "/version1/messaging" ? { ...calls, question: "vend" } : null;
    return path === "/version1/user" ? { ...calls, question: "balance" } : null;
  },
  say,
  call(record, status) {
    const report = {
      id: idOf(record, 0),
      status: { vended: "Success", declined: "Failed", pending: "Sent" }[status],
      phoneNumber: record.number,
      networkCode: "62130",
      ...(status === "declined" ? { failureReason: "UserInBlackList" } : {}),
    };
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return { headers, body: new URLSearchParams(report).toString() };
  },
  traps: traps(),
  outOfMoney: nobody("InsufficientBalance"),
};

function idOf({ id }: StubRecord, n: number): string {
  return `ATXid_${id}${n}f84c5f0a3d1b`;
}

function numbersOf({ calls }: StubRecord): readonly string[] {
  return String(calls.body.to).split(",");
}

function say(saying: Saying, _requested: Requested, record: StubRecord | null): StubAnswer {
  switch (saying) {
    // A repeat is another message there.
    case "duplicate":
    case "vended":
      return answered(record!, [sent]);
    case "declined":
      return answered(record!, [refused(405, "InsufficientBalance")]);
    case "pending":
      return answered(record!, [open(500, "InternalServerError")]);
    case "undocumented":
      return answered(record!, [open(599, "InReview")]);
    case "denied":
      return { status: 401, body: "The supplied authentication is invalid" };
    case "balance":
      return { status: 200, body: { UserData: { balance: "NGN 1785.50" } } };
    default:
      throw new Error(`nobody asks it for ${saying}`);
  }
}

/** An entry for each number; the last one stands for those that follow. */
function answered(record: StubRecord, entries: readonly Entry[]): StubAnswer {
  const recipients = numbersOf(record).map((own, n) => {
    const { statusCode, status, hasId, number = own } = entries[n] ?? entries.at(-1)!;
    const cost = hasId ? "NGN 2.2000" : "0";
    return { statusCode, number, status, cost, messageId: hasId ? idOf(record, n) : "None", messageParts: 1 };
  });
  const count = recipients.filter(({ messageId }) => messageId !== "None").length;
  const Message = `Sent to ${count}/${recipients.length} Total Cost: NGN ${(2.2 * count).toFixed(4)}`;
  return { status: 201, body: { SMSMessageData: { Message, Recipients: recipients } } };
}

function nobody(message: string): StubAnswer {
  return { status: 201, body: { SMSMessageData: { Message: message, Recipients: [] } } };
}

function traps(): Readonly<Record<string, Trap>> {
  const says = (...entries: readonly Entry[]) => {
    return { answer: (_: Requested, record: StubRecord) => answered(record, entries) };
  };
  const isVended = { supplier: "vended", vend: "vended", end: "vended" } as const;
  const isDeclined = { supplier: "declined", vend: "declined", end: "declined" } as const;
  const isUnknown = { vend: "unknown", end: "unknown" } as const;
  return {
    "nobody, for the sender": {
      ...isDeclined,
      does: "answers 201 with an empty list, and why in a message",
      answer: () => nobody("InvalidSenderId"),
    },
    "nobody, for no reason": {
      ...isUnknown,
      supplier: "vended",
      does: "answers 201 with an empty list and another message",
      answer: () => nobody("Queued"),
    },
    "no list": {
      ...isUnknown,
      supplier: "vended",
      does: "answers 201 without a list",
      answer: () => ({ status: 201, body: { SMSMessageData: { Message: "Sent to 2/2" } } }),
    },
    "codes as texts": {
      ...isVended,
      ...says({ ...sent, statusCode: "100" }, { ...sent, statusCode: "102", status: "Queued" }),
      does: "writes its codes as texts",
    },
    "one refused": {
      ...isVended,
      ...says(sent, refused(409, "DoNotDisturbRejection")),
      does: "sends to one number and refuses the other",
    },
    "one open": {
      ...isVended,
      ...says(sent, open(501, "GatewayError")),
      does: "sends to one number and does not know of the other",
    },
    "refused for different reasons": {
      ...isDeclined,
      ...says(refused(403, "InvalidPhoneNumber"), refused(406, "UserInBlacklist")),
      does: "refuses every number, each for a reason of its own",
    },
    "one refused, one open": {
      ...isUnknown,
      ...says(refused(403, "InvalidPhoneNumber"), open(500, "InternalServerError")),
      supplier: "vended",
      does: "refuses one number and does not know of the other",
    },
    "held, with an id": {
      ...isUnknown,
      ...says({ ...refused(401, "RiskHold"), hasId: true }),
      supplier: "vended",
      does: "refuses, with the id of a message, which it may let go later",
    },
    "a text that lies": {
      ...isUnknown,
      ...says(refused(404, "Success")),
      supplier: "vended",
      does: "gives a refusal's code and calls it a success",
    },
    "a code that lies": {
      ...isUnknown,
      ...says(sent, { ...sent, status: "UserInBlacklist" }),
      supplier: "vended",
      does: "gives a success's code and names a refusal",
    },
    "sent without an id": {
      ...isUnknown,
      ...says({ ...sent, hasId: false }),
      supplier: "vended",
      does: "says that it was sent, and has made no message of it",
    },
    "one left out": {
      ...isUnknown,
      supplier: "vended",
      does: "tells nothing of the second number",
      answer: (_, record) => {
        const { body } = answered(record, [sent]) as { body: { SMSMessageData: { Recipients: unknown[] } } };
        const Recipients = body.SMSMessageData.Recipients.slice(0, 1);
        return { status: 201, body: { SMSMessageData: { Message: "Sent to 1/1", Recipients } } };
      },
    },
    "somebody else": {
      ...isUnknown,
      ...says(sent, { ...sent, number: "+2348099999999" }),
      supplier: "vended",
      does: "tells of a number that was not sent to",
    },
    "one number twice": {
      ...isUnknown,
      ...says(sent, { ...refused(403, "InvalidPhoneNumber"), number: "+2348031234567" }),
      supplier: "vended",
      does: "tells of one number twice, and in different ways",
    },
    "the usual form": {
      ...isUnknown,
      supplier: "vended",
      does: "answers in XML, as it does where nobody asks for JSON",
      answer: () => ({ status: 201, body: "<AfricasTalkingResponse><SMSMessageData/></AfricasTalkingResponse>" }),
    },
    "a gate of somebody else": {
      ...isUnknown,
      supplier: "vended",
      does: "answers 401 with a page of whatever stands before it",
      answer: () => ({ status: 401, body: "<html><h1>Unauthorized</h1></html>" }),
    },
    "another refusal in plain text": {
      ...isUnknown,
      supplier: "declined",
      does: "refuses with 400 and a sentence",
      answer: () => ({ status: 400, body: "Request is missing required form field 'to'" }),
    },
    "outage page": {
      ...isUnknown,
      supplier: "vended",
      does: "answers with a page in HTML",
      answer: () => ({ status: 503, body: "<html><h1>Service Unavailable</h1></html>" }),
    },
  };
}

export const underTest: ConnectorUnderTest = {
  name: "africas-talking",
  stub: africasTalkingStub,
  sells: { sms: "sms" },
  usual: "sms",
  referenceAtSupplier: ({ transactionId }) => transactionId,
  canAskUnanswered: false,
  asksNothing: true,
  namesNoRefusals: true,
  repeatsAreExecuted: true,
  keys: [africasTalkingKey, addressSecret],
  saysReversed: false,
  entered: ({ baseUrl, wrongKeys }) => ({
    settings: { base_url: baseUrl, username: "shop" },
    credentials: { api_key: wrongKeys ? "wrong" : africasTalkingKey, callback_secret: addressSecret },
  }),
  verifies: null,
  balance: 178_550n,
  callbacks: { ...byAddress, saysOnlyTheirs: true },
};
