import { describe, test } from "vitest";
import { verifyWebhook } from "../../sdk/node/src/index.ts";
import { testSecret } from "../../sdk/node/src/testing.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { isAtHand } from "../support/program-languages.ts";
import { judge } from "../support/sdk-judges.ts";
import { sdkClients } from "../support/sdk-languages.ts";

const app = closing(await startApp({ workers: true, sandboxPendingSeconds: 1 }));

const amounts = {
  "1240.50": 124_050,
  "1240.5": 124_050,
  "-3": -300,
  "-0.05": -5,
  "99999999999.99": 9_999_999_999_999,
  ...Object.fromEntries(["1e3", "1,000", "", "0.001", " 1", "1\n", "+1", "٣"].map((amount) => [amount, "refused"])),
};
const sums = [
  [["0.10", "0.20"], "0.30"],
  [["-1.00", "0.99"], "-0.01"],
  [[], "0.00"],
] as const;
const airtime = { network: "MTN", phone: "08031234567", amount: "100.00" };
const electricity = {
  biller: "ikeja-electric",
  meter_type: "prepaid",
  meter_number: "45012345678",
  amount: "5000.00",
  phone: "08031234567",
};
const secret = testSecret();
const now = 1_800_000_000;
const event = { event: "webhook.test", data: { message: "₦1" } };

describe.concurrent("each SDK reckons, walks, waits, signs and keeps secrets out of its log alike", () => {
  for (const client of sdkClients) {
    const there = isAtHand(client);
    test.runIf(there)(`in ${client.name}${there ? "" : " (not installed here)"}`, async (own) => {
      const { testKey } = await app.createMerchant();
      const references = Array.from({ length: 5 }, (_, n) => `${client.name}-${n}`);
      for (const reference of references) {
        await app.call(testKey, "/airtime/purchase", { body: { ...airtime, reference } });
      }
      const lines = [
        { kind: "walk" },
        { kind: "wait", parameters: { ...airtime, phone: "08031230003" } },
        { kind: "log", parameters: electricity },
        { kind: "sign", event, secret, now },
        ...Object.keys(amounts).map((amount) => ({ kind: "kobo", amount })),
        ...sums.map(([given]) => ({ kind: "add", amounts: given })),
      ].map((line) => ({ ...line, language: client.name }));
      const environment = { DISPENSE_URL: app.url, DISPENSE_KEY: testKey };
      const [walked, waited, log, signed, ...reckoned] = await judge(client, lines, environment);
      own.expect(walked).toEqual(references.toReversed());
      own.expect(waited).toEqual(["pending", "successful"]);
      const { token, text, requestId } = log as Readonly<Record<"token" | "text" | "requestId", string>>;
      own.expect(requestId).toMatch(/^req_/);
      own
        .expect([token, text])
        .toEqual([own.expect.stringMatching(/^\d{20}$/), own.expect.stringContaining("buyElectricity")]);
      for (const hidden of [token, testKey]) own.expect(text).not.toContain(hidden);
      const { body, headers } = signed as { readonly body: string; readonly headers: Record<string, string> };
      own.expect(verifyWebhook(body, headers, secret, { now: now * 1000 })).toMatchObject({ ...event, mode: "test" });
      own.expect(reckoned).toEqual([...Object.values(amounts), ...sums.map(([, sum]) => sum)]);
    });
  }
});
