import type { Clock, Instant } from "../../kernel/clock.ts";
import { arrayOf, type Queryable } from "../../platform/database/database.ts";
import type { VendOutcome } from "../../providers/contract.ts";
import { insertOpenBreakers, listOpenBreakers, type OpenBreaker } from "./count-queries.ts";

/**
 * Keeps new purchases away from a supplier that is having trouble with a category. It counts the outcomes of vends, in
 * each process's memory: a process learns within some ten purchases what another one knows. Requeries are never kept
 * back, and their answers do not count.
 */
export interface Breakers {
  /** Whether a new purchase may go there now. */
  admits(supplier: string, category: string): boolean;
  /** A purchase is on its way: while the breaker is being tried out, it is the probe. */
  began(supplier: string, category: string): void;
  ended(supplier: string, category: string, outcome: VendOutcome): void;
  /** The `circuitName` of every breaker that keeps purchases away at this moment, in order. */
  open(): readonly string[];
}

const windowMs = 300_000;
const windowSize = 20;
const troubledMin = 14;
const inARowMax = 10;
const firstPauseMs = 30_000;
const longestPauseMs = 300_000;
/** Half of the minute by which suppliers count. */
const notNowMs = 30_000;
/** Longer than a vend's deadline: a probe that was never heard of again does not keep the breaker shut for ever. */
const probeMs = 60_000;

/** A change to log: how long a supplier gets no new purchase of a category; null: it gets them again. */
export interface BreakerNews {
  readonly supplier: string;
  readonly category: string;
  readonly pauseMs: number | null;
}

/** What is known of one supplier and category. */
interface Circuit {
  /** The last outcomes, oldest first. */
  readonly outcomes: { readonly at: Instant; readonly troubled: boolean }[];
  /** How many of the last outcomes were troubled, without another between them. */
  inARow: number;
  /** Null while closed. */
  opened: { until: Instant; pauseMs: number; probedAt: Instant | null } | null;
  /** The supplier takes no purchase until then, by its own answer. */
  pausedUntil: Instant;
}

/**
 * What an outcome says about the supplier; null where it says nothing. Unknown counts as trouble here, and only here:
 * the purchase itself stays pending. A decline without a reason may be the customer's number, and one merchant's bad
 * numbers must not close a supplier to everybody.
 */
function isTroubled(outcome: VendOutcome): boolean | null {
  switch (outcome.kind) {
    case "vended":
      return false;
    case "declined":
      if (outcome.errorCode === "OPERATOR_UNAVAILABLE") return true;
      return outcome.errorCode === "PROVIDER_DECLINED" || outcome.errorCode === "OUT_OF_STOCK" ? null : false;
    case "unknown":
      // Asking nobody is how a person's own queue answers.
      return outcome.askNobody === true ? null : true;
  }
}

/** Nothing was sent: the supplier has not been heard. */
function isOwnFault(outcome: VendOutcome): boolean {
  return outcome.kind === "declined" && outcome.ownFault === true;
}

/** It is well and says so: at its limit it gets no more for a while, and that is no trouble to be tried out. */
function isNotNow(outcome: VendOutcome): boolean {
  return outcome.kind === "declined" && outcome.notNow === true;
}

/** Opens after ten troubled outcomes in a row, or 14 of 20 within five minutes; for 30 s, doubling to five minutes. */
export function openBreakers({
  clock,
  tell = () => {},
}: {
  readonly clock: Clock;
  /** Called when a breaker opens, for longer than before, or closes. */
  readonly tell?: (news: BreakerNews) => void;
}): Breakers {
  const circuits = new Map<string, Circuit>();

  function circuitOf(supplier: string, category: string): Circuit {
    const key = circuitName(supplier, category);
    const known = circuits.get(key);
    if (known !== undefined) return known;
    const circuit: Circuit = { outcomes: [], inARow: 0, opened: null, pausedUntil: 0 };
    circuits.set(key, circuit);
    return circuit;
  }

  return {
    admits(supplier, category) {
      const circuit = circuits.get(circuitName(supplier, category));
      return circuit === undefined || admitsNow(circuit, clock.now());
    },
    began(supplier, category) {
      const { opened } = circuitOf(supplier, category);
      const now = clock.now();
      if (opened !== null && now >= opened.until) opened.probedAt = now;
    },
    ended(supplier, category, outcome) {
      const circuit = circuitOf(supplier, category);
      if (isNotNow(outcome)) circuit.pausedUntil = clock.now() + notNowMs;
      if (isNotNow(outcome) || isOwnFault(outcome)) {
        // The next one is the probe.
        if (circuit.opened !== null) circuit.opened.probedAt = null;
        return;
      }
      const before = circuit.opened;
      learn(circuit, isTroubled(outcome), clock.now());
      if (circuit.opened !== before) tell({ supplier, category, pauseMs: circuit.opened?.pauseMs ?? null });
    },
    open() {
      const now = clock.now();
      return [...circuits].flatMap(([key, circuit]) => (admitsNow(circuit, now) ? [] : [key])).sort();
    },
  };
}

/** As `open` tells it. */
export function circuitName(supplier: string, category: string): string {
  return `${supplier} ${category}`;
}

/** Keeps word, for operators alone, of the breakers that this process has open now. */
export async function tellOpenBreakers(database: Queryable, breakers: Pick<Breakers, "open">): Promise<void> {
  const open = breakers.open();
  if (open.length === 0) return;
  const [suppliers, categories] = [0, 1].map((part) => arrayOf(open.map((name) => name.split(" ")[part] ?? "")));
  await database.query(insertOpenBreakers, [suppliers, categories]);
}

/** A process says it every second. */
const saidWithinSeconds = 10;

/** The breakers that some process had open a moment ago. */
export function listToldBreakers(database: Queryable): Promise<OpenBreaker[]> {
  return database.query<OpenBreaker>(listOpenBreakers, [saidWithinSeconds]);
}

function admitsNow({ opened, pausedUntil }: Circuit, now: Instant): boolean {
  if (now < pausedUntil) return false;
  if (opened === null) return true;
  if (now < opened.until) return false;
  return opened.probedAt === null || now - opened.probedAt > probeMs;
}

function learn(circuit: Circuit, troubled: boolean | null, now: Instant): void {
  const { opened } = circuit;
  if (opened !== null) {
    // A straggler that was sent before the breaker opened says nothing that is not known.
    if (opened.probedAt === null) return;
    if (troubled === true) open(circuit, Math.min(opened.pauseMs * 2, longestPauseMs), now);
    else close(circuit);
    return;
  }
  if (troubled === null) return;
  circuit.inARow = troubled ? circuit.inARow + 1 : 0;
  remember(circuit.outcomes, { at: now, troubled });
  if (circuit.inARow >= inARowMax || isTroubledMostly(circuit.outcomes)) open(circuit, firstPauseMs, now);
}

/** In place: a supplier's every purchase passes here. */
function remember(outcomes: Circuit["outcomes"], latest: Circuit["outcomes"][number]): void {
  outcomes.push(latest);
  while (outcomes.length > windowSize || latest.at - (outcomes[0]?.at ?? latest.at) >= windowMs) outcomes.shift();
}

function isTroubledMostly(outcomes: Circuit["outcomes"]): boolean {
  let count = 0;
  for (const { troubled } of outcomes) if (troubled) count += 1;
  return outcomes.length === windowSize && count >= troubledMin;
}

function open(circuit: Circuit, pauseMs: number, now: Instant): void {
  circuit.opened = { until: now + pauseMs, pauseMs, probedAt: null };
}

function close(circuit: Circuit): void {
  circuit.opened = null;
  circuit.outcomes.length = 0;
  circuit.inARow = 0;
}
