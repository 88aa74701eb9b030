import { expect, test } from "vitest";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { operate } from "../support/operate.ts";
import { expectProblem } from "../support/wire-expectations.ts";

const app = closing(await startApp());

const run = (...words: string[]) => operate(words, { DATABASE_URL: app.fresh.url });

test("a merchant whose approval is withdrawn keeps its sandbox, and its live keys work again once it is approved", async () => {
  const merchant = `mer_${app.merchant.id}`;
  const balance = (key: string | null) => app.call(key, "/wallet/balance");
  const live = async () => (await balance(app.merchant.liveKey)).status;
  expect(await live()).toBe(200);
  expect((await run("withdraw-approval", merchant)).out).toBe(`${merchant} is no longer approved.\n`);
  await expect.poll(live).toBe(403);
  expectProblem(await balance(app.merchant.liveKey), 403, "API_ACCESS_NOT_APPROVED");
  expect((await balance(app.merchant.testKey)).status).toBe(200);
  expect((await run("withdraw-approval", merchant, "--json")).lines).toEqual([
    { merchant_id: merchant, changed: false },
  ]);
  await run("approve-merchant", merchant);
  await expect.poll(live).toBe(200);
  const commands = (await run("audit", "list", "--json")).lines.map(({ command }) => command);
  expect(commands.slice(0, 1)).toEqual(["withdraw-approval"]);
});
