import { expect, test } from "vitest";
import { putSupplier } from "../../src/domain/suppliers/administration.ts";
import { checkStored, findNamedSupplier } from "../../src/domain/suppliers/asking.ts";
import { openBreakers, storeOpenBreakers } from "../../src/domain/suppliers/routing/breaker.ts";
import { startAnswering } from "../support/answering-server.ts";
import { clock } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";
import { openFakeSupplier } from "../support/fake-supplier.ts";
import { formOf, submit } from "../support/forms.ts";
import { startStub } from "../support/suppliers/stub-server.ts";
import { vtpassKeys, vtpassStub } from "../support/suppliers/vtpass-stub.ts";

const stub = closing(await startStub(vtpassStub));
const mute = closing(await startAnswering(() => {}));
const muteUrl = `http://127.0.0.1:${mute.port}`;
const seller = openFakeSupplier("seller");
const service = closing(await startConsole({ suppliers: [seller], supplierOrigins: [stub.url, muteUrl] }));
const { pool } = service.app.fresh;
const here = "/operator/suppliers";
const hourMs = 3_600_000;

async function enter(name: string): Promise<void> {
  await pool.query("insert into suppliers (name, connector, settings) values ($1, 'manual', '{}')", [name]);
}

const stateOf = async (name: string) =>
  (await pool.query("select state from suppliers where name = $1", [name])).rows[0].state;

test("a supplier whose share nobody knows yet is stopped by two, started by one; support only reads", async () => {
  const ada = await service.staff("admin");
  const chidi = await service.staff("catalogue");
  const support = await service.staff("support");
  const supplier = "lagos-stock";
  await enter(supplier);

  const proposed = await ada.follow(await ada.send(`${here}/${supplier}/state`, { do: "stop" }));
  expect(proposed.text).toContain("for approval");
  expect(await stateOf(supplier)).toBe("enabled");
  const { rows: waiting } = await pool.query("select max(id) as id from changes where state = 'waiting'");
  const path = `/operator/approvals/${waiting[0].id}`;
  expect((await chidi.follow(await chidi.send(path, { do: "approve" }))).text).toContain("is stopped");
  expect(await stateOf(supplier)).toBe("disabled");

  const refused = await support.send(`${here}/${supplier}/state`, { do: "start" });
  expect(refused.status).toBe(403);
  expect(await stateOf(supplier)).toBe("disabled");
  await chidi.send(`${here}/${supplier}/state`, { do: "start" });
  expect((await support.get(here)).text).toContain(supplier);
  const { text } = await support.get(`${here}/${supplier}`);
  expect([text.includes("Stop lagos-stock"), text.includes("Check now")]).toEqual([false, false]);
  expect(await stateOf(supplier)).toBe("enabled");
});

test("a stop counts the sales of the last 24 hours, whatever the day: a third and more takes two", async () => {
  const ada = await service.staff("admin");
  await enter("small");
  await enter("big");
  const hourAgo = (hours: number) => new Date(Math.floor((Date.now() - hours * hourMs) / hourMs) * hourMs);
  for (const [hours, supplier, vended] of [
    [22, "small", 10],
    [22, "big", 90],
    [30, "small", 9_000],
  ] as const) {
    const hour = [supplier, hourAgo(hours), vended];
    await pool.query("insert into supplier_category_hours values ($1, $2, 'data', $3, 0, 0, 0, '{}')", hour);
  }
  expect((await ada.get(`${here}/small`)).text).toContain("10% of the sales of the last 24 hours");
  await ada.send(`${here}/small/state`, { do: "stop" });
  await ada.send(`${here}/big/state`, { do: "stop" });
  expect([await stateOf("small"), await stateOf("big")]).toEqual(["disabled", "enabled"]);
  await pool.query("delete from supplier_category_hours where supplier in ('small', 'big')");
});

test("cap, floor and alarm are saved together and taken away together, and a bad amount is named with its field", async () => {
  const ada = await service.staff("admin");
  await pool.query(
    `insert into suppliers (name, connector, settings) values ('capped', 'vtpass', '{"base_url":"https://vt.example"}')`,
  );
  const at = `${here}/capped`;
  const save = async (fields: Record<string, string>) => submit(ada, formOf(await ada.get(at), "/limits"), fields);
  const saved = await save({ cap: "2,000,000", cap_sales: "5,000", floor: "50000", alarm: "100,000.50" });
  expect((await ada.follow(saved)).text).toContain("Saved.");
  const stored = async () =>
    (
      await pool.query(
        `select day_cost::text, day_purchases, balance_floor::text, alarm_below::text
           from supplier_limits join supplier_balances using (supplier) where supplier = 'capped'`,
      )
    ).rows;
  expect(await stored()).toEqual([
    { day_cost: "200000000", day_purchases: 5_000, balance_floor: "5000000", alarm_below: "10000050" },
  ]);
  expect((await save({ floor: "100,00" })).text).toContain("Floor: “100,00”");
  expect((await save({ cap: "", cap_sales: "", floor: "", alarm: "" })).status).toBe(303);
  expect(await stored()).toEqual([{ day_cost: null, day_purchases: null, balance_floor: null, alarm_below: null }]);
});

test("what was sold is there by category, with the supplier's own codes for declines and the breaker's reason", async () => {
  const ada = await service.staff("admin");
  const sell = (reference: string) => {
    const body = { product_id: 1002, phone: "08031234567", reference };
    return service.app.call(service.app.merchant.liveKey, "/data/purchase", { body });
  };
  for (const reference of ["a", "b", "c"]) await sell(reference);
  const evidence = `POST /pay {"amount":5} -> 200 {"code":"016","response_description":"SUBSCRIBER <b>BARRED</b>"} (12 ms)`;
  seller.answer = { kind: "declined", errorCode: "RECIPIENT_BARRED", evidence };
  await sell("d");
  await service.app.services.routeCounts.flush();
  const breakers = openBreakers({ clock });
  const trouble = { kind: "unknown", evidence: "GET /buy -> no answer: timed out" } as const;
  for (let i = 0; i < 10; i++) breakers.begin("seller", "data")?.(trouble);
  await storeOpenBreakers(service.app.services.database, breakers);

  const { text } = await ada.get(`${here}/seller`);
  expect(text).toContain('title="3 delivered, 1 declined, 0 without an answer at first">75<');
  expect(text).toContain("75.0%");
  expect(text).toMatch(/016 <small>“SUBSCRIBER &lt;b>BARRED&lt;\/b>”<\/small>/);
  expect(text).toContain("RECIPIENT_BARRED");
  expect(text).toContain("Mobile data stopped since");
  expect(text).toContain("GET /buy -&gt; no answer: timed out".replace("&gt;", ">"));
});

test("a check shows each step, of keys that are right and of keys that are not, and changes nothing", async () => {
  const ada = await service.staff("admin");
  const { database, secretBox } = service.app.services;
  const keys = { api_key: vtpassKeys.apiKey, public_key: vtpassKeys.publicKey, secret_key: vtpassKeys.secretKey };
  const entered = { connector: "vtpass", settings: { base_url: `${stub.url}/api` } };
  await putSupplier({ database, secretBox }, { ...entered, name: "right", credentials: keys });
  await putSupplier({ database, secretBox }, { ...entered, name: "wrong", credentials: { ...keys, public_key: "no" } });
  const right = await ada.send(`${here}/right/check`);
  expect([right.status, right.text.includes("right answers")]).toEqual([200, true]);
  expect(right.text).toMatch(/Keys and balance<.*it tells a balance of/s);
  const wrong = await ada.send(`${here}/wrong/check`);
  expect([wrong.status, wrong.text.includes("1 of 5 steps failed")]).toEqual([200, true]);
  expect(wrong.text).not.toContain(vtpassKeys.secretKey);
  const elsewhere = { base_url: "https://elsewhere.example" };
  await pool.query("update suppliers set settings = $1 where name = 'wrong'", [elsewhere]);
  expect((await ada.send(`${here}/wrong/check`)).text).toContain("SUPPLIER_ORIGINS does not name");
});

test("a supplier that takes the connection and says nothing holds a check no longer than its deadline", async () => {
  const { database, secretBox } = service.app.services;
  const keys = { api_key: "a", public_key: "b", secret_key: "c" };
  const settings = { base_url: muteUrl };
  await putSupplier({ database, secretBox }, { name: "mute", connector: "vtpass", settings, credentials: keys });
  const asking = {
    ...{ database, clock, supplierOrigins: [muteUrl], monotonicMs: () => performance.now() },
    secretBox: async () => secretBox,
  };
  const began = performance.now();
  const checks = await checkStored(asking, await findNamedSupplier(asking, "mute"), 200);
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(checks.map(({ subject, verdict }) => [subject, verdict])).toContainEqual(["credentials", "failed"]);
});
