import type { Database } from "../src/platform/database/database.ts";
import type { Server, Service } from "./service.ts";

export interface WebhookOptions {
  readonly events: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly memorySeconds: number;
  /** Absent: half of what a backlog reaches. */
  readonly memoryRate?: number;
  readonly json?: boolean;
  readonly save?: boolean;
}

/** One phase. Null is what cannot be told, or means nothing in it. */
export interface WebhookSample {
  /** Sent and, but for the baseline, logged. */
  readonly perSecond: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  /** Per delivery, as are the next three. */
  readonly commits: number | null;
  readonly walBytes: number | null;
  readonly serverMicros: number | null;
  readonly postgresMicros: number | null;
  readonly megabytes: readonly [first: number, last: number] | null;
  readonly duplicates: number;
}

export interface WebhookRig {
  readonly folder: string;
  readonly service: Service;
  readonly receiver: Server;
  readonly database: Database;
  readonly options: WebhookOptions;
  readonly progress: (text: string) => void;
}

/** With an endpoint that answers, and, behind them, one in ten of all with one that never does. */
export const merchants = 900;
export const blackHoles = 100;
/** Behind those: they refuse one delivery in four, once. */
export const refusers = 50;

interface ReceiverFigures {
  readonly received: number;
  readonly holes: number;
  readonly duplicates: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  readonly othersP50Ms: number | null;
  readonly othersP99Ms: number | null;
}

/** What the receiver counted since it was last asked. */
export async function figuresOf({ receiver }: WebhookRig): Promise<ReceiverFigures> {
  const answer = await fetch(`http://127.0.0.1:${receiver.port}/figures`);
  return (await answer.json()) as ReceiverFigures;
}
