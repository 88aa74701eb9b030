import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { call } from "../base/client.ts";
import { brokenInvariants, connectTo } from "../base/database.ts";
import { chooseBasket, liftAllLimits, newMerchants, plenty } from "../base/merchants.ts";
import { freePort } from "../base/own-postgres.ts";
import { type Program, projectRoot, startProgram } from "../base/program.ts";
import { usualEnvironment } from "../base/service.ts";
import { type Stage, until } from "./stage.ts";

/** A running service, and what its log says. */
export interface Shop {
  readonly url: string;
  readonly program: Program;
  /** Warnings and errors since the last call, by event, with how often each came. */
  events(): Readonly<Record<string, number>>;
}

/** Starts the service with its own start. It ends with the stage. `folder`: of another release. */
export async function startShop(
  stage: Stage,
  environment: Readonly<Record<string, string>>,
  { name = "service", folder = projectRoot, args = [] as readonly string[] } = {},
): Promise<Shop> {
  const given = { PORT: String(await freePort()), DATA_DIR: path.join(stage.folder, name), ...usualEnvironment };
  const program = startProgram([...args, "--enable-source-maps", "dist/start.js"], {
    environment: { ...given, ...environment },
    folder,
    log: path.join(stage.folder, `${name}.log`),
  });
  stage.after(() => program.end());
  await program.saying("Docs", 60);
  let read = 0;
  return {
    url: `http://127.0.0.1:${given.PORT}`,
    program,
    events() {
      const lines = program.out().slice(read).split("\n");
      read = program.out().length;
      const found: Record<string, number> = {};
      for (const line of lines) {
        const [, level, event] = /^\{"level":([45]0).*?"event":"([^"]+)"/.exec(line) ?? [];
        if (event === undefined) continue;
        const name = `${level === "50" ? "error" : "warning"} ${event}`;
        found[name] = 1 + (found[name] ?? 0);
      }
      return found;
    },
  };
}

/** What a load of purchases brought to light. */
export interface Sales {
  /** Where purchases are sent, in turn; may be changed while they are. */
  readonly urls: string[];
  /** Purchases that were answered 201 so far. */
  count(): number;
  /** The longest time without a sale since the last call, in seconds. */
  longestPause(): number;
  /** Answers other than a sale since the last call, by status; 0: no answer. */
  refusals(): Readonly<Record<string, number>>;
  /** Stops, and compares with the books. */
  end(): Promise<Verdict>;
}

export interface Verdict {
  readonly acknowledged: number;
  /** Purchases that were acknowledged and aren't in the database. */
  readonly lost: number;
  readonly brokenInvariants: readonly string[];
}

const clients = 8;
const againMs = 100;
const patienceMs = 45_000;

/**
 * Buys without a pause, each purchase under a reference of its own, which is sent again until it is answered 201.
 * @param ownerUrl of the database, where the books are read at the end
 * @param webhook where each end is announced
 */
export async function openSales(url: string, ownerUrl: string, webhook?: string): Promise<Sales> {
  const database = connectTo(ownerUrl);
  const [buyer] = await newMerchants(database, { testCredit: plenty });
  await liftAllLimits(database);
  await database.close();
  const key = buyer?.testKey ?? "";
  const shop = { url };
  await until("the merchant is known", async () => (await call(shop, key, "/wallet/balance")).status === 200);
  if (webhook !== undefined) {
    await call(shop, key, "/webhook", { method: "PUT", body: { url: webhook, notify: "all" } });
  }
  const basket = await chooseBasket(shop, key);
  const urls = [url];
  const acknowledged: string[] = [];
  let refusals: Record<string, number> = {};
  let lastMs = performance.now();
  let pauseMs = 0;
  let isOpen = true;
  const client = async (number: number) => {
    for (let turn = 0; isOpen; turn++) {
      const reference = `rehearsal-${number}-${turn}`;
      for (let attempt = 0; isOpen; attempt++) {
        const target = { url: urls[(turn + attempt) % urls.length] ?? url };
        const { status } = await call(target, key, "/data/purchase", {
          body: { ...basket, reference },
          msMax: patienceMs,
        });
        if (status === 201) {
          acknowledged.push(reference);
          pauseMs = Math.max(pauseMs, performance.now() - lastMs);
          lastMs = performance.now();
          break;
        }
        refusals[status] = 1 + (refusals[status] ?? 0);
        await delay(againMs);
      }
    }
  };
  const running = Array.from({ length: clients }, (_, number) => client(number));
  return {
    urls,
    count: () => acknowledged.length,
    longestPause() {
      const longest = Math.max(pauseMs, performance.now() - lastMs) / 1_000;
      pauseMs = 0;
      return Math.round(longest * 10) / 10;
    },
    refusals() {
      const found = refusals;
      refusals = {};
      return found;
    },
    async end() {
      isOpen = false;
      await Promise.all(running);
      return compare(acknowledged, ownerUrl);
    },
  };
}

async function compare(acknowledged: readonly string[], ownerUrl: string): Promise<Verdict> {
  const database = connectTo(ownerUrl);
  try {
    const rows = await database.query<{ reference: string }>({ name: "list_rehearsed", text: listRehearsed });
    const stored = new Set(rows.map(({ reference }) => reference));
    const lost = acknowledged.filter((reference) => !stored.has(reference)).length;
    return { acknowledged: acknowledged.length, lost, brokenInvariants: await brokenInvariants(database) };
  } finally {
    await database.close();
  }
}

const listRehearsed = "select p.reference from purchases p where p.reference like 'rehearsal-%'";

/**
 * Does it, and tells what was seen meanwhile, in words: the seconds without a sale, the answers other than one, and what
 * the log warned of.
 */
export async function observe(
  { sales, shop }: { readonly sales: Sales; readonly shop: Shop },
  happen: () => Promise<void>,
): Promise<readonly [string, string, string]> {
  sales.longestPause();
  sales.refusals();
  shop.events();
  await happen();
  return [String(sales.longestPause()), list(sales.refusals()), list(shop.events())];
}

/** Counts by what was counted, as words. */
export function list(counts: Readonly<Record<string, number>>): string {
  const words = Object.entries(counts).map(([what, count]) => `${count} × ${what}`);
  return words.length === 0 ? "none" : words.join(", ");
}
