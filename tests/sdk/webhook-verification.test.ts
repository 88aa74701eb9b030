import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isAtHand } from "../support/program-languages.ts";
import { judge } from "../support/sdk-judges.ts";
import { sdkLanguages } from "../support/sdk-languages.ts";

const at = 1_800_000_000;
const [present, previous, foreign] = [1, 2, 3].map((byte) => `whsec_${Buffer.alloc(32, byte).toString("base64")}`) as [
  string,
  string,
  string,
];
// Blanks and a letter beside ASCII: whatever parses it and writes it again makes other bytes.
const body = '{"event": "transaction.successful", "mode": "test", "data": {"plan": "₦500 a day"}}';

interface Message {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: string | readonly string[];
  /** Seconds since 1970 by the receiver's clock. */
  readonly now: number;
}

function signature(by: string, signed = body, timestamp = String(at)): string {
  const key = Buffer.from(by.slice("whsec_".length), "base64");
  return `v1,${createHmac("sha256", key).update(`msg_1.${timestamp}.${signed}`).digest("base64")}`;
}

const right: Message = {
  body,
  headers: { "webhook-id": "msg_1", "webhook-timestamp": String(at), "webhook-signature": signature(present) },
  secrets: present,
  now: at,
};
const withHeaders = (headers: Record<string, string>) => ({ headers: { ...right.headers, ...headers } });
const signedBy = (...secrets: readonly string[]) =>
  withHeaders({ "webhook-signature": secrets.map((secret) => signature(secret)).join(" ") });
const signedBody = (text: string) => ({
  body: text,
  ...withHeaders({ "webhook-signature": signature(present, text) }),
});
const stamped = (timestamp: string) =>
  withHeaders({ "webhook-timestamp": timestamp, "webhook-signature": signature(present, body, timestamp) });

const accepted = "transaction.successful";
const cases: readonly (readonly [what: string, change: Partial<Message>, expected: string])[] = [
  ["right", {}, accepted],
  ["header names in capitals", { headers: capitals(right.headers) }, accepted],
  ["signed with another secret", signedBy(foreign), "signature"],
  ["a body that a framework parsed and wrote again", { body: JSON.stringify(JSON.parse(body)) }, "signature"],
  ["a body whose letters were escaped", { body: body.replace("₦", "\\u20a6") }, "signature"],
  ["a body with a line break more", { body: `${body}\n` }, "signature"],
  ["an empty body instead of the signed one", { body: "" }, "signature"],
  ["another id", withHeaders({ "webhook-id": "msg_2" }), "signature"],
  ["another time under the same signature", withHeaders({ "webhook-timestamp": String(at + 1) }), "signature"],
  ["replayed after 301 s", { now: at + 301 }, "timestamp"],
  ["300 s old", { now: at + 300 }, accepted],
  ["a clock that is 301 s behind", { now: at - 301 }, "timestamp"],
  ["a clock that is 300 s behind", { now: at - 300 }, accepted],
  ["in a rotation, the receiver knows the old secret", { ...signedBy(present, previous), secrets: previous }, accepted],
  ["in a rotation, the receiver knows the new secret", { ...signedBy(present, previous), secrets: present }, accepted],
  [
    "in a rotation, the receiver knows both, signed by the old one",
    { ...signedBy(previous), secrets: [present, previous] },
    accepted,
  ],
  ["after a rotation, the receiver knows the old secret", { ...signedBy(present), secrets: previous }, "signature"],
  ["several signatures, none of them fits", { ...signedBy(previous, foreign) }, "signature"],
  [
    "a signature of another version beside the right one",
    withHeaders({ "webhook-signature": `v1a,AAAA ${signature(present)}` }),
    accepted,
  ],
  ["the version left out", withHeaders({ "webhook-signature": signature(present).slice(3) }), "signature"],
  ["the beginning of a signature", withHeaders({ "webhook-signature": signature(present).slice(0, -1) }), "signature"],
  ["a signature beside ASCII", withHeaders({ "webhook-signature": "v1,ümlaut" }), "signature"],
  ...["webhook-id", "webhook-timestamp", "webhook-signature"].map(
    (name) => [`no ${name}`, { headers: without(name) }, "headers"] as const,
  ),
  ["an empty signature", withHeaders({ "webhook-signature": "" }), "headers"],
  ...["yesterday", "1.8e9", `-${at}`, ` ${at}`, "9".repeat(40)].map(
    (timestamp) => [`the time ${timestamp}`, stamped(timestamp), "timestamp"] as const,
  ),
  ["an empty body, rightly signed", signedBody(""), "body"],
  ["no JSON, rightly signed", signedBody("event=transaction.successful"), "body"],
  ["JSON that is no object, rightly signed", signedBody("5"), "body"],
  ...[
    "",
    "secret",
    present.slice(6),
    `${present}\n`,
    present.slice(0, -1),
    "whsec_",
    "whsec_AAAA",
    "whsec_a-b_".repeat(4),
  ].map((secrets) => [`the secret ${JSON.stringify(secrets)}`, { secrets }, "secret"] as const),
  ["both secrets, one of them of no secret's shape", { secrets: [present, "secret"] }, "secret"],
  ["no secret at all", { secrets: [] }, "signature"],
];

function capitals(headers: Message["headers"]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
}

function without(name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(right.headers).filter(([each]) => each !== name));
}

describe.concurrent("each SDK accepts what we signed, and says in the same word why it refuses anything else", () => {
  const lines = cases.map(([, change]) => {
    const message = { ...right, ...change };
    return { kind: "verify", ...message, body: Buffer.from(message.body).toString("base64") };
  });
  for (const language of sdkLanguages) {
    const there = isAtHand(language);
    test.runIf(there)(`in ${language.name}${there ? "" : " (not installed here)"}`, async (own) => {
      const verdicts = await judge(language, lines);
      own
        .expect(cases.map(([what], n) => [what, verdicts[n]]))
        .toEqual(cases.map(([what, , expected]) => [what, expected]));
    });
  }
  test("knows a case for each reason", () => {
    expect(new Set(cases.map(([, , expected]) => expected))).toEqual(
      new Set([accepted, "signature", "timestamp", "headers", "body", "secret"]),
    );
  });
});
