import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { brokenInvariants, connectTo } from "../../rigs/base/database.ts";
import { newMerchants, plenty } from "../../rigs/base/merchants.ts";
import { type Program, startProgram } from "../../rigs/base/program.ts";
import { presentWith, type ReleaseTree, releaseBefore } from "../../rigs/base/releases.ts";
import { freshDatabase } from "../support/database.ts";
import { makeScratchDirectory } from "../support/scratch-directory.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

interface Running {
  readonly program: Program;
  readonly url: string;
}

/** Purchases, replays and requeries without a pause, at whichever processes are in the list. */
function openLoad(first: string, key: string, productId: number) {
  const urls = [first];
  /** How many purchases each process has answered. */
  const sold = new Map<string, number>();
  const wrong: string[] = [];
  const bought: string[] = [];
  let running = true;
  const send = async (url: string, target: string, expected: number, body?: object) => {
    const response = await fetch(`${url}/api/v1/merchant${target}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.status !== expected) wrong.push(`${target}: ${response.status} ${await response.text()}`);
    else await response.arrayBuffer();
  };
  const client = async (number: number) => {
    for (let turn = 0; running; turn++) {
      await delay(5);
      const url = urls[turn % urls.length] ?? "";
      const reference = `update-${number}-${turn}`;
      const body = { product_id: productId, phone: "08031234567", reference };
      try {
        await send(url, "/data/purchase", 201, body);
        bought.push(reference);
        sold.set(url, (sold.get(url) ?? 0) + 1);
        if (turn % 3 === 0) await send(urls.at(-1) ?? url, "/data/purchase", 201, body);
        if (turn % 3 === 1) await send(urls.at(-1) ?? url, `/transactions/${reference}`, 200);
      } catch (error) {
        wrong.push(String((error as Error).cause ?? error));
      }
    }
  };
  const clients = Array.from({ length: 6 }, (_, number) => client(number));
  return {
    urls,
    wrong,
    bought,
    /** Resolves when the process has sold so many more. */
    async sells(url: string, more: number): Promise<void> {
      const before = sold.get(url) ?? 0;
      await expect.poll(() => sold.get(url) ?? 0).toBeGreaterThanOrEqual(before + more);
    },
    async stop() {
      running = false;
      await Promise.all(clients);
    },
  };
}

test("an update and the way back lose no request: the release before and this one sell on one database", {
  timeout: 120_000,
}, async () => {
  const fresh = await freshDatabase();
  const scratch = await makeScratchDirectory();
  const programs: Program[] = [];
  onTestFinished(async () => {
    for (const { child } of programs) child.kill("SIGKILL");
    await fresh.drop();
    await scratch.remove();
  });
  await fresh.pool.query("drop schema public cascade; create schema public");
  const start = async ({ folder }: ReleaseTree): Promise<Running> => {
    const environment = {
      DATABASE_URL: fresh.ownerUrl,
      DATA_DIR: path.join(folder, "data"),
      ENCRYPTION_KEY: testEncryptionKey,
      PORT: "0",
      CONSOLE: "off",
      RATE_LIMIT_PER_MINUTE: "1000000000",
    };
    const program = startProgram(["dist/start.js"], { environment, folder, errors: "kept" });
    programs.push(program);
    const [, url = ""] = await program.saying(/^Dispense runs at (\S+)$/m);
    return { program, url };
  };
  const older = releaseBefore(path.join(scratch.folder, "older"));
  // What a release may do to a database that the one before works with: it adds.
  const expand = `
      alter table purchases add column planted text not null default 'x';
      create table planted (id integer primary key);
      comment on table planted is 'owner: purchases. Planted by a test.';`;
  const newer = presentWith(expand, path.join(scratch.folder, "newer"));
  expect(newer.release > older.release).toBe(true);

  const first = await start(older);
  await first.program.saying("/data/purchase");
  const productId = Number(/"product_id":(\d+)/.exec(first.program.out())?.[1]);
  const database = connectTo(fresh.ownerUrl);
  onTestFinished(() => database.close());
  const [buyer] = await newMerchants(database, {
    name: "Update",
    email: "u@example.com",
    count: 1,
    testCredit: plenty,
  });
  const headers = { authorization: `Bearer ${buyer?.testKey}` };
  const isKnown = () => fetch(`${first.url}/api/v1/merchant/wallet/balance`, { headers }).then(({ ok }) => ok);
  await expect.poll(isKnown).toBe(true);
  const load = openLoad(first.url, buyer?.testKey ?? "", productId);
  /** The other release takes over: both sell for a while, then the one that was there ends in order. */
  const handOver = async (from: Running, tree: ReleaseTree): Promise<Running> => {
    const next = await start(tree);
    load.urls.push(next.url);
    await Promise.all([load.sells(from.url, 50), load.sells(next.url, 50)]);
    load.urls.splice(load.urls.indexOf(from.url), 1);
    await load.sells(next.url, 50); // more than the six that may still be under way at the other
    from.program.child.kill("SIGTERM");
    expect((await from.program.ended).code).toBe(0);
    await load.sells(next.url, 20);
    return next;
  };
  const updated = await handOver(first, newer);
  const { rows } = await fresh.pool.query("select to_regclass('planted') is not null as is_there");
  expect(rows).toEqual([{ is_there: true }]);
  await handOver(updated, older);
  await load.stop();

  expect(load.wrong.slice(0, 5)).toEqual([]);
  expect(load.bought.length).toBeGreaterThan(100);
  expect(await brokenInvariants(database)).toEqual([]);
  const counted = await fresh.pool.query("select count(*)::int as purchases from purchases");
  expect(counted.rows).toEqual([{ purchases: load.bought.length }]);
});
