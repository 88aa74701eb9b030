import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";
import { operate } from "../support/operate.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

const service = closing(await startConsole({ workers: true }));
const { pool, url } = service.app.fresh;
const folder = await mkdtemp(path.join(tmpdir(), "dispense-move-in-"));
afterAll(() => rm(folder, { recursive: true }));
const [ada, bola, support] = [
  await service.staff("admin"),
  await service.staff("finance"),
  await service.staff("support"),
];

const environment = { DATABASE_URL: url, CREDIT_ALONE_MAX: "1000.00", ENCRYPTION_KEY: testEncryptionKey };
const run = (...words: string[]) => operate(["move-in", ...words], environment);
const rows = async (text: string) => (await pool.query(text)).rows;

/** Writes an export of some users, plans and applies it. @returns its switch */
async function exported(name: string, balance: string, count = 2) {
  const file = path.join(folder, `${name}.csv`);
  const users = Array.from({ length: count }, (_, at) => `${at + 1},${name}${at + 1}@shop.example,Shop,${balance}\n`);
  await writeFile(file, `id,email,name,balance\n${users.join("")}`);
  const { digest } = (await run("plan", file, "--json")).lines[0];
  const { move } = (await run("apply", file, "--digest", digest, "--by", ada.email, "--json")).lines[0];
  return (by: string) => run("switch", file, "--move", String(move), "--by", by);
}
const next = async () => (await bola.get("/operator/moving-in")).text;

async function balancesOf(name: string): Promise<string[]> {
  const found = await rows(
    `select w.balance from merchants m join wallets w on w.wallet_id = m.id where m.email like '${name}%' order by m.id`,
  );
  return found.map(({ balance }) => balance);
}

async function lastApproval(): Promise<string> {
  return `/operator/approvals/${(await rows("select max(id) as id from changes"))[0].id}`;
}

test("balances above what one person may credit wait for a second one, who sees them and moves them", async () => {
  expect(await next()).toContain("Nobody has moved in yet");
  const apply = await exported("big", "500.01");
  expect(await next()).toContain("Until then nobody can spend here.");
  const requested = await apply(ada.email);
  expect([requested.code, requested.out]).toEqual([
    0,
    expect.stringContaining("1000.02 is more than one person may credit."),
  ]);
  // Found again also behind all that waits since.
  await pool.query(
    `insert into changes (kind, summary, fields, subjects, requested_by, requested_at, ends_at)
     select 'remove staff', 'x', '{}', '{}', requested_by, requested_at, ends_at from changes, generate_series(1, 110)`,
  );
  expect((await apply(ada.email)).out).toBe(requested.out);
  expect(await rows("select count(*) from changes where kind = 'move in'")).toEqual([{ count: "1" }]);
  await pool.query("delete from changes where kind <> 'move in'");
  expect(await balancesOf("big")).toEqual(["0", "0"]);
  expect(await next()).toContain("Approve the switch");

  const at = await lastApproval();
  const shown = await bola.get(at);
  for (const text of ["Switch 2 merchants of an older script over, with ₦1,000.02", "big1@shop.example", "₦500.01"]) {
    expect(shown.text).toContain(text);
  }
  expect((await ada.follow(await ada.send(at, { do: "approve" }))).text).toContain("You asked for this yourself");
  const approved = await bola.follow(await bola.send(at, { do: "approve" }));
  expect(approved.text).toContain("2 merchants sell here, with ₦1,000.02.");
  expect(await rows("select amount, requested_by, approved_by from wallet_credits")).toEqual(
    [1, 2].map(() => ({
      amount: "50001",
      ...{ requested_by: `staff:${ada.email}`, approved_by: `staff:${bola.email}` },
    })),
  );
  expect((await apply(ada.email)).out).toMatch(/^Nothing changes: move 1, .* by staff:.* and staff:/);
  expect(await next()).toContain("Point the old host name here.");
  expect((await support.get("/operator/moving-in")).status).toBe(403);
});

test("below the limit one person of the staff switches alone, and above it only one who may credit asks", async () => {
  const small = await (await exported("small", "500.00"))(support.email);
  expect([small.code, small.out]).toEqual([0, expect.stringMatching(/^Switched: move /)]);
  const big = await exported("other", "500.01");
  const refused = await big(support.email);
  expect([refused.code, refused.error]).toEqual([1, expect.stringContaining("who is admin or finance")]);
  expect((await big("ada")).error).toContain("ada is not a staff member.");
});

test("a switch that was changed in the database while it waited is not carried out; asked for again it is as it was read", async () => {
  const changed = await exported("changed", "700.00");
  await changed(ada.email);
  await pool.query("update move_in_merchants set balance = balance + 1 where email = 'changed1@shop.example'");
  const at = await lastApproval();
  expect((await bola.get(at)).text).toContain("was changed in the database after it was made");
  const refused = await bola.send(at, { do: "approve" });
  expect(refused.text).toContain("This move was changed in the database after it was made.");
  await bola.send(at, { do: "refuse" });
  await changed(ada.email);
  expect(await lastApproval()).not.toBe(at);
  expect((await bola.follow(await bola.send(await lastApproval(), { do: "approve" }))).text).toContain("₦1,400.00");
  expect(await balancesOf("changed")).toEqual(["70000", "70000"]);
});

test("a switch whose move was taken back while it waited is not carried out", async () => {
  await (await exported("withdrawn", "700.00"))(ada.email);
  const [{ id }] = await rows("select max(id) as id from move_ins");
  expect((await run("undo", "--by", ada.email)).error).toContain("Say which move is to be taken back: ");
  expect((await run("undo", String(id), "--by", ada.email)).out).toContain("and 0.00 left their wallets");
  expect((await bola.send(await lastApproval(), { do: "approve" })).status).toBe(400);
  expect(await balancesOf("withdrawn")).toEqual(["0", "0"]);
});

test("a move of more than one person may credit is taken back by two people, a smaller one by one", async () => {
  const small = await exported("smallback", "100.00");
  await small(ada.email);
  const newest = async () => String((await rows("select max(id) as id from move_ins"))[0].id);
  expect((await run("undo", await newest(), "--by", ada.email)).out).toContain("and 200.00 left their wallets");

  await (await exported("bigback", "800.00"))(ada.email);
  await bola.send(await lastApproval(), { do: "approve" });
  expect(await balancesOf("bigback")).toEqual(["80000", "80000"]);
  const requested = await run("undo", await newest(), "--by", ada.email);
  expect([requested.code, requested.out]).toEqual([
    0,
    expect.stringMatching(/^Nothing has changed yet: approval \d+ waits/),
  ]);
  const again = await run("undo", await newest(), "--by", bola.email);
  expect([again.code, again.error]).toEqual([1, expect.stringContaining("asked for this already")]);
  expect(await balancesOf("bigback")).toEqual(["80000", "80000"]);
  const at = await lastApproval();
  expect((await bola.get(at)).text).toContain("₦1,600.00");
  expect((await ada.follow(await ada.send(at, { do: "approve" }))).text).toContain("You asked for this yourself");
  expect((await bola.follow(await bola.send(at, { do: "approve" }))).text).toContain("₦1,600.00 left their wallets");
  expect(await balancesOf("bigback")).toEqual(["0", "0"]);
});

test("many merchants are switched and taken back by the due work, all or none; what can't be carried out says why", async () => {
  const newest = async () => String((await rows("select max(id) as id from move_ins"))[0].id);
  const ended = async () => {
    const id = (await lastApproval()).split("/").at(-1);
    const found = async () => (await rows(`select state, outcome from changes where id = ${id}`))[0];
    await expect.poll(async () => (await found()).state, { timeout: 60_000 }).not.toBe("agreed");
    return found();
  };
  const agree = async () => {
    const answer = await bola.follow(await bola.send(await lastApproval(), { do: "approve" }));
    expect(answer.text).toContain("being carried out");
    return ended();
  };
  const many = await exported("many", "10.00", 201);
  await many(ada.email);
  // One balance that was changed in the database stops all of it.
  await pool.query("update move_in_merchants set balance = balance + 1 where email = 'many7@shop.example'");
  expect(await agree()).toEqual({
    state: "stale",
    outcome: "This move was changed in the database after it was made.",
  });
  expect(new Set(await balancesOf("many"))).toEqual(new Set(["0"]));
  await many(ada.email);
  expect(await agree()).toEqual({ state: "done", outcome: "201 merchants sell here, with ₦2,010.00." });
  expect(new Set(await balancesOf("many"))).toEqual(new Set(["1000"]));
  expect(await rows("select distinct requested_by, approved_by from wallet_credits where amount = 1000")).toEqual([
    { requested_by: `staff:${ada.email}`, approved_by: `staff:${bola.email}` },
  ]);

  expect((await run("undo", await newest(), "--by", ada.email)).out).toContain("Nothing has changed yet");
  expect((await agree()).outcome).toContain("₦2,010.00 left their wallets");
  expect(new Set(await balancesOf("many"))).toEqual(new Set(["0"]));
});
