import { expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";

const service = closing(await startConsole());
const { pool } = service.app.fresh;
const here = "/operator/alerts";
const url = "https://hooks.example.com/services/T0/secret-part";

test("addresses are changed by two admins; the webhook's URL is sealed, and no page shows more than its host", async () => {
  const ada = await service.staff("admin");
  const bola = await service.staff("admin");
  const sent = await ada.send(here, { emails: "oncall@company.example, Tunde@company.example", url });
  expect((await ada.follow(sent)).text).toContain("for approval");
  expect((await pool.query("select 1 from alert_settings")).rowCount).toBe(0);
  const { rows } = await pool.query("select id, fields from changes where state = 'waiting'");
  expect(rows[0].fields).not.toContain("secret-part");
  const approved = await bola.follow(await bola.send(`/operator/approvals/${rows[0].id}`, { do: "approve" }));
  expect(approved.text).toContain("hooks.example.com");
  const { text } = await ada.get(here);
  expect(text).toContain("hooks.example.com");
  expect(text).not.toContain("secret-part");
  const stored = await pool.query("select emails, webhook from alert_settings");
  expect(stored.rows[0].emails).toEqual(["oncall@company.example", "tunde@company.example"]);
  expect(stored.rows[0].webhook).toMatch(/^v1\./);

  const test = await ada.follow(await ada.send(`${here}/test`));
  expect(test.text).toContain("Test alert sent to 3 recipients.");
  expect((await pool.query("select recipient from emails where subject like '%This is a test%'")).rowCount).toBe(2);
  const entries = await pool.query("select who from audit_log where command = 'console alerts test'");
  expect(entries.rows).toEqual([{ who: `staff:${ada.email}` }]);
});

test("a private webhook, and what is no email, are refused at their fields", async () => {
  const ada = await service.staff("admin");
  for (const [fields, sentence] of [
    [{ url: "https://127.0.0.1/hook" }, "private, local or reserved"],
    [{ url: "http://hooks.example.com/" }, "Must begin with https"],
    [{ emails: "nobody" }, "isn’t an email"],
  ] as const) {
    const { status, text } = await ada.send(here, fields);
    expect([status, text.includes(sentence)], sentence).toEqual([400, true]);
  }
});
