import { type Pace, perEndpointMax } from "./endpoint-pace.ts";

/** Nobody takes more of a lane than this. */
const merchantShare = 0.2;
/** What failed last may hold its slots for the whole deadline: all such never get more of a lane than this. */
const doubtfulShare = 0.25;
/** An attempt that takes longer gives its slot back and goes on beside the others, up to as many as there are slots. */
const quickMs = 1_000;

/** Attempts that share a number of slots. */
export interface Lane {
  readonly slots: number;
  readonly perEndpoint: number;
  /** In its slots. */
  inFlight: number;
  /** Beside them: these do nothing but wait for an answer. */
  slowInFlight: number;
  /** Of both. */
  doubtfulInFlight: number;
  /** Lines with something to send, in turns. */
  readonly sound: Line[];
  readonly doubtful: Line[];
  isDoubtfulNext: boolean;
}

/** What waits of one endpoint in one lane. */
export interface Line {
  readonly lane: Lane;
  readonly endpoint: Pace;
  readonly waiting: ((mayBegin: boolean) => void)[];
  isQueued: boolean;
}

/** An attempt from its beginning to its end. */
export interface UnderWay extends Pick<Line, "lane" | "endpoint"> {
  readonly sinceMs: number;
  /** How it was counted at the beginning, as its endpoint may change meanwhile. */
  readonly isDoubtful: boolean;
  isSlow: boolean;
}

export function newLane(slots: number): Lane {
  const perEndpoint = Math.max(1, Math.min(perEndpointMax, Math.floor(slots * merchantShare)));
  const counts = { inFlight: 0, slowInFlight: 0, doubtfulInFlight: 0 };
  return { slots, perEndpoint, ...counts, sound: [], doubtful: [], isDoubtfulNext: false };
}

/** The line's next attempt takes a slot. */
export function enterLane({ lane, endpoint }: Line, sinceMs: number): UnderWay {
  const { isDoubtful } = endpoint;
  if (endpoint.inFlight === 0) endpoint.progressAtMs = sinceMs;
  endpoint.inFlight += 1;
  lane.inFlight += 1;
  if (isDoubtful) lane.doubtfulInFlight += 1;
  return { lane, endpoint, sinceMs, isDoubtful, isSlow: false };
}

/** An attempt gives back what it took. */
export function leaveLane({ lane, endpoint, isDoubtful, isSlow }: UnderWay, atMs: number): void {
  endpoint.inFlight -= 1;
  endpoint.progressAtMs = atMs;
  if (isSlow) lane.slowInFlight -= 1;
  else lane.inFlight -= 1;
  if (isDoubtful) lane.doubtfulInFlight -= 1;
}

/** Those that are under way for long no longer count among the slots. `underWay` comes with the oldest first. */
export function setSlowAside(underWay: Iterable<UnderWay>, nowMs: number): void {
  for (const attempt of underWay) {
    if (nowMs - attempt.sinceMs <= quickMs) return;
    const { lane } = attempt;
    if (attempt.isSlow || lane.slowInFlight >= lane.slots) continue;
    attempt.isSlow = true;
    lane.inFlight -= 1;
    lane.slowInFlight += 1;
  }
}

/** Puts a line where it gets its turn, when it has something to send and its endpoint may have more. */
export function queueUp(line: Line): void {
  const { endpoint, lane } = line;
  if (line.isQueued || line.waiting.length === 0 || endpoint.inFlight >= windowIn(lane, endpoint)) return;
  line.isQueued = true;
  (endpoint.isDoubtful ? lane.doubtful : lane.sound).push(line);
}

function windowIn(lane: Lane, endpoint: Pace): number {
  return Math.min(lane.perEndpoint, endpoint.window);
}

/** Gives free slots to the lines, one each in turn. */
export function serve(lane: Lane): void {
  while (lane.inFlight < lane.slots) {
    const line = nextLine(lane);
    if (line === undefined) return;
    line.isQueued = false;
    const { endpoint } = line;
    if (endpoint.inFlight >= windowIn(lane, endpoint)) continue;
    const answer = line.waiting.shift();
    if (answer === undefined) continue;
    answer(true);
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
