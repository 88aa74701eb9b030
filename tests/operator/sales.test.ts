import { beforeEach, expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";
import { openFakeSupplier, rawText, vended } from "../support/fake-supplier.ts";

// Product 1002 is data for 640 naira; the supplier answers what each test says.

const supplier = openFakeSupplier("first");
const service = closing(await startConsole({ suppliers: [supplier], workers: true }));
const { app } = service;
const ada = await service.staff("admin");
const bola = await service.staff("finance");
const support = await service.staff("support");
let references = 0;

beforeEach(() => {
  supplier.answer = vended;
});

interface Sale {
  readonly reference: string;
  readonly id: string;
}

async function sell(below = "/data/purchase", wish: object = { product_id: 1002 }): Promise<Sale> {
  references += 1;
  const body = { reference: `shop-${references}`, phone: "08031234567", ...wish };
  const answer = await app.call(app.merchant.liveKey ?? "", below, { body });
  expect(answer.status).toBeLessThan(300);
  return { reference: answer.body.reference, id: answer.body.transaction_id };
}

const meter = { biller: "ikeja-electric", meter_type: "prepaid", meter_number: "45012345678", amount: "5000.00" };
const token = "26362054405982757802";

/** Sold to a supplier that never tells, and already waiting for a person. */
async function parked(below?: string, wish?: object): Promise<Sale> {
  supplier.answer = { kind: "unknown", evidence: rawText, askNobody: true };
  const sale = await sell(below, wish);
  const step = async () => (await rows("select step from inflight order by purchase_id desc limit 1"))[0]?.step;
  await expect.poll(step).toBe("review");
  return sale;
}

async function rows(text: string, values: unknown[] = []) {
  return (await app.fresh.pool.query(text, values)).rows;
}

const present = async ({ reference }: Sale) =>
  (await app.call(app.merchant.liveKey ?? "", `/transactions/${reference}`)).body;
const balance = async () => (await app.call(app.merchant.liveKey ?? "", "/wallet/balance")).body.balance;
const lastApproval = async () =>
  `/operator/approvals/${(await rows("select max(id) as id from changes where state = 'waiting'"))[0].id}`;
const approvedBy = async (person: typeof ada) =>
  person.follow(await person.send(await lastApproval(), { do: "approve" }));

test("the box leads straight to the only hit, by whatever a caller says, and lists several", async () => {
  supplier.answer = { kind: "vended", providerReference: "THEIRS-77", fulfilment: { kind: "topup" } };
  const sale = await sell();
  const at = `/operator/sales/${sale.id}`;
  const sought = (text: string) => support.get(`/operator/search?q=${encodeURIComponent(text)}`);
  for (const name of [sale.reference, sale.id, ` ${sale.id} `, `${sale.id}-1`, "THEIRS-77", "0803 123 4567"]) {
    expect([name, (await sought(name)).location]).toEqual([name, at]);
  }
  const other = await sell();
  const both = await sought("+234 803 123 4567");
  expect([both.text.includes(at), both.text.includes(other.id)]).toEqual([true, true]);
  const merchant = `/operator/merchants/mer_${app.merchant.id}`;
  for (const name of [`mer_${app.merchant.id}`, "test MERCH", "Test@example.com"]) {
    expect([name, (await sought(name)).location]).toEqual([name, merchant]);
  }
  const owner = await service.member("owner");
  expect((await sought(owner.email)).location).toBe(merchant);
  expect((await sought("nobody-knows-it")).text).toContain("No results for “nobody-knows-it”");
});

test("a sale tells its whole story with the supplier's words, and everybody who looked stands in it", async () => {
  const sale = await parked();
  const path = `/operator/sales/${sale.id}`;
  const seen = await support.get(path);
  for (const words of ["Request: 1 ×", "Merchant charged: −₦640.00", "In review", rawText, "Who looked", support.email])
    expect(seen.text).toContain(words);
  // However a request calls itself, and once a minute however often.
  for (const _again of [1, 2, 3]) await bola.get(path, { "x-fragment": "true" });
  const looked = await ada.get(path);
  expect([looked.text.includes(support.email), looked.text.includes(bola.email)]).toEqual([true, true]);
  expect(
    await rows("select who, command, details from audit_log where details like '%' || $1 || '%'", [sale.id]),
  ).toEqual(
    [support, bola, ada].map(({ email }) => ({
      who: `staff:${email}`,
      command: "console sale look",
      details: JSON.stringify({ merchant: `mer_${app.merchant.id}`, sale: sale.id }),
    })),
  );
  supplier.answer = { kind: "declined", errorCode: "RECIPIENT_BARRED", evidence: "BARRED BY HLR" };
  const answered = await support.follow(await support.send(`${path}/ask`));
  expect(answered.text).toContain("first answered: not delivered.");
  expect(await present(sale)).toMatchObject({ status: "failed", refunded: true });
});

test("a token is shown to whoever may ask for it, once a click, and each time is in the audit log", async () => {
  const sale = await sell("/electricity/purchase", meter);
  const path = `/operator/sales/${sale.id}`;
  const { delivery } = await present(sale);
  const hidden = (await ada.get(path)).text.replaceAll(" ", "");
  expect(hidden).not.toContain(delivery.token);
  // Support asks, and sees it once another person allowed it.
  const waiting = await support.follow(await support.send(`${path}/reveal`, { why: "the customer lost the SMS" }));
  expect(waiting.text).toContain("for approval. Nothing has changed");
  expect((await approvedBy(ada)).text).toContain("can show the token or PIN");
  expect((await support.send(`${path}/reveal`)).text.replaceAll(" ", "")).toContain(delivery.token);
  const shown = await bola.send(`${path}/reveal`);
  expect(shown.text.replaceAll(" ", "")).toContain(delivery.token);
  expect(shown.headers.get("cache-control")).toBe("no-store");
  const entries = await rows("select who from audit_log where command = 'console sale reveal'");
  expect(entries.map(({ who }) => who).sort()).toEqual([`staff:${bola.email}`, `staff:${support.email}`].sort());
});

test("the last digits of a token lead to its sale, and the database holds them under a key alone", async () => {
  const sale = await sell("/electricity/purchase", meter);
  const { token: delivered } = (await present(sale)).delivery;
  const sought = (text: string) => support.get(`/operator/search?q=${encodeURIComponent(text)}`);
  for (const said of [delivered.slice(-6), delivered.slice(-8), delivered.replace(/(\d{4})(?=\d)/g, "$1 ")]) {
    const found = await sought(said);
    expect([said, found.location ?? found.text.includes(sale.id)]).toEqual([said, `/operator/sales/${sale.id}`]);
  }
  expect((await sought("000001")).text).toContain("No results for “000001”");
  const [{ stored }] = await rows("select fulfilment::text as stored from purchases order by id desc limit 1");
  expect(Object.keys(JSON.parse(stored)).toSorted()).toEqual(["ends", "kind", "sealed"]);
  expect(stored).not.toContain(delivered.slice(-6));
});

test("the end of a code is looked for by those who answer callers alone, twenty times an hour", async () => {
  const sale = await sell("/electricity/purchase", meter);
  const end = (await present(sale)).delivery.token.slice(-6);
  const [other, catalogue] = [await service.staff("support"), await service.staff("catalogue")];
  const finds = async (person: typeof other, text = end) => {
    const { location, text: shown } = await person.get(`/operator/search?q=${text}`);
    return location !== null || shown.includes(sale.id);
  };
  expect([await finds(other), await finds(catalogue)]).toEqual([true, false]);
  for (let turn = 0; turn < 19; turn++) await finds(other, String(100_000 + turn));
  expect(await finds(other)).toBe(false);
  expect((await other.get(`/operator/search?q=${end}`)).text).toContain("20 codes in an hour");
  expect((await other.get(`/operator/search?q=${sale.reference}`)).location).toBe(`/operator/sales/${sale.id}`);
});

test("what is in review is handed over once, by two people, with every fault of the goods at its field", async () => {
  const sale = await parked("/electricity/purchase", meter);
  const path = `/operator/review/${sale.id}`;
  const queue = await bola.get(path);
  for (const words of ["Review queue", "1 sale", "Ask first again", "What happened to it?", rawText])
    expect(queue.text).toContain(words);
  expect((await support.get(path)).text).not.toContain("What happened to it?");
  const fields = new Map(
    [...queue.text.matchAll(/<label for="(fulfilment-\d+)">([^<]*)/g)].map(([, name = "", label = ""]) => [
      label,
      name,
    ]),
  );
  const filled = (value: string) => ({
    result: "vended",
    source: "Phone call",
    evidence: "ticket 88121, Bola at 14:02",
    [fields.get("Token") ?? ""]: value,
    [fields.get("Token again") ?? ""]: token,
    [fields.get("Receipt number") ?? ""]: "4711",
    [fields.get("Units") ?? ""]: "22.20",
  });
  const short = await bola.send(`${path}/resolve`, filled("3318 7705 2941"));
  expect([short.status, short.text.includes('value="3318 7705 2941"')]).toEqual([400, true]);
  expect(short.text).toContain(`id="${fields.get("Token")}-error"`);
  const answered = await bola.follow(await bola.send(`${path}/resolve`, filled("2636 2054-4059 8275 7802")));
  expect(answered.text).toContain("for approval");
  expect(await present(sale)).toMatchObject({ status: "pending" });
  const [stored] = await rows("select fields from changes where state = 'waiting'");
  expect(stored.fields).not.toContain(token);
  expect((await approvedBy(bola)).text).toContain("You asked for this yourself");
  const [approval, before] = [await lastApproval(), await balance()];
  expect((await ada.get(approval)).text).not.toContain("sealed");
  const both = await Promise.all([ada, ada].map((person) => person.send(approval, { do: "approve" })));
  expect(both.map(({ status }) => status)).toContain(303);
  expect(await present(sale)).toMatchObject({ status: "successful", delivery: { token } });
  expect(await balance()).toBe(before);
  expect(await rows("select source, evidence from purchase_incidents where kind = 'review'")).toEqual([
    { source: bola.email, evidence: "Phone call: ticket 88121, Bola at 14:02" },
  ]);
  const late = await bola.send(`${path}/resolve`, { result: "declined", evidence: "changed my mind about it" });
  expect(late.text).toContain("This sale has ended already");
});

test("a no refunds what is in review; an answer of the supplier in between wins, and nothing ends twice", async () => {
  const sale = await parked();
  const before = await balance();
  const path = `/operator/review/${sale.id}`;
  const no = { result: "declined", reason: "PROVIDER_DECLINED", evidence: "statement of today, line 12" };
  await bola.send(`${path}/resolve`, no);
  expect((await approvedBy(ada)).text).toContain("₦640.00 is back in the merchant’s wallet");
  expect(await present(sale)).toMatchObject({ status: "failed", error_code: "PROVIDER_DECLINED", refunded: true });
  expect(Number(await balance())).toBe(Number(before) + 640);

  const other = await parked();
  await bola.send(`/operator/review/${other.id}/resolve`, no);
  supplier.answer = vended;
  expect((await ada.follow(await ada.send(`/operator/review/${other.id}/ask`))).text).toContain("answered: delivered");
  expect((await approvedBy(ada)).text).toContain("ended or went on meanwhile");
  expect(await present(other)).toMatchObject({ status: "successful" });
});

test("a delivered sale is refunded as goodwill by two people, once", async () => {
  const sale = await sell();
  const path = `/operator/sales/${sale.id}`;
  const before = Number(await balance());
  expect((await bola.send(`${path}/refund`, { reason: "short" })).text).toContain("Say why in 10 to 200 characters");
  const reason = "customer waited for two hours";
  await support.send(`${path}/refund`, { reason });
  const second = await bola.follow(await bola.send(`${path}/refund`, { reason }));
  expect(second.text).toContain("Tunde support asked for this already");
  expect((await ada.get("/operator/today")).text).toContain("Are we selling?");
  expect((await approvedBy(ada)).text).toContain("₦640.00 went back to the merchant");
  await bola.send(`${path}/refund`, { reason });
  expect((await approvedBy(ada)).text).toContain("refunded already");
  expect(Number(await balance())).toBe(before + 640);
  expect((await support.get(path)).text).toContain("Refunded as goodwill: +₦640.00");
  expect((await present(sale)).status).toBe("successful");
});

test("the webhook of a sale is sent again from its page by whoever may, and by approval where support asks", async () => {
  const hook = { method: "PUT", body: { url: "https://merchant.example/hook" } };
  await app.call(app.merchant.liveKey ?? "", "/webhook", hook);
  const sale = await parked();
  supplier.answer = vended;
  await ada.send(`/operator/review/${sale.id}/ask`);
  const path = `/operator/sales/${sale.id}`;
  const page = (await support.get(path)).text;
  expect(page).toContain("Ask to resend transaction.successful to webhook 1");
  const delivery = /name="delivery" value="([^"]*)"/.exec(page)?.[1] ?? "";
  const lanes = () =>
    rows("select lane from webhook_outbox where delivery_id = $1 and leased_until is null", [delivery]);
  for (const person of [ada, support]) {
    await expect.poll(lanes, { timeout: 60_000 }).toEqual([{ lane: "later" }]);
    const sent = await person.follow(await person.send(`${path}/resend`, { delivery }));
    expect(sent.text).toContain(person === ada ? "Resending now" : "for approval. Nothing has changed");
  }
  expect((await approvedBy(ada)).text).toContain("Resending now");
  expect((await ada.send(`${path}/resend`, { delivery: "01999999-0000-7000-8000-000000000000" })).status).toBe(404);
});
