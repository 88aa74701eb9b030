import { setTimeout as delay } from "node:timers/promises";
import { type FinalOutcome, type Purchase, soldProductOf } from "../../../src/domain/purchases/purchase.ts";
import { findLivePurchase } from "../../../src/domain/purchases/queries.ts";
import { supplierReferenceOf } from "../../../src/domain/purchases/settle.ts";
import { vendRequestOf } from "../../../src/domain/purchases/vend-request.ts";
import { resolveTogether } from "../../../src/domain/resolution/review/resolve-together.ts";
import { simulatedFulfilment } from "../../../src/domain/resolution/review/review-fulfilment.ts";
import { wallTime } from "../../../src/kernel/clock.ts";
import type { PurchaseId } from "../../../src/kernel/ids.ts";
import { buildServices, type Services } from "../../../src/main/services/services.ts";
import { openLog } from "../../../src/platform/telemetry/log.ts";
import { systemClock } from "../../base/merchants.ts";
import { rigSecretBox } from "../../base/service.ts";
import { shareOf } from "../chance.ts";
import type { Ground } from "../ground.ts";
import type { Stand } from "./stands.ts";
import { recordOf } from "./truth.ts";

/** A person of ours who decides what waits for one, by the suppliers' own books and by what was done by hand. */
export interface Operator {
  /** What was fulfilled by hand, by our name for the attempt: written down before anybody is told. */
  readonly byHand: ReadonlyMap<string, "vended" | "declined">;
  readonly counts: { vended: number; declined: number };
  /** How many a supplier left open for so long that they would wait for a person after a day. */
  readonly leftOpen: ReadonlyMap<string, number>;
  /** From now on nothing is under way to any supplier: what one does not know it never got. */
  believeBooks(): void;
  stop(): Promise<void>;
}

interface OperatorOptions {
  readonly ground: Ground;
  readonly stands: readonly Stand[];
  readonly seed: number;
  readonly report: (text: string) => void;
}

interface Office extends OperatorOptions {
  readonly services: Services;
  readonly byHand: Map<string, "vended" | "declined">;
  readonly counts: Operator["counts"];
  readonly leftOpen: Map<string, number>;
  /** Since when the books are believed; null: they are not yet. */
  believesSince: number | null;
}

const lookEveryMs = 1_500;
const atOnceMax = 200;
const byHandVendedShare = 0.85;
/** What suppliers, who tell the truth then, have not ended by themselves meanwhile they never would: this stands for a day. */
const dayMs = 30_000;

/** What waits for a person and, once the books are believed, whatever is open. */
const listWaiting = {
  name: "list_torture_waiting",
  text: `
    select purchase_id as id, step
      from inflight
     where step = 'review' or $1
     order by purchase_id
     limit $2`,
};

export async function openOperator(options: OperatorOptions): Promise<Operator> {
  const services = await openServices(options.ground);
  const byHand = new Map<string, "vended" | "declined">();
  const office: Office = {
    ...options,
    services,
    byHand,
    counts: { vended: 0, declined: 0 },
    leftOpen: new Map(),
    believesSince: null,
  };
  const abort = new AbortController();

  async function work(): Promise<void> {
    while (!abort.signal.aborted) {
      // PostgreSQL may be away: then later.
      await decideAll(office).catch((error: unknown) => complain(office, error));
      await delay(lookEveryMs, undefined, { signal: abort.signal }).catch(() => {});
    }
  }

  const working = work();
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    abort.abort();
    await working;
    await services.close();
  };
  return {
    byHand,
    counts: office.counts,
    leftOpen: office.leftOpen,
    believeBooks: () => {
      office.believesSince = performance.now();
    },
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

function openServices({ postgres }: Ground): Promise<Services> {
  return buildServices({
    connectionString: postgres.url,
    connectionsMax: 4,
    clock: systemClock,
    wallTime: wallTime("Africa/Lagos"),
    log: openLog({ level: "silent" }),
    rateLimitPerMinute: 1,
    bulkLimits: { lines: 1, bytes: 1 },
    sandboxPendingSeconds: 20,
    trustedProxies: [],
    openConnector: () => null,
    webhooks: {
      secretBox: rigSecretBox,
      allowPrivate: true,
      keptDays: 30,
      resolveName: () => Promise.reject(new Error("the operator sends no webhooks")),
    },
    workerPollMs: 1_000,
  });
}

async function decideAll(office: Office): Promise<void> {
  const { database } = office.services;
  const waiting = await database.query<{ id: PurchaseId; step: string }>(listWaiting, [
    office.believesSince !== null,
    atOnceMax,
  ]);
  for (const { id, step } of waiting) {
    const purchase = await findLivePurchase(database, id);
    if (purchase?.status !== "pending") continue;
    const outcome = await decide(office, purchase, step === "review");
    if (outcome === null) continue;
    if (step !== "review") count(office.leftOpen, purchase.supplier ?? "");
    const evidence = `the book of ${purchase.supplier} says so`;
    await resolveTogether(office.services, [{ purchase, outcome, line: null }], { by: "torture", evidence });
    office.counts[outcome.status === "successful" ? "vended" : "declined"] += 1;
  }
}

/** Null where it is not known yet, or will end without a person. */
async function decide(office: Office, purchase: Purchase, isInReview: boolean): Promise<FinalOutcome | null> {
  const { stands, services, seed, byHand, believesSince } = office;
  const supplierReference = supplierReferenceOf(services.transactionIds, purchase);
  if (purchase.supplier === "manual") {
    const did = shareOf(seed, purchase.reference) < byHandVendedShare ? "vended" : "declined";
    byHand.set(supplierReference, did);
    return outcomeOf(office, purchase, did);
  }
  const stand = stands.find(({ name }) => name === purchase.supplier);
  if (stand === undefined) return null;
  const record = recordOf(stand, supplierReference, { reference: purchase.reference, number: purchase.customerRef });
  const believesBooks = believesSince !== null;
  const isForPerson = isInReview || (believesBooks && performance.now() - believesSince > dayMs);
  if (record === null) return isForPerson && believesBooks ? outcomeOf(office, purchase, "declined") : null;
  if (record.state === "pending" || !isForPerson) return null;
  return outcomeOf(office, purchase, record.state === "vended" ? "vended" : "declined");
}

async function outcomeOf({ services }: Office, purchase: Purchase, did: "vended" | "declined"): Promise<FinalOutcome> {
  if (did === "declined") return { status: "failed", errorCode: "PROVIDER_DECLINED", providerReference: null };
  const { product, category } = soldProductOf(await services.catalogue.current(), purchase);
  const request = vendRequestOf(services.transactionIds, purchase, product, purchase);
  const fulfilment = category.byHand === null ? null : await simulatedFulfilment(category, request);
  return { status: "successful", providerReference: null, fulfilment };
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function complain({ report, believesSince }: Office, error: unknown): void {
  if (believesSince !== null) report(`the operator could not decide: ${String(error)}`);
}
