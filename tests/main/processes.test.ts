import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { Program } from "../../rigs/base/program.ts";
import { processesIn } from "../../src/platform/embedded-postgres/processes.ts";
import { freshDatabase } from "../support/database.ts";
import { openPrograms } from "../support/programs.ts";
import { makeScratchDirectory } from "../support/scratch-directory.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

async function startAll(environment: Record<string, string> = {}) {
  const programs = openPrograms();
  const scratch = await makeScratchDirectory();
  onTestFinished(async () => {
    programs.killAll();
    await scratch.remove();
  });
  const usual = { PORT: "0", API_PROCESSES: "2", ENCRYPTION_KEY: testEncryptionKey };
  const given = { DATA_DIR: scratch.folder, ...usual, ...environment };
  return { service: programs.start(["start"], given), folder: scratch.folder };
}

async function addressOf(service: Program): Promise<string> {
  const [, address = ""] = await service.saying(/^Dispense runs at (\S+)$/m);
  return address;
}

/** The processes of node below a process, by the name that their parent gave them. */
function childrenOf({ pid }: Pick<Program, "pid">): Map<string, number> {
  const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
  const found = new Map<string, number>();
  for (const child of pids) {
    const given = /DISPENSE_CHILD=\{"name":"([^"]+)"/.exec(readFileSync(`/proc/${child}/environ`, "utf8"));
    if (given?.[1] !== undefined) found.set(given[1], child);
  }
  return found;
}

const isGone = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return true;
  }
};

/** Each request on a connection of its own. */
function askAgainAndAgain(address: string): { failures(): Promise<number> } {
  let failed = 0;
  let asking = true;
  const requests = (async () => {
    for (; asking; await delay(5)) {
      const given = { headers: { connection: "close" }, signal: AbortSignal.timeout(5_000) };
      await fetch(`${address}/healthz`, given).catch(() => failed++);
    }
  })();
  return {
    async failures() {
      asking = false;
      await requests;
      return failed;
    },
  };
}

test("two processes and a worker serve one port: one scrape tells of all, and a stop leaves nothing running", async () => {
  const { service, folder } = await startAll();
  const address = await addressOf(service);
  expect([...childrenOf(service).keys()].sort()).toEqual(["api 1", "api 2", "worker"]);
  const [, key = ""] = /Key\s+(ds_test_\S+)/.exec(service.out()) ?? [];
  const [, product = ""] = /"product_id":(\d+)/.exec(service.out()) ?? [];
  const buy = async (reference: string) => {
    const response = await fetch(`${address}/api/v1/merchant/data/purchase`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", connection: "close" },
      body: JSON.stringify({ product_id: Number(product), phone: "08031234567", reference }),
    });
    return response.status;
  };
  // Each on a connection of its own: the processes take turns, and the limit of the key is one for both.
  const statuses = await Promise.all(Array.from({ length: 20 }, (_, index) => buy(`first-${index}`)));
  expect(new Set(statuses)).toEqual(new Set([201]));
  const text = await (await fetch(`${address}/metrics`)).text();
  const bought = [...text.matchAll(/^dispense_purchases_total\{.*outcome="successful".*\} (\d+)$/gm)];
  expect(bought.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(20);
  expect(Number(/^dispense_due\S* (\d+)$/m.exec(text)?.[1] ?? 0)).toBe(0);
  // Six connections of each process: what is a process's own is added up.
  const pooled = [...text.matchAll(/^dispense_database_connections\{pool="batched",state="\w+"\} (\d+)$/gm)];
  expect(pooled.reduce((sum, [, count]) => sum + Number(count), 0)).toBeGreaterThan(6);
  expect(text.match(/^# TYPE process_cpu_seconds_total counter$/gm)).toHaveLength(1);
  const children = [...childrenOf(service).values()];
  service.child.kill("SIGTERM");
  expect((await service.ended).code).toBe(0);
  expect(children.filter((pid) => !isGone(pid))).toEqual([]);
  expect(processesIn(folder)).toEqual([]);
});

test("a process that is killed is started again within seconds, and the others go on answering meanwhile", async () => {
  const fresh = await freshDatabase();
  onTestFinished(() => fresh.drop());
  const { service } = await startAll({ DATABASE_URL: fresh.url });
  const address = await addressOf(service);
  const before = childrenOf(service);
  const asking = askAgainAndAgain(address);
  process.kill(before.get("api 2") ?? 0, "SIGKILL");
  process.kill(before.get("worker") ?? 0, "SIGKILL");
  await service.saying(/"event":"process.started","process":"worker"/);
  await service.saying(/"event":"process.started","process":"api 2"/);
  expect(await asking.failures()).toBeLessThanOrEqual(1); // the one that was in flight there, or on its way there
  const after = childrenOf(service);
  expect([...after.keys()].sort()).toEqual(["api 1", "api 2", "worker"]);
  expect(after.get("api 1")).toBe(before.get("api 1"));
  expect(after.get("api 2")).not.toBe(before.get("api 2"));
  const text = await (await fetch(`${address}/metrics`)).text();
  expect(text).toMatch(/^dispense_process_restarts_total\{process="worker"\} 1$/m);
});

test("a process that stands still for 20 s is replaced", async () => {
  const fresh = await freshDatabase();
  onTestFinished(() => fresh.drop());
  const { service } = await startAll({ DATABASE_URL: fresh.url });
  await addressOf(service);
  const before = childrenOf(service);
  process.kill(before.get("api 2") ?? 0, "SIGSTOP");
  await service.saying(/"event":"process.stands_still","process":"api 2"/);
  await service.saying(/"event":"process.started","process":"api 2"/);
  const after = childrenOf(service);
  expect(after.get("api 2")).not.toBe(before.get("api 2"));
  for (const other of ["api 1", "worker"]) expect(after.get(other)).toBe(before.get(other));
});

test("on SIGUSR2 each process makes way for a new one, no request is lost, and one that can't start changes nothing", async () => {
  const fresh = await freshDatabase();
  onTestFinished(() => fresh.drop());
  const { service } = await startAll({ DATABASE_URL: fresh.url });
  const asking = askAgainAndAgain(await addressOf(service));
  const before = childrenOf(service);
  service.child.kill("SIGUSR2");
  await service.saying(/"event":"process.replaced","process":"worker"/);
  expect(await asking.failures()).toBe(0);
  const after = childrenOf(service);
  expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
  for (const [name, pid] of before) expect(after.get(name)).not.toBe(pid);
  expect(service.out()).not.toContain("process.ended");
  const { rows } = await fresh.pool.query("select current_database() as name");
  await fresh.pool.query(`alter database ${rows[0].name} connection limit 0`);
  service.child.kill("SIGUSR2");
  await service.saying(/"event":"process.not_replaced","process":"api 1"/);
  expect(childrenOf(service)).toEqual(after);
});

test("processes end with their parent, however that ends", async () => {
  const fresh = await freshDatabase();
  onTestFinished(() => fresh.drop());
  const { service } = await startAll({ DATABASE_URL: fresh.url });
  await addressOf(service);
  const children = [...childrenOf(service).values()];
  service.child.kill("SIGKILL");
  await expect.poll(() => children.filter((pid) => !isGone(pid))).toEqual([]);
});

test("what keeps several processes from starting is told once, in one sentence", async () => {
  const fresh = await freshDatabase();
  onTestFinished(() => fresh.drop());
  const { service } = await startAll({ DATABASE_URL: fresh.url });
  const { port } = new URL(await addressOf(service));
  const busy = await startAll({ DATABASE_URL: fresh.url, PORT: port });
  expect(await busy.service.ended).toEqual({
    code: 1,
    error: expect.stringMatching(/^Port \d+ is in use: [^\n]*\.\n$/),
  });
  // Its own database refuses it, not the server that all tests share.
  const small = await freshDatabase();
  onTestFinished(() => small.drop());
  const { rows } = await small.pool.query("select current_database() as name");
  await small.pool.query(`alter database ${rows[0].name} connection limit 30`);
  const greedy = await startAll({ DATABASE_URL: small.url });
  expect(await greedy.service.ended).toEqual({
    code: 1,
    error: expect.stringMatching(
      /^The service needs 90 database connections \(24 to charge, 36 to read, 20 to replace a process, 10 to run commands\)[^\n]*API_PROCESSES\.\n$/,
    ),
  });
});

test.each(["1", "2"])("a standby as the only database is refused in one sentence (API_PROCESSES=%s)", async (count) => {
  const fresh = await freshDatabase();
  onTestFinished(() => fresh.drop());
  const { rows } = await fresh.pool.query("select current_database() as name");
  await fresh.pool.query(`alter database ${rows[0].name} set default_transaction_read_only = on`);
  const { service } = await startAll({ DATABASE_URL: fresh.url, API_PROCESSES: count });
  expect(await service.ended).toEqual({
    code: 1,
    error: expect.stringMatching(
      /^The database \S+ is read-only, as a standby is: set DATABASE_URL to the primary\.\n$/,
    ),
  });
});
