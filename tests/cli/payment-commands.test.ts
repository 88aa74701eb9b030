import { expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";
import { operate } from "../support/operate.ts";
import { enterProvider, keep } from "../support/payments/kept-payments.ts";

const service = closing(await startConsole());
const { pool, url } = service.app.fresh;
const run = (...words: string[]) => operate(["--as", "Ada", "payment", ...words], { DATABASE_URL: url });

test("what a provider contradicts is listed until a command says how it ended, once", async () => {
  const merchant = await service.app.createMerchant({ credit: null });
  await enterProvider(service.app);
  await keep(service.app, "T1", { merchantId: merchant.id });
  const text = "update payments set contradiction = 'its status is failed' where payment_id = 'T1' returning number";
  const [{ number }] = (await pool.query(text)).rows;
  const { lines } = await run("contradicted", "--json");
  expect(lines).toMatchObject([
    { payment: `pay_${number}`, provider: "paystack", amount: "50000.00", contradiction: "its status is failed" },
  ]);
  expect((await run("end", "T1", "theirs", "--note", "x")).error).toContain("Say how");
  expect((await run("end", "T9", "theirs", "--note", "case 7")).error).toContain("There is no such payment");
  expect((await run("end", "T1", "nobody", "--note", "case 7")).code).toBe(1);
  const ended = await run("end", `pay_${number}`, "written-off", "--note", "Its desk, case 7");
  expect([ended.code, ended.out]).toEqual([0, `The contradiction of pay_${number} is ended. No money moved.\n`]);
  const again = await run("end", "T1", "ours", "--note", "The other way round");
  expect([again.code, again.error]).toEqual([1, expect.stringContaining("that was ended already")]);
  expect((await run("contradicted")).out).toBe("No payment is contradicted.\n");
  const { rows } = await pool.query(
    "select contradiction_end, contradiction_note, contradiction_ended_by from payments where payment_id = 'T1'",
  );
  expect(rows).toEqual([
    {
      contradiction_end: "written_off",
      contradiction_note: "Its desk, case 7",
      contradiction_ended_by: "Ada",
    },
  ]);
});
