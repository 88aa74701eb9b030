import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { freePort } from "../../rigs/base/own-postgres.ts";
import { testSecret } from "../../sdk/node/src/testing.ts";
import { signatureOf } from "../../sdk/node/src/webhooks.ts";
import { projectRoot } from "../architecture/source-text.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { makeScratchDirectory } from "../support/scratch-directory.ts";
import { isInstalled, linkPackage, placeSdks, python } from "../support/sdk-languages.ts";
import { testWebhooks } from "../support/webhooks.ts";

const app = closing(
  await startApp({
    workers: true,
    sandboxPendingSeconds: 1,
    webhooks: { ...testWebhooks, allowPrivate: true },
  }),
);

interface Framework {
  readonly name: string;
  /** Below `sdk`. */
  readonly example: string;
  /** Succeeds where the framework is at hand. */
  readonly isThere: () => boolean;
  /** What else has to lie beside the example. */
  readonly prepare?: (folder: string) => Promise<void>;
  readonly command: (port: number) => readonly [string, ...string[]];
}

const runs = (...[command = "", ...words]: readonly string[]) => spawnSync(command, words).status === 0;

function nodeFramework(name: string, module: string): Framework {
  return {
    name,
    example: `node/examples/${module}.mjs`,
    isThere: () => isInstalled(module),
    prepare: (folder) => linkPackage(module, folder),
    command: () => [process.execPath, `${module}.mjs`],
  };
}

const laravel: Framework = {
  name: "Laravel",
  example: "php/examples/laravel.php",
  isThere: () => runs("php", "-r", "require 'Illuminate/autoload.php'; require 'GuzzleHttp/autoload.php';"),
  async prepare(folder) {
    await copyFile(path.join(projectRoot, "tests/fixtures/laravel/index.php"), path.join(folder, "index.php"));
    const made = ["cache", "bootstrap/cache", "vendor/composer"].map((each) => path.join(folder, each));
    await Promise.all(made.map((each) => mkdir(each, { recursive: true })));
    const manifest = await readFile(path.join(projectRoot, "sdk/php/composer.json"), "utf8");
    await writeFile(path.join(folder, "vendor/composer/installed.json"), `{"packages": [${manifest}]}`);
  },
  command: (port) => ["php", "-q", "-S", `127.0.0.1:${port}`, "index.php"],
};

const frameworks: readonly Framework[] = [
  nodeFramework("Express", "express"),
  nodeFramework("Fastify", "fastify"),
  {
    name: "Django",
    example: "python/examples/django_receiver.py",
    isThere: () => runs(python, "-c", "import httpx, django"),
    command: (port) => [python, "django_receiver.py", "runserver", "--noreload", String(port)],
  },
  {
    name: "FastAPI",
    example: "python/examples/fastapi_receiver.py",
    isThere: () => runs(python, "-c", "import httpx, fastapi, uvicorn"),
    command: (port) => [python, "-m", "uvicorn", "fastapi_receiver:app", "--port", String(port)],
  },
  laravel,
];

interface Sale {
  readonly status: string;
  readonly events: readonly string[];
}

interface Forgery {
  readonly secret?: string;
  readonly ageSeconds?: number;
  readonly body?: (signed: string) => string;
  readonly mode?: "live" | "test";
  readonly id?: string;
}

interface Program {
  readonly folder: string;
  /** From now on the service announces nothing: what is pending ends by the test's own reports. */
  quiet(): Promise<void>;
  sell(reference: string, phone?: string, amount?: string): Promise<Sale>;
  look(reference: string): Promise<Sale>;
  /** Sends a webhook as the service would, unless told otherwise. @returns the status */
  report(data: { readonly reference: string; readonly status: string }, change?: Forgery): Promise<number>;
  stop(): Promise<void>;
}

async function start({ example, prepare, command }: Framework): Promise<Program> {
  const scratch = await makeScratchDirectory();
  const { folder } = scratch;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { testKey: key } = await app.createMerchant();
  const hook = { url: `${url}/webhooks/dispense` };
  const { body } = await app.call(key, "/webhook", { method: "PUT", body: hook });
  const found = await placeSdks(folder);
  await copyFile(path.join(projectRoot, "sdk", example), path.join(folder, path.basename(example)));
  await prepare?.(folder);
  const env = { DISPENSE_URL: app.url, DISPENSE_KEY: key, DISPENSE_WEBHOOK_SECRET: body.secret, PORT: String(port) };
  const [program, ...words] = command(port);
  const child = spawn(program, words, {
    cwd: folder,
    env: { ...process.env, ...found, ...env, PHP_CLI_SERVER_WORKERS: "4" },
    stdio: "ignore",
    detached: true,
  });
  const kill = () => child.exitCode ?? child.signalCode ?? process.kill(-(child.pid as number), "SIGKILL");
  process.once("exit", kill);
  await untilItListens(child, url);
  return {
    folder,
    async quiet() {
      await app.call(key, "/webhook", { method: "PUT", body: { url: null } });
    },
    ...callsOf(url, body.secret),
    async stop() {
      // PHP's workers are children of its own: the whole group ends.
      kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      await scratch.remove();
    },
  };
}

async function untilItListens(child: ChildProcess, url: string): Promise<void> {
  const status = () => fetch(`${url}/sales/none`).then((answer) => answer.status, String);
  await expect.poll(() => child.exitCode ?? status()).toBe(404);
}

function callsOf(url: string, secret: string): Omit<Program, "folder" | "quiet" | "stop"> {
  const json = { "content-type": "application/json" };
  return {
    async sell(reference, phone = "08031234567", amount = "100.00") {
      const body = JSON.stringify({ reference, phone, amount });
      const response = await fetch(`${url}/sales`, { method: "POST", headers: json, body });
      expect(response.status).toBe(200);
      return (await response.json()) as Sale;
    },
    async look(reference) {
      return (await (await fetch(`${url}/sales/${reference}`)).json()) as Sale;
    },
    async report(data, { secret: by = secret, ageSeconds = 0, body = (text: string) => text, mode = "test", id } = {}) {
      const delivery = id ?? crypto.randomUUID();
      const event = {
        event: `transaction.${data.status}`,
        mode,
        delivery_id: delivery,
        data: { ...data, plan: "₦1/d" },
      };
      const signed = JSON.stringify(event, null, 1);
      const timestamp = String(Math.floor(Date.now() / 1_000) - ageSeconds);
      const signature = signatureOf(by, { id: delivery, timestamp, body: signed });
      const headers = { "webhook-id": delivery, "webhook-timestamp": timestamp, "webhook-signature": signature };
      const sent = { method: "POST", headers: { ...headers, ...json }, body: body(signed) };
      return (await fetch(`${url}/webhooks/dispense`, sent)).status;
    },
  };
}

/** The test is done without it where the framework is not at hand, and says so. */
async function withProgram(framework: Framework, play: (program: Program) => Promise<void>): Promise<void> {
  if (!framework.isThere()) return console.warn(`SKIPPED: ${framework.name} is not installed here`);
  const program = await start(framework);
  try {
    await play(program);
  } finally {
    await program.stop();
  }
}

test.each(frameworks)(
  "$name: sells, ends what was pending by its webhook, counts a repeated delivery once and believes no forged one",
  (framework) =>
    withProgram(framework, async ({ sell, look, report, quiet }) => {
      expect(await sell("good")).toMatchObject({ status: "successful" });
      expect(await sell("bad", "08031230002")).toMatchObject({ status: "failed" });
      expect(await sell("refused", undefined, "1.00")).toMatchObject({ status: "failed" });

      expect(await sell("slow-good", "08031230003")).toMatchObject({ status: "pending", events: [] });
      expect(await sell("slow-bad", "08031230004")).toMatchObject({ status: "pending" });
      const ended = { timeout: 60_000 };
      await expect
        .poll(() => look("slow-good"), ended)
        .toMatchObject({ status: "successful", events: ["transaction.successful"] });
      await expect
        .poll(() => look("slow-bad"), ended)
        .toMatchObject({ status: "failed", events: ["transaction.failed"] });

      await quiet();
      expect(await sell("slow", "08031230003")).toMatchObject({ status: "pending" });
      const event = { reference: "slow", status: "successful" };
      const forgeries: readonly Forgery[] = [
        { secret: testSecret() },
        { ageSeconds: 310 },
        { ageSeconds: -310 },
        { body: (signed) => JSON.stringify(JSON.parse(signed)) },
        { body: () => "" },
      ];
      for (const forgery of forgeries) expect([forgery, await report(event, forgery)]).toEqual([forgery, 401]);
      expect(await report(event, { mode: "live" })).toBe(204);
      expect(await look("slow")).toMatchObject({ status: "pending", events: [] });
      const id = crypto.randomUUID();
      for (const _ of [1, 2]) expect(await report(event, { id })).toBe(204);
      expect(await look("slow")).toMatchObject({ status: "successful", events: ["transaction.successful"] });
      expect(await report({ reference: "slow", status: "failed" })).toBe(204);
      expect((await look("slow")).status).toBe("successful");
    }),
);

test("Laravel: a delivery whose listener failed is refused, and handled when it comes again", () =>
  withProgram(laravel, async ({ folder, sell, look, report, quiet }) => {
    await quiet();
    await sell("slow", "08031230003");
    const event = { reference: "slow", status: "successful" };
    const id = crypto.randomUUID();
    await writeFile(path.join(folder, "failing"), "");
    expect(await report(event, { id })).toBe(500);
    await rm(path.join(folder, "failing"));
    expect(await report(event, { id })).toBe(204);
    expect(await look("slow")).toMatchObject({ status: "successful" });
  }));

test("Laravel: a delivery that comes twice at one moment is handled once, and refused meanwhile", () =>
  withProgram(laravel, async ({ folder, sell, look, report, quiet }) => {
    await quiet();
    await sell("slow", "08031230003");
    const event = { reference: "slow", status: "successful" };
    const id = crypto.randomUUID();
    await writeFile(path.join(folder, "slow"), "");
    const first = report(event, { id });
    await delay(500); // so that one of PHP's workers is busy with it
    const statuses = [await report(event, { id }), await first];
    expect(statuses).toEqual([409, 204]);
    expect(await report(event, { id })).toBe(204);
    expect(await look("slow")).toMatchObject({ status: "successful", events: ["transaction.successful"] });
  }));
