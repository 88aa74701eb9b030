import { maskPath, maskText } from "../../domain/request-log/mask-body.ts";
import type { Instant, WallTime } from "../../kernel/clock.ts";
import type { Comparison } from "./compare.ts";

/** A request that was passed on and compared. */
export interface ComparedRequest {
  readonly at: Instant;
  readonly method: string;
  readonly url: string;
  /** The pattern of its path; null where there is no such path here. */
  readonly route: string | null;
  readonly merchant: string | null;
  readonly keyEnd: string | null;
  /** Its fields, masked, as JSON; null where it had none. */
  readonly sent: string | null;
  /** Null: no answer came. */
  readonly oldStatus: number | null;
  readonly hereStatus: number | null;
  readonly oldMs: number;
  readonly comparison: Comparison;
}

interface Example {
  readonly at: string;
  readonly merchant: string;
  readonly request: string;
  readonly sent: string;
  readonly old: string;
  readonly here: string;
}

interface Counted {
  count: number;
  readonly examples: Example[];
}

interface EndpointCounts {
  requests: number;
  same: number;
  different: number;
  not_compared: number;
}

/** What has been compared so far. */
export interface ShadowReport {
  readonly from: string;
  readonly requests: number;
  readonly endpoints: ReadonlyMap<string, Readonly<EndpointCounts>>;
  /** By kind. */
  readonly differences: ReadonlyMap<string, Readonly<Counted>>;
  /** By reason. */
  readonly not_compared: ReadonlyMap<string, Readonly<Counted>>;
  /** HTTP statuses of purchases, `201 → 200`. */
  readonly statuses: ReadonlyMap<string, number>;
  readonly slowest: readonly { readonly at: string; readonly request: string; readonly ms: number }[];
}

const examplesMax = 20;
const slowestMax = 10;
/** Kinds, reasons, endpoints and pairs of statuses come from short lists; a client's own words may lengthen none of them. */
const namesMax = 200;
const textMax = 200;

/** Counts comparisons, in bounded memory, with keys, phone numbers and other customers' numbers masked. */
export function openReport(startedAt: Instant, zone: WallTime) {
  const from = zone.format(startedAt);
  const endpoints = new Map<string, EndpointCounts>();
  const differences = new Map<string, Counted>();
  const reasons = new Map<string, Counted>();
  const statuses = new Map<string, number>();
  let slowest: ShadowReport["slowest"] = [];
  let requests = 0;

  function add(compared: ComparedRequest): void {
    const { method, route, comparison, oldStatus, hereStatus } = compared;
    requests += 1;
    const nothing = { requests: 0, same: 0, different: 0, not_compared: 0 };
    const counts = entryOf(endpoints, `${method.slice(0, 10)} ${route ?? "other paths"}`, nothing);
    counts.requests += 1;
    counts[comparison.kind] += 1;
    const seen = exampleOf(compared, zone);
    if (comparison.kind === "not_compared") {
      note(reasons, comparison.reason, { ...seen, old: oldStatus === null ? "no answer" : `HTTP ${oldStatus}` });
    }
    if (comparison.kind === "different") noteDifferences(comparison.differences, seen);
    if (method === "POST" && oldStatus !== null && hereStatus !== null && comparison.kind !== "not_compared") {
      const pair = `${oldStatus} → ${hereStatus}`;
      if (statuses.size < namesMax || statuses.has(pair)) statuses.set(pair, (statuses.get(pair) ?? 0) + 1);
    }
    slowest = [...slowest, { at: seen.at, request: seen.request, ms: Math.round(compared.oldMs) }]
      .sort((one, other) => other.ms - one.ms)
      .slice(0, slowestMax);
  }

  /** A list may differ in a hundred plans: each kind is counted once a request, and shown as often as it fits. */
  function noteDifferences(found: Extract<Comparison, { kind: "different" }>["differences"], seen: Example): void {
    const counted = new Set<string>();
    for (const { kind, old, here } of found) {
      note(differences, kind, { ...seen, old: shown(old), here: shown(here) }, counted.has(kind) ? 0 : 1);
      counted.add(kind);
    }
  }

  return {
    add,
    current: (): ShadowReport => ({
      ...{ from, requests, endpoints, differences, not_compared: reasons, statuses, slowest },
    }),
  };
}

/** The same values of the same merchant are shown once: what a client asks for every minute would fill all places. */
function note(counts: Map<string, Counted>, name: string, example: Example, by = 1): void {
  const counted = entryOf(counts, name, { count: 0, examples: [] });
  counted.count += by;
  const { examples } = counted;
  const isShown = examples.some(
    ({ merchant, request, old, here }) =>
      merchant === example.merchant && request === example.request && old === example.old && here === example.here,
  );
  if (!isShown && examples.length < examplesMax) examples.push(example);
}

function entryOf<Value>(map: Map<string, Value>, name: string, fresh: Value): Value {
  const key = map.size < namesMax || map.has(name) ? name : "others";
  const value = map.get(key) ?? fresh;
  map.set(key, value);
  return value;
}

function exampleOf({ at, method, url, merchant, keyEnd, sent }: ComparedRequest, zone: WallTime): Example {
  return {
    at: zone.format(at),
    merchant: merchant ?? (keyEnd === null ? "" : `token ***${keyEnd}`),
    request: shown(`${method.slice(0, 10)} ${maskPath(url, false)}`),
    sent: cut(sent ?? ""),
    old: "",
    here: "",
  };
}

function shown(text: string): string {
  return cut(maskText(text.slice(0, 2 * textMax)));
}

function cut(text: string): string {
  return text.length <= textMax ? text : `${text.slice(0, textMax - 1)}…`;
}
