import { randomBytes } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { firstEndpointOf, secretMinter } from "../../../src/domain/webhooks/endpoints/endpoint.ts";
import { secretBox } from "../../../src/platform/sealing/secret-box.ts";
import { openLog } from "../../../src/platform/telemetry/log.ts";
import { type DeliveryUnderTest, openDelivery } from "../../support/deliver.ts";
import { startReceiver } from "../../support/receiver.ts";
import { walletKey } from "../../support/wallet.ts";
import { testSecretBox } from "../../support/webhooks.ts";

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const endpoint = firstEndpointOf(walletKey(17));
const sealedUnder = (box: typeof testSecretBox) =>
  secretMinter({ randomness: randomBytes, secretBox: box })(endpoint).sealed;
const lost = sealedUnder(secretBox([randomBytes(32)]));
const kept = sealedUnder(testSecretBox);

/** Sends thrice to one receiver. @returns how many signatures each attempt bore, and how often the log complained */
async function sendWith(previousSecret: string, endsInMs: number) {
  const receiver = await startReceiver();
  const warnings: unknown[] = [];
  const log = Object.assign(openLog({ level: "silent" }), { warn: (line: unknown) => void warnings.push(line) });
  const delivery: DeliveryUnderTest = openDelivery({ log });
  open.push(receiver, delivery);
  const settings = { previousSecret, previousSecretExpiresAt: Date.now() + endsInMs };
  const signatures: number[] = [];
  const endpoint = delivery.endpointAt(receiver.url, settings);
  for (let i = 0; i < 3; i++) expect(await delivery.sendTo(endpoint)).toMatchObject({ successful: true });
  for (const { headers } of receiver.received) signatures.push(String(headers["webhook-signature"]).split(" ").length);
  return { signatures, warnings: warnings.length };
}

test("a previous secret whose key is lost keeps nothing back: the present one signs, and the log tells once", async () => {
  expect(await sendWith(lost, 60_000)).toEqual({ signatures: [1, 1, 1], warnings: 1 });
});

test("a previous secret is opened within the overlap alone", async () => {
  expect(await sendWith(lost, -1)).toEqual({ signatures: [1, 1, 1], warnings: 0 });
  expect(await sendWith(kept, 60_000)).toEqual({ signatures: [2, 2, 2], warnings: 0 });
});
