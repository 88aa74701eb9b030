import { expect, test, vi } from "vitest";
import { clock } from "../support/app.ts";
import { rowsOf, startBulk, startForm } from "../support/bulk-by-hand.ts";
import { closing } from "../support/closing.ts";
import { formOf, submit } from "../support/forms.ts";

const { service, finance, checked, phonesOf } = closing(await startBulk());

async function balance(): Promise<bigint> {
  const { rows } = await service.app.fresh.pool.query("select balance from wallets where wallet_id = -$1::integer", [
    finance.merchantId,
  ]);
  return BigInt(rows[0].balance);
}

test("a pasted list is priced, started once however often it is sent, and its results can be taken away", async () => {
  const before = await balance();
  const check = await checked(
    "phone;amount;reference\n08031234567;1,000.00;mine-1\n08051234567;200;\n",
    "airtime",
    "friday",
  );
  const form = formOf(check, startForm);
  expect([check.status, form.action]).toEqual([200, "/test/bulk/start/friday"]);
  expect(await balance()).toBe(before);

  const [started, clicked] = await Promise.all([submit(finance, form), submit(finance, form)]);
  const anew = await checked(
    "phone;amount;reference\n08031234567;1,000.00;mine-1\n08051234567;200;\n",
    "airtime",
    "friday",
  );
  expect([anew.status, anew.text]).toEqual([400, expect.stringContaining("You started order friday before")]);
  for (const answer of [started, clicked]) expect(answer.location).toBe("/test/bulk/friday");
  const { rows } = await service.app.fresh.pool.query(
    "select reference, channel, status, total::text as total from purchases where bulk_reference = 'friday' order by bulk_line",
  );
  expect(rows).toMatchObject([
    { reference: "mine-1", channel: "bulk", status: "successful" },
    { reference: "friday-2", channel: "bulk", status: "successful" },
  ]);
  expect(before - (await balance())).toBe(rows.reduce((sum, { total }) => sum + BigInt(total), 0n));

  const page = await finance.get("/test/bulk/friday");
  expect([
    page.status,
    page.text.includes("2 of 2 lines done"),
    page.text.includes("/test/transactions/mine-1"),
  ]).toEqual([200, true, true]);
  const file = await finance.get("/test/bulk/friday/results.csv");
  expect(file.text.split("\n")).toHaveLength(4);
  expect(file.text).toContain("1,08031234567,2001,");
  expect((await finance.get("/test/bulk")).text).toContain("/test/bulk/friday");
  expect((await finance.get("/test/bulk?q=friday")).location).toBe("/test/bulk/friday");
});

test("who starts an order is the seller of its lines: in the list, its file, their pages and the sums by person", async () => {
  await submit(
    finance,
    formOf(await checked("phone,amount\n08031238001,100\n08031238002,150", "airtime", "sold"), startForm),
  );
  const owner = await service.member("owner", finance.merchantId);
  const days = (await owner.get("/test/team-sales")).text.split("<tr").filter((row) => row.includes("Ada finance</"));
  expect(days.slice(1)).toEqual([expect.stringMatching(/₦(1,4|2)50\.00/)]);
  const seller = async (path: string) => (await owner.get(path)).text.split("Ada finance").length - 1;
  expect(await seller("/test/transactions?bulk=sold")).toBe(2);
  expect(await seller("/test/transactions.csv?bulk=sold")).toBe(2);
  expect(await seller("/test/transactions/sold-1")).toBe(1);
});

test("the ready lines are paid for while wrong ones wait, and those are there to be corrected afterwards", async () => {
  const check = await checked("phone,amount\n08031239001,100\n0803,100\n08031239003,200", "airtime", "in-part");
  expect(check.text).toMatch(/Pay ₦29\d(\.\d\d)? for 2 lines/);
  const rest = await submit(finance, formOf(check, startForm));
  expect([rest.status, await phonesOf("in-part")]).toEqual([200, ["08031239001", "08031239003"]]);
  expect(formOf(rest, "/bulk/check").fields.lines).toBe("phone,amount\n0803,100");
});

test("who goes back to a check that was paid for in part sells the rest, and nothing twice", async () => {
  const check = await checked("08031239011,100\n0803,100\n08031239013,200");
  const form = formOf(check, startForm);
  const path = form.action.replace("/start/", "/");
  expect((await submit(finance, form)).status).toBe(200);
  expect((await submit(finance, form)).location).toBe(path);
  const back = await submit(finance, formOf(check, "/bulk/check"), { "phone-2": "08031239012" });
  expect(formOf(back, startForm).fields.agreed?.split(" ")[0]).toBe("1");
  expect(formOf(back, startForm).action).not.toBe(form.action);
  const rest = formOf(back, startForm);
  expect((await submit(finance, rest)).status).toBe(200);
  expect(await phonesOf(rest.action.split("/").at(-1))).toEqual(["08031239012"]);
});

test("what the button said is what is paid: after a correction or a new price the order is shown again", async () => {
  const before = await balance();
  const form = formOf(await checked("08031239301,100\n0803,100"), startForm);
  const corrected = await submit(finance, form, { "phone-2": "08031239302" });
  expect([corrected.status, corrected.text]).toEqual([409, expect.stringContaining("the order is now 2 lines")]);
  const [count = "", total = ""] = formOf(corrected, startForm).fields.agreed?.split(" ") ?? [];
  const dearer = { agreed: `${count} ${BigInt(total) - 100n}` };
  const changed = await submit(finance, formOf(corrected, startForm), dearer);
  expect([changed.status, changed.text]).toEqual([409, expect.stringContaining("Prices changed")]);
  expect(await balance()).toBe(before);
  expect((await submit(finance, formOf(changed, startForm))).status).toBe(303);
});

test("ten thousand lines are checked and bought", async () => {
  const lines = Array.from({ length: 10_000 }, (_, index) => `0803${String(1_000_000 + index)},50`).join("\n");
  const check = await checked(lines);
  const form = formOf(check, startForm);
  expect(check.text).toContain("Ready: 10,000");
  expect(rowsOf(check)).toHaveLength(50);
  expect(check.text.length).toBeLessThan(150_000);
  const second = await submit(finance, formOf(check, "/bulk/check"), { page: "200" });
  expect(rowsOf(second).at(-1)?.[0]).toBe("10000");
  // A refused one gives the list back as it was typed.
  const taken = await submit(finance, { ...form, action: "/test/bulk/start/friday" }, { reference: "friday" });
  expect([taken.status, formOf(taken, "/bulk/check").fields.lines]).toEqual([400, lines]);
  const started = await submit(finance, form);
  expect(started.status).toBe(303);
  const page = await finance.get(started.location ?? "");
  expect(page.text).toContain("10,000");
  const file = await finance.get(`${started.location}/results.csv`);
  expect(file.text.trimEnd().split("\n")).toHaveLength(10_001);
  expect((await checked(`${lines}\n08031234567,50`)).text).toContain("10,001 lines. One order has 10,000 at most");
});

test("an order that the wallet can't pay is told, with its lines kept", async () => {
  const poor = await service.app.createMerchant();
  const owner = await service.member("owner", poor.id);
  const form = formOf(await owner.get("/test/bulk/new"), "/bulk/check");
  const lines = Array.from({ length: 30 }, (_, index) => `0803${1_000_000 + index},5000`).join("\n");
  const check = await submit(owner, form, { category: "airtime", lines });
  expect(check.text).toContain("too low for this order");
  const refused = await submit(owner, formOf(check, startForm));
  expect([refused.status, refused.text.includes("You were not charged")]).toEqual([409, true]);
  expect(formOf(refused, startForm).fields.lines).toBe(lines);
});

test("stored markup stays text, and a list without lines is asked for again with what was typed", async () => {
  const check = await checked("<img src=x onerror=alert(1)>,100");
  expect(check.text).not.toContain("<img src=x");
  const empty = await finance.send("/test/bulk/check", { category: "data", lines: " ", reference: "kept" });
  expect([empty.status, formOf(empty, "/bulk/check").fields.reference]).toEqual([400, "kept"]);
});

test("the check shows wrong lines first, then numbers that stand twice, then the ready ones with product and price", async () => {
  const check = await checked('08031234001,100\n+234 803 123 4002,"1,000"\n08031234001,200\n0803,50');
  expect(rowsOf(check).map(([line, number]) => [line, number])).toEqual([
    ["4", expect.stringContaining("4 digits")],
    ["3", "0803 123 4001"],
    ["1", "0803 123 4001"],
    ["2", "0803 123 4002"],
  ]);
  expect(rowsOf(check)[1]?.[4]).toContain("same number as line 1");
  expect(rowsOf(check)[3]?.slice(2, 4)).toEqual([
    expect.stringMatching(/MTN.*₦1,000/),
    expect.stringMatching(/^₦9\d\d\.\d\d$/),
  ]);
});

test("numbers that stand twice are bought once they are ticked, alone or all together, and not before", async () => {
  const form = formOf(
    await checked("08031234101,100\n08031234102,100\n08031234101,200", "airtime", "twice"),
    startForm,
  );
  expect(form.fields.agreed?.split(" ")[0]).toBe("2");
  for (const keep of ["3", "all"]) {
    const ticked = await submit(finance, { ...form, action: "/test/bulk/check" }, { keep });
    expect(formOf(ticked, startForm).fields).toMatchObject({ keep: "3" });
    expect(formOf(ticked, startForm).fields.agreed?.split(" ")[0]).toBe("3");
  }
  expect((await submit(finance, form)).status).toBe(200);
  expect(await phonesOf("twice")).toEqual(["08031234101", "08031234102"]);
});

test("the same sale of the last day, by whatever way, is a doubt; a failed one, another amount or an older one is none", async () => {
  const doubtful = async (lines: string) =>
    rowsOf(await checked(lines))
      .filter(([, , , , check]) => check?.includes("sold "))
      .map(([line]) => line);
  expect(
    (
      await submit(
        finance,
        formOf(await checked("08031230002,111\n08051234202,222", "airtime", "first-of-day"), startForm),
      )
    ).status,
  ).toBe(303);
  const same = "phone;amount;reference\n+2348051234202;222.00;a-1\n8031230002;₦111;a-2\n08051234203;222;a-3";
  expect(await doubtful(same)).toEqual(["2"]);
  expect(await doubtful("08051234202,111")).toEqual([]);
  const nextDay = vi.spyOn(clock, "now").mockImplementation(() => Date.now() + 25 * 3_600_000);
  const later = await service.member("finance", finance.merchantId);
  const form = formOf(await later.get("/test/bulk/new"), "/bulk/check");
  const check = await submit(later, form, { category: "airtime", lines: same });
  nextDay.mockRestore();
  expect([rowsOf(check).length, check.text.includes("sold ")]).toEqual([3, false]);
});

test("failed lines come first in their order, and are sold again as a new one", async () => {
  const lines = "08031237001,100\n08031237002,200\n08051230002,300";
  await submit(finance, formOf(await checked(lines, "airtime", "in-part-failed"), startForm));
  const page = await finance.get("/test/bulk/in-part-failed");
  expect(page.text).toContain("1 line failed");
  expect(page.text.indexOf("0805 123 0002")).toBeLessThan(page.text.indexOf("0803 123 7001"));
  const again = await finance.get("/test/bulk/new?again=in-part-failed");
  expect(formOf(again, "/bulk/check").fields.lines).toBe("phone,network,amount\n08051230002,GLO,300.00");
  const check = await submit(finance, formOf(again, "/bulk/check"));
  expect(rowsOf(check).map(([, number]) => number)).toEqual(["0805 123 0002"]);
});
