import { createHmac, randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { signatureHeaders } from "../../../src/domain/webhooks/endpoints/endpoint.ts";
import type { DeliveryId } from "../../../src/domain/webhooks/events/event.ts";
import {
  diagnoseSignature,
  type Evidence,
  readPastedHeaders,
} from "../../../src/domain/webhooks/signature-diagnosis.ts";

const now = Date.parse("2026-11-20T14:03:09+01:00");
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAAAAAAAAAAA=";
const otherSecret = "whsec_dGhlIG90aGVyIG9mIHR3byBzZWNyZXRzLCBsb25nZXI=";
const id = "019aa1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b" as DeliveryId;
const body =
  '{"event":"webhook.test","sent_at":"2026-11-20","data":{"text":"Ọlá & <b>","url":"https://a.example/b","a":1}}';
const timestamp = Math.floor(now / 1_000);
const keyBytes = Buffer.from(secret.slice(6), "base64");

/** What came in, right in all; with these changes. */
function evidence(changes: Partial<Evidence> & { signature?: string; id?: string | null; timestamp?: string | null }) {
  const { signature, id: givenId, timestamp: givenTimestamp, ...more } = changes;
  const right = signatureHeaders({ id, timestampSeconds: timestamp, body }, [secret]);
  const headers = {
    id: givenId === undefined ? id : givenId,
    timestamp: givenTimestamp === undefined ? String(timestamp) : givenTimestamp,
    signature: signature ?? right["webhook-signature"],
  };
  return { secret, headers, body, now, sent: null, known: [], ...more };
}

function hmac(key: Buffer | string, text: string, encoding: "base64" | "hex" = "base64"): string {
  return createHmac("sha256", key).update(text).digest(encoding);
}

const text = (signed = body) => `${id}.${timestamp}.${signed}`;
const diagnose = (changes: Parameters<typeof evidence>[0]) => diagnoseSignature(evidence(changes));
const python = body.replaceAll('":', '": ').replaceAll(',"', ', "').replaceAll("Ọlá", "\\u1eccl\\u00e1");

describe("a signature that fails is explained", () => {
  test("not at all where it is right, with any of several signatures, and without the secret's prefix", () => {
    expect(diagnose({})).toEqual([]);
    expect(diagnose({ secret: ` ${secret}\n` })).toEqual([]);
    expect(diagnose({ secret: secret.slice(6) })).toEqual([]);
    expect(diagnose({ signature: `v1,${hmac("x", "x")} v1,${hmac(keyBytes, text())}` })).toEqual([]);
  });

  test.each([
    ["id", "id_missing"],
    ["timestamp", "timestamp_missing"],
  ] as const)("by a missing %s", (name, kind) => {
    expect(diagnose({ [name]: null })).toEqual([{ kind }]);
  });

  test("by everything that is missing at once", () => {
    const nothing = { id: null, timestamp: null, signature: null };
    const kinds = diagnoseSignature({ ...evidence({}), headers: nothing }).map(({ kind }) => kind);
    expect(kinds).toEqual(["id_missing", "timestamp_missing", "signature_missing"]);
  });

  test.each(["2026-11-20T14:03:09Z", `${timestamp}000`])("by a timestamp that is no number of seconds: %s", (given) => {
    expect(diagnose({ timestamp: given })).toEqual([{ kind: "timestamp_unreadable" }]);
  });

  test("by the clock, beyond five minutes on either side", () => {
    expect(diagnose({ now: now + 300_000 })).toEqual([]);
    expect(diagnose({ now: now + 301_000 })).toEqual([{ kind: "timestamp_old", seconds: 301 }]);
    expect(diagnose({ now: now - 300_000 })).toEqual([]);
    expect(diagnose({ now: now - 301_000 })).toEqual([{ kind: "timestamp_future", seconds: 301 }]);
  });

  test("by the form of the signature", () => {
    const right = hmac(keyBytes, text());
    expect(diagnose({ signature: right })).toEqual([{ kind: "version_missing" }]);
    expect(diagnose({ signature: `v1=${right}` })).toEqual([{ kind: "version_missing" }]);
    expect(diagnose({ signature: `v1,${hmac(keyBytes, text(), "hex")}` })).toEqual([{ kind: "signature_hex" }]);
    expect(diagnose({ signature: hmac(keyBytes, text(), "hex") })).toEqual([
      { kind: "version_missing" },
      { kind: "signature_hex" },
    ]);
  });

  test("by a secret that was taken literally", () => {
    expect(diagnose({ signature: `v1,${hmac(secret.slice(6), text())}` })).toEqual([{ kind: "secret_not_decoded" }]);
    expect(diagnose({ signature: `v1,${hmac(secret, text())}` })).toEqual([
      { kind: "secret_prefix_kept" },
      { kind: "secret_not_decoded" },
    ]);
    const decoded = Buffer.from(secret, "base64");
    expect(diagnose({ signature: `v1,${hmac(decoded, text())}` })).toEqual([{ kind: "secret_prefix_kept" }]);
  });

  test("by what was signed", () => {
    const kindOf = (signed: string) => diagnose({ signature: `v1,${hmac(keyBytes, signed)}` });
    expect(kindOf(body)).toEqual([{ kind: "body_alone_signed" }]);
    expect(kindOf(`${timestamp}.${body}`)).toEqual([{ kind: "id_not_signed" }]);
    expect(kindOf(`${id}.${body}`)).toEqual([{ kind: "timestamp_not_signed" }]);
  });

  test("by the other of two secrets, with its name", () => {
    const known = [{ secret: otherSecret, name: "the previous secret" }];
    expect(diagnose({ secret: otherSecret, known: [{ secret, name: "the present secret" }] })).toEqual([
      { kind: "other_secret", name: "the present secret" },
    ]);
    expect(diagnose({ known })).toEqual([]);
  });

  test("by a wrong secret, for certain where the body is the one that was sent", () => {
    expect(diagnose({ secret: otherSecret })).toEqual([{ kind: "wrong_secret", isCertain: false }]);
    expect(diagnose({ secret: otherSecret, sent: body })).toEqual([{ kind: "wrong_secret", isCertain: true }]);
  });

  test.each([
    ["whitespace", JSON.stringify(JSON.parse(body), null, 2)],
    ["escaped_slashes", body.replaceAll("/", "\\/")],
    ["unicode_escapes", body.replaceAll("Ọlá", "\\u1eccl\\u00e1")],
    ["unicode_escapes", body.replaceAll("&", "\\u0026").replaceAll("<", "\\u003c").replaceAll(">", "\\u003e")],
  ])("by a body with other %s, whichever of the two was signed", (spelling, respelled) => {
    const expected = [{ kind: "body_respelled", spellings: [spelling] }];
    expect(diagnose({ body: respelled })).toEqual(expected);
    expect(diagnose({ signature: `v1,${hmac(keyBytes, text(respelled))}` })).toEqual(expected);
  });

  test("by a body that Python wrote anew", () => {
    const expected = [{ kind: "body_respelled", spellings: ["whitespace", "unicode_escapes"] }];
    expect(diagnose({ body: python })).toEqual(expected);
    expect(diagnose({ signature: `v1,${hmac(keyBytes, text(python))}` })).toEqual(expected);
  });

  test("by another order of keys, which is found by the body that was sent", () => {
    const { event, sent_at, data } = JSON.parse(body);
    const moved = JSON.stringify({ data, event, sent_at });
    const expected = [{ kind: "body_respelled", spellings: ["key_order"] }];
    expect(diagnose({ body: moved, sent: body })).toEqual(expected);
    expect(diagnose({ body: moved })).toEqual([{ kind: "wrong_secret", isCertain: false }]);
  });

  test("by a body that says something else, with the place", () => {
    const changed = body.replace('"a":1', '"a":2');
    expect(diagnose({ body: changed, sent: body })).toEqual([{ kind: "body_changed", at: changed.indexOf("2}}") + 1 }]);
    expect(diagnose({ body: "no JSON", sent: body })).toEqual([{ kind: "body_changed", at: 1 }]);
  });

  test("by two faults at once", () => {
    const signed = `v1,${hmac(keyBytes, text(python), "hex")}`;
    expect(diagnose({ signature: signed, now: now + 400_000 }).map(({ kind }) => kind)).toEqual([
      "body_respelled",
      "signature_hex",
      "timestamp_old",
    ]);
  });
});

/** One fault each, planted into what a right receiver has; null where it changes nothing. */
const plants: Record<string, (given: Given) => Evidence | null> = {
  version_missing: ({ right, signed }) => ({ ...right, headers: { ...right.headers, signature: signed.slice(3) } }),
  signature_hex: ({ right, signed }) => {
    const hex = Buffer.from(signed.slice(3), "base64").toString("hex");
    return { ...right, headers: { ...right.headers, signature: `v1,${hex}` } };
  },
  secret_not_decoded: ({ right, message }) => {
    const signature = `v1,${hmac(right.secret.slice(6), message)}`;
    return { ...right, headers: { ...right.headers, signature } };
  },
  secret_prefix_kept: ({ right, message }) => {
    return { ...right, headers: { ...right.headers, signature: `v1,${hmac(right.secret, message)}` } };
  },
  body_respelled: ({ right }) => ({ ...right, body: JSON.stringify(JSON.parse(right.body), null, 2) }),
  body_changed: ({ right }) => ({ ...right, body: right.body.replace("planted", "changed") }),
  wrong_secret: ({ right }) => ({ ...right, secret: `whsec_${randomBytes(32).toString("base64")}` }),
  other_secret: ({ right }) => {
    const known = [{ secret: right.secret, name: "the other" }];
    return { ...right, secret: `whsec_${randomBytes(32).toString("base64")}`, known };
  },
  timestamp_old: ({ right }) => ({ ...right, now: right.now + 301_000 }),
  timestamp_future: ({ right }) => ({ ...right, now: right.now - 301_000 }),
  id_missing: ({ right }) => ({ ...right, headers: { ...right.headers, id: null } }),
  timestamp_missing: ({ right }) => ({ ...right, headers: { ...right.headers, timestamp: null } }),
  signature_missing: ({ right }) => ({ ...right, headers: { ...right.headers, signature: null } }),
  body_alone_signed: ({ right }) => {
    const signature = `v1,${hmac(Buffer.from(right.secret.slice(6), "base64"), right.body)}`;
    return { ...right, headers: { ...right.headers, signature } };
  },
};

interface Given {
  readonly right: Evidence;
  readonly signed: string;
  readonly message: string;
}

test.each(Object.keys(plants))("%s is named wherever it is planted, and nothing is found before", (kind) => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.uint8Array({ minLength: 32, maxLength: 32 }), (data, bytes) => {
      const key = `whsec_${Buffer.from(bytes).toString("base64")}`;
      const sent = JSON.stringify({ planted: true, data });
      const { "webhook-signature": signed } = signatureHeaders({ id, timestampSeconds: timestamp, body: sent }, [key]);
      const headers = { id, timestamp: String(timestamp), signature: signed };
      const right: Evidence = { secret: key, headers, body: sent, now, sent, known: [] };
      expect(diagnoseSignature(right)).toEqual([]);
      const planted = plants[kind]?.({ right, signed, message: text(sent) });
      if (planted === null || planted === undefined) throw new Error("nothing was planted");
      expect(diagnoseSignature(planted).map((fault) => fault.kind)).toContain(kind);
    }),
    { numRuns: 50 },
  );
});

describe("the headers that somebody pasted", () => {
  const expected = { id: "019a", timestamp: "1763643789", signature: "v1,abc+/= v1,def=" };

  test.each([
    "webhook-id: 019a\r\nwebhook-timestamp: 1763643789\r\nwebhook-signature: v1,abc+/= v1,def=\r\n",
    "Webhook-Signature:v1,abc+/= v1,def=\nWebhook-Timestamp:1763643789\nWebhook-Id:019a",
    `{\n  'webhook-id': '019a',\n  'webhook-timestamp': '1763643789',\n  'webhook-signature': 'v1,abc+/= v1,def='\n}`,
    '{"webhook-id":"019a","webhook-timestamp":"1763643789","webhook-signature":"v1,abc+/= v1,def="}',
    "-H 'webhook-id: 019a' \\\n-H 'webhook-timestamp: 1763643789' \\\n-H 'webhook-signature: v1,abc+/= v1,def='",
    "HTTP_WEBHOOK_ID => 019a\nHTTP_WEBHOOK_TIMESTAMP => 1763643789\nHTTP_WEBHOOK_SIGNATURE => v1,abc+/= v1,def=",
  ])("are read: %s", (pasted) => {
    expect(readPastedHeaders(pasted)).toEqual(expected);
  });

  test("are missing where they are empty or not there", () => {
    expect(readPastedHeaders("webhook-id:\ncontent-type: application/json")).toEqual({
      id: null,
      timestamp: null,
      signature: null,
    });
  });
});
