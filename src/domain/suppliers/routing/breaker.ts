import type { VendRequest } from "../../../categories/supplier-request.ts";
import { type Breaker, breakerPauseMs, newBreaker, recordOutcome } from "../../../kernel/breaker.ts";
import type { Clock, Instant } from "../../../kernel/clock.ts";
import { arrayOf, type Queryable } from "../../../platform/database/database.ts";
import type { Metric, Metrics } from "../../../platform/telemetry/metrics.ts";
import type { VendOutcome } from "../../../providers/contract.ts";
import type { Router } from "../../../providers/router.ts";
import {
  insertOpenBreakers,
  type KnownBreaker,
  listBreakersOfSupplier,
  listOpenBreakers,
  type OpenBreaker,
} from "./count-queries.ts";
import type { RouteCounts } from "./route-counts.ts";

/**
 * Keeps new purchases away from a supplier that is having trouble with a category. It counts the outcomes of vends, in
 * each process's memory: a process learns within some ten purchases what another one knows. Requeries are never kept
 * back, and their answers do not count.
 */
export interface Breakers {
  /** Whether a new purchase may be routed there now. Where it is sent decides `begin`. */
  admits(supplier: string, category: string): boolean;
  /**
   * Before a purchase is sent; null: it must not be. While the breaker is half open one alone passes, the probe, until it
   * ends. @returns what is called once with its outcome, or with null where there is none
   */
  begin(supplier: string, category: string): ((outcome: VendOutcome | null) => void) | null;
  /** The `circuitName` of every breaker that keeps purchases away at this moment, in order. */
  open(): readonly string[];
  /** The same, each with its beginning and its reason, in no order. */
  reasons(): readonly OpenReason[];
}

/** Why purchases are kept away. */
export interface OpenReason {
  readonly supplier: string;
  readonly category: string;
  readonly since: Instant;
  /** What the supplier answered last, redacted, of what kept it away; null where it said nothing. */
  readonly lastTrouble: string | null;
}

/** Half of the minute by which suppliers count. */
const notNowMs = 30_000;
const silenceLoggedMs = 60_000;

/** What is logged of a supplier and a category. */
export type BreakerNews = { readonly supplier: string; readonly category: string } & (
  | { readonly event: "supplier.breaker_opened"; readonly pauseMs: number }
  | { readonly event: "supplier.breaker_closed" }
  /** A purchase was not answered, or in no way that says what became of it. At most once a minute. */
  | { readonly event: "supplier.silent"; readonly troubledInARow: number }
);

/** What is known of one supplier and category. */
interface Circuit {
  readonly supplier: string;
  readonly category: string;
  readonly outcomes: Breaker;
  /** How many of the last outcomes were troubled, without another between them. */
  inARow: number;
  /** Null while closed. */
  opened: { readonly since: Instant; readonly until: Instant; readonly pauseMs: number; isProbed: boolean } | null;
  lastTrouble: string | null;
  /** The supplier takes no purchase until then, by its own answer. */
  pausedUntil: Instant;
  silenceLoggedAt: Instant;
}

/**
 * What an outcome says about the supplier; null where it says nothing. Unknown counts as trouble here, and only here:
 * the purchase itself stays pending, whether or not it can be asked about. A decline without a reason may be the
 * customer's number, and one merchant's bad numbers must not close a supplier to everybody.
 */
function isTroubled(outcome: VendOutcome): boolean | null {
  switch (outcome.kind) {
    case "vended":
      return false;
    case "declined":
      if (outcome.ownFault === true || outcome.notNow === true) return null;
      if (outcome.errorCode === "OPERATOR_UNAVAILABLE") return true;
      return outcome.errorCode === "PROVIDER_DECLINED" || outcome.errorCode === "OUT_OF_STOCK" ? null : false;
    case "unknown":
      return outcome.byHand === true ? null : true;
  }
}

/** Opens after ten troubled outcomes in a row, or 14 of 20 within five minutes; for 30 s, doubling to five minutes. */
export function openBreakers({
  clock,
  publish = () => {},
}: {
  readonly clock: Clock;
  readonly publish?: (news: BreakerNews) => void;
}): Breakers {
  const circuits = new Map<string, Circuit>();

  function circuitOf(supplier: string, category: string): Circuit {
    const key = circuitName(supplier, category);
    const known = circuits.get(key);
    if (known !== undefined) return known;
    const circuit: Circuit = {
      ...{ supplier, category, outcomes: newBreaker(), inARow: 0 },
      ...{ opened: null, lastTrouble: null, pausedUntil: 0, silenceLoggedAt: 0 },
    };
    circuits.set(key, circuit);
    return circuit;
  }

  function take(circuit: Circuit, outcome: VendOutcome, of: Pick<BreakerNews, "supplier" | "category">): void {
    const [now, before, troubled] = [clock.now(), circuit.opened, isTroubled(outcome)];
    if (troubled === true) circuit.lastTrouble = wordsOf(outcome);
    if (troubled !== null) learn(circuit, troubled, now);
    if (outcome.kind === "unknown" && troubled === true && now - circuit.silenceLoggedAt >= silenceLoggedMs) {
      circuit.silenceLoggedAt = now;
      publish({ event: "supplier.silent", ...of, troubledInARow: circuit.inARow });
    }
    if (circuit.opened === before) return;
    if (circuit.opened === null) publish({ event: "supplier.breaker_closed", ...of });
    else publish({ event: "supplier.breaker_opened", ...of, pauseMs: circuit.opened.pauseMs });
  }

  return {
    admits(supplier, category) {
      const circuit = circuits.get(circuitName(supplier, category));
      return circuit === undefined || admitsNow(circuit, clock.now());
    },
    begin(supplier, category) {
      const circuit = circuitOf(supplier, category);
      if (!admitsNow(circuit, clock.now())) return null;
      const { opened } = circuit;
      if (opened !== null) opened.isProbed = true;
      return (outcome) => {
        // Without a verdict the next one is the probe.
        if (opened !== null) opened.isProbed = false;
        if (outcome === null) return;
        // It is well and says so: at its limit it gets no more for a while, and that is no trouble to be tried out.
        if (outcome.kind === "declined" && outcome.notNow === true) {
          circuit.pausedUntil = clock.now() + notNowMs;
          circuit.lastTrouble = wordsOf(outcome);
        }
        // A straggler that was sent before the breaker opened says nothing that is not known.
        if (circuit.opened === opened) take(circuit, outcome, { supplier, category });
      };
    },
    open() {
      const now = clock.now();
      return [...circuits].flatMap(([key, circuit]) => (admitsNow(circuit, now) ? [] : [key])).sort();
    },
    reasons() {
      const now = clock.now();
      return [...circuits.values()]
        .filter((circuit) => !admitsNow(circuit, now))
        .map(({ supplier, category, opened, pausedUntil, lastTrouble }) => {
          return { supplier, category, since: opened?.since ?? pausedUntil - notNowMs, lastTrouble };
        });
    },
  };
}

/** As `open` tells it. */
export function circuitName(supplier: string, category: string): string {
  return `${supplier} ${category}`;
}

/** So much of a supplier's answer is kept. */
const troubleLengthMax = 600;

function wordsOf(outcome: VendOutcome): string | null {
  return outcome.evidence?.slice(0, troubleLengthMax) ?? null;
}

/** Stores, for operators only, the breakers that this process has open now. */
export async function storeOpenBreakers(database: Queryable, breakers: Pick<Breakers, "reasons">): Promise<void> {
  const open = breakers.reasons();
  if (open.length === 0) return;
  await database.query(insertOpenBreakers, [
    arrayOf(open.map(({ supplier }) => supplier)),
    arrayOf(open.map(({ category }) => category)),
    arrayOf(open.map(({ since }) => new Date(since).toISOString())),
    arrayOf(open.map(({ lastTrouble }) => lastTrouble)),
    saidWithinSeconds,
  ]);
}

/** A process says it every second. An older word of a breaker says nothing any more. */
export const saidWithinSeconds = 10;

/** The breakers that some process had open a moment ago. */
export function listStoredBreakers(database: Queryable): Promise<OpenBreaker[]> {
  return database.query<OpenBreaker>(listOpenBreakers, [saidWithinSeconds]);
}

/** A supplier's breakers that are open, or were. */
export function listBreakersOf(database: Queryable, supplier: string): Promise<KnownBreaker[]> {
  return database.query<KnownBreaker>(listBreakersOfSupplier, [supplier, saidWithinSeconds]);
}

function admitsNow({ opened, pausedUntil }: Circuit, now: Instant): boolean {
  if (now < pausedUntil) return false;
  return opened === null || (now >= opened.until && !opened.isProbed);
}

/** While the breaker is open, of its probe alone. */
function learn(circuit: Circuit, troubled: boolean, now: Instant): void {
  circuit.inARow = troubled ? circuit.inARow + 1 : 0;
  if (circuit.opened !== null) {
    if (troubled) open(circuit, Math.min(circuit.opened.pauseMs * 2, breakerPauseMs.longest), now);
    else close(circuit);
    return;
  }
  if (recordOutcome(circuit.outcomes, troubled, now)) open(circuit, breakerPauseMs.first, now);
}

function open(circuit: Circuit, pauseMs: number, now: Instant): void {
  circuit.opened = { since: circuit.opened?.since ?? now, until: now + pauseMs, pauseMs, isProbed: false };
}

function close(circuit: Circuit): void {
  circuit.opened = null;
  circuit.inARow = 0;
}

const answerSeconds = "dispense_supplier_answer_seconds";

export const supplierMetrics: readonly Metric[] = [
  {
    name: answerSeconds,
    kind: "histogram",
    help: "Seconds until a supplier answered a vend or a requery, by outcome: vended, declined or unknown.",
    labels: ["supplier", "question", "outcome"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30],
  },
];

/** Measures how long live suppliers take and what they answer, and counts what they are sent. Without the simulator. */
export function measuredRouter(
  router: Router,
  services: {
    readonly metrics: Metrics;
    readonly monotonicMs: () => number;
    readonly counts: Pick<RouteCounts, "sent" | "answered">;
  },
): Router {
  const { metrics, monotonicMs, counts } = services;

  async function ask(question: "vend" | "requery", supplier: string, request: VendRequest): Promise<VendOutcome> {
    const startedMs = monotonicMs();
    const attempt = question === "vend" ? counts.sent(supplier, request) : null;
    const outcome = await router[question](supplier, request);
    const tookMs = monotonicMs() - startedMs;
    metrics.observe(answerSeconds, tookMs / 1_000, { supplier, question, outcome: outcome.kind });
    if (attempt !== null) counts.answered(attempt, { kind: outcome.kind, tookMs });
    return outcome;
  }

  return {
    ...router,
    vend: (supplier, request) => (supplier === null ? router.vend(null, request) : ask("vend", supplier, request)),
    requery: (supplier, request) =>
      supplier === null ? router.requery(null, request) : ask("requery", supplier, request),
  };
}
