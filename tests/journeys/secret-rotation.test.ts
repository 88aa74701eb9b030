import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { startReceiver } from "../support/receiver.ts";
import { testWebhooks } from "../support/webhooks.ts";

let passedMs = 0;
const receiver = closing(await startReceiver());
const clock = { now: () => Date.now() + passedMs };
const app = closing(await startApp({ workers: true, clock, webhooks: { ...testWebhooks, allowPrivate: true } }));

test("both secrets sign for as long as the rotation said, and then the new one alone", async () => {
  const { testKey } = app.merchant;
  const save = async (body: unknown) => (await app.call(testKey, "/webhook", { method: "PUT", body })).body;
  /** Which of the secrets verify a webhook sent now. */
  const verifying = async (secrets: readonly string[]) => {
    const count = receiver.received.length + 1;
    await app.call(testKey, "/webhook/test", { method: "POST" });
    const received = (await receiver.waitFor(count)).at(-1);
    // Signed anew and compared, as the library verifies nothing that is not of about now.
    const headers = received?.headers as Record<string, string>;
    return secrets.map((secret) => {
      const signed = new Webhook(secret).sign(
        headers["webhook-id"] ?? "",
        new Date(Number(headers["webhook-timestamp"]) * 1_000),
        received?.body ?? "",
      );
      return headers["webhook-signature"]?.split(" ").includes(signed);
    });
  };

  const before = (await save({ url: receiver.url })).secret;
  const after = (await save({ rotate_secret: true, overlap_hours: 48 })).secret;
  await app.feel();
  expect(await verifying([before, after])).toEqual([true, true]);
  passedMs = 47.9 * 3_600_000;
  expect(await verifying([before, after])).toEqual([true, true]);
  passedMs = 48.1 * 3_600_000;
  expect(await verifying([before, after])).toEqual([false, true]);
  const last = (await save({ rotate_secret: true, overlap_hours: 0 })).secret;
  await app.feel();
  expect(await verifying([after, last])).toEqual([false, true]);
});
