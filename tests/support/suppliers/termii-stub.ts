import { createHmac } from "node:crypto";
import type { ConnectorUnderTest } from "./connector-under-test.ts";
import type { Requested, Saying, SentCallback, StubAnswer, StubDialect, StubRecord, Trap } from "./stub-dialect.ts";

export const termiiKey = "TLdGk3yApiKeyOfOursQw7";
export const termiiSecret = "tsk_SecretOfOurWebhooks9";

/** Its ids are longer than any number that JSON can hold. */
const idOpening = "30175457195175882";

/** It is told no reference: the tests' texts end in the transaction's id. */
export const termiiStub: StubDialect = {
  receive({ method, path, query, body }): Requested | null {
    const words = String(body.sms ?? "").split(" ");
    const number = String(Array.isArray(body.to) ? body.to[0] : body.to);
    const calls = { reference: words.at(-1) ?? "", number, body };
    const key = method === "POST" ? body.api_key : query.get("api_key");
    if (key !== termiiKey) return { ...calls, question: "denied" };
    if (method === "POST") return path === "/api/sms/send" ? { ...calls, question: "vend" } : null;
    if (path === "/api/get-balance") return { ...calls, question: "balance" };
    if (path !== "/api/sms/inbox") return null;
    return { ...calls, question: "requery", reference: (query.get("message_id") ?? "").replace(idOpening, "") };
  },
  say,
  call(record, status) {
    const report = {
      type: "outbound",
      id: "ff4a1b",
      message_id: idOf(record),
      receiver: numbersOf(record)[0],
      sender: record.calls.body.from,
      message: record.calls.body.sms,
      cost: "4.00",
      status: { vended: "DELIVERED", declined: "Message Failed", pending: "Message Sent" }[status],
      channel: record.calls.body.channel,
    };
    return { headers: { "content-type": "application/json" }, body: JSON.stringify(report) };
  },
  traps: traps(),
  outOfMoney: refusal(400, "Insufficient balance"),
};

function idOf({ id }: StubRecord): string {
  return `${idOpening}${id}`;
}

function numbersOf({ calls }: StubRecord): readonly string[] {
  return calls.body.to as string[];
}

function say(saying: Saying, calls: Requested, record: StubRecord | null): StubAnswer {
  const isAgain = calls.question === "requery";
  switch (saying) {
    // A repeat is another message there.
    case "duplicate":
    // It takes nothing back.
    case "reversed":
    case "vended":
      return isAgain ? history(record!, "Delivered") : accepted(record!, "ok", "Successfully Sent");
    case "declined":
      return isAgain ? history(record!, "Message Failed") : refusal(400, "Insufficient balance");
    case "pending":
      return isAgain ? { status: 200, body: [] } : accepted(record!, "queued", "Message in queue");
    case "undocumented":
      return accepted(record!, "moderation", "Awaiting approval");
    case "absent":
      return { status: 200, body: [] };
    case "denied":
      return refusal(401, "Unauthorized");
    case "balance":
      return { status: 200, body: { user: "ADA OBI", balance: 8043.5, currency: "NGN" } };
    default:
      throw new Error(`nobody asks it for ${saying}`);
  }
}

function accepted(record: StubRecord, code: string | undefined, message: string): StubAnswer {
  const id = idOf(record);
  return {
    status: 200,
    body: { code, balance: 1047.57, message_id: id, message, user: "ADA OBI", message_id_str: id },
  };
}

function refusal(status: number, message: string): StubAnswer {
  return { status, body: { code: status, message } };
}

function line(record: StubRecord, receiver: string | number, status: string): Record<string, unknown> {
  const { body } = record.calls;
  return {
    sender: body.from,
    receiver,
    message: body.sms,
    amount: 1,
    reroute: 0,
    status,
    sms_type: body.channel,
    send_by: "api",
    message_id: idOf(record),
    created_at: "2026-11-20 12:00:31",
  };
}

function history(record: StubRecord, ...statuses: readonly string[]): StubAnswer {
  const lines = numbersOf(record).map((number, n) => line(record, number, statuses[n] ?? statuses[0] ?? ""));
  return { status: 200, body: lines };
}

function traps(): Readonly<Record<string, Trap>> {
  /** Accepted in words that are no yes: what follows is what its history tells. */
  const unclear = {
    supplier: "vended",
    answer: (_: Requested, record: StubRecord) => accepted(record, "queued", "Message in queue"),
    vend: "unknown",
  } as const;
  const isUnknown = { vend: "unknown", end: "unknown" } as const;
  return {
    "no code": {
      does: "answers older accounts without a code",
      supplier: "vended",
      answer: (_, record) => accepted(record, undefined, "Successfully Sent"),
      vend: "vended",
      end: "vended",
    },
    "id as a number": {
      does: "writes its id as a number, longer than any number",
      supplier: "vended",
      answer: (_, record) => ({ status: 200, body: `{"code":"ok","message_id":${idOf(record)},"message":"Sent"}` }),
      vend: "vended",
      end: "vended",
    },
    "yes without an id": {
      does: "says ok and tells no id, by which it could be asked",
      supplier: "vended",
      answer: () => ({ status: 200, body: { code: "ok", message: "Successfully Sent", balance: 9 } }),
      ...isUnknown,
    },
    "a no with 200": {
      does: "answers 200 with an error's text",
      supplier: "declined",
      answer: () => ({ status: 200, body: { code: "error", message: "Insufficient balance" } }),
      ...isUnknown,
    },
    "a no with an id": {
      does: "refuses with 400 what it has given an id",
      supplier: "vended",
      answer: (_, record) => ({ status: 400, body: { message: "Device not found", message_id: idOf(record) } }),
      vend: "unknown",
      end: "vended",
    },
    "a no without a word": {
      does: "refuses with 422 and says nothing",
      supplier: "declined",
      answer: () => ({ status: 422, body: {} }),
      ...isUnknown,
    },
    "another 4xx": {
      does: "answers a status that its documentation does not have",
      supplier: "vended",
      answer: () => refusal(408, "Request timeout"),
      ...isUnknown,
    },
    "outage page": {
      does: "answers with a page in HTML",
      supplier: "vended",
      answer: () => ({ status: 503, body: "<html><h1>Service Unavailable</h1></html>" }),
      ...isUnknown,
    },
    "too many": {
      does: "takes no more requests at this moment",
      supplier: "declined",
      answer: () => refusal(429, "Too Many Requests"),
      vend: "declined",
      end: "declined",
    },
    "half of them": {
      ...unclear,
      does: "delivered to one number, and not to one on DND",
      again: (_, record) => history(record, "Delivered", "DND Active on Phone Number"),
      end: "vended",
    },
    "none of them": {
      ...unclear,
      does: "failed with every number, in different words",
      supplier: "declined",
      again: (_, record) => history(record, "Rejected", "DND Active on Phone Number"),
      end: "declined",
    },
    "a state of its own": {
      ...unclear,
      does: "tells of a state that its documentation does not have",
      again: (_, record) => history(record, "Delivered", "Held"),
      end: "unknown",
    },
    "one line for all": {
      ...unclear,
      does: "tells of the first number alone",
      again: (_, record) => ({ status: 200, body: [line(record, numbersOf(record)[0] ?? "", "Message Failed")] }),
      end: "unknown",
    },
    "everybody's history": {
      ...unclear,
      does: "tells of other messages as well, with receivers as numbers, and of failures before the end",
      again: (_, record) => {
        const other = { ...line(record, 2348099999999, "Message Failed"), message_id: "3017545719517588299999999" };
        const mine = numbersOf(record).map((number) => line(record, Number(number), "Message Failed"));
        const later = numbersOf(record).map((number) => line(record, number, "DELIVERED"));
        return { status: 200, body: [other, ...mine, ...later] };
      },
      end: "vended",
    },
    "somebody else": {
      ...unclear,
      does: "tells of a number that was not sent to, under our id",
      again: (_, record) => ({ status: 200, body: [line(record, "2348099999999", "Message Failed")] }),
      end: "unknown",
    },
    "a history that is refused": {
      ...unclear,
      does: "refuses the question about a message that it has sent",
      again: () => refusal(401, "Unauthorized"),
      end: "unknown",
    },
  };
}

function signed({ headers, body }: SentCallback, secret: string): SentCallback {
  const signature = createHmac("sha512", secret).update(body).digest("hex");
  return { headers: { ...headers, "x-termii-signature": signature }, body };
}

function message(sent: SentCallback, at: number) {
  return { ...sent, query: "", addressSecret: null, at };
}

export const underTest: ConnectorUnderTest = {
  name: "termii",
  stub: termiiStub,
  sells: { sms: "generic" },
  usual: "sms",
  referenceAtSupplier: ({ transactionId }) => transactionId,
  canAskUnanswered: false,
  namesNoRefusals: true,
  repeatsAreExecuted: true,
  keys: [termiiKey, termiiSecret],
  saysReversed: false,
  entered: ({ baseUrl, wrongKeys }) => ({
    settings: { base_url: baseUrl },
    credentials: { api_key: wrongKeys ? "wrong" : termiiKey, secret_key: termiiSecret },
  }),
  verifies: null,
  balance: 804_350n,
  callbacks: {
    genuine: (sent, at) => message(signed(sent, termiiSecret), at),
    forged: (sent, at) => {
      const genuine = signed(sent, termiiSecret);
      const signature = genuine.headers["x-termii-signature"] ?? "";
      const withSignature = (other: string) =>
        message({ ...genuine, headers: { ...genuine.headers, "x-termii-signature": other } }, at);
      return [
        message(sent, at),
        message(signed(sent, termiiKey), at),
        message({ ...genuine, body: sent.body.replace("DELIVERED", "Rejected") }, at),
        message({ ...genuine, body: `${sent.body} ` }, at),
        withSignature(signature.slice(0, -2)),
        withSignature(""),
      ];
    },
    saysOnlyTheirs: true,
  },
};
