import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { verifyWebhook } from "../../sdk/node/src/index.ts";
import { signWebhook, testSecret } from "../../sdk/node/src/testing.ts";
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

async function run(words: readonly string[], { environment = {}, input = "" } = {}) {
  const program = start(words, environment);
  let [out, err] = ["", ""];
  program.stdout?.on("data", (chunk: Buffer) => (out += chunk));
  program.stderr?.on("data", (chunk: Buffer) => (err += chunk));
  program.stdin?.end(input);
  const code = await new Promise((resolve) => program.on("close", resolve));
  return { code, out, err };
}

test("login keeps address and key where only its owner reads them, once the key is known to be good", async () => {
  const wrong = await run(["login"], { input: `${app.url}\nds_test_wrongwrongwrongwrongwrongwrong00\n` });
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("UNAUTHORIZED")]);
  const answer = await run(["login"], { input: `${app.url}\n${app.merchant.testKey}\n` });
  expect([answer.code, answer.out]).toEqual([0, expect.stringContaining("The wallet holds NGN 100000.00")]);
  expect(statSync(path.join(home, "dispense/login.json")).mode & 0o777).toBe(0o600);
});

test("buy waits for the end of a sale and says it by its exit code; a wrong field is named", async () => {
  const airtime = ["buy", "airtime", "network=MTN", "amount=100"];
  const sold = await run([...airtime, "phone=08031230003"]);
  expect([sold.code, JSON.parse(sold.out).status]).toEqual([0, "successful"]);
  expect((await run([...airtime, "phone=08031230002"])).code).toBe(1);
  const short = await run([...airtime, "phone=0803"]);
  expect([short.code, short.err]).toEqual([1, expect.stringMatching(/INVALID_PHONE|VALIDATION_ERROR/)]);
  expect(short.err).toContain("phone: ");
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
