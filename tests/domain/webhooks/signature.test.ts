import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { signatureHeaders } from "../../../src/domain/webhooks/endpoints/endpoint.ts";
import type { DeliveryId } from "../../../src/domain/webhooks/events/event.ts";
import { eventBody } from "../../../src/domain/webhooks/events/event.ts";
import { mintDeliveryId } from "../../support/webhooks.ts";

const secret = () => `whsec_${randomBytes(32).toString("base64")}`;
const now = () => Math.floor(Date.now() / 1_000);

/** A body with what breaks careless signers: other alphabets, quotes, line ends, bytes that are no ASCII. */
function anyBody(id: DeliveryId): string {
  const data = { text: 'Ọlá "✓" \u2028 \n \\ 🔑', amount: "1250.50" };
  const sentAt = "2026-11-20T14:03:09+01:00";
  return eventBody({ event: "webhook.test", mode: "test", eventId: "evt_1", deliveryId: id, sentAt, data });
}

describe("a signature", () => {
  test("is the one of Standard Webhooks' published example", () => {
    const headers = signatureHeaders(
      {
        id: "msg_p5jXN8AQM9LWM0D4loKWxJek" as DeliveryId,
        timestampSeconds: 1_614_265_330,
        body: '{"test": 2432232314}',
      },
      ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
    );
    expect(headers).toEqual({
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });

  test("is verified by the Standard Webhooks library, over the very bytes of the body", () => {
    const [id, key] = [mintDeliveryId(), secret()];
    const body = anyBody(id);
    const headers = signatureHeaders({ id, timestampSeconds: now(), body }, [key]);
    expect(new Webhook(key).verify(Buffer.from(body), { ...headers })).toEqual(JSON.parse(body));
  });

  test("during a rotation is verified with either secret, and with no other", () => {
    const [id, oldSecret, newSecret] = [mintDeliveryId(), secret(), secret()];
    const body = anyBody(id);
    const headers = { ...signatureHeaders({ id, timestampSeconds: now(), body }, [newSecret, oldSecret]) };
    for (const key of [oldSecret, newSecret]) expect(new Webhook(key).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(secret()).verify(body, headers)).toThrow();
    expect(headers["webhook-signature"].split(" ")).toHaveLength(2);
  });

  test("fails for another body, id, time or secret", () => {
    const [id, key] = [mintDeliveryId(), secret()];
    const body = anyBody(id);
    const headers = { ...signatureHeaders({ id, timestampSeconds: now(), body }, [key]) };
    const receiver = new Webhook(key);
    expect(() => receiver.verify(`${body} `, headers)).toThrow();
    expect(() => receiver.verify(body, { ...headers, "webhook-id": mintDeliveryId() })).toThrow();
    expect(() => receiver.verify(body, { ...headers, "webhook-timestamp": String(now() + 1) })).toThrow();
    const old = { ...signatureHeaders({ id, timestampSeconds: now() - 3_600, body }, [key]) };
    expect(() => receiver.verify(body, old)).toThrow(/too old/i);
  });

  test("is never made without a secret, nor with something that is none", () => {
    const message = { id: mintDeliveryId(), timestampSeconds: now(), body: "{}" };
    expect(() => signatureHeaders(message, [])).toThrow(/signed/);
    expect(() => signatureHeaders(message, ["secret"])).toThrow(/whsec_/);
    expect(() => signatureHeaders({ ...message, timestampSeconds: Date.now() / 1_000 + 0.5 }, [secret()])).toThrow();
  });
});
