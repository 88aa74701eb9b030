import type { MerchantId } from "../../kernel/ids.ts";
import { type Breaker, newBreaker, noteOutcome } from "./breaker.ts";
import type { Claim } from "./claim-queries.ts";

export interface DeskOptions {
  /** Attempts at one time; sandbox and what was asked for by hand have places of their own. */
  readonly slots: Readonly<Record<LaneName, number>>;
  readonly monotonicMs: () => number;
  /** There is room again for a merchant that had reached its share. */
  readonly onRoom: () => void;
}

type LaneName = "live" | "test" | "manual";

/** Attempts at one time to one endpoint. */
export const perEndpointMax = 10;
/** Nobody takes more of a lane than this. */
const merchantShare = 0.2;
/** An endpoint that was never heard of begins with one at a time: it may be one that never answers. */
const windowAtFirst = 1;
/** Deliveries held of one endpoint for each that it may have in flight: the next ones are at hand when one ends. */
const heldPerWindow = 12;
/** The same before a first success, and after a failure. What is held and answers nothing takes the place of what others would have had. */
const heldPerUnprovenWindow = 2;
/** What failed last may hold its slots for the whole deadline: all such never get more of a lane than this. */
const doubtfulShare = 0.25;
/** Who ended nothing for so long is not trusted any more: it may have died meanwhile. */
const trustedMs = 1_000;
/** Endpoints that nothing is held of are remembered up to this number, for their windows and breakers. */
const endpointsMax = 50_000;

interface EndpointState {
  /** Of all lanes. */
  inFlight: number;
  /** How many it may have in flight: grows by one with each success, is halved by a failure. */
  window: number;
  held: number;
  /** It succeeded last. */
  isProven: boolean;
  /** It failed last. */
  isDoubtful: boolean;
  /** When an attempt last ended, or the first of those under way began. */
  progressAtMs: number;
  readonly breaker: Breaker;
  readonly lines: Map<LaneName, Line>;
}

/** What waits of one endpoint in one lane. */
interface Line {
  readonly lane: Lane;
  readonly endpoint: EndpointState;
  readonly waiting: ((mayBegin: boolean) => void)[];
  isQueued: boolean;
}

interface Lane {
  readonly slots: number;
  readonly perEndpoint: number;
  inFlight: number;
  doubtfulInFlight: number;
  /** Lines with something to send, in turns. */
  readonly sound: Line[];
  readonly doubtful: Line[];
  isDoubtfulNext: boolean;
}

/** Who may send when: what this process holds waits here for its turn. */
export interface Desk extends DeskOptions {
  readonly endpoints: Map<MerchantId, EndpointState>;
  /** Of these something is held. */
  readonly holding: Map<MerchantId, EndpointState>;
  readonly lanes: Readonly<Record<LaneName, Lane>>;
  /** In which share of its lane an attempt was counted, as its endpoint may change meanwhile. */
  readonly countedAsDoubtful: WeakSet<Claim>;
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
    lanes: { live: newLane(live), test: newLane(test), manual: newLane(manual) },
    countedAsDoubtful: new WeakSet(),
    held: 0,
    isClosed: false,
  };
}

/** Resolves with true when the attempt may begin, with false when it must be given back unsent. */
export function takeTurn(desk: Desk, claim: Claim): Promise<boolean> {
  const { merchantId } = claim.wallet;
  const endpoint = endpointOf(desk, merchantId);
  if (endpoint.held === 0 && desk.monotonicMs() - endpoint.progressAtMs > trustedMs) distrust(endpoint);
  endpoint.held += 1;
  desk.held += 1;
  desk.holding.set(merchantId, endpoint);
  if (desk.isClosed) return Promise.resolve(false);
  const line = lineOf(desk, endpoint, laneOf(claim));
  return new Promise((resolve) => {
    line.waiting.push((mayBegin) => {
      if (mayBegin && endpoint.isDoubtful) desk.countedAsDoubtful.add(claim);
      if (mayBegin && endpoint.inFlight === 1) endpoint.progressAtMs = desk.monotonicMs();
      resolve(mayBegin);
    });
    queueUp(line);
    serve(line.lane);
  });
}

/** The attempt is over. @returns whether the endpoint's breaker opens; its waiting deliveries have been turned away */
export function leaveDesk(desk: Desk, claim: Claim, outcome: "successful" | "failed" | "not_made"): boolean {
  const endpoint = endpointOf(desk, claim.wallet.merchantId);
  const lane = desk.lanes[laneOf(claim)];
  endpoint.inFlight -= 1;
  endpoint.progressAtMs = desk.monotonicMs();
  lane.inFlight -= 1;
  if (desk.countedAsDoubtful.has(claim)) lane.doubtfulInFlight -= 1;
  const opens = outcome !== "not_made" && note(endpoint, outcome === "successful", desk.monotonicMs(), claim.isProbe);
  if (opens) turnAllAway(endpoint);
  for (const line of endpoint.lines.values()) queueUp(line);
  for (const other of Object.values(desk.lanes)) serve(other);
  return opens;
}

/** Nothing more is held of this claim: its attempt is recorded, or it was given back. */
export function forgetClaim(desk: Desk, claim: Claim): void {
  const { merchantId } = claim.wallet;
  const endpoint = endpointOf(desk, merchantId);
  endpoint.held -= 1;
  desk.held -= 1;
  if (endpoint.held === 0) desk.holding.delete(merchantId);
  if (endpoint.held === 0 || endpoint.held === Math.floor(heldMaxOf(endpoint) / 2)) desk.onRoom();
}

/** Turns away what waits for this merchant's endpoint. */
export function turnAway(desk: Desk, merchantId: MerchantId): void {
  turnAllAway(endpointOf(desk, merchantId));
}

/** Turns away what waits for endpoints that end nothing: it would take the place of what others could send. */
export function turnAwayStalled(desk: Desk): void {
  for (const endpoint of desk.holding.values()) {
    if (!isStalled(desk, endpoint)) continue;
    distrust(endpoint);
    turnAllAway(endpoint);
  }
}

/** Turns everybody away who waits, now and later. */
export function closeDesk(desk: Desk): void {
  desk.isClosed = true;
  for (const endpoint of desk.holding.values()) turnAllAway(endpoint);
}

/** How many more of each merchant that something is held of. */
export function roomAt(desk: Desk): Record<string, number> {
  const room: Record<string, number> = {};
  for (const [merchantId, endpoint] of desk.holding) {
    room[merchantId] = isStalled(desk, endpoint) ? 0 : Math.max(0, heldMaxOf(endpoint) - endpoint.held);
  }
  return room;
}

/** Attempts under way. */
export function inFlightAt({ lanes }: Desk): number {
  return lanes.live.inFlight + lanes.test.inFlight + lanes.manual.inFlight;
}

function endpointOf({ endpoints }: Desk, merchantId: MerchantId): EndpointState {
  const present = endpoints.get(merchantId);
  if (present !== undefined) return present;
  if (endpoints.size >= endpointsMax) forgetIdle(endpoints);
  const made = {
    inFlight: 0,
    window: windowAtFirst,
    held: 0,
    isProven: false,
    isDoubtful: false,
    progressAtMs: 0,
    breaker: newBreaker(),
    lines: new Map(),
  };
  endpoints.set(merchantId, made);
  return made;
}

function lineOf(desk: Desk, endpoint: EndpointState, name: LaneName): Line {
  const present = endpoint.lines.get(name);
  if (present !== undefined) return present;
  const made = { lane: desk.lanes[name], endpoint, waiting: [], isQueued: false };
  endpoint.lines.set(name, made);
  return made;
}

function newLane(slots: number): Lane {
  const perEndpoint = Math.max(1, Math.min(perEndpointMax, Math.floor(slots * merchantShare)));
  return { slots, perEndpoint, inFlight: 0, doubtfulInFlight: 0, sound: [], doubtful: [], isDoubtfulNext: false };
}

function laneOf(claim: Claim): LaneName {
  return claim.lane === "manual" ? "manual" : claim.wallet.mode;
}

function heldMaxOf(endpoint: EndpointState): number {
  return endpoint.window * (endpoint.isProven ? heldPerWindow : heldPerUnprovenWindow);
}

/** Learns from an outcome. @returns whether the breaker opens */
function note(endpoint: EndpointState, successful: boolean, atMs: number, isProbe: boolean): boolean {
  endpoint.isProven = successful;
  endpoint.isDoubtful = !successful;
  endpoint.window = successful
    ? Math.min(perEndpointMax, endpoint.window + 1)
    : Math.max(1, Math.floor(endpoint.window / 2));
  return noteOutcome(endpoint.breaker, successful, atMs) || (isProbe && !successful);
}

function turnAllAway(endpoint: EndpointState): void {
  for (const line of endpoint.lines.values()) {
    for (const answer of line.waiting.splice(0)) answer(false);
  }
}

/** Puts a line where it gets its turn, when it has something to send and its endpoint may have more. */
function queueUp(line: Line): void {
  const { endpoint, lane } = line;
  if (line.isQueued || line.waiting.length === 0 || endpoint.inFlight >= windowIn(lane, endpoint)) return;
  line.isQueued = true;
  (endpoint.isDoubtful ? lane.doubtful : lane.sound).push(line);
}

function windowIn(lane: Lane, endpoint: EndpointState): number {
  return Math.min(lane.perEndpoint, endpoint.window);
}

/** Gives free slots to the lines, one each in turn. */
function serve(lane: Lane): void {
  while (lane.inFlight < lane.slots) {
    const line = nextLine(lane);
    if (line === undefined) return;
    line.isQueued = false;
    const { endpoint } = line;
    if (endpoint.inFlight >= windowIn(lane, endpoint)) continue;
    const begin = line.waiting.shift();
    if (begin === undefined) continue;
    endpoint.inFlight += 1;
    lane.inFlight += 1;
    if (endpoint.isDoubtful) lane.doubtfulInFlight += 1;
    begin(true);
    queueUp(line);
  }
}

/** Sound and doubtful lines alternate, the doubtful ones up to their share. */
function nextLine(lane: Lane): Line | undefined {
  const mayDoubt = lane.doubtfulInFlight < lane.slots * doubtfulShare;
  const isDoubtful = mayDoubt && lane.doubtful.length > 0 && (lane.isDoubtfulNext || lane.sound.length === 0);
  lane.isDoubtfulNext = !isDoubtful;
  return (isDoubtful ? lane.doubtful : lane.sound).shift();
}

function isStalled(desk: Desk, endpoint: EndpointState): boolean {
  return endpoint.inFlight > 0 && desk.monotonicMs() - endpoint.progressAtMs > trustedMs;
}

/** It begins anew, as one that was never heard of. */
function distrust(endpoint: EndpointState): void {
  endpoint.isProven = false;
  endpoint.window = Math.min(endpoint.window, windowAtFirst);
}

function forgetIdle(endpoints: Map<MerchantId, EndpointState>): void {
  for (const [merchantId, { held }] of endpoints) {
    if (held === 0) endpoints.delete(merchantId);
  }
}
