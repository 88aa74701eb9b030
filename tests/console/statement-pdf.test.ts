import { expect, test } from "vitest";
import { setCompany } from "../../src/domain/identity/company/company.ts";
import { kobo } from "../../src/kernel/money.ts";
import { closing } from "../support/closing.ts";
import { type MemberClient, startConsole } from "../support/console.ts";
import { readPdf } from "../support/pdf-text.ts";

const markup = "<b>Ṣọlá</b> =cmd|'calc'!A1 \u202e(http://evil.example)";

const service = closing(await startConsole({ workers: true }));
const shop = await service.app.createMerchant({ testCredit: kobo(100_000_000n) });
await setCompany({ ...service.app.services, clock: service.app.services.people.clock }, { name: "Kano & Sons <i>" });
await query("update merchants set name = $2 where id = $1", [shop.id, markup]);
for (const [reference, phone] of [
  ["order-1", "08031234561"],
  ["order-2", "08031230002"],
]) {
  const body = { reference, network: "MTN", amount: "100", phone };
  await service.app.call(shop.testKey, "/airtime/purchase", { body });
}
await query("update purchases set customer_ref = $2 where abs(wallet_id) = $1 and reference = 'order-1'", [
  shop.id,
  markup,
]);
const finance = await service.member("finance", shop.id);

async function query(sql: string, values: readonly unknown[]): Promise<Record<string, unknown>[]> {
  return (await service.app.fresh.pool.query(sql, [...values])).rows;
}

/** The file as it comes: `MemberClient` reads everything as text. */
async function fetchPdf(path: string, client: MemberClient) {
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return fetch(`${service.url}${path}`, { headers: { cookie }, redirect: "manual" });
}

async function pdfOf(path: string, client: MemberClient = finance) {
  const response = await fetchPdf(path, client);
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

test("a statement reads back as the ledger has it: opening, in, out, closing, and each line's balances", async () => {
  const { response, bytes } = await pdfOf("/test/wallet/statement.pdf");
  expect([response.status, response.headers.get("content-type"), response.headers.get("content-disposition")]).toEqual([
    200,
    "application/pdf",
    `attachment; filename="statement-${shop.id}_test.pdf"`,
  ]);
  const [page = [], ...others] = readPdf(bytes).pages;
  expect(others).toEqual([]);
  const after = (label: string) => page[page.indexOf(label) + 1];
  const [sums] = await query(
    `select to_char(sum(delta) filter (where delta > 0) / 100.0, 'FM999,999,990.00') as came,
            to_char(-sum(delta) filter (where delta < 0) / 100.0, 'FM999,999,990.00') as went,
            to_char(sum(delta) / 100.0, 'FM999,999,990.00') as left
       from ledger_entries where wallet_id = -$1::integer`,
    [shop.id],
  );
  expect(["Opening", "In", "Out", "Closing"].map(after)).toEqual(
    ["0.00", sums?.came, sums?.went, sums?.left].map((amount) => `₦${amount}`),
  );
  const entries = await query(
    `select to_char(abs(delta) / 100.0, 'FM999,999,990.00') as amount, delta > 0 as came,
            to_char((balance_after - delta) / 100.0, 'FM999,999,990.00') as before,
            to_char(balance_after / 100.0, 'FM999,999,990.00') as after
       from ledger_entries where wallet_id = -$1::integer order by seq`,
    [shop.id],
  );
  // Two sales, one of them given back, and what the wallet was filled with.
  expect(entries.length).toBeGreaterThanOrEqual(4);
  expect(page.filter((line) => /^[+−]₦/.test(line))).toEqual(
    entries.map(({ amount, came }) => `${came ? "+" : "−"}₦${amount}`),
  );
  expect(page.filter((line) => line.includes("₦") && line.includes("→"))).toEqual(
    entries.map(({ before, after: left }) => `₦${before} → ₦${left}`),
  );
  expect(page).toEqual(
    expect.arrayContaining([
      "purchase, order-1",
      "refund, order-2",
      "Page 1 of 1",
      `mer_${shop.id} · ${entries.length} entries, times in WAT`,
    ]),
  );
});

test("what people wrote stays text: no link, no action, no form, and nothing that turns its direction", async () => {
  const { pages, raw } = readPdf((await pdfOf("/test/wallet/statement.pdf")).bytes);
  const seen = "<b>Ṣọlá</b> =cmd|'calc'!A1 (http://evil.example)";
  expect(pages[0]).toEqual(expect.arrayContaining([seen, "Kano & Sons <i>"]));
  expect(pages[0]?.some((line) => /^MTN airtime.* for <b>Ṣọlá<\/b> =cmd/i.test(line))).toBe(true);
  expect(raw).not.toMatch(/\/(Annots?|Action|JavaScript|JS|URI|AcroForm|OpenAction|AA|EmbeddedFiles?)\b(?! \[\])/);
});

test("the sandbox is marked on each page, and live on its own", async () => {
  const marks = async (mode: string) =>
    readPdf((await pdfOf(`/${mode}/wallet/statement.pdf`)).bytes).pages.map(([mark]) => mark);
  expect(await marks("test")).toEqual(["Sandbox: play money, no claim on anybody"]);
  expect(await marks("live")).toEqual(["Live wallet"]);
  const { pages } = readPdf((await pdfOf("/live/wallet/statement.pdf?from=2026-01-01&to=2026-01-31")).bytes);
  expect(pages[0]).toEqual(
    expect.arrayContaining(["From 1 Jan 2026 to 31 Jan 2026", "No entries in this range.", "Page 1 of 1"]),
  );
});

test("who took a statement is entered in the audit log, as PDF and as CSV", async () => {
  const entries = () =>
    query("select who, details from audit_log where command = 'console export' order by number", []);
  const before = await entries();
  await pdfOf("/test/wallet/statement.pdf?from=2026-01-01");
  await pdfOf("/test/wallet/statement.csv");
  const by = `member:${finance.email}`;
  expect((await entries()).slice(before.length).map(({ who, details }) => [who, JSON.parse(String(details))])).toEqual([
    [by, { merchant: `mer_${shop.id}`, mode: "test", file: "statement.pdf", filter: { from: "2026-01-01" } }],
    [by, { merchant: `mer_${shop.id}`, mode: "test", file: "statement.csv", filter: {} }],
  ]);
});

test("only those who see the money get it, and another merchant's is not in theirs", async () => {
  for (const role of ["developer", "viewer"] as const) {
    const { response, bytes } = await pdfOf("/test/wallet/statement.pdf", await service.member(role, shop.id));
    expect([response.status, bytes.subarray(0, 4).toString()]).toEqual([403, "<!do"]);
  }
  const stranger = await service.member("owner");
  const { pages } = readPdf((await pdfOf("/test/wallet/statement.pdf", stranger)).bytes);
  expect(JSON.stringify(pages)).not.toMatch(/order-1|Ṣọlá/);
});

test("a PDF has up to 10,000 lines, on each of its pages each of them once; beyond, CSV and fewer days are offered", async () => {
  const long = await service.app.createMerchant({ credit: null });
  const owner = await service.member("owner", long.id);
  // One is six days old, and all but the last 401 are three.
  await query(
    `insert into ledger_entries (wallet_id, seq, kind, debit_account, credit_account, amount, delta,
                                 balance_after, reason, created_at)
     select wallet_id, n, 'adjustment', 'adjustments', 'wallet', 1000000000, 1000000000,
            n * 1000000000::bigint, 'no. ' || n,
            now() - case when n = 1 then 6 when n <= 9600 then 3 else 0 end * interval '1 day'
       from wallets, generate_series(1, 10001) n
      where wallet_id = $1`,
    [long.id],
  );
  await query("update wallets set seq = 10001, balance = 10001000000000 where wallet_id = $1", [long.id]);
  const refused = await owner.get("/live/wallet/statement.pdf?to=2099-01-01");
  expect([refused.status, refused.text.includes("/live/wallet/statement.csv?to=2099-01-01")]).toEqual([400, true]);
  expect(refused.text).toContain("A PDF holds up to 10,000 entries");
  const list = await owner.get("/live/wallet");
  expect([list.text.includes("statement.pdf"), list.text.includes("statement.csv")]).toEqual([false, true]);

  const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  // Ten thousand of them are written for a minute, in which others buy: its beginning says that they are.
  const whole = await fetchPdf(`/live/wallet/statement.pdf?from=${dayBefore(4)}`, owner);
  expect([whole.status, whole.headers.get("content-type")]).toEqual([200, "application/pdf"]);
  await whole.body?.cancel();
  let short: Awaited<ReturnType<typeof pdfOf>>;
  // The first one is under way until the service sees that nobody reads it.
  await expect
    .poll(async () => {
      short = await pdfOf(`/live/wallet/statement.pdf?from=${dayBefore(1)}`, owner);
      return short.response.status;
    })
    .toBe(200);
  const { pages } = readPdf(short!.bytes);
  const numbers = pages.flat().flatMap((line) => (/^no\. \d+$/.test(line) ? [Number(line.slice(4))] : []));
  expect(numbers).toEqual(Array.from({ length: 401 }, (_, at) => at + 9_601));
  expect(pages.length).toBeGreaterThan(10);
  expect(pages.map((page) => page.find((line) => /^Page /.test(line)))).toEqual(
    pages.map((_page, at) => `Page ${at + 1} of ${pages.length}`),
  );
  // Amounts are never cut, however long.
  expect(pages.at(-1)?.at(-1)).toBe("₦100,000,000,000.00 → ₦100,010,000,000.00");
});
