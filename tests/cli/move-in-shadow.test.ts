import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { soldByScript, startOldScript } from "../support/old-script.ts";
import { operate } from "../support/operate.ts";
import { openPrograms } from "../support/programs.ts";
import { makeScratchDirectory } from "../support/scratch-directory.ts";
import { sharedApp } from "../support/shared-app.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

const app = await sharedApp();
const scratch = await makeScratchDirectory();
const programs = openPrograms();
const own = { network: 1, plan_network: "MTN", plan_name: "1.0GB", plan_amount: "₦645.0" };
const old = await startOldScript(() => ({ body: JSON.stringify(soldByScript(645, own)) }));
afterAll(async () => {
  programs.killAll();
  await old.close();
  await scratch.remove();
});
const environment = { DATABASE_URL: app.fresh.url, ENCRYPTION_KEY: testEncryptionKey };
const sale = { network: 1, mobile_number: "08031234567", plan: 2, Ported_number: true };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

/** Buys through the shadow, once it listens. */
async function buyThrough(port: number, request_id: string): Promise<Response> {
  for (let tries = 0; tries < 400; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/data/`, {
      method: "POST",
      headers: { authorization: `Token ${app.merchant.testKey}`, "content-type": "application/json" },
      body: JSON.stringify({ ...sale, request_id }),
    }).catch(() => null);
    if (answer !== null) return answer;
    await delay(50);
  }
  throw new Error("the shadow does not listen");
}

const command = (port: number, ...words: string[]) =>
  [...["move-in", "shadow", "--old", old.url, "--listen", `${port}`], ...words] as const;

test("Ctrl-C ends it with its report, on the screen and in its file, which only its owner reads", async () => {
  const [port, file] = [await freePort(), `${scratch.folder}/report.txt`];
  const running = programs.start(["operator", ...command(port, "--for", "1h", "--report", file)], environment);
  const answer = await buyThrough(port, "cli-1");
  expect([answer.status, (await answer.json()).plan_amount]).toEqual([201, "₦645.0"]);
  running.child.kill("SIGINT");
  const { code, error } = await running.ended;
  expect([code, error.replace(/until \S+\./, "until then.")]).toEqual([
    130,
    `Passing requests at 127.0.0.1:${port} on to ${old.url} until then. Ctrl-C ends it.\n`,
  ]);
  const report = await readFile(file, "utf8");
  expect(running.out().trimEnd()).toBe(report.trimEnd());
  expect(report).toMatch(/^Compared from .*: 1 requests, 0 the same, 1 different, 0 not compared\.$/m);
  expect(report).toMatch(/ price: 1\n.* POST \/api\/data\/ .*"plan":2.*\n +old: +645\.00\n +here: 640\.00\n/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("it ends when its time is over, and tells a program what it found as JSON", async () => {
  const port = await freePort();
  const ended = operate(command(port, "--for", "2s", "--json"), environment);
  await buyThrough(port, "cli-2");
  const { code, lines } = await ended;
  expect([code, lines]).toMatchObject([
    0,
    [{ requests: 1, differences: { price: { count: 1, examples: [{ old: "645.00", here: "640.00" }] } } }],
  ]);
});

const taken = createServer().listen(0, "127.0.0.1");
await once(taken, "listening");
afterAll(() => void taken.close());
const takenPort = (taken.address() as { port: number }).port;

test.each([
  [
    ["--old", "http://127.0.0.1:1", "--listen", "0", "--for", "1s"],
    "http://127.0.0.1:1 is not reached (ECONNREFUSED). Check --old; nothing was started.",
  ],
  [
    ["--old", old.url, "--listen", `${takenPort}`, "--for", "1s"],
    `Port ${takenPort} is in use: stop what listens there, or choose another one.`,
  ],
  [
    ["--old", old.url, "--listen", "0", "--for", "1s", "--report", "/no/such/report"],
    "The report can't be written to /no/such/report (ENOENT): choose another file.",
  ],
  [["--old", "https://old.example/api", "--listen", "0", "--for", "1s"], "It must be an address without a path"],
  [["--old", old.url, "--listen", "70000", "--for", "1s"], "It must be a port such as 8080"],
  [["--old", old.url, "--listen", "0", "--for", "31d"], "It must be 30d at most."],
])("%j is refused before anything listens, with what to do", async (words, complaint) => {
  const refused = await operate(["move-in", "shadow", ...words], environment);
  expect([refused.code, refused.out]).toEqual([1, ""]);
  expect(refused.error).toContain(complaint);
});
