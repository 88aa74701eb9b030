import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { statement } from "../../src/platform/database/database.ts";
import { call } from "../base/client.ts";
import { openDriver, sameFrame } from "../base/load.ts";
import { chooseBasket, purchaseFrames } from "../base/merchants.ts";
import { inScratchFolder, type Undo } from "../base/scratch-folder.ts";
import { openService } from "../base/shop.ts";
import { type LoadedCompany, loadCompany } from "./company-load.ts";
import type { ConsoleOptions } from "./console.ts";
import { breakIn, sizeOf } from "./database.ts";
import { script } from "./growth.ts";
import { describeMachine } from "./machine.ts";
import { measure, measurePurchases, type Rig } from "./measure.ts";
import { openSheet, progress, report } from "./report.ts";

interface CompanyRig extends Rig {
  readonly company: LoadedCompany;
  /** A header of each person who asks in turn. */
  readonly cookies: readonly string[];
}

/** What a live sale takes with entries, attempt and indexes. */
const bytesPerRow = 2_000;
const rowsPerSecond = 10_000;
/** What console.md asks of every list at ten million sales, and the issue of a year's reports. */
const listMsMax = 200;
const reportMsMax = 500;
/** Every page is asked for one request at a time for so long. */
const pageSeconds = 1;

/** One page as its address asks for it. */
interface Page {
  readonly what: string;
  readonly path: string;
  readonly atMostMs: number;
}

/** Measures the company's pages at ten million live sales: what the menu leads to, the box, filters, reports, sales beside. */
export async function benchCompanyConsole(options: ConsoleOptions): Promise<void> {
  const { rows, rounds, seconds } = options;
  const sheet = openSheet();
  const folderKept = options.keep === undefined ? undefined : path.join(options.keep, "company");
  const reported = await inScratchFolder(async (folder, undo) => {
    const { company, ...opened } = await openLoadedCompany(folder, rows, undo);
    const { database } = opened;
    const machine = await describeMachine(folder, database);
    const driver = openDriver();
    undo.push(driver.close);
    const cookies = company.sessions.map((session) => `cookie: staff=${session}`);
    const rig: CompanyRig = { ...opened, driver, sheet, seconds, company, cookies };
    const pages = await pagesOf(rig);
    for (const page of pages) await measurePage(rig, page);
    await breakIn(database);
    for (let round = 1; round <= rounds; round++) await measureBeside(rig, pages, `${Date.now()}-`);
    const longest = pages.map(({ what, atMostMs }) => {
      return {
        what: `${what}, longest ms`,
        measured: sheet.figure(what, "maxMs") ?? Number.POSITIVE_INFINITY,
        atMost: atMostMs,
      };
    });
    const slow = longest.filter(({ measured, atMost }) => measured > atMost);
    const bounds = [
      { what: `pages over their bound of ${pages.length}`, measured: slow.length, atMost: 0 },
      ...slow,
      {
        what: "sales beside ten people ÷ alone, p99",
        measured: sheet.ratio("p99Ms", besideName, aloneName),
        atMost: 1.25,
      },
    ];
    const size = `${Math.round((await sizeOf(database)) / 2 ** 20)} MB, loaded in ${company.loadSeconds} s`;
    const notes = [`${rows} live sales of a year, half of them of one merchant, and 20,000 products; ${size}.`];
    return { benchmark: "company-console", machine, notes, bounds };
  }, folderKept);
  report(sheet, reported, options);
}

/** The service with everything loaded, and started after it. What the folder holds already is taken as it is. */
async function openLoadedCompany(folder: string, rows: number, undo: Undo) {
  const file = path.join(folder, "company.json");
  if (!existsSync(file)) {
    const needs = { seconds: rows / rowsPerSecond + 60, bytes: rows * bytesPerRow };
    await script(folder, { what: `${rows} live sales`, ...needs });
    // Nothing of a worker's: it would close the days itself, and read all the books for it.
    const loading = await openService({ folder, undo, progress, environment: { ROLE: "api" } });
    writeFileSync(file, JSON.stringify(await loadCompany(loading, rows)));
    await loading.service.stop();
  }
  const company = JSON.parse(readFileSync(file, "utf8")) as LoadedCompany;
  if (company.rows !== rows) throw new Error(`${folder} holds ${company.rows} sales: ask for as many, or elsewhere`);
  return { ...(await openService({ folder, undo, progress })), company };
}

const findSale = statement(
  "find_sampled_live_sale",
  `select p.reference, p.phone, p.provider_reference as "theirs"
     from purchases p
    where p.wallet_id > 0 and p.id >= (select max(id) - (86400000::bigint << 22) from purchases where wallet_id > 0)
      and p.status = 'successful'
    order by p.id
    limit 1`,
);

/** What the menu leads to, so that a new page is measured from its first day, and each list's filters and kinds of search. */
async function pagesOf(rig: CompanyRig): Promise<Page[]> {
  const { database, service, company } = rig;
  const [sale] = await database.query<{ reference: string; phone: string; theirs: string }>(findSale);
  if (sale === undefined) throw new Error("too little was loaded");
  const merchant = `mer_${company.merchantId}`;
  const { body } = await call(service, company.liveKey, `/transactions/${sale.reference}`);
  const transactionId: string = body.transaction_id ?? "";
  const { text } = await visit(rig, "/operator/today");
  const menu = [...new Set([...text.matchAll(/href="\/operator\/([a-z-]+)"/g)].map(([, page = ""]) => page))];
  const search = (query: string) => `search?q=${encodeURIComponent(query)}`;
  const more: Readonly<Record<string, string>> = {
    "box: a reference": search(sale.reference),
    "box: a transaction id": search(transactionId),
    "box: a phone": search(sale.phone),
    "box: a supplier’s id": search(sale.theirs),
    "box: nothing": search("there-is-no-such"),
    "box: six digits": search("482913"),
    "box: a merchant’s id": search(merchant),
    "box: a part of a name": search("bench 77"),
    "box: an email": search("shop-7@bench.example"),
    "sales, status=failed": "sales?status=failed",
    "sales, status=pending": "sales?status=pending",
    "sales, a supplier": "sales?supplier=third",
    "sales, a merchant": `sales?merchant=${merchant}`,
    "sales, a small merchant": "sales?merchant=mer_7&days=30",
    "sales, a number": `sales?customer=${sale.phone}`,
    "a sale": `sales/${transactionId}`,
    "a merchant": `merchants/${merchant}`,
    "a merchant’s statement": `merchants/${merchant}/statement`,
    "merchants, a part of a name": "merchants?q=bench+77",
    "audit log, a person": "audit?who=admin-7@bench.example",
    "audit log, a person of nothing": "audit?who=nobody@bench.example",
    "audit log, words": "audit?q=credit",
    "audit log, words of nothing": "audit?q=there-is-no-such",
    ...(menu.includes("prices") ? { "prices, words": "prices?q=mtn+1gb", "prices, page 50": "prices?page=50" } : {}),
  };
  const reports = ["day", "hour", "category", "product", "merchant", "supplier"].flatMap((by) =>
    [30, 365].map((days) => ({
      what: `reports by ${by}, ${days} days`,
      path: `reports?by=${by}&days=${days}`,
      atMostMs: reportMsMax,
    })),
  );
  return [
    ...menu
      .filter((page) => page !== "reports")
      .map((page) => ({ what: `menu: ${page}`, path: page, atMostMs: listMsMax })),
    ...Object.entries(more).map(([what, each]) => ({ what, path: each, atMostMs: listMsMax })),
    ...reports,
  ].map((page) => ({ ...page, path: `/operator/${page.path}` }));
}

async function visit({ service, cookies }: CompanyRig, where: string) {
  const cookie = (cookies[0] ?? "").slice("cookie: ".length);
  const answer = await fetch(`${service.url}${where}`, { headers: { cookie }, redirect: "manual" });
  return { status: answer.status, text: await answer.text() };
}

/** The box opens what is the only hit: its answer is where to. */
async function measurePage(rig: CompanyRig, { what, path: where }: Page): Promise<void> {
  const { status } = await visit(rig, where);
  const frames = rig.cookies.map((cookie) => sameFrame(where, cookie));
  const part = { frames, prefix: "", connections: 1, expectedStatus: status === 303 ? 303 : 200 };
  const sample = await rig.sheet.step(what, async () => (await measure({ ...rig, seconds: pageSeconds }, part)).sample);
  if ((sample?.errors ?? 0) > 0 || status >= 400) rig.sheet.complaints.push(`${where} answered ${status}`);
}

const aloneName = "sales, a quarter of two cores, alone";
const besideName = "the same beside ten people who click";
const salesPerSecond = 500;
const people = 10;

/** Sales at an even rate, first alone, then while ten people open a page a second each. */
async function measureBeside(rig: CompanyRig, pages: readonly Page[], prefix: string): Promise<void> {
  const basket = await chooseBasket(rig.service, rig.company.buyers[0] ?? "");
  const sell = (name: string, own: string) =>
    rig.sheet.step(name, async () => {
      const frames = purchaseFrames(rig.company.buyers, basket, own);
      return (await measurePurchases(rig, { frames, prefix: own, connections: 64, perSecond: salesPerSecond })).sample;
    });
  await sell(aloneName, `${prefix}alone-`);
  const clicks = openDriver();
  const frames = pages.map(({ path: where }, at) => sameFrame(where, rig.cookies[at % rig.cookies.length] ?? ""));
  const load = { port: rig.service.port, numbers: 1_000_000, prefix: "", expectedStatus: 200, connections: people };
  const [, clicked] = await Promise.all([
    sell(besideName, `${prefix}beside-`),
    clicks.drive({ ...load, frames, perSecond: people, seconds: rig.seconds }),
  ]);
  await clicks.close();
  await rig.sheet.step("pages of the ten", async () => {
    const { p50Ms, p99Ms, maxMs, answered, seconds } = clicked;
    return { perSecond: answered / seconds, p50Ms, p99Ms, maxMs };
  });
}
