import { expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";
import { startStub } from "../support/suppliers/stub-server.ts";
import { vtpassStub } from "../support/suppliers/vtpass-stub.ts";

const stub = closing(await startStub(vtpassStub));
const service = closing(await startConsole({ supplierOrigins: [stub.url] }));
const { pool } = service.app.fresh;
const { secretBox } = service.app.services;
const add = "/operator/connectors";
const account = {
  ...{ "set-base_url": `${stub.url}/api`, "secret-api_key": "vt-api" },
  ...{ "secret-public_key": "PK_test", "secret-secret_key": "SK_test" },
};

const stored = async (name: string) =>
  (await pool.query("select connector, settings, credentials from suppliers where name = $1", [name])).rows[0];
const keysOf = async (name: string) =>
  JSON.parse(secretBox.open((await stored(name)).credentials, `suppliers/${name}`)) as object;
const seenIn = (text: string) => (/name="seen" value="([^"]*)"/.exec(text)?.[1] ?? "").replaceAll("&quot;", '"');
const entries = async (command: string) =>
  (await pool.query("select details from audit_log where command = $1", [command])).rows.map(({ details }) => details);

test("a supplier is added by what its connector declares, once it answered to what was typed; its keys are never shown", async () => {
  const ada = await service.staff("catalogue");
  expect((await ada.get("/operator/suppliers")).text).toContain(`href="${add}/vtpass"`);
  expect((await ada.get(`${add}/vtpass`)).text).toContain("Public key");

  const wrong = await ada.send(`${add}/vtpass`, {
    ...account,
    name: "vt",
    "set-base_url": "vtpass.com",
    "set-deadlines": "x",
  });
  expect([
    wrong.status,
    wrong.text.includes("Must be an address such as"),
    wrong.text.includes("Must be seconds"),
  ]).toEqual([...[400, true, true]]);
  const denied = await ada.send(`${add}/vtpass`, {
    ...account,
    name: "vt",
    "secret-secret_key": "",
    "secret-api_key": "x",
  });
  expect([denied.text.includes("Enter it."), denied.text.includes("vt-api")]).toEqual([true, false]);
  const mistaken = { ...account, name: "vt", "secret-api_key": "mistaken" };
  const unanswered = await ada.send(`${add}/vtpass`, mistaken);
  expect([
    unanswered.status,
    unanswered.text.includes("no balance in its answer"),
    unanswered.text.includes("mistaken"),
  ]).toEqual([...[400, true, false]]);
  expect(await stored("vt")).toBeUndefined();

  const done = await ada.follow(await ada.send(`${add}/vtpass`, { ...account, name: "vt" }));
  expect(done.text).toContain("vt is added. We asked it: it tells a balance of 251035.50");
  expect(await stored("vt")).toMatchObject({ connector: "vtpass", settings: { base_url: `${stub.url}/api` } });
  expect(await keysOf("vt")).toEqual({ api_key: "vt-api", public_key: "PK_test", secret_key: "SK_test" });
  expect(await entries("console supplier add")).toEqual([expect.not.stringContaining("PK_test")]);
  const again = await ada.send(`${add}/vtpass`, { ...account, name: "vt" });
  expect([again.status, again.text.includes("There’s a supplier of this name")]).toEqual([400, true]);

  await ada.send(`${add}/vtpass`, { ...mistaken, name: "later", unchecked: "on" });
  expect(await stored("later")).toBeDefined();
  for (const connector of ["manual", "voucher-stock"]) {
    await ada.send(`${add}/${connector}`, { name: `my-${connector}` });
    expect(await stored(`my-${connector}`)).toMatchObject({ connector, settings: {} });
  }
  expect((await (await service.staff("support")).get(`${add}/vtpass`)).status).toBe(403);
});

test("another account of a supplier that serves much takes two people; empty keys stay, and a stale form changes nothing", async () => {
  const [ada, chidi] = [await service.staff("catalogue"), await service.staff("admin")];
  await ada.send(`${add}/vtpass`, { ...account, name: "big" });
  const before = await keysOf("big");
  const at = "/operator/suppliers/big/account";
  const page = await ada.get(at);
  expect([page.text.includes(stub.url), page.text.includes("SK_test")]).toEqual([true, false]);
  const seen = seenIn(page.text);
  const change = { "set-base_url": `${stub.url}/api`, "set-deadlines": '{"data":9}', seen };
  const sent = await ada.follow(
    await ada.send(at, { ...change, "secret-api_key": "vt-api", "secret-callback_secret": "c".repeat(24) }),
  );
  expect(sent.text).toContain("approval");
  expect((await stored("big")).settings).toEqual({ base_url: `${stub.url}/api` });
  const approve = async () => {
    const { rows } = await pool.query("select max(id) as id from changes");
    const shown = await chidi.get(`/operator/approvals/${rows[0].id}`);
    expect(shown.text).not.toContain("cccccc");
    return (await chidi.follow(await chidi.send(`/operator/approvals/${rows[0].id}`, { do: "approve" }))).text;
  };
  expect(await approve()).toContain("New sales at big use this account");
  expect((await stored("big")).settings).toMatchObject({ deadlines: { data: 9 } });
  expect(await keysOf("big")).toEqual({ ...before, callback_secret: "c".repeat(24) });

  const stale = await ada.send(at, change);
  expect([stale.status, stale.text.includes("Someone else changed this")]).toEqual([400, true]);
  await ada.send(at, { ...change, seen: seenIn(stale.text), "set-deadlines": "" });
  await pool.query("update suppliers set credentials = null where name = 'big'");
  expect(await approve()).toContain("changed meanwhile");
});

test("other keys are refused while sales there are open, unless they are the same account's", async () => {
  const ada = await service.staff("admin");
  await ada.send(`${add}/vtpass`, { ...account, name: "open" });
  await pool.query(
    "insert into callback_questions (supplier, supplier_reference, due_at) values ('open', 'TXN1-1', now())",
  );
  const at = "/operator/suppliers/open/account";
  const seen = seenIn((await ada.get(at)).text);
  const fields = { "set-base_url": `${stub.url}/api`, "secret-callback_secret": "d".repeat(24), seen };
  const refused = await ada.send(at, fields);
  expect([refused.status, refused.text.includes("1 calls that it is still to be asked about")]).toEqual([400, true]);
  expect((await ada.send(at, { ...fields, same_account: "on" })).status).toBe(303);
});
