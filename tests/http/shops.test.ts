import { type ChildProcess, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import path from "node:path";
import { describe, type ExpectStatic, expect, test } from "vitest";
import { freePort } from "../../rigs/base/own-postgres.ts";
import { projectRoot } from "../architecture/source-text.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { isAtHand, mono, type ProgramLanguage, programLanguages } from "../support/program-languages.ts";
import { makeScratchDirectory, type ScratchDirectory } from "../support/scratch-directory.ts";
import { placeSdks, sdkLanguages } from "../support/sdk-languages.ts";
import { type Mishap, startUnreliableNetwork, type UnreliableNetwork } from "../support/unreliable-network.ts";
import { testWebhooks } from "../support/webhooks.ts";

const shops = path.join(projectRoot, "docs/shops");
/** After so long a shop no longer waits for an answer, and gives an order up that nobody has heard of. */
const patience = { SHOP_TIMEOUT: "3", SHOP_GIVE_UP: "12" };
/** A shop without an SDK sends a purchase three times and asks after a refusal; an SDK sends it four times. */
const rawTries = { unanswered: 3, maintenance: 1 };
const sdkTries = { unanswered: 4, maintenance: 3 };
const isSdk = ({ name }: ProgramLanguage) => sdkLanguages.some((language) => language.name === name);
const languages = [...sdkLanguages, ...programLanguages.filter((language) => !isSdk(language)), mono];

const app = closing(
  await startApp({
    workers: true,
    sandboxPendingSeconds: 1,
    webhooks: { ...testWebhooks, allowPrivate: true },
  }),
);

interface Order {
  readonly state: "waiting" | "delivered" | "refunded";
  readonly note: string;
}

/** A shop's program that runs, with a network between it and the service that does as it is told. */
interface RunningShop {
  readonly url: string;
  readonly key: string;
  readonly secret: string;
  readonly network: UnreliableNetwork;
  readonly tries: typeof rawTries;
  /** As the shop wrote it down; nobody is asked. */
  stored(reference: string): Order | null;
  refunds(): readonly string[];
  order(reference: string, phone?: string, productId?: number): Promise<Order>;
  look(reference: string): Promise<Order>;
  /** Calls the webhook as we would, unless told otherwise. @returns the status */
  report(event: { readonly reference: string; readonly status: string }, change?: Forgery): Promise<number>;
  stop(): Promise<void>;
}

interface Forgery {
  readonly secret?: string;
  readonly ageSeconds?: number;
  readonly signature?: (right: string) => string;
  readonly body?: (signed: string) => string;
  readonly mode?: "live" | "test";
}

function programOf({ ending }: ProgramLanguage): string {
  return /^\.(java|cs)$/.test(ending) ? `Shop${ending}` : `shop${ending}`;
}

async function startShop(language: ProgramLanguage): Promise<RunningShop> {
  const scratch = await makeScratchDirectory();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const network = await startUnreliableNetwork(() => app.url);
  const { testKey: key } = await app.createMerchant();
  const hook = { url: `${url}/webhooks/dispense` };
  const { body } = await app.call(key, "/webhook", { method: "PUT", body: hook });
  const environment = {
    ...patience,
    DISPENSE_URL: network.url,
    DISPENSE_KEY: key,
    DISPENSE_WEBHOOK_SECRET: body.secret,
    SHOP_PORT: String(port),
    SHOP_FOLDER: path.join(scratch.folder, "orders"),
    PHP_CLI_SERVER_WORKERS: "4",
  };
  const program = await startProgram(language, scratch, environment, port);
  const tries = isSdk(language) ? sdkTries : rawTries;
  const shop = openShop({ url, key, secret: body.secret, network, tries, folder: environment.SHOP_FOLDER });
  return {
    ...shop,
    async stop() {
      // PHP's workers are children of its own: the whole group ends.
      process.kill(-(program.pid as number), "SIGKILL");
      await once(program, "exit");
      await network.close();
      await scratch.remove();
    },
  };
}

async function startProgram(
  language: ProgramLanguage,
  { folder }: ScratchDirectory,
  environment: Record<string, string>,
  port: number,
): Promise<ChildProcess> {
  const main = programOf(language);
  await mkdir(path.join(folder, "orders"));
  await copyFile(path.join(shops, main), path.join(folder, main));
  if (language === mono) {
    const shim = "system-text-json.cs";
    await copyFile(path.join(projectRoot, "tests/fixtures/shops", shim), path.join(folder, shim));
  }
  const found = isSdk(language) ? await placeSdks(folder) : {};
  const [program, ...words] = await language.build(folder, main);
  const served = program === "php" ? ["-q", "-S", `127.0.0.1:${port}`, ...words] : words;
  const child = spawn(program, served, {
    cwd: folder,
    env: { ...process.env, ...found, ...environment },
    stdio: ["ignore", "ignore", program === "php" ? "ignore" : "inherit"],
    detached: true,
  });
  process.once("exit", () => child.exitCode ?? child.signalCode ?? process.kill(-(child.pid as number), "SIGKILL"));
  return child;
}

function openShop(
  place: Pick<RunningShop, "url" | "key" | "secret" | "network" | "tries"> & { readonly folder: string },
) {
  const { url, secret, folder } = place;
  const read = (name: string): string | null => {
    try {
      return readFileSync(path.join(folder, name), "utf8");
    } catch {
      return null;
    }
  };
  return {
    ...place,
    stored: (reference: string): Order | null => JSON.parse(read(`${reference}.json`) ?? "null"),
    refunds: () => (read("refunds.txt") ?? "").split("\n").filter((line) => line !== ""),
    async order(reference: string, phone = "08031234567", productId = 1001): Promise<Order> {
      const body = JSON.stringify({ reference, product_id: productId, phone });
      const response = await fetch(`${url}/orders`, { method: "POST", body });
      expect(response.status).toBe(200);
      return (await response.json()) as Order;
    },
    async look(reference: string): Promise<Order> {
      return (await (await fetch(`${url}/orders/${reference}`)).json()) as Order;
    },
    async report(
      data: { readonly reference: string; readonly status: string },
      forgery: Forgery = {},
    ): Promise<number> {
      const { ageSeconds = 0, signature = (right) => right, body = (signed) => signed, mode = "test" } = forgery;
      const id = "0190a1b2-0000-7000-8000-000000000000";
      const timestamp = String(Math.floor(Date.now() / 1_000) - ageSeconds);
      const whole = { ...data, transaction_id: "SBX1", error_code: data.status === "failed" ? "OUT_OF_STOCK" : null };
      const signed = JSON.stringify({ event: `transaction.${data.status}`, mode, data: whole }, null, 1);
      const key = Buffer.from((forgery.secret ?? secret).slice("whsec_".length), "base64");
      const right = `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${signed}`).digest("base64")}`;
      const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature(right) };
      const sent = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: body(signed) };
      return (await fetch(`${url}/webhooks/dispense`, sent)).status;
    },
  };
}

/** What each shop has to do, whatever it is written in. */
async function playShop(shop: RunningShop, expect: ExpectStatic): Promise<void> {
  const { network, tries } = shop;
  const unanswered = (mishap: Mishap) => Array.from({ length: tries.unanswered }, () => mishap);
  await expect
    .poll(() =>
      fetch(`${shop.url}/orders/none`).then(
        ({ status }) => status,
        () => "it does not listen yet",
      ),
    )
    .toBe(404);
  const bought = (reference: string) => app.call(shop.key, `/transactions/${reference}`);
  const requests = (reference: string) =>
    network.seen.filter(({ method, body }) => method === "POST" && body.includes(reference)).length;

  // No client knows of it yet; it may still be under way.
  network.harm("vanished", unanswered("lost"));
  expect(await shop.order("vanished")).toMatchObject({ state: "waiting" });
  expect(await shop.look("vanished")).toMatchObject({ state: "waiting" });

  // What ends at once, and what is refused.
  expect(await shop.order("good")).toMatchObject({
    state: "delivered",
    note: (await bought("good")).body.transaction_id,
  });
  expect(await shop.order("good")).toMatchObject({ state: "delivered" });
  expect(requests("good")).toBe(1);
  expect(await shop.order("bad", "08031230002")).toMatchObject({ state: "refunded", note: "SANDBOX_FORCED_FAILURE" });
  expect(await shop.order("nothing", undefined, 999_999)).toMatchObject({
    state: "refunded",
    note: "PRODUCT_NOT_FOUND",
  });
  expect((await fetch(`${shop.url}/orders`, { method: "POST", body: '{"reference":"../etc/x"}' })).status).toBe(400);

  // What is pending ends by its webhook: nobody asks.
  expect(await shop.order("slow-good", "08031230003")).toMatchObject({ state: "waiting" });
  expect(await shop.order("slow-bad", "08031230004")).toMatchObject({ state: "waiting" });
  await expect.poll(() => shop.stored("slow-good")?.state).toBe("delivered");
  await expect.poll(() => shop.stored("slow-bad")?.state).toBe("refunded");
  expect(await shop.report({ reference: "slow-bad", status: "failed" })).toBe(204);
  expect(await shop.report({ reference: "slow-bad", status: "successful" })).toBe(204);
  expect(shop.stored("slow-bad")?.state).toBe("refunded");

  // An answer that is lost is asked for again, under the same reference.
  network.harm("unheard", ["no answer", "broken"]);
  expect(await shop.order("unheard")).toMatchObject({ state: "delivered" });
  expect(requests("unheard")).toBe(3);

  // Where no answer comes at all, the order waits until somebody asks.
  network.harm("silence", unanswered("broken"));
  expect(await shop.order("silence")).toMatchObject({ state: "waiting" });
  expect(await shop.look("silence")).toMatchObject({ state: "delivered" });

  // A refusal after an answer that was lost says nothing about the first request.
  network.harm("unclear", ["broken", ...Array.from({ length: tries.maintenance }, () => "maintenance" as const)]);
  expect(await shop.order("unclear")).toMatchObject({ state: "waiting" });
  expect(await shop.look("unclear")).toMatchObject({ state: "delivered" });

  network.harm("forged", unanswered("lost"));
  expect(await shop.order("forged")).toMatchObject({ state: "waiting" });
  await playForgeries(shop, expect);

  // What never arrived is given back, now that this is certain.
  await expect.poll(async () => (await shop.look("vanished")).state, { interval: 500 }).toBe("refunded");

  // Each payer has the goods or the money, and the service sold what was delivered, once.
  expect([...shop.refunds()].sort()).toEqual(["bad", "nothing", "slow-bad", "vanished"]);
  const { transactions } = (await app.call(shop.key, "/transactions?status=successful")).body;
  expect(transactions.map(({ reference }: { reference: string }) => reference).sort()).toEqual(
    ["good", "silence", "slow-good", "unclear", "unheard"].sort(),
  );
}

async function playForgeries(shop: RunningShop, expect: ExpectStatic): Promise<void> {
  const event = { reference: "forged", status: "successful" };
  const forgeries: readonly Forgery[] = [
    { secret: `whsec_${Buffer.alloc(32, 1).toString("base64")}` },
    { ageSeconds: 310 },
    { ageSeconds: -310 },
    { body: (signed) => JSON.stringify(JSON.parse(signed)) },
    { signature: () => "" },
    { signature: (right) => right.slice(0, -2) },
  ];
  for (const forgery of forgeries) expect(await shop.report(event, forgery), JSON.stringify(forgery)).toBe(401);
  expect(shop.stored("forged")?.state).toBe("waiting");
  const bare = await fetch(`${shop.url}/webhooks/dispense`, { method: "POST", body: "{}" });
  expect(bare.status).toBe(401);
  // Both modes share the webhook, and have references of their own.
  expect(await shop.report(event, { mode: "live" })).toBe(204);
  expect(shop.stored("forged")?.state).toBe("waiting");
  // While a secret is being changed, two signatures come.
  expect(await shop.report(event, { signature: (right) => `v1,${"A".repeat(43)}= ${right}` })).toBe(204);
  expect(shop.stored("forged")?.state).toBe("delivered");
  expect(await shop.report({ reference: "of somebody else", status: "successful" })).toBe(204);
}

describe.concurrent("the shop in one file sells, waits, refunds and believes no forged webhook", () => {
  for (const language of languages) {
    const there = isAtHand(language);
    test.runIf(there)(
      `in ${language.name}${there ? "" : " (not installed here)"}`,
      { timeout: 180_000 },
      async (own) => {
        const shop = await startShop(language);
        try {
          await playShop(shop, own.expect);
        } finally {
          await shop.stop();
        }
      },
    );
  }
});

test("each shop without an SDK verifies by the very function of the guide", () => {
  const guide = readFileSync(path.join(projectRoot, "docs/guides/verify-signatures.md"), "utf8");
  for (const language of programLanguages.filter((each) => !isSdk(each))) {
    const [, sample = ""] = new RegExp(`\`\`\`${language.fence}\n([\\s\\S]*?)\`\`\``).exec(guide) ?? [];
    // From its comment on: what stands before is imports.
    const [body = ""] = /^(\/\/ verify|final class|static class)[\s\S]*/m.exec(sample) ?? [];
    expect(body.length, language.name).toBeGreaterThan(400);
    expect(readFileSync(path.join(shops, programOf(language)), "utf8"), language.name).toContain(body.trim());
  }
});
