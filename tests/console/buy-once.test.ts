import { expect, test } from "vitest";
import { setCompany } from "../../src/domain/identity/company/company.ts";
import { closing } from "../support/closing.ts";
import { formOf, submit } from "../support/forms.ts";
import { orderForm, referenceIn, startSelling } from "../support/selling-by-hand.ts";

const { service, finance, shop, check, purchasesOf, balance } = await startSelling();
closing(service);

test("a sale whose session ended is kept, and made once after the log-in, also where it had been made already", async () => {
  const owner = await service.member("owner", shop.id);
  for (const isMadeBefore of [false, true]) {
    const order = orderForm(await check("data", { phone: "08031230101" }, { client: owner }));
    const reference = referenceIn(order.action);
    const before = await balance();
    if (isMadeBefore) await submit(owner, order);
    await owner.send("/log-out");
    const calls = await submit(owner, order);
    expect(calls.status).toBe(401);
    const back = await submit(owner, formOf(calls, "/log-in"), { email: owner.email, password: owner.password });
    const page = await owner.follow(back);
    const sent = await submit(owner, formOf(page, order.action));
    expect([sent.status, sent.location]).toEqual([303, `/test/buy/bought/${reference}`]);
    const [purchase, ...others] = await purchasesOf(reference);
    expect(others).toEqual([]);
    expect(await balance()).toBe(before - BigInt(purchase.total));
  }
});

test("somebody who was removed meanwhile sells nothing with the page that is still open", async () => {
  const leaver = await service.member("finance", shop.id);
  const order = orderForm(await check("data", { phone: "08031230102" }, { client: leaver }));
  await service.app.fresh.pool.query(
    "delete from members where person_id in (select id from people where email = $1)",
    [leaver.email],
  );
  expect((await submit(leaver, order)).status).toBe(403);
  expect(await purchasesOf(referenceIn(order.action))).toEqual([]);
});

test("a problem is reported to the company's support with the ids and the address of the sale, and never its token", async () => {
  const { database, clock } = service.app.services;
  const meter = { meter_number: "45012345678", amount: "5000" };
  const order = orderForm(await check("electricity", meter));
  const none = await finance.follow(await submit(finance, order));
  expect(none.text).not.toContain("Report a problem");
  await setCompany(
    { database, clock },
    { name: "Kobo & Co", supportEmail: "help+shops@kobo.example", supportPhone: "0803 555 0142" },
  );
  const path = `/test/buy/bought/${referenceIn(order.action)}`;
  await expect.poll(async () => (await finance.get(path)).text).toContain("Report a problem");
  const { text } = await finance.get(path);
  const [, token = ""] = /data-text="(\d{20})"/.exec(text) ?? [];
  expect(token).toMatch(/^\d{20}$/);
  for (const [start, link] of [
    ["mailto:help%2Bshops%40kobo.example?subject=", /href="(mailto:[^"]*)"/],
    ["https://wa.me/2348035550142?text=", /href="(https:\/\/wa\.me\/2348035550142[^"]*)"/],
  ] as const) {
    const href = decodeURIComponent((link.exec(text)?.[1] ?? "").replaceAll("&amp;", "&"));
    expect(href.startsWith(decodeURIComponent(start))).toBe(true);
    expect(href).toMatch(/Transaction ID: SBX/);
    expect(href).toContain(`${service.url}/test/transactions/${referenceIn(order.action)}`);
    expect(href.replace(/\s/g, "")).not.toContain(token);
  }
  await setCompany({ database, clock }, { supportEmail: null, supportPhone: "0700 CALL".replace(/[A-Z]/g, "2") });
  await expect.poll(async () => (await finance.get(path)).text).not.toContain("Report a problem");
});
