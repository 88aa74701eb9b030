import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../src/main/configuration/config.ts";
import { runService } from "../../src/main/run-service.ts";
import { closing } from "../support/closing.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";
import { operate } from "../support/operate.ts";
import { makeScratchDirectory } from "../support/scratch-directory.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

const fresh = closing(await freshDatabase());
const scratch = closing(await makeScratchDirectory());

const environment = () => ({
  DATABASE_URL: fresh.url,
  DATA_DIR: scratch.folder,
  ENCRYPTION_KEY: testEncryptionKey,
  NODE_ENV: "production",
  LOG_LEVEL: "silent",
  HOST: "127.0.0.1",
  PORT: "0",
});

/** The operator's command in what a start in production says. */
async function commandOfWelcome(): Promise<string[]> {
  const migrations = new URL("../../migrations", import.meta.url).pathname;
  const service = await runService(readConfig(environment()), { migrations });
  await service.stop();
  const commands = Array.from(service.welcome.matchAll(/npm run operator -- (.*)/g), ([, command = ""]) => command);
  return commands.at(-1)?.split(" ") ?? [];
}

/** A start on a machine where somebody tries the service out, at a port that only the service's environment names. */
async function startToTry({ url }: FreshDatabase, folder: string) {
  const tried = { ...environment(), DATABASE_URL: url, DATA_DIR: folder, NODE_ENV: "development" };
  const migrations = new URL("../../migrations", import.meta.url).pathname;
  return runService(readConfig(tried), { migrations });
}

/** Follows a link that logs in, as a browser does. @returns the page that it leads to */
async function followLink(link: string): Promise<{ readonly url: string; readonly text: string }> {
  const { origin } = new URL(link);
  const page = await (await fetch(link)).text();
  const fields = Array.from(page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g));
  const body = new URLSearchParams(fields.map(([, name = "", value = ""]): [string, string] => [name, value]));
  const sent = await fetch(`${origin}/log-in/link`, { method: "POST", body, headers: { origin }, redirect: "manual" });
  const cookie = sent.headers.getSetCookie().map((text) => text.split(";")[0]);
  const url = sent.headers.get("location") ?? "";
  const shown = await fetch(`${origin}${url}`, { headers: { cookie: cookie.join("; ") } });
  return { url, text: await shown.text() };
}

test("the link of a first start leads to the sale of the curl line, and a later start names the command for another link", async () => {
  const tried = await freshDatabase();
  const own = await makeScratchDirectory();
  onTestFinished(async () => {
    await tried.drop();
    await own.remove();
  });
  const first = await startToTry(tried, own.folder);
  const [, url = "", authorization = "", body = ""] =
    /curl -sS (\S+) -H 'Authorization: ([^']+)' -H '[^']+' -d '([^']+)'/.exec(first.welcome) ?? [];
  const sale = await fetch(url, {
    method: "POST",
    body,
    headers: { authorization, "content-type": "application/json" },
  });
  const { reference } = JSON.parse(body);
  expect(sale.status).toBe(201);
  const [, link = ""] = /Dashboard {2}(\S+)/.exec(first.welcome) ?? [];
  const shown = await followLink(link);
  expect(shown.url).toMatch(/^\/test\//);
  expect(shown.text).toContain(reference);
  await first.stop();

  const second = await startToTry(tried, own.folder);
  onTestFinished(() => second.stop());
  const [, folder = "", words = ""] = /DATA_DIR=(\S+) npm run operator -- (login-link .*)/.exec(second.welcome) ?? [];
  expect(second.welcome).toContain(`read them: DATA_DIR=${folder} npm run operator -- emails`);
  const made = await operate(words.split(" "), { DATABASE_URL: tried.url, DATA_DIR: folder });
  expect(made.out).toContain(`${second.baseUrl}/log-in/link?token=`);
  expect((await followLink(made.out.split("\n")[0] ?? "")).text).toContain(reference);
});

test("each command that the welcome names can be carried out, from the first start in production on", async () => {
  const first = await commandOfWelcome();
  expect(first.slice(0, 2)).toEqual(["create-merchant", "--name"]);
  const words = first.map((word) => ({ NAME: "First shop", ADDRESS: "shop@example.com" })[word] ?? word);
  expect((await operate(words, environment())).code).toBe(0);
  const second = await commandOfWelcome();
  expect(second[0]).toBe("create-key");
  const made = await operate(second, environment());
  expect([made.code, made.out]).toEqual([0, expect.stringContaining("ds_test_")]);
});
