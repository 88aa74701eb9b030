import { expect, test } from "vitest";
import { createKey } from "../../src/domain/merchants/api-keys.ts";
import { applyMove, planMoveHere } from "../../src/domain/moving-in/apply-move.ts";
import { readOlderScript } from "../../src/domain/moving-in/older-script.ts";
import { readDump } from "../../src/domain/moving-in/read-dump.ts";
import { planSwitch, switchMove } from "../../src/domain/moving-in/switch-move.ts";
import { tiersOf } from "../../src/domain/moving-in/tiers.ts";
import { undoMove } from "../../src/domain/moving-in/undo-move.ts";
import { type CreditRequest, creditLiveWallet } from "../../src/domain/wallet/credits.ts";
import { kobo } from "../../src/kernel/money.ts";
import { clock, startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { openFakeSupplier } from "../support/fake-supplier.ts";
import { expectLegacyDetail, postLegacy } from "../support/legacy-endpoint.ts";

const supplier = openFakeSupplier("first");
const app = closing(await startApp({ suppliers: [supplier] }));
const services = { database: app.services.database, clock };
let users = 0;

interface More {
  readonly isActive?: boolean;
  readonly networks?: string;
  /** Brings the merchant, and no more. */
  readonly isOnlyApplied?: true;
}

/** Moves one user of each script in, by a dump; the user has 1,000.50 and buys MTN 1GB for 645.00. */
async function moveIn(token: string, more: More = {}) {
  users += 1;
  const email = `user${users}@shop.example`;
  const dump = `insert into users (id, email, phone, user_type, balance, is_active) values
    (${users}, '${email}', '08031234567', 'reseller', 1000.50, ${more.isActive === false ? 0 : 1});
insert into authtoken_token (user_id, \`key\`) values (${users}, '${token}');
insert into plans (id, network_id, plan_size, plan_volume, plan_type, affilliate_price) values (2, 1, 1.0, 'GB', 'SME', 645);
insert into network (id, name) values ${more.networks ?? "(1, 'MTN'), (2, 'GLO'), (3, '9MOBILE'), (4, 'AIRTEL')"};`;
  const older = readOlderScript(readDump("dump.sql", dump));
  const tiers = tiersOf([["reseller", 2]]);
  const planned = await planMoveHere(services.database, older, tiers);
  expect(planned.plan.misfits).toEqual([]);
  const { move } = await applyMove(services, planned, { typedBy: "ada" });
  const finish = async () => {
    const toSwitch = await planSwitch(services.database, { older, tiers, id: move.id });
    const switched = await switchMove(services, toSwitch, {
      ...{ typedBy: "ada", aloneMax: kobo(0n) },
      asking: async () => app.services.people,
    });
    expect([toSwitch.plan.misfits, switched.kind]).toEqual([[], "switched"]);
    await app.feel();
  };
  if (more.isOnlyApplied !== true) await finish();
  await app.feel();
  const [merchant] = await rows("select id, status from merchants where email = $1", [email]);
  return { id: move.id, merchantId: merchant?.id as number, finish };
}

async function rows(text: string, values: unknown[] = []) {
  return (await app.fresh.pool.query(text, values)).rows;
}

const order = { network: 1, mobile_number: "08031234567", plan: 2, Ported_number: true };
const buy = (token: string, fields = order) => postLegacy(app, token, "/api/data/", fields);
const tokenNumber = (number: number) => `0f1e2d3c4b5a69788796a5b4c3d2e1f0${String(number).padStart(8, "0")}`;

test("an old client goes on with its token, and a wrong one does not; after the sale no undo takes it back", async () => {
  const { id, merchantId } = await moveIn(tokenNumber(1));
  const sold = await buy(tokenNumber(1));
  expect([sold.status, sold.body]).toMatchObject([
    200,
    { Status: "successful", balance_before: "1000.50", balance_after: "355.50", plan_amount: "645.00" },
  ]);
  expect(sold.headers.get("x-api-mode")).toBe("live");
  expectLegacyDetail(await buy(`${tokenNumber(1).slice(0, -1)}7`), 401, "Invalid token.");
  expectLegacyDetail(await buy(tokenNumber(1).toUpperCase()), 401, "Invalid token.");
  const refused = undoMove(services, { id, by: "ada" });
  await expect(refused).rejects.toThrow(`can't be taken back any more: money of mer_${merchantId} has moved since`);
  await app.feel();
  expect((await buy(tokenNumber(1), { ...order, mobile_number: "08031234568" })).body.Status).toBe("failed");
  const [left] = await rows(
    "select w.balance, m.status from wallets w join merchants m on m.id = w.wallet_id where m.id = $1",
    [merchantId],
  );
  expect(left).toEqual({ balance: "35550", status: "active" });
});

test("before the switch nobody spends here: the token is unknown, and no key opens live sales", async () => {
  const { id, merchantId, finish } = await moveIn(tokenNumber(6), { isOnlyApplied: true });
  expectLegacyDetail(await buy(tokenNumber(6)), 401, "Invalid token.");
  const made = { merchantId: merchantId as never, mode: "live" as const, label: "", createdBy: "ada" };
  const randomness = (bytes: number) => new Uint8Array(bytes).fill(9);
  await expect(createKey({ ...services, randomness }, made)).rejects.toMatchObject({ code: "API_ACCESS_NOT_APPROVED" });
  expect(await rows("select balance from wallets where wallet_id = $1", [merchantId])).toEqual([{ balance: "0" }]);
  await finish();
  expect((await buy(tokenNumber(6))).body).toMatchObject({ Status: "successful", balance_before: "1000.50" });
  await expect(undoMove(services, { id, by: "ada" })).rejects.toThrow("can't be taken back any more");
});

function topUpBy(name: string, request: CreditRequest) {
  const openChanges = () => Promise.resolve(app.services.people);
  const crediting = { ...services, creditAloneMax: kobo(5_000n), openChanges };
  return creditLiveWallet(crediting, { id: null, name, email: null }, request);
}

test("money that came in between apply and switch keeps the move from being taken back", async () => {
  const { id, merchantId, finish } = await moveIn(tokenNumber(7), { isOnlyApplied: true });
  const topUp = { merchantId: merchantId as never, amount: kobo(5_000n), reason: "transfer", bankReference: null };
  await topUpBy("obi", topUp);
  await expect(undoMove(services, { id, by: "ada" })).rejects.toThrow(`money of mer_${merchantId} has moved since`);
  await finish();
  await expect(undoMove(services, { id, by: "ada" })).rejects.toThrow(`money of mer_${merchantId} has moved since`);
  expect((await buy(tokenNumber(7))).body).toMatchObject({ Status: "successful", balance_before: "1050.50" });
});

test("a top-up of one merchant keeps the whole move from being taken back, as a sale does", async () => {
  const { id, merchantId } = await moveIn(tokenNumber(5));
  const topUp = {
    merchantId: merchantId as never,
    amount: kobo(5_000n),
    reason: "transfer",
    bankReference: null,
  };
  await topUpBy("eze", topUp);
  await expect(undoMove(services, { id, by: "ada" })).rejects.toThrow("can't be taken back any more");
  await app.feel();
  expect((await buy(tokenNumber(5))).body).toMatchObject({ Status: "successful", balance_before: "1050.50" });
});

test.each([
  ["PHP's letters and digits", "1gJtipEx9AAABGqkdrD1cxblHCvAc9y0zx56B78FC83A4CaChB3Ce26CBCdA1702398343"],
  ["signs of all kinds", `1763|C8oz+/=~!"#$%&'()*,-.:;<>?@[\\]^_\`{}`],
])("a token of %s opens the door, by each header that carries keys", async (_what, token) => {
  await moveIn(token.replaceAll("'", "").replaceAll("\\", ""));
  const sent = token.replaceAll("'", "").replaceAll("\\", "");
  expect((await buy(sent)).body.Status).toBe("successful");
  for (const headers of [{ "x-api-key": sent }, { authorization: `Bearer ${sent}` }]) {
    expect((await app.call(null, "/wallet/balance", { headers })).status).toBe(200);
  }
});

test("a user who was blocked is refused, and has its money", async () => {
  const { merchantId } = await moveIn(tokenNumber(2), { isActive: false });
  const refused = await buy(tokenNumber(2));
  expect([refused.status, refused.body.Status]).toEqual([403, "failed"]);
  const [merchant] = await rows("select suspended_because from merchants where id = $1", [merchantId]);
  expect(merchant.suspended_because).toBe("Blocked in the older script (is_active 0)");
});

test("networks go by the numbers that the older script had", async () => {
  await moveIn(tokenNumber(3), { networks: "(1, 'MTN'), (2, 'AIRTEL'), (3, 'GLO'), (4, '9MOBILE')" });
  const airtime = { network: 2, mobile_number: "08021234567", amount: 100, airtime_type: "VTU", Ported_number: true };
  expect((await postLegacy(app, tokenNumber(3), "/api/topup/", airtime)).body).toMatchObject({
    Status: "successful",
    plan_network: "AIRTEL",
  });
});

test("no table holds a token, and people see eight characters of it", async () => {
  const token = "Zq8Wv3Lk9Tn2Xc7Bm4Rf6Hj1Gd5Sp0YaZq8Wv3Lk";
  const { merchantId } = await moveIn(token);
  const tables = await rows("select table_name as name from information_schema.tables where table_schema = 'public'");
  const holding: string[] = [];
  for (const { name } of tables) {
    // Also within bytea, which text shows in hexadecimal.
    const hex = Buffer.from(token).toString("hex");
    const found = await rows(`select 1 from "${name}" t where strpos(t::text, $1) > 0 or strpos(t::text, $2) > 0`, [
      token,
      hex,
    ]);
    if (found.length > 0) holding.push(name);
  }
  expect(holding).toEqual([]);
  expect(
    await rows("select first_characters, last_characters from api_keys where merchant_id = $1", [merchantId]),
  ).toEqual([{ first_characters: "Zq8W", last_characters: "v3Lk" }]);
});

test("a move that was taken back sells no more, also to a key that was made since, and the token can come again", async () => {
  const { id, merchantId } = await moveIn(tokenNumber(4));
  const randomness = (bytes: number) => new Uint8Array(bytes).fill(7);
  const made = { merchantId: merchantId as never, mode: "live" as const, label: "", createdBy: "ada" };
  const key = await createKey({ ...services, randomness }, made);
  await undoMove(services, { id, by: "ada" });
  await app.feel();
  expectLegacyDetail(await buy(tokenNumber(4)), 401, "Invalid token.");
  expectLegacyDetail(await buy(key.text), 401, "Invalid token.");
  users -= 1;
  const again = await moveIn(tokenNumber(4));
  expect(again.merchantId).toBe(merchantId);
  expect((await buy(tokenNumber(4))).body.Status).toBe("successful");
});
