import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { verifyWebhook } from "../../sdk/node/src/index.ts";
import { signWebhook, testSecret } from "../../sdk/node/src/testing.ts";
import { startAnswering } from "../support/answering-server.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { startReceiver } from "../support/receiver.ts";
import { makeScratchDirectory } from "../support/scratch-directory.ts";
import { placeSdks } from "../support/sdk-languages.ts";

const app = closing(await startApp({ workers: true, sandboxPendingSeconds: 1 }));
const home = closing(await makeScratchDirectory()).folder;
await placeSdks(home);
const running: ChildProcess[] = [];
afterAll(() => {
  for (const program of running) program.kill();
});

function start(words: readonly string[], environment: Record<string, string> = {}): ChildProcess {
  const program = spawn(process.execPath, [path.join(home, "node_modules/dispense/dist/bin.js"), ...words], {
    env: { PATH: process.env.PATH, XDG_CONFIG_HOME: home, ...environment },
  });
  running.push(program);
  return program;
}

/** Starts it, and reads on what it says. */
function watch(words: readonly string[], environment: Record<string, string> = {}) {
  const program = start(words, environment);
  const said = { program, text: "" };
  for (const stream of [program.stdout, program.stderr]) stream?.on("data", (chunk: Buffer) => (said.text += chunk));
  return said;
}

async function run(words: readonly string[], { environment = {}, input = "" } = {}) {
  const program = start(words, environment);
  let [out, err] = ["", ""];
  program.stdout?.on("data", (chunk: Buffer) => (out += chunk));
  program.stderr?.on("data", (chunk: Buffer) => (err += chunk));
  program.stdin?.end(input);
  const code = await new Promise((resolve) => program.on("close", resolve));
  return { code, out, err };
}

test("login says the mode, and keeps address and key where only its owner reads them, once the key is good", async () => {
  const wrong = await run(["login"], { input: `${app.url}\nds_test_wrongwrongwrongwrongwrongwrong00\n` });
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("UNAUTHORIZED")]);
  const answer = await run(["login"], { input: `${app.url}\n${app.merchant.testKey}\n` });
  expect([answer.code, answer.out]).toEqual([0, expect.stringContaining("The wallet holds NGN 100000.00")]);
  expect(answer.out).toContain("Logged in. Sandbox: nothing costs money.");
  expect(statSync(path.join(home, "dispense/login.json")).mode & 0o777).toBe(0o600);
});

test("login replaces another login only when it is told to, and a kept key goes to no other address", async () => {
  const kept = () => JSON.parse(readFileSync(path.join(home, "dispense/login.json"), "utf8"));
  const before = kept();
  const { testKey: other } = await app.createMerchant();
  const input = `${app.url}\n${other}\n`;
  const refused = await run(["login"], { input });
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining(`Replace the sandbox key …${before.key.slice(-4)}`),
  ]);
  expect(kept()).toEqual(before);
  expect((await run(["login"], { input: `${input}y\n` })).code).toBe(0);
  expect(kept().key).toBe(other);
  expect((await run(["login", "--yes"], { input: `${before.url}\n${before.key}\n` })).code).toBe(0);
  expect(kept()).toEqual(before);
  const elsewhere = await run(["buy", "airtime"], { environment: { DISPENSE_URL: "http://127.0.0.1:1" } });
  expect([elsewhere.code, elsewhere.err]).toEqual([2, expect.stringContaining("another address than login kept")]);
});

test("buy prints the reference before it sends anything, and with a live key asks first", async () => {
  const bodies: string[] = [];
  const server = await startAnswering((request, response) => {
    request.on("data", (chunk: Buffer) => bodies.push(String(chunk)));
    request.on("end", () => response.destroy());
  });
  const environment = { DISPENSE_URL: `http://127.0.0.1:${server.port}`, DISPENSE_KEY: "ds_live_abc" };
  const airtime = ["buy", "airtime", "network=MTN", "amount=100", "phone=08031234567"];
  const refused = await run(airtime, { environment, input: "\n" });
  expect([refused.code, refused.err, bodies]).toEqual([1, expect.stringContaining("Nothing was bought"), []]);
  const broken = await run([...airtime, "--yes"], { environment });
  const [, reference] = /^Reference: (ref-\S+)\nNO_ANSWER: /.exec(broken.err) ?? [];
  expect([broken.code, broken.err]).toEqual([1, expect.stringContaining(`reference=${reference} asks`)]);
  expect(new Set(bodies.map((body) => JSON.parse(body).reference))).toEqual(new Set([reference]));
  await server.close();
});

test("tail begins at the newest event, outlives a service that is away, and leaves most of a key's minute", async () => {
  const requested: string[] = [];
  const event = {
    id: "evt_2",
    event: "transaction.failed",
    created_at: "2026-11-29",
    payload: { data: { reference: "late-1" } },
  };
  const page = (...events: object[]) => JSON.stringify({ events, has_more: false });
  const server = await startAnswering((request, response) => {
    requested.push(new URL(request.url ?? "", "http://x").searchParams.get("after") ?? "");
    const json = (status: number, text: string) =>
      response.writeHead(status, { "content-type": "application/json", "retry-after": "1" }).end(text);
    if (requested.length === 1) return json(200, page({ ...event, id: "evt_1" }));
    if (requested.length === 2) return response.destroy();
    if (requested.length === 3) return json(503, '{"status": "error", "code": "MAINTENANCE", "message": "Stopping."}');
    return json(200, page(...(requested.length === 4 ? [event] : [])));
  });
  const said = watch(["tail"], { DISPENSE_URL: `http://127.0.0.1:${server.port}`, DISPENSE_KEY: "ds_test_1" });
  const began = Date.now();
  await expect.poll(() => requested.length).toBe(6);
  said.program.kill();
  await server.close();
  expect(said.text.match(/late-1/g)).toHaveLength(1);
  expect(said.text).toContain("Trying again.");
  expect(requested).toEqual(["newest", "evt_1", "evt_1", "evt_1", "evt_2", "evt_2"]);
  expect((requested.length / (Date.now() - began)) * 60_000).toBeLessThan(40);
});

test("listen has one secret, in every run", async () => {
  const secrets: (string | undefined)[] = [];
  for (const _ of [1, 2]) {
    const said = watch(["listen", "--forward", "http://127.0.0.1:1/"]);
    await expect.poll(() => said.text).toContain("Waiting for events");
    said.program.kill();
    secrets.push(/whsec_\S+/.exec(said.text)?.[0]);
  }
  expect(secrets[0]).toMatch(/^whsec_/);
  expect(secrets[1]).toBe(secrets[0]);
  expect(statSync(path.join(home, "dispense/listen-secret")).mode & 0o777).toBe(0o600);
});

test("buy waits for the end of a sale and says it by its exit code; a wrong field is named", async () => {
  const airtime = ["buy", "airtime", "network=MTN", "amount=100"];
  const sold = await run([...airtime, "phone=08031230003"]);
  expect([sold.code, JSON.parse(sold.out).status]).toEqual([0, "successful"]);
  expect((await run([...airtime, "phone=08031230002"])).code).toBe(1);
  const short = await run([...airtime, "phone=0803"]);
  expect([short.code, short.err]).toEqual([1, expect.stringMatching(/INVALID_PHONE|VALIDATION_ERROR/)]);
  expect(short.err).toContain("phone: ");
  expect((await run(["verify", "--secret", "s", "--headers", "/none", "--body", "/none"])).err).toContain("ENOENT");
  expect((await run(["buy", "bread"])).code).toBe(2);
  expect((await run(["buy", "airtime", "network"])).err).toContain("“network” is no field=value.");
});

test("listen hands each event to a receiver on this machine, signed with the session's secret", async () => {
  const receiver = await startReceiver((response) => response.writeHead(204).end());
  const secret = testSecret();
  const program = start(["listen", "--forward", receiver.url, "--secret", secret]);
  let err = "";
  program.stderr?.on("data", (chunk: Buffer) => (err += chunk));
  await expect.poll(() => err).toContain("Waiting for events");
  await run(["buy", "airtime", "network=MTN", "amount=100", "phone=08031234567", "reference=heard-1"]);
  await expect.poll(() => receiver.received.length).toBe(1);
  const [{ body = "", headers = {} } = {}] = receiver.received;
  expect(verifyWebhook(body, headers as never, secret)).toMatchObject({
    event: "transaction.successful",
    data: { reference: "heard-1" },
  });
  program.kill();
  await receiver.close();
});

test("verify says that a signature is right, or why it is not", async () => {
  const secret = testSecret();
  const { body, headers } = signWebhook({ event: "webhook.test", data: {} } as never, { secret });
  const file = (name: string, text: string) => {
    writeFileSync(path.join(home, name), text);
    return path.join(home, name);
  };
  const head = file(
    "headers",
    Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join("\r\n"),
  );
  const check = (text: string, by = secret) =>
    run(["verify", "--secret", by, "--headers", head, "--body", file("body", text)]);
  expect(await check(body)).toMatchObject({ code: 0, out: expect.stringContaining("Right: webhook.test") });
  expect(await check(`${body}\n`)).toMatchObject({ code: 1, out: expect.stringContaining("Not right (signature)") });
  expect(await check(body, "whsec_no")).toMatchObject({ code: 1, out: expect.stringContaining("Not right (secret)") });
  expect(readFileSync(head, "utf8")).toContain("webhook-id");
});
