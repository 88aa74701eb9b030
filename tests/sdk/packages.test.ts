import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { freePort } from "../../rigs/base/own-postgres.ts";
import { projectRoot } from "../architecture/source-text.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { makeScratchDirectory } from "../support/scratch-directory.ts";
import { isInstalled, linkPackage, python } from "../support/sdk-languages.ts";
import { testWebhooks } from "../support/webhooks.ts";

const app = closing(await startApp({ workers: true, webhooks: { ...testWebhooks, allowPrivate: true } }));
const execute = promisify(execFile);
const running: ChildProcess[] = [];
afterAll(() => {
  for (const program of running) program.kill("SIGKILL");
});

interface Package {
  readonly name: string;
  /** Below `sdk`. */
  readonly folder: string;
  /** Whether what packs, installs and receives is at hand. */
  readonly isThere: () => boolean;
  /** How its README marks code. */
  readonly fence: string;
  /** Packs the copy, and installs what came out into the empty folder without a network. */
  readonly install: (copy: string, empty: string) => Promise<void>;
  readonly sell: readonly [string, string];
  readonly receive: (port: number) => readonly [string, ...string[]];
  readonly environment?: Readonly<Record<string, string>>;
}

const succeeds = (command: string, ...words: readonly string[]) => spawnSync(command, words).status === 0;

/** The one file in the folder that ends so. */
async function packed(folder: string, ending: string): Promise<string> {
  const name = (await readdir(folder)).find((each) => each.endsWith(ending));
  return path.join(folder, name ?? `nothing ends in ${ending}`);
}

const packages: readonly Package[] = [
  {
    name: "npm",
    folder: "node",
    isThere: () => isInstalled("express"),
    fence: "js",
    async install(copy, empty) {
      await symlink(path.join(projectRoot, "node_modules"), path.join(copy, "node_modules"));
      await execute("npm", ["pack", "--silent"], { cwd: copy });
      const words = ["install", "--offline", "--no-audit", "--no-fund", await packed(copy, ".tgz")];
      await execute("npm", words, { cwd: empty });
      await linkPackage("express", empty);
      const commonJs =
        "new (require('dispense').Dispense)({ key: 'ds_test_1', url: 'http://127.0.0.1' }).buyAirtime.name";
      expect((await execute(process.execPath, ["-p", commonJs], { cwd: empty })).stdout).toBe("buyAirtime\n");
    },
    sell: [process.execPath, "sell.mjs"],
    receive: () => [process.execPath, "receive.mjs"],
  },
  {
    name: "Composer",
    folder: "php",
    isThere: () => succeeds("composer", "--version") && succeeds("php", "-r", "require 'GuzzleHttp/autoload.php';"),
    fence: "php",
    async install(copy, empty) {
      const quiet = ["--no-interaction", "--quiet"];
      const unpacked = path.join(copy, "unpacked");
      await mkdir(unpacked);
      await execute("composer", ["archive", "--format=tar", "--dir=..", "--file=packed", ...quiet], { cwd: copy });
      await execute("tar", ["-xf", "../packed.tar", "-C", unpacked], { cwd: copy });
      const manifest = {
        repositories: [{ type: "path", url: unpacked, options: { symlink: false } }, { "packagist.org": false }],
        require: { "dispense/dispense": "^1.0" },
        // Debian's Guzzle brings what Composer would fetch.
        provide: Object.fromEntries(
          ["http-client", "http-factory", "http-message", "log"].map((name) => [`psr/${name}`, "1.1"]),
        ),
        autoload: { files: ["guzzle.php"] },
      };
      await writeFile(path.join(empty, "composer.json"), JSON.stringify(manifest));
      await writeFile(path.join(empty, "guzzle.php"), "<?php require 'GuzzleHttp/autoload.php';");
      await execute("composer", ["install", ...quiet], { cwd: empty });
    },
    sell: ["php", "sell.php"],
    receive: (port) => ["php", "-q", "-S", `127.0.0.1:${port}`, "receive.php"],
    environment: { COMPOSER_ALLOW_SUPERUSER: "1" },
  },
  {
    name: "pip",
    folder: "python",
    isThere: () => succeeds(python, "-c", "import setuptools, wheel, pip, httpx, fastapi, uvicorn"),
    fence: "python",
    async install(copy, empty) {
      const pip = ["-m", "pip", "--quiet", "--no-cache-dir"];
      const own = ["--no-deps", "--no-index"];
      await execute(python, [...pip, "wheel", ...own, "--no-build-isolation", "--wheel-dir", copy, copy]);
      const target = ["--target", path.join(empty, "installed")];
      await execute(python, [...pip, "install", ...own, ...target, await packed(copy, ".whl")]);
    },
    sell: [python, "sell.py"],
    receive: (port) => [python, "-m", "uvicorn", "receive:app", "--port", String(port)],
    environment: { PYTHONPATH: "installed" },
  },
];

/** The code that follows the README's words “In a file `…`”. */
function filesOf(readme: string, fence: string): readonly (readonly [name: string, code: string])[] {
  const found = readme.matchAll(new RegExp(`In a file \`([^\`]+)\`[^]*?\`\`\`${fence}\n([^]*?)\`\`\``, "g"));
  return [...found].map(([, name = "", code = ""]) => [name, code]);
}

async function play(one: Package, folder: string): Promise<void> {
  const [copy, empty] = [path.join(folder, "copy"), path.join(folder, "empty")];
  const source = path.join(projectRoot, "sdk", one.folder);
  await cp(source, copy, { recursive: true, filter: (from) => !/\/(dist|node_modules)$/.test(from) });
  await mkdir(empty);
  await one.install(copy, empty);

  const port = await freePort();
  const { testKey: key } = await app.createMerchant();
  const url = `http://127.0.0.1:${port}/webhooks/dispense`;
  const hook = { url, notify: "all" };
  const { secret } = (await app.call(key, "/webhook", { method: "PUT", body: hook })).body;
  const environment = { DISPENSE_URL: app.url, DISPENSE_KEY: key, DISPENSE_WEBHOOK_SECRET: secret };
  const options = { cwd: empty, env: { ...process.env, ...one.environment, ...environment } };
  for (const [name, code] of filesOf(await readFile(path.join(source, "README.md"), "utf8"), one.fence)) {
    await writeFile(path.join(empty, name), code.replace("3000", String(port)));
  }
  const [command, ...words] = one.receive(port);
  const receiver = spawn(command, words, { ...options, stdio: "ignore" });
  running.push(receiver);
  const forged = () => fetch(url, { method: "POST", body: "{}" }).then(({ status }) => status, String);
  await expect.poll(() => receiver.exitCode ?? forged()).toBe(401);

  const [program, file] = one.sell;
  const { stdout } = await execute(program, [file], options);
  const [, reference] = /^successful (ref-\S+) [\d.]+\n?$/.exec(stdout) ?? [];
  expect(reference, stdout).toBeDefined();
  const deliveries = async () => (await app.call(key, `/webhook/deliveries?reference=${reference}`)).body.deliveries;
  await expect.poll(deliveries).toMatchObject([{ successful: true, http_status: 204 }]);
  receiver.kill();
  await once(receiver, "exit");
}

test.each(packages)(
  "$name: packed and installed into an empty folder, the README's own files sell and verify a webhook",
  async (one) => {
    if (!one.isThere()) return console.warn(`SKIPPED: what ${one.name} or its receiver needs is not installed here`);
    const scratch = await makeScratchDirectory();
    await play(one, scratch.folder).finally(() => scratch.remove());
  },
  240_000,
);
