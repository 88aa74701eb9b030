import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { offsetMax } from "../../src/kernel/page.ts";
import { openDriver, sameFrame } from "../base/load.ts";
import { purchaseFrames } from "../base/merchants.ts";
import { inScratchFolder, type Undo } from "../base/scratch-folder.ts";
import type { Service } from "../base/service.ts";
import { openService } from "../base/shop.ts";
import { type List, listsOf } from "./console-lists.ts";
import { type LoadedShop, loadShop, peoplePassword } from "./console-load.ts";
import { readSamples, type Samples } from "./console-samples.ts";
import { breakIn, sizeOf } from "./database.ts";
import { script } from "./growth.ts";
import { describeMachine } from "./machine.ts";
import { measure, measurePurchases, type Part, type Rig } from "./measure.ts";
import { openSheet, progress, type ReportOptions, report, type Sample } from "./report.ts";

export interface ConsoleOptions extends ReportOptions {
  readonly rows: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly keep?: string;
}

interface ConsoleRig extends Rig {
  readonly shop: LoadedShop;
  /** What a browser of each member sends with each request. */
  readonly cookies: readonly string[];
  readonly samples: Samples;
}

/** What a purchase and a request take, with their indexes and entries. */
const bytesPerRow = 1_700;
const rowsPerSecond = 10_000;
/** What console.md asks of every list at ten million rows. */
const listMsMax = 200;
/** Every list is asked for one request at a time for so long; the first of them is the first since PostgreSQL started. */
const listSeconds = 1;

/** Measures the merchants' pages at ten million rows: every list with every filter, and the most frequent pages. */
export async function benchConsole(options: ConsoleOptions): Promise<void> {
  const { rows, rounds, seconds } = options;
  const sheet = openSheet();
  const reported = await inScratchFolder(async (folder, undo) => {
    const { shop, ...opened } = await openLoadedShop(folder, rows, undo);
    const { database, service } = opened;
    const machine = await describeMachine(folder, database);
    const driver = openDriver();
    undo.push(driver.close);
    const cookies: string[] = [];
    for (const email of shop.people) cookies.push(await logIn(service, email));
    const samples = await readSamples(opened, shop);
    const rig: ConsoleRig = { ...opened, driver, sheet, seconds, shop, cookies, samples };
    const lists = await withLastPages(rig, listsOf(samples, shop.basket.phone));
    const rested = new Map<List, Sample>();
    for (const list of lists) rested.set(list, (await measure(...listPart(rig, list))).sample);
    for (const list of lists) await checkRows(rig, list);
    await breakIn(database);
    for (let round = 1; round <= rounds; round++) await measurePages(rig);
    // Once more while purchases just made are not counted yet.
    const prefix = `${Date.now()}-`;
    await measurePurchases(rig, { frames: purchaseFrames([shop.hot], shop.basket, prefix), prefix, connections: 64 });
    for (const list of lists) {
      const { sample } = await measure(...listPart(rig, list));
      const { p50Ms = null, p99Ms = null, maxMs = null, errors = null } = rested.get(list) ?? {};
      if ((errors ?? 0) + (sample.errors ?? 0) > 0) sheet.complaints.push(`${list.path} was not answered with 200`);
      const after = { afterP50Ms: sample.p50Ms ?? null, afterMaxMs: sample.maxMs ?? null };
      await sheet.step(`${list.page} ${list.what}`, async () => ({ p50Ms, p99Ms, maxMs, ...after }));
    }
    const longest = lists.map(({ page, what }) => {
      const waits = [sheet.figure(`${page} ${what}`, "maxMs"), sheet.figure(`${page} ${what}`, "afterMaxMs")];
      return {
        what: `${page} ${what}, longest ms`,
        measured: Math.max(...waits.map((ms) => ms ?? 0)),
        atMost: listMsMax,
      };
    });
    const slow = longest.filter(({ measured }) => measured > listMsMax);
    const bounds = [
      { what: `lists over ${listMsMax} ms of ${lists.length}`, measured: slow.length, atMost: 0 },
      ...slow,
    ];
    const size = `${Math.round((await sizeOf(database)) / 2 ** 20)} MB, loaded in ${shop.loadSeconds} s`;
    const notes = [`${rows} purchases and as many rows of the request log, half of them of one merchant; ${size}.`];
    return { benchmark: "console", machine, notes, bounds };
  }, options.keep);
  report(sheet, reported, options);
}

/**
 * The service with everything loaded, and started after it: PostgreSQL remembers nothing of the loading. What the folder
 * holds already is taken as it is.
 */
async function openLoadedShop(folder: string, rows: number, undo: Undo) {
  const file = path.join(folder, "shop.json");
  const environment = { WEBHOOK_LOG_DAYS: "3650" };
  if (!existsSync(file)) {
    const needs = { seconds: rows / rowsPerSecond + 60, bytes: rows * bytesPerRow };
    await script(folder, { what: `${rows} purchases and as many requests`, ...needs });
    const loading = await openService({ folder, undo, progress, environment });
    writeFileSync(file, JSON.stringify(await loadShop(loading, rows)));
    await loading.service.stop();
  }
  const shop = JSON.parse(readFileSync(file, "utf8")) as LoadedShop;
  if (shop.rows !== rows) throw new Error(`${folder} holds ${shop.rows} purchases: ask for as many, or elsewhere`);
  return { ...(await openService({ folder, undo, progress, environment })), shop };
}

/** Logs in by the real form. @returns the cookies. @throws Error where that is not let in */
async function logIn({ url: origin }: Service, email: string): Promise<string> {
  const fields = { email, password: peoplePassword, once: randomBytes(32).toString("base64url") };
  const answer = await fetch(`${origin}/log-in`, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { origin, "sec-fetch-site": "same-origin" },
    redirect: "manual",
  });
  if (answer.status !== 303) throw new Error(`the log-in answered ${answer.status}: ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
}

async function visit({ service, cookies }: ConsoleRig, where: string) {
  const answer = await fetch(`${service.url}${where}`, { headers: { cookie: cookies[0] ?? "" }, redirect: "manual" });
  return { status: answer.status, text: await answer.text() };
}

function listPart(rig: ConsoleRig, { path: where }: List): [Rig, Part] {
  // In turn: a person opens 600 pages a minute.
  const frames = rig.cookies.map((cookie) => sameFrame(`/test${where.replaceAll(" ", "+")}`, `cookie: ${cookie}`));
  progress(".");
  return [
    { ...rig, seconds: listSeconds },
    { frames, prefix: "", connections: 1, expectedStatus: 200 },
  ];
}

/** The last pages of lists, by what the first ones say of themselves, `1–50 of 1,934`, and nothing is new code any more. */
async function withLastPages(rig: ConsoleRig, lists: readonly List[]): Promise<List[]> {
  const calls: List[] = [];
  for (const list of lists) {
    const { text } = await visit(rig, `/${list.isLast ? "test" : "live"}${list.path}`);
    const [, shown = "1", total = "1"] = /1–([\d,]+) of ([\d,]+)/.exec(text) ?? [];
    const [perPage, all] = [shown, total].map((number) => Number(number.replaceAll(",", ""))) as [number, number];
    const most = list.path.startsWith("/wallet") ? Number.POSITIVE_INFINITY : offsetMax / perPage;
    const page = `${list.path.includes("?") ? "&" : "?"}page=${Math.min(Math.ceil(all / perPage), most)}`;
    calls.push(list.isLast ? { ...list, path: `${list.path}${page}` } : list);
  }
  return calls;
}

/** A list shows rows where there are some, and none where there are none. */
async function checkRows(rig: ConsoleRig, { path: where, shows }: List): Promise<void> {
  const { text } = await visit(rig, `/test${where}`);
  const bodies = [...text.matchAll(/<tbody>(.*?)<\/tbody>/gs)];
  const rows = bodies.reduce((sum, [, body = ""]) => sum + (body.match(/<tr[ >]/g)?.length ?? 0), 0);
  const isWrong = (shows === "rows" && rows === 0) || (shows === "nothing" && rows > 0);
  if (isWrong) rig.sheet.complaints.push(`${where} shows ${rows} rows`);
}

/** The pages that people look at most, ten in flight. */
async function measurePages(rig: ConsoleRig): Promise<void> {
  const { cookies, samples, sheet } = rig;
  const of = (where: string) => cookies.map((cookie) => sameFrame(`/test${where}`, `cookie: ${cookie}`));
  const timelines = samples.purchases.map(({ reference }, n) =>
    sameFrame(`/test/transactions/${reference}`, `cookie: ${cookies[n % cookies.length]}`),
  );
  const pages = { overview: of("/overview"), transactions: of("/transactions"), timeline: timelines };
  for (const [page, frames] of Object.entries(pages)) {
    const part = { frames, prefix: "", connections: 10, expectedStatus: 200 };
    await sheet.step(`${page}, ${part.connections} in flight`, async () => (await measure(rig, part)).sample);
  }
}
