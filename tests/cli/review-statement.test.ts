import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { operate } from "../support/operate.ts";
import { startReview } from "../support/review-sales.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

const review = closing(await startReview());
const { service, bola, ada, parked, rows, statusOf, approve } = review;
const folder = mkdtempSync(path.join(tmpdir(), "dispense-statement-"));
const file = path.join(folder, "statement.csv");

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const resolve = (...words: string[]) =>
  operate(["review", "resolve", "--from-statement", file, "--supplier", "first", ...words], {
    ...{ DATABASE_URL: service.app.fresh.url, DATA_DIR: folder, ENCRYPTION_KEY: testEncryptionKey },
  });
const evidence = ["--evidence", "their statement of today, by email"];

test("the command ends what the console would: by two people where there are some, else by who says so", async () => {
  const [first, second] = [await parked(), await parked()];
  writeFileSync(file, `Ref;Result\n${first.id}-1;not delivered\n${second.id}-1;unknown\nTXN-9;delivered\n`);
  const columns = ["--reference-column", "Ref", "--state-column", "Result"];
  expect((await resolve(...evidence, ...columns)).error).toContain("needs --by");
  const looked = await resolve(...evidence, ...columns, "--by", bola.email);
  expect([looked.code, looked.error.includes("Nothing was done to 1 sales")]).toEqual([1, true]);
  expect((await resolve(...evidence, ...columns, "--by", "ada", "--yes")).error).toContain("email of a person");
  const requested = await resolve(...evidence, ...columns, "--by", bola.email, "--yes", "--json");
  expect(requested.lines.map(({ verdict }) => verdict)).toEqual(["refund", "no_action", "unmatched", undefined]);
  expect(requested.lines.at(-1)).toMatchObject({ ended: 0, approval: expect.any(Number) });
  expect(await statusOf(first)).toBe("pending");
  expect((await approve(bola)).text).toContain("You asked for this yourself");
  expect((await approve(ada)).text).toContain("is back in the merchant’s wallet");

  await rows("delete from staff");
  writeFileSync(file, `Ref;Result\n${second.id}-1;delivered\n`);
  const done = await resolve(...evidence, ...columns, "--by", "ada", "--yes");
  expect([done.code, done.out.includes("1 delivered, 0 refunded.")]).toEqual([0, true]);
  expect(await statusOf(second)).toBe("successful");
  const [entry] = await rows("select command from audit_log order by number desc limit 1");
  expect(entry.command).toContain("review resolve");
});
