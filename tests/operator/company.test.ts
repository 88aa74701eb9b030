import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { writeEmail } from "../../src/domain/identity/emails/emails.ts";
import type { PeopleOptions } from "../../src/main/services/people-services.ts";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";

/** A mail server is set, and takes what it is given. */
const withMailServer: PeopleOptions = {
  ...{ signUp: "open", commonPasswords: [], publicUrl: null, liveKeysNeedTwoStep: false, refusalDelayMs: 0 },
  openMailer: () => ({ send: async () => {}, close() {} }),
};

const service = closing(await startConsole());
const { pool } = service.app.fresh;

const stored = async () =>
  (await pool.query("select name, support_email, bank_details, logo_type from company")).rows[0] ?? null;

test("bank details change by two admins; what is wrong is refused before anybody is asked", async () => {
  const [maker, checker] = [await service.staff("admin"), await service.staff("admin")];
  const fields = {
    name: "Kobo House",
    "support-email": "help@kobo.example",
    "support-phone": "",
    bank: "GTBank\r\n0123456789",
  };
  const wrong = await maker.send("/operator/company", { ...fields, "support-phone": "call us" });
  expect([wrong.status, wrong.text.includes("Must be a phone number")]).toEqual([400, true]);
  expect((await maker.follow(await maker.send("/operator/company", fields))).text).toContain("for approval");
  expect(await stored()).toBe(null);
  const { rows } = await pool.query("select max(id) as id, max(summary) as summary from changes");
  expect(rows[0].summary).toBe("Change the company’s name, support email, bank details");
  const done = await checker.follow(await checker.send(`/operator/approvals/${rows[0].id}`, { do: "approve" }));
  expect(done.text).toContain("Saved: name, support email, bank details.");
  expect(await stored()).toEqual({
    name: "Kobo House",
    support_email: "help@kobo.example",
    bank_details: "GTBank\n0123456789",
    logo_type: null,
  });
});

test("a logo is uploaded as a picture, refused where it is none, served as nothing else, and logged", async () => {
  const admin = await service.staff("admin");
  const upload = async (picture: Blob) => {
    const body = new FormData();
    body.set("once", randomBytes(32).toString("base64url"));
    body.set("logo", picture, "logo");
    const headers = {
      origin: service.url,
      "sec-fetch-site": "same-origin",
      cookie: `staff=${admin.cookies.get("staff")}`,
    };
    const { status } = await fetch(`${service.url}/operator/company/logo`, {
      method: "POST",
      body,
      headers,
      redirect: "manual",
    });
    return status;
  };
  const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.from([0, 255, 254, 0])]);
  expect(await upload(new Blob(["no picture"], { type: "image/png" }))).toBe(400);
  expect(await upload(new Blob(["a,b"], { type: "text/csv" }))).toBe(400);
  expect(await upload(new Blob([png, new Uint8Array(220_000)], { type: "image/png" }))).toBe(413);
  expect(await upload(new Blob([png], { type: "image/png" }))).toBe(303);
  const served = async () => Buffer.from(await (await fetch(`${service.url}/company/logo`)).arrayBuffer());
  await expect.poll(served).toEqual(png);
  expect(await upload(new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>'], { type: "image/svg+xml" }))).toBe(303);
  expect(await stored()).toMatchObject({ logo_type: "image/svg+xml" });
  expect((await admin.send("/operator/company/logo", { do: "remove" })).status).toBe(303);
  expect(await stored()).toMatchObject({ logo_type: null });
  const { rows } = await pool.query(
    "select details from audit_log where command = 'console company logo' order by number",
  );
  expect(rows.map(({ details }) => details)).toEqual(['{"bytes":12}', '{"bytes":41}', '{"bytes":0}']);
});

test("an email is read with a fresh factor and logged; a link in it is open to its recipient alone, without a mail server", async () => {
  const mailing = closing(await startConsole({ people: withMailServer }));
  for (const { service: one, opens } of [
    { service, opens: true },
    { service: mailing, opens: false },
  ]) {
    const { database, people } = one.app.services;
    await one.app.fresh.pool.query("update staff set created_at = created_at + interval '1 hour'");
    const first = await one.staff("admin");
    await one.app.fresh.pool.query("update staff set created_at = '2020-01-01' where person_id = $1", [first.personId]);
    const second = await one.staff("admin");
    const links = ["/operator/join", "/reset-password", "/accept-invitation", "/log-in/link", "/change-email"];
    const text = links.map((page) => `Here: https://kobo.example${page}?token=SECRET, soon`).join("\n");
    const written = async (to: string) => {
      await database.transaction((tx) => writeEmail(tx, people, { to, subject: "Come in", text }));
      const { rows } = await one.app.fresh.pool.query("select max(id) as id from emails");
      return `/operator/emails/${rows[0].id}`;
    };
    const [own, merchants] = [await written(first.email), await written("owner@shop.example")];
    const colleagues = await written(second.email);
    expect((await first.get("/operator/emails")).text).toContain("Come in");
    const seen = async (person: typeof first, at: string) => (await person.get(at)).text.includes("SECRET");
    expect([await seen(first, own), await seen(second, own)]).toEqual([opens, false]);
    for (const person of [first, second]) {
      expect([await seen(person, merchants), await seen(person, colleagues)]).toEqual([false, false]);
    }
    const looks = "select who from audit_log where command = 'console email read' order by number";
    expect((await one.app.fresh.pool.query(looks)).rows.slice(0, 2)).toEqual(
      [first, second].map(({ email }) => ({ who: `staff:${email}` })),
    );
    await one.age(second);
    const stale = await second.get(merchants);
    expect([stale.status, stale.text.includes("Confirm it’s you"), stale.text.includes("Here:")]).toEqual([
      ...[403, true, false],
    ]);
    expect((await second.send(merchants)).text).toContain("Confirm it’s you");
    expect((await first.send(merchants)).location).toBe(merchants);
    expect((await first.get("/operator/emails/999999")).status).toBe(404);
  }
});

test("the audit log is found by person and by what a command was about, and a changed entry is named by the check", async () => {
  const admin = await service.staff("admin");
  const finance = await service.staff("finance");
  await admin.send("/operator/company/logo", { logo: "data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=" });
  const mine = await finance.get(`/operator/audit?who=${admin.email}&q=company+logo`);
  expect(mine.text).toContain("console company logo");
  expect((await finance.get("/operator/audit?who=nobody%40company.example")).text).toContain("No entries match");
  expect((await finance.send("/operator/audit/check")).text).toContain("The chain is whole");
  await pool.query("alter table audit_log disable trigger user");
  const { rows } = await pool.query(
    "update audit_log set who = 'staff:mallory@company.example' where number = (select max(number) from audit_log) returning number",
  );
  expect((await finance.send("/operator/audit/check")).text).toContain(`from the one before: ${rows[0].number}.`);
});
