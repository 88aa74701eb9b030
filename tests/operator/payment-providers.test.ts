import { expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { type StaffClient, startConsole } from "../support/console.ts";
import { startPaymentStub } from "../support/payments/payment-stub.ts";
import { paystackStub } from "../support/payments/paystack-stub.ts";

const stub = closing(await startPaymentStub(paystackStub));
const service = closing(await startConsole({ supplierOrigins: [stub.url] }));
const { pool } = service.app.fresh;
const { secretBox } = service.app.services;
const add = "/operator/payment-connectors/paystack";
const secret = String(paystackStub.entered(stub.url).credentials.secret_key);
const account = {
  ...{ "set-base_url": stub.url, "set-preferred_bank": "wema-bank", "secret-secret_key": secret, fee: "company" },
};

const stored = async (name: string) =>
  (await pool.query("select settings, credentials, state, fee_bearer from payment_providers where name = $1", [name]))
    .rows[0];
const seenIn = (text: string) => /name="seen" value="([^"]*)"/.exec(text)?.[1] ?? "";

async function approve(person: StaffClient): Promise<{ readonly shown: string; readonly done: string }> {
  const { rows } = await pool.query("select max(id) as id from changes where state = 'waiting'");
  const at = `/operator/approvals/${rows[0].id}`;
  const shown = (await person.get(at)).text;
  return { shown, done: (await person.follow(await person.send(at, { do: "approve" }))).text };
}

test("a payment provider is added by two people once it answered to what was typed; its keys are never shown", async () => {
  const [ada, bola] = [await service.staff("finance"), await service.staff("admin")];
  expect((await ada.get("/operator/payment-providers")).text).toContain(`href="${add}"`);
  const wrong = await ada.send(add, {
    ...account,
    name: "Pay Stack",
    "set-base_url": "paystack",
    "secret-secret_key": "",
  });
  for (const words of ["Lower-case letters", "Must be an address such as", "Enter it."])
    expect([wrong.status, wrong.text.includes(words)], words).toEqual([400, true]);
  const mistaken = await ada.send(add, { ...account, name: "paystack", "secret-secret_key": "sk_mistaken" });
  expect([
    mistaken.status,
    mistaken.text.includes("It doesn’t tell its transfers"),
    mistaken.text.includes("sk_mistaken"),
  ]).toEqual([400, true, false]);
  const outside = await ada.send(add, { ...account, name: "paystack", "set-base_url": "https://api.paystack.co" });
  expect(outside.text).toContain("SUPPLIER_ORIGINS does not name https://api.paystack.co");
  expect(outside.text).toContain("Add https://api.paystack.co to SUPPLIER_ORIGINS, restart the service");

  const requested = await ada.follow(await ada.send(add, { ...account, name: "paystack" }));
  expect(requested.text).toContain("for approval. Nothing has changed");
  expect(await stored("paystack")).toBeUndefined();
  const { shown, done } = await approve(bola);
  expect([shown.includes("Receive money by paystack"), shown.includes(secret)]).toEqual([true, false]);
  expect(done).toContain("Transfers to paystack are received with these settings");
  const { credentials, ...rest } = await stored("paystack");
  expect(rest).toEqual({
    settings: { base_url: stub.url, preferred_bank: "wema-bank" },
    ...{ state: "enabled", fee_bearer: "company" },
  });
  expect(JSON.parse(secretBox.open(credentials, "payment_providers/paystack"))).toEqual({ secret_key: secret });

  const page = (await ada.get("/operator/payment-providers/paystack")).text;
  expect(page).toContain(`${service.url}/funding/callbacks/paystack`);
  expect(page).not.toContain(secret);
  const again = await ada.send(add, { ...account, name: "paystack" });
  expect([again.status, again.text.includes("There’s a provider of this name")]).toEqual([400, true]);
});

test("its settings, keys and fee are changed by two people, keys that are left empty stay, and a stale form changes nothing", async () => {
  const [ada, bola] = [await service.staff("finance"), await service.staff("finance")];
  const at = "/operator/payment-providers/paystack";
  const before = await stored("paystack");
  const change = { "set-base_url": stub.url, "set-preferred_bank": "titan-paystack", fee: "merchant" };
  const seen = seenIn((await ada.get(at)).text);
  const same = { ...change, "set-preferred_bank": "wema-bank", fee: "company" };
  expect((await ada.follow(await ada.send(`${at}/account`, { ...same, seen }))).text).toContain("Nothing was changed.");
  await ada.send(`${at}/account`, { ...change, seen });
  expect(await stored("paystack")).toEqual(before);
  const { shown } = await approve(bola);
  expect(shown).toContain("Change the settings of payment provider paystack");
  const after = await stored("paystack");
  expect(after).toEqual({
    ...{ ...before, fee_bearer: "merchant" },
    settings: { base_url: stub.url, preferred_bank: "titan-paystack" },
  });
  const stale = await ada.send(`${at}/account`, { ...change, fee: "company", seen });
  expect([stale.status, stale.text.includes("Someone else changed this")]).toEqual([400, true]);

  // What was asked for before somebody else's change isn't carried out.
  await ada.send(`${at}/account`, { ...change, fee: "company", seen: seenIn((await ada.get(at)).text) });
  await pool.query('update payment_providers set settings = settings || \'{"preferred_bank":"wema-bank"}\'');
  expect((await approve(bola)).done).toContain("changed meanwhile");
  expect((await stored("paystack")).fee_bearer).toBe("merchant");
});

test("one person stops and starts new accounts; support sees a provider and changes nothing", async () => {
  const [ada, chidi] = [await service.staff("finance"), await service.staff("support")];
  const at = "/operator/payment-providers/paystack";
  const stopped = await ada.follow(await ada.send(`${at}/state`, { do: "disable" }));
  expect(stopped.text).toContain("opens no new accounts");
  expect((await stored("paystack")).state).toBe("disabled");
  await ada.send(`${at}/state`, { do: "enable" });
  expect((await stored("paystack")).state).toBe("enabled");
  const { rows } = await pool.query("select details from audit_log where command like 'console payment provider %'");
  expect(rows).toHaveLength(2);
  const seen = (await chidi.get(at)).text;
  expect([seen.includes("/funding/callbacks/paystack"), seen.includes("set-base_url")]).toEqual([true, false]);
  expect((await chidi.send(`${at}/state`, { do: "disable" })).status).toBe(403);
});

test("a provider that can’t be asked says why on its page and in the list", async () => {
  const ada = await service.staff("finance");
  await pool.query(
    `insert into payment_providers (name, connector, settings, credentials)
     select 'elsewhere', connector, settings || '{"base_url":"https://api.example"}', null from payment_providers limit 1`,
  );
  expect((await ada.get("/operator/payment-providers")).text).toContain("Can’t be asked");
  expect((await ada.get("/operator/payment-providers/elsewhere")).text).toContain(
    "Nothing is asked of elsewhere, because SUPPLIER_ORIGINS does not name https://api.example.",
  );
});
