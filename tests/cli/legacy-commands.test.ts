import { expect, test } from "vitest";
import { untilFelt } from "../support/felt-change.ts";
import { postLegacy } from "../support/legacy-endpoint.ts";
import { operate } from "../support/operate.ts";
import { sharedApp } from "../support/shared-app.ts";

const app = await sharedApp();
const merchant = `mer_${app.merchant.id}`;

const run = (...words: string[]) => operate(words, { DATABASE_URL: app.fresh.url });

let amount = 100;
function topup(network: number, mobileNumber: string) {
  amount += 1;
  const fields = { network, amount, mobile_number: mobileNumber, Ported_number: true };
  return postLegacy(app, app.merchant.testKey, "/api/topup/", fields);
}
const [airtel, glo] = ["08021234567", "08051234567"];
const usual = "1=MTN,2=GLO,3=9MOBILE,4=AIRTEL";

test("a merchant's networks are numbered as its clients do, within a second, for both or for one kind of purchase", async () => {
  expect((await run("legacy-networks", merchant)).out).toContain(
    `${merchant} numbers networks ${usual} for data, ${usual} for airtime.`,
  );
  expect((await topup(2, airtel)).status).toBe(400);
  const numbers = "1=mtn,2=airtel,3=glo,4=9mobile";
  const reply = "1=MTN,2=AIRTEL,3=GLO,4=9MOBILE";
  const { lines } = await run("legacy-networks", merchant, numbers, "--for", "airtime", "--json");
  expect(lines).toEqual([{ merchant_id: merchant, legacy_networks: { data: usual, airtime: reply } }]);
  const felt = await untilFelt(
    () => topup(2, airtel),
    ({ status }) => status === 200,
  );
  expect(felt.body).toMatchObject({ network: 2, plan_network: "AIRTEL" });
  expect((await run("legacy-networks", merchant, numbers, "--json")).lines).toEqual([
    { merchant_id: merchant, legacy_networks: { data: reply, airtime: reply } },
  ]);
  expect((await run("legacy-networks", merchant, "--usual")).out).toContain(`${usual} for airtime`);
});

test("the check of prefixes is switched off and on", async () => {
  expect((await run("legacy-prefix-check", merchant, "off")).out).toContain("the check of prefixes is off");
  await untilFelt(
    () => topup(1, glo),
    ({ status }) => status === 200,
  );
  expect((await run("legacy-prefix-check", merchant, "off")).out).toContain("was already off");
  expect((await run("legacy-prefix-check", merchant, "on", "--json")).lines).toEqual([
    { merchant_id: merchant, legacy_prefix_check: "on", changed: true },
  ]);
});

test.each([
  [["legacy-networks", "mer_1", "1=mtn"], "It must number all four networks"],
  [["legacy-networks", "mer_1", "1=mtn,2=glo,3=9mobile,4=airtel", "--usual"], "not both"],
  [["legacy-networks", "mer_99999"], "There is no merchant mer_99999."],
  [["legacy-networks", "mer_99999", "--usual"], "There is no merchant mer_99999."],
  [["legacy-prefix-check", "mer_99999", "off"], "There is no merchant mer_99999."],
  [["legacy-prefix-check", "mer_1", "maybe"], "on, off"],
])("%j is refused", async (words, complaint) => {
  const { code, out, error } = await run(...words);
  expect([code, `${out}${error}`]).toEqual([1, expect.stringContaining(complaint)]);
});

test("both are in the audit log", async () => {
  const { rows } = await app.fresh.pool.query(
    "select distinct command from audit_log where command like 'legacy-%' order by command",
  );
  expect(rows.map(({ command }) => command)).toEqual(["legacy-networks", "legacy-prefix-check"]);
});
