import type { Claim } from "./claim-queries.ts";
import { type EndpointKey, endpointName } from "./endpoint.ts";
import { distrust, heldMaxOf, isSilent, newPace, notePace, type Pace } from "./endpoint-pace.ts";
import {
  enterLane,
  type Lane,
  type Line,
  leaveLane,
  newLane,
  queueUp,
  serve,
  setSlowAside,
  type UnderWay,
} from "./send-lanes.ts";

type LaneName = "live" | "test" | "manual";

interface DeskOptions {
  /** Attempts at one time; sandbox and what was asked for by hand have places of their own. */
  readonly slots: Readonly<Record<LaneName, number>>;
  readonly monotonicMs: () => number;
  /** There is room again for an endpoint that had reached its share. */
  readonly onRoom: () => void;
}

/** Endpoints that nothing is held of are remembered up to this number, for their windows and breakers. */
const endpointsMax = 50_000;

/** While fewer are held of all, the places that nobody else wants are no loss to anybody. */
const restMax = 512;

interface EndpointState extends Pace {
  /** Of what is held, this was asked for by hand: it takes no place of events. */
  heldByHand: number;
  readonly lines: Map<LaneName, Line>;
}

/** Who may send when: what this process holds waits here for its turn. Endpoints go by their `endpointName`. */
export interface Desk extends DeskOptions {
  readonly endpoints: Map<string, EndpointState>;
  /** Those that something is held of. */
  readonly holding: Map<string, EndpointState>;
  /** The last claim brought all that it might of these: there is more. */
  readonly behind: Set<string>;
  readonly lanes: Readonly<Record<LaneName, Lane>>;
  /** The oldest first. */
  readonly underWay: Map<Claim, UnderWay>;
  held: number;
  isClosed: boolean;
}

/** Opens a desk for one process. */
export function openDesk(options: DeskOptions): Desk {
  const { live, test, manual } = options.slots;
  return {
    ...options,
    endpoints: new Map(),
    holding: new Map(),
    behind: new Set(),
    lanes: { live: newLane(live), test: newLane(test), manual: newLane(manual) },
    underWay: new Map(),
    held: 0,
    isClosed: false,
  };
}

/** Resolves with true when the attempt may begin, with false when it must be given back unsent. */
export function takeTurn(desk: Desk, claim: Claim): Promise<boolean> {
  const name = nameOf(claim);
  const endpoint = stateOf(desk, name);
  if (endpoint.held === 0 && isSilent(endpoint, desk.monotonicMs())) distrust(endpoint);
  endpoint.held += 1;
  if (claim.lane === "manual") endpoint.heldByHand += 1;
  desk.held += 1;
  desk.holding.set(name, endpoint);
  if (desk.isClosed) return Promise.resolve(false);
  const line = lineOf(desk, endpoint, laneOf(claim));
  return new Promise((resolve) => {
    line.waiting.push((mayBegin) => {
      if (mayBegin) desk.underWay.set(claim, enterLane(line, desk.monotonicMs()));
      resolve(mayBegin);
    });
    queueUp(line);
    serve(line.lane);
  });
}

/** The attempt is over. @returns whether the endpoint's breaker opens; its waiting deliveries have been turned away */
export function leaveDesk(desk: Desk, claim: Claim, outcome: "successful" | "failed" | "not_made"): boolean {
  const endpoint = stateOf(desk, nameOf(claim));
  const attempt = desk.underWay.get(claim);
  const atMs = desk.monotonicMs();
  const tookMs = atMs - (attempt?.sinceMs ?? atMs);
  if (attempt !== undefined) leaveLane(attempt, atMs);
  desk.underWay.delete(claim);
  const { isProbe } = claim;
  const successful = outcome === "successful";
  const opens = outcome !== "not_made" && notePace(endpoint, { successful, tookMs, atMs, isProbe });
  if (opens) turnAllAway(endpoint);
  for (const line of endpoint.lines.values()) queueUp(line);
  for (const other of Object.values(desk.lanes)) serve(other);
  return opens;
}

/** Nothing more is held of this claim: its attempt is recorded, or it was given back. */
export function forgetClaim(desk: Desk, claim: Claim): void {
  const name = nameOf(claim);
  const endpoint = stateOf(desk, name);
  endpoint.held -= 1;
  if (claim.lane === "manual") endpoint.heldByHand -= 1;
  desk.held -= 1;
  if (endpoint.held === 0) desk.holding.delete(name);
  // Not of each place: who is told of every single one would claim them one by one.
  if (endpoint.held === 0 || endpoint.held === Math.floor(heldMaxOf(endpoint, false) / 2)) desk.onRoom();
}

/** Turns away what waits for this endpoint. */
export function turnAway(desk: Desk, key: EndpointKey): void {
  turnAllAway(stateOf(desk, endpointName(key)));
}

/**
 * Turns away what waits for endpoints that end nothing: it would take the place of what others could send. What is under
 * way for long gives back its slot.
 */
export function makeWay(desk: Desk): void {
  const nowMs = desk.monotonicMs();
  for (const endpoint of desk.holding.values()) {
    if (!isStalled(endpoint, nowMs)) continue;
    distrust(endpoint);
    turnAllAway(endpoint);
  }
  setSlowAside(desk.underWay.values(), nowMs);
  for (const lane of Object.values(desk.lanes)) serve(lane);
}

/** Turns everybody away who waits, now and later. */
export function closeDesk(desk: Desk): void {
  desk.isClosed = true;
  for (const endpoint of desk.holding.values()) turnAllAway(endpoint);
}

/**
 * How many more events the next claim may bring, by endpoint; of one that is not named it brings the usual few.
 * Named are those that something is held of, and those that the last claim left something of and that have succeeded
 * since: what a quick endpoint got is over before the next claim, and the usual few would be all that it ever gets.
 */
export function roomAt(desk: Desk): Record<string, number> {
  const room: Record<string, number> = {};
  const nowMs = desk.monotonicMs();
  const isAtRest = desk.held < restMax;
  for (const name of desk.behind) {
    const endpoint = desk.endpoints.get(name);
    if (endpoint === undefined || isSilent(endpoint, nowMs)) desk.behind.delete(name);
    else if (endpoint.isProven) room[name] = heldMaxOf(endpoint, isAtRest);
  }
  for (const [name, endpoint] of desk.holding) {
    const heldOfEvents = endpoint.held - endpoint.heldByHand;
    room[name] = isStalled(endpoint, nowMs) ? 0 : Math.max(0, heldMaxOf(endpoint, isAtRest) - heldOfEvents);
  }
  return room;
}

/**
 * The same for what was asked for by hand, of which no more than `heldByHandMax` is held of an endpoint. None of one that
 * ends nothing: what is turned away there would come back with the next claim, and with every one after.
 */
export function roomByHandAt(desk: Desk, heldByHandMax: number): Record<string, number> {
  const room: Record<string, number> = {};
  const nowMs = desk.monotonicMs();
  for (const [name, endpoint] of desk.holding) {
    room[name] = isStalled(endpoint, nowMs) ? 0 : Math.max(0, heldByHandMax - endpoint.heldByHand);
  }
  return room;
}

/** Remembers of which endpoints a claim brought as many events as it might: their `room`, or else the usual few. */
export function noteClaims(
  desk: Desk,
  claims: readonly Claim[],
  room: Record<string, number>,
  usualRoom: number,
): void {
  const events = claims.filter(({ lane }) => lane === "event");
  for (const claim of events) desk.behind.delete(nameOf(claim));
  // A claim takes so many of each mode.
  const brought = new Map<string, number>();
  for (const claim of events) {
    const name = nameOf(claim);
    const line = `${name} ${claim.wallet.mode}`;
    const count = (brought.get(line) ?? 0) + 1;
    brought.set(line, count);
    if (count >= (room[name] ?? usualRoom)) desk.behind.add(name);
  }
}

function nameOf({ wallet, endpointNumber }: Claim): string {
  return endpointName({ merchantId: wallet.merchantId, endpointNumber });
}

function stateOf({ endpoints }: Desk, name: string): EndpointState {
  const present = endpoints.get(name);
  if (present !== undefined) return present;
  if (endpoints.size >= endpointsMax) forgetIdle(endpoints);
  const made = { ...newPace(), heldByHand: 0, lines: new Map() };
  endpoints.set(name, made);
  return made;
}

function lineOf(desk: Desk, endpoint: EndpointState, name: LaneName): Line {
  const present = endpoint.lines.get(name);
  if (present !== undefined) return present;
  const made = { lane: desk.lanes[name], endpoint, waiting: [], isQueued: false };
  endpoint.lines.set(name, made);
  return made;
}

function laneOf(claim: Claim): LaneName {
  return claim.lane === "manual" ? "manual" : claim.wallet.mode;
}

function turnAllAway(endpoint: EndpointState): void {
  for (const line of endpoint.lines.values()) {
    for (const answer of line.waiting.splice(0)) answer(false);
  }
}

/** Something is under way, and nothing ends. */
function isStalled(endpoint: EndpointState, nowMs: number): boolean {
  return endpoint.inFlight > 0 && isSilent(endpoint, nowMs);
}

function forgetIdle(endpoints: Map<string, EndpointState>): void {
  for (const [name, { held }] of endpoints) {
    if (held === 0) endpoints.delete(name);
  }
}
