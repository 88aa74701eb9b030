import type { FastifyReply } from "fastify";
import type { Purchase } from "../domain/purchases/purchase.ts";
import { nextCheckSeconds } from "../domain/resolution/requery/reschedule-requery.ts";
import type { Clock } from "../kernel/clock.ts";

/** Sends what is JSON already. */
export function sendJson(reply: FastifyReply, text: string): FastifyReply {
  return reply.type("application/json; charset=utf-8").send(text);
}

/** Says with a pending purchase when to ask again. @returns the seconds; null for one that has ended */
export function setRetryAfter(
  reply: FastifyReply,
  purchase: Purchase,
  { clock, sandboxPendingSeconds }: { readonly clock: Clock; readonly sandboxPendingSeconds: number },
): number | null {
  if (purchase.status !== "pending") return null;
  const seconds = nextCheckSeconds(purchase, clock.now(), sandboxPendingSeconds);
  reply.header("retry-after", String(seconds));
  return seconds;
}
