import type { Samples } from "./console-samples.ts";
import { pageFrame, type Visitor } from "./console-visitor.ts";
import type { Driver } from "./driver.ts";
import { type Frame, numbersMax, type Outcome } from "./load.ts";
import { type Basket, type Buyers, purchaseFrames } from "./merchants.ts";
import { type Complaint, type Measuring, measure, measurePurchases, type Part, type Sample } from "./purchase.ts";

export interface ConsoleRig extends Measuring {
  /** Begins the references of this run: a folder that is kept has those of others. */
  readonly run: string;
  /** Sends the people's clicks, beside the other one, which sends purchases. */
  readonly peopleDriver: Driver;
  readonly buyers: Buyers;
  readonly basket: Basket;
  readonly visitors: readonly Visitor[];
  readonly samples: Samples;
}

/** Pages that are measured alone. */
export const pages = ["overview", "transactions", "timeline"] as const;
export type PageName = (typeof pages)[number];

/** Requests in flight while a page is measured alone. */
export const pageConnections = 10;
const purchaseConnections = 64;
/** Of the purchases, one in so many is of the merchant whose pages are looked at. */
const othersPerOwn = 9;
/** A page a second each, and a page that lies open refreshes its table every five seconds. */
const refreshesPerClick = 0.2;

/** One round of each of the three pages alone. */
export async function measurePages(rig: ConsoleRig, complaints: Complaint[]): Promise<Record<PageName, Sample>> {
  const samples = {} as Record<PageName, Sample>;
  for (const page of pages) {
    rig.progress(`  ${page}: `);
    const { sample } = await measure(rig, { ...toService(rig), frames: framesOf(rig, page), prefix: "" }, rig.service);
    if (sample.errors > 0) complaints.push(`${page}: ${sample.errors} pages were not answered with 200`);
    rig.progress(`${Math.round(sample.perSecond)}/s\n`);
    samples[page] = sample;
  }
  return samples;
}

function framesOf({ visitors, samples }: ConsoleRig, page: PageName): Frame[] {
  const of = (path: string) => visitors.map((visitor) => pageFrame(visitor, path));
  switch (page) {
    case "overview":
      return of("/test/overview");
    case "transactions":
      return of("/test/transactions");
    case "timeline":
      return samples.purchases.map(({ reference }, n) =>
        pageFrame(visitors[n % visitors.length] as Visitor, `/test/transactions/${reference}`),
      );
  }
}

/** Purchases at one rate: alone, while people click, and alone again. */
export interface BesideRound {
  readonly before: Sample;
  readonly beside: Sample;
  readonly after: Sample;
  readonly people: Pick<Outcome, "p50Ms" | "p99Ms" | "maxMs" | "answered" | "errors" | "seconds">;
}

/** Purchases a second, as many as 64 connections bring about once everything is compiled. */
export async function measureFull(rig: ConsoleRig, complaints: Complaint[]): Promise<number> {
  await buy(rig, { prefix: `${rig.run}warm-` }, complaints);
  const { perSecond } = await buy(rig, { prefix: `${rig.run}full-` }, complaints);
  rig.progress(`${Math.round(perSecond)} purchases a second at most\n`);
  return perSecond;
}

export async function measureBeside(
  rig: ConsoleRig,
  { round, perSecond }: { readonly round: number; readonly perSecond: number },
  complaints: Complaint[],
): Promise<BesideRound> {
  const before = await buy(rig, { prefix: `${rig.run}r${round}-before-`, perSecond }, complaints);
  const [beside, people] = await Promise.all([
    buy(rig, { prefix: `${rig.run}r${round}-beside-`, perSecond }, complaints),
    click(rig, complaints),
  ]);
  const after = await buy(rig, { prefix: `${rig.run}r${round}-after-`, perSecond }, complaints);
  const p99 = ({ p99Ms }: Sample) => (p99Ms ?? 0).toFixed(1);
  rig.progress(`  purchases' p99 ${p99(before)} ms, beside people ${p99(beside)}, after them ${p99(after)}; `);
  rig.progress(`people's ${people.p99Ms.toFixed(1)}\n`);
  return { before, beside, after, people };
}

async function buy(
  rig: ConsoleRig,
  load: Pick<Part, "prefix" | "perSecond">,
  complaints: Complaint[],
): Promise<Sample> {
  const [own = ""] = rig.buyers.hot;
  const keys = rig.buyers.spread.flatMap((key, n) => (n % othersPerOwn === 0 ? [own, key] : [key]));
  const frames = purchaseFrames(keys, rig.basket, load.prefix);
  const connections = purchaseConnections;
  const part = { ...load, port: rig.service.port, numbers: numbersMax, expectedStatus: 201, connections, frames };
  const { sample } = await measurePurchases(rig, part, complaints);
  if (sample.errors > 0) complaints.push(`${load.prefix}: ${sample.errors} purchases were not answered with 201`);
  return sample;
}

/** Ten people, each on a connection of their own, click a page a second for the rig's seconds. */
async function click(rig: ConsoleRig, complaints: Complaint[]): Promise<BesideRound["people"]> {
  const { visitors, peopleDriver, seconds } = rig;
  const perSecond = visitors.length * (1 + refreshesPerClick);
  const load = { ...toService(rig), connections: visitors.length, frames: clicks(rig), prefix: "", perSecond, seconds };
  const { p50Ms, p99Ms, maxMs, answered, errors, ...outcome } = await peopleDriver.drive(load);
  if (errors > 0) complaints.push(`people: ${JSON.stringify(outcome.unexpected)}`);
  return { p50Ms, p99Ms, maxMs, answered, errors, seconds: outcome.seconds };
}

/** What they look at, in an order of their own each: two of twelve are refreshes of tables that lie open. */
function clicks({ visitors, samples }: ConsoleRig): Frame[] {
  const { purchases } = samples;
  return purchases.flatMap(({ reference, phone }, n) => {
    const paths = [
      "/test/overview",
      "/test/transactions",
      "/test/transactions?status=failed",
      `/test/transactions?category=data&from=${new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10)}`,
      `/test/transactions?open=${reference}`,
      `/test/transactions/${reference}`,
      `/test/transactions?q=${phone}`,
      "/test/wallet",
      "/test/requests",
      `/test/requests?q=${reference}`,
      "/test/transactions",
      "/test/overview",
    ];
    const path = paths[(Math.floor(n / visitors.length) + n) % paths.length] ?? "";
    return pageFrame(visitors[n % visitors.length] as Visitor, path);
  });
}

function toService({ service }: ConsoleRig) {
  return { port: service.port, numbers: numbersMax, expectedStatus: 200, connections: pageConnections };
}
