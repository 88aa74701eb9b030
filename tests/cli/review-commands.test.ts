import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { openFakeSupplier, rawText } from "../support/fake-supplier.ts";
import { operate } from "../support/operate.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

// Product 1002 is 640 naira to everybody; both suppliers take 90 % of it.

const first = openFakeSupplier("first");
let app: TestApp;
let folder: string;
let references = 0;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "dispense-review-"));
  app = await startApp({ suppliers: [first, openFakeSupplier("second")], workers: true });
});

afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...words: string[]) =>
  operate(words, { DATABASE_URL: app.fresh.url, DATA_DIR: folder, ENCRYPTION_KEY: testEncryptionKey });

/** A purchase whose supplier never tells, a day later. */
async function parked(below = "/data/purchase", wish: object = { product_id: 1002 }) {
  first.answer = { kind: "unknown", evidence: rawText, askNobody: true };
  references += 1;
  const order = { reference: `park-${references}`, phone: "08031234567", ...wish };
  const { body } = await app.call(app.merchant.liveKey ?? "", below, { body: order });
  for (let look = 0; look < 1_000; look++) {
    const { rows } = await app.fresh.pool.query("select 1 from inflight where step = 'review'");
    if (rows.length > 0) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { reference: body.reference as string, id: body.transaction_id as string };
}
const present = async (reference: string) =>
  (await app.call(app.merchant.liveKey ?? "", `/transactions/${reference}`)).body;
const evidence = ["--evidence", "their statement of today, line 12", "--by", "ada"];

test("what only a person can tell waits in a list, and a no refunds it with the person's evidence", async () => {
  const { reference, id } = await parked();
  expect((await run("review", "list", "--json")).lines).toMatchObject([{ transaction_id: id, supplier: "first" }]);
  const [waiting] = (await run("review", "show", id, "--json")).lines;
  expect(waiting).toMatchObject({
    step: "review",
    next_question_at: null,
    attempts: [
      {
        attempt: 1,
        supplier: "first",
        supplier_reference: `${id}-1`,
        verdict: null,
        evidence: rawText,
        cost: "576.00",
        route_reason: "first in priority of 2",
      },
    ],
  });
  expect(waiting.attempts[0].supplier_code).toMatch(/./);
  const reply = (await run("review", "show", id)).out;
  for (const word of [rawText, "576.00", "first in priority of 2", `review resolve ${id} declined`]) {
    expect(reply).toContain(word);
  }
  const resolved = await run("review", "resolve", id, "declined", ...evidence, "--json");
  expect(resolved.lines).toMatchObject([{ transaction_id: id, status: "failed", resolved_by: "ada" }]);
  expect(await present(reference)).toMatchObject({
    status: "failed",
    refunded: true,
    error_code: "EXPIRED_UNCONFIRMED",
  });
  const [shown] = (await run("review", "show", id, "--json")).lines;
  expect(shown).toMatchObject({
    attempts: [
      {
        verdict: "declined",
        supplier_code: waiting.attempts[0].supplier_code,
        evidence: "ada: their statement of today, line 12",
        cost: "576.00",
      },
    ],
    incidents: [{ kind: "review", source: "ada", evidence: "their statement of today, line 12" }],
  });
  expect((await run("review", "list")).out).toContain("No sales in review");
  expect((await run("review", "incidents", "--json")).lines[0]).toMatchObject({ transaction_id: id, source: "ada" });
});

test("a yes hands the goods over, and what has ended stays as it ended", async () => {
  const { reference, id } = await parked();
  const file = path.join(folder, "goods.json");
  writeFileSync(file, JSON.stringify({ kind: "pins", pins: [] }));
  const misfit = await run("review", "resolve", id, "vended", ...evidence, "--fulfilment", file);
  expect([misfit.code, misfit.error]).toEqual([1, expect.stringMatching(/^These are no goods of data: \/kind /)]);
  writeFileSync(file, "[]");
  for (const [given, complaint] of [
    [file, `The file ${file} must hold one JSON object.\n`],
    ["/nowhere.json", "The file /nowhere.json can't be read (ENOENT).\n"],
  ] as const) {
    const refused = await run("review", "resolve", id, "vended", ...evidence, "--fulfilment", given);
    expect([refused.code, refused.error]).toEqual([1, complaint]);
  }
  expect((await present(reference)).status).toBe("pending");
  writeFileSync(file, JSON.stringify({ kind: "topup" }));
  const goods = ["--provider-reference", "S-9", "--fulfilment", file, "--yes"];
  const yes = ["review", "resolve", id, "vended", ...evidence, ...goods];
  expect((await run(...yes)).code).toBe(0);
  expect(await present(reference)).toMatchObject({ status: "successful", delivery: { kind: "topup" } });
  const again = await run("review", "resolve", id, "declined", ...evidence);
  expect([again.code, again.error]).toEqual([1, expect.stringContaining("A final status never changes")]);
});

test("who resolves is asked for goods where the category hands some over, and for none where it does not", async () => {
  const hint = async (id: string) =>
    (await run("review", "show", id, "--json")).lines[0].next_steps.find((step: string) => step.includes(" vended "));
  const topUp = await parked();
  expect(await hint(topUp.id)).toMatch(/ vended --by YOU --evidence TEXT$/);
  expect((await run("review", "resolve", topUp.id, "vended", ...evidence, "--yes")).code).toBe(0);
  expect((await present(topUp.reference)).delivery).toEqual({ kind: "topup" });
  const pins = await parked("/education/purchase", { product_id: 5001 });
  expect(await hint(pins.id)).toMatch(/ vended --by YOU --evidence TEXT --fulfilment FILE$/);
  const { code, error } = await run("review", "resolve", pins.id, "vended", ...evidence, "--yes");
  expect([code, error]).toEqual([1, expect.stringContaining(`resolve ${pins.id} vended --template > goods.json`)]);
  expect((await present(pins.reference)).status).toBe("pending");
  expect((await run("review", "resolve", pins.id, "declined", ...evidence)).code).toBe(0);
});

test("nobody resolves without saying what it rests on", async () => {
  const { id } = await parked();
  const { code, error } = await run("review", "resolve", id, "vended", "--evidence", "ok", "--by", "ada", "--yes");
  expect([code, error]).toEqual([1, expect.stringContaining("evidence")]);
  expect((await run("review", "resolve", id, "declined", ...evidence)).code).toBe(0);
});

test("a resolution that breaks off before its record ends nothing, and repeated it is whole", async () => {
  const { id } = await parked("/education/purchase", { product_id: 5001 });
  const file = path.join(folder, "pins.json");
  const pins = [{ sequence: 1, pin: "123456789012", serial: null, expires_at: null }];
  writeFileSync(file, JSON.stringify({ kind: "pins", exam: "WAEC", pins, check_url: null }));
  const words = ["review", "resolve", id, "vended", ...evidence, "--fulfilment", file, "--yes"];
  const recorded = async () => {
    const { rows } = await app.fresh.pool.query(
      `select (select count(*)::integer from purchase_incidents where source = 'ada' and purchase_id = p.id) as incidents,
              (select count(*)::integer from audit_log where details like '%' || $1 || '%') as entries,
              p.status
         from purchases p
        where p.id = (select max(id) from purchases)`,
      [id],
    );
    return rows[0];
  };
  await app.fresh.pool.query("alter table purchase_incidents add constraint broken check (source <> 'ada') not valid");
  expect((await run(...words)).code).toBe(1);
  await app.fresh.pool.query("alter table purchase_incidents drop constraint broken");
  expect(await recorded()).toEqual({ status: "pending", incidents: 0, entries: 0 });
  const { code, out } = await run(...words);
  expect([code, out]).toEqual([0, `${id} is successful.\n`]);
  expect(await recorded()).toEqual({ status: "successful", incidents: 1, entries: 1 });
  expect((await run(...words)).error).toContain("A final status never changes");
});

test("of five PINs none is left out: a template is filled in, every fault is told, and the goods are shown masked", async () => {
  const { id, reference } = await parked("/education/purchase", { product_id: 5001, quantity: 5 });
  const file = path.join(folder, "five.json");
  const resolve = async (goods: object, ...more: string[]) => {
    writeFileSync(file, JSON.stringify(goods));
    return run("review", "resolve", id, "vended", ...evidence, "--fulfilment", file, ...more);
  };
  const template = JSON.parse((await run("review", "resolve", id, "vended", "--template")).out);
  expect(template.pins).toHaveLength(5);
  const bare = await resolve(template, "--yes");
  expect([bare.code, bare.error]).toEqual([1, expect.stringContaining("/pins/4/pin must not be empty")]);
  const pins = template.pins.map((piece: object, index: number) => ({ ...piece, pin: `98765432101${index}` }));
  const few = await resolve({ ...template, pins: pins.slice(0, 2) }, "--yes");
  expect([few.code, few.error]).toEqual([1, expect.stringContaining("/pins must hold 5, as many as were bought")]);
  expect((await resolve({ ...template, pins: [] }, "--yes")).code).toBe(1);
  const misshapen = pins.map((piece: object) => ({ ...piece, pin: "123", serial: 7 }));
  const all = (await resolve({ ...template, pins: misshapen }, "--yes")).error;
  for (const index of pins.keys()) {
    for (const fault of [`/pins/${index}/pin must have 12 digits`, `/pins/${index}/serial must be `]) {
      expect(all).toContain(fault);
    }
  }
  const unconfirmed = await resolve({ ...template, pins });
  expect([unconfirmed.code, unconfirmed.error]).toEqual([1, expect.stringMatching(/\nNothing was done\..*--yes/)]);
  expect((await present(reference)).status).toBe("pending");
  const confirmed = await resolve({ ...template, pins }, "--yes");
  expect([confirmed.code, confirmed.out]).toEqual([0, `${id} is successful.\n`]);
  for (const { error } of [unconfirmed, confirmed]) {
    expect(error).toContain('"pin": "98…14"');
    expect(error).not.toContain("987654321014");
  }
  expect((await present(reference)).delivery).toEqual({ ...template, pins });
});

test("a template is for what was vended, and a verdict says who and why", async () => {
  const { id } = await parked();
  const template = await run("review", "resolve", id, "vended", "--template");
  expect([template.code, JSON.parse(template.out)]).toEqual([0, { kind: "topup" }]);
  for (const [words, complaint] of [
    [["declined", "--template"], "error: --template is for vended"],
    [["declined", "--by", "ada"], "error: required option '--evidence <text>' not specified"],
    [["declined", "--evidence", evidence[1]], "error: required option '--by <who>' not specified"],
  ] as [string[], string][]) {
    const { code, error } = await run("review", "resolve", id, ...words);
    expect([code, error]).toEqual([1, expect.stringContaining(complaint)]);
  }
  expect((await run("review", "resolve", id, "declined", ...evidence)).code).toBe(0);
});

test("a list that does not show all that waits says how many there are and how to see them", async () => {
  const ids = [(await parked()).id, (await parked()).id, (await parked()).id];
  const waiting = async () => (await app.fresh.pool.query("select 1 from inflight where step = 'review'")).rows.length;
  await expect.poll(waiting).toBe(ids.length);
  const part = await run("review", "list", "--count", "1");
  expect(part.out).toContain(ids[0]);
  expect(part.out).not.toContain(ids[1]);
  expect(part.out).toMatch(/\n3 wait, and 2 of them are not shown: review list --count 3\n$/);
  const forPrograms = await run("review", "list", "--count", "1", "--json");
  expect(forPrograms.lines).toMatchObject([{ transaction_id: ids[0] }]);
  expect(forPrograms.error).toBe("3 wait, and 2 of them are not shown: review list --count 3\n");
  const all = await run("review", "list", "--count", "3");
  for (const id of ids) expect(all.out).toContain(id);
  expect(all.out).not.toContain("not shown");
  for (const id of ids) expect((await run("review", "resolve", id, "declined", ...evidence)).code).toBe(0);
});
