import type { Instant } from "../../kernel/clock.ts";
import { failureCodes } from "../../kernel/failure-codes.ts";
import { parseStoredReference, type Reference, type WalletKey } from "../../kernel/ids.ts";
import { problems } from "../../kernel/problem-catalogue.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { type LoggedRequest, type LogPlace, ownIdMsBefore, ownIdMsMax, requestIdTime } from "./logged-request.ts";
import { type ErrorCount, listRequestErrors } from "./queries.ts";
import {
  findEndOfWalk,
  findRequestByOwnId,
  listFailedRequests,
  listRequestsOfReference,
  listRequestsOfSentId,
  listWalkedRequests,
  type Walk,
  type WalkFilter,
} from "./read-queries.ts";

/** Requests that one page looks through at most, where no index leads to those that are asked for. */
const walkedMax = 20_000;
/** With one code they lie far apart, each on a page of the disk: 4,000 took 0.18 s that PostgreSQL did not remember. */
const walkedOfCodeMax = 2_000;
/** Of one reference or id; a program may ask for one purchase many times. */
const namedMax = 100;
/** Endpoints times codes that occur are fewer. */
const errorsMax = 500;
/** How far a search for one of our ids looks first: most are answered within this. */
const usualMs = 2_000;

/** `failed`: whatever has a code, also what the client did not wait for. */
export type StatusClass = "2xx" | "4xx" | "5xx" | "failed";

export interface RequestFilter extends Pick<WalkFilter, "code" | "endpoint" | "keyId" | "address"> {
  readonly statusClass: StatusClass | null;
  readonly requestId: string | null;
  /** From this instant on, and before that one. */
  readonly from: Instant | null;
  readonly to: Instant | null;
  /** Whatever was pasted: a reference or request id, else a text anywhere in the row. */
  readonly q: string | null;
}

export const noRequestFilter: RequestFilter = {
  code: null,
  statusClass: null,
  endpoint: null,
  keyId: null,
  address: null,
  requestId: null,
  from: null,
  to: null,
  q: null,
};

export interface RequestPage {
  /** Newest first. */
  readonly requests: readonly LoggedRequest[];
  /** Where the next page begins; null behind the last. There may be one though this page is short: see `list`. */
  readonly before: LogPlace | null;
}

const numberMax = 2_147_483_647;
const latest: LogPlace = { at: Date.UTC(9999, 0, 1), number: numberMax };

/**
 * A page of the log. An id or a reference leads to its requests, whatever else is filtered. Where the filter fits few of many
 * requests, the page ends after 20,000 of them, or 2,000 with one code, so that it is always answered soon: it may then be
 * short, or empty, and `before` says how far it has looked.
 */
export async function listRequests(
  database: Queryable,
  wallet: WalletKey,
  filter: RequestFilter,
  page: { readonly before: LogPlace | null; readonly perPage: number },
): Promise<RequestPage> {
  const named = await listNamed(database, wallet, filter);
  if (named !== null) {
    return {
      requests: named.filter((request) => page.before === null || isBefore(request, page.before)),
      before: null,
    };
  }
  const { from, to, statusClass, q, code, endpoint, keyId, address } = filter;
  const before = earlier(page.before ?? latest, to === null ? latest : { at: to, number: -1 });
  const limits = { walkedMax: code === null ? walkedMax : walkedOfCodeMax, limit: page.perPage };
  const walk = { before, from: from ?? 0, ...limits };
  const isFailed = statusClass !== null && statusClass !== "2xx";
  const walked = { code, endpoint, keyId, address, text: q, isFailed, ...statusesOf(statusClass) };
  if (isFailed && [code, endpoint, keyId, address, q].every((each) => each === null)) {
    const requests = await listFailedRequests(database, wallet, codesOf(statusClass), walk);
    return { requests, before: requests.length < page.perPage ? null : (requests.at(-1) ?? null) };
  }
  return walkOn(database, wallet, walked, walk);
}

async function walkOn(database: Queryable, wallet: WalletKey, filter: WalkFilter, walk: Walk): Promise<RequestPage> {
  const requests = await listWalkedRequests(database, wallet, filter, walk);
  if (requests.length === walk.limit) return { requests, before: requests.at(-1) ?? null };
  return { requests, before: await findEndOfWalk(database, wallet, filter.code, walk) };
}

/** Requests that one name leads to; null where the filter has none, or `q` is the name of nothing. */
async function listNamed(
  database: Queryable,
  wallet: WalletKey,
  { requestId, q }: RequestFilter,
): Promise<readonly LoggedRequest[] | null> {
  if (requestId !== null) return listByRequestId(database, wallet, requestId);
  if (q === null || q.length > 100) return null;
  const ofId = await listByRequestId(database, wallet, q);
  if (ofId.length > 0) return ofId;
  const reference = parseStoredReference(q);
  if (reference === null) return null;
  const ofReference = await listRequestsOfReference(database, wallet, reference, namedMax);
  return ofReference.length === 0 ? null : ofReference.reverse();
}

/** The requests with an id, newest first: one with an id of ours, any number where clients choose them. At most 100. */
export async function listByRequestId(
  database: Queryable,
  wallet: WalletKey,
  requestId: string,
): Promise<LoggedRequest[]> {
  const sent = await listRequestsOfSentId(database, wallet, requestId, namedMax);
  const madeAt = requestIdTime(requestId);
  if (sent.length > 0 || madeAt === null) return sent;
  const middle = madeAt + usualMs;
  const found =
    (await findRequestByOwnId(database, wallet, requestId, { from: madeAt - ownIdMsBefore, to: middle })) ??
    (await findRequestByOwnId(database, wallet, requestId, { from: middle, to: madeAt + ownIdMsMax }));
  return found === null ? [] : [found];
}

/** The requests about a purchase or bulk order, oldest first: the one that made it and those that asked for it. At most 100. */
export function listByReference(
  database: Queryable,
  wallet: WalletKey,
  reference: Reference,
): Promise<LoggedRequest[]> {
  return listRequestsOfReference(database, wallet, reference, namedMax);
}

/** Errors by code and endpoint in some days (`YYYY-MM-DD`, both included), the most frequent first. */
export function listErrors(
  database: Queryable,
  wallet: WalletKey,
  days: { readonly from: string; readonly to: string },
): Promise<ErrorCount[]> {
  return listRequestErrors(database, wallet, days, errorsMax);
}

function statusesOf(statusClass: StatusClass | null): Pick<WalkFilter, "statusMin" | "statusBelow"> {
  switch (statusClass) {
    case "2xx":
      return { statusMin: 200, statusBelow: 300 };
    case "4xx":
      return { statusMin: 400, statusBelow: 500 };
    case "5xx":
      return { statusMin: 500, statusBelow: 600 };
    case "failed":
    case null:
      return { statusMin: null, statusBelow: null };
  }
}

/** The codes whose answers have such a status, whichever endpoints say them; null: any. */
function codesOf(statusClass: StatusClass): readonly string[] | null {
  if (statusClass === "failed") return null;
  const refusals = Object.entries(problems).filter(([, { status }]) => `${Math.floor(status / 100)}xx` === statusClass);
  const failures = statusClass === "4xx" ? Object.keys(failureCodes) : [];
  return [...refusals.map(([code]) => code), ...failures];
}

function isBefore(place: LogPlace, other: LogPlace): boolean {
  return place.at < other.at || (place.at === other.at && place.number < other.number);
}

function earlier(place: LogPlace, other: LogPlace): LogPlace {
  return isBefore(place, other) ? place : other;
}
