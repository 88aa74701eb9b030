import { expect, test } from "vitest";
import { registerKeyless } from "../../src/domain/merchants/registration.ts";
import { sharedConsole } from "../support/shared-console.ts";

const service = await sharedConsole();
const owner = await service.member("owner");

/** By what they do: none is seen, and some turn what stands behind them. */
const marks = {
  "right-to-left override": "\u202e",
  "left-to-right isolate": "\u2066",
  "Arabic letter mark": "\u061c",
  "zero-width space": "\u200b",
  "zero-width joiner": "\u200d",
  "word joiner": "\u2060",
  "byte order mark": "\ufeff",
  "soft hyphen": "\u00ad",
  "line separator": "\u2028",
  escape: "\u001b",
  delete: "\u007f",
  "next line": "\u0085",
};

async function rowsWith(mark: string): Promise<number> {
  const { rows } = await service.app.fresh.pool.query(
    `select (select count(*) from api_keys where strpos(label, $1) > 0)
          + (select count(*) from beneficiaries where strpos(concat(label, customer_name), $1) > 0)
          + (select count(*) from webhook_endpoints where strpos(description, $1) > 0)
          + (select count(*) from merchants where strpos(name, $1) > 0) as count`,
    [mark],
  );
  return Number(rows[0].count);
}

test.each(Object.entries(marks))("no label and no name takes a %s: by a form or by the API", async (_name, mark) => {
  const text = `Till${mark} 4`;
  const beneficiary = { category: "airtime", customer_ref: "08031234567" };
  const answers = [
    await owner.send("/test/keys", { label: text }),
    await owner.send("/test/beneficiaries/add", { ...beneficiary, label: text }),
    await owner.send("/test/webhooks/endpoints/new", {
      url: "https://shop.example/hook",
      mode: "both",
      notify: "changes",
      which: "all",
      description: text,
    }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
  const key = service.app.merchant.testKey;
  for (const more of [{ label: text }, { label: "Till", customer_name: text }]) {
    const { status, body } = await service.app.call(key, "/beneficiaries", { body: { ...beneficiary, ...more } });
    expect([status, body.code]).toEqual([400, "VALIDATION_ERROR"]);
  }
  const endpoint = { url: "https://shop.example/hook", description: text };
  expect((await service.app.call(key, "/webhook/endpoints", { body: endpoint })).status).toBe(400);
  const { database } = service.app.services;
  const registered = database.transaction((tx) =>
    registerKeyless(tx, service.app.services, { name: text, email: "a@shop.example" }),
  );
  await expect(registered).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  expect(await rowsWith(mark)).toBe(0);
});

test("a label takes every letter that is seen: accents in both spellings, dots below, signs and pictures", async () => {
  for (const label of ["Ṣọ́lá’s shop", "S\u0323o\u0323\u0301la\u0301", "محل علي", "Till №4 – ₦ 🏪"]) {
    const made = await owner.send("/test/keys", { label });
    expect([label, made.status]).toEqual([label, 200]);
  }
});
