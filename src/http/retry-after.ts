import type { FastifyReply } from "fastify";
import type { Purchase } from "../domain/purchases/purchase.ts";
import { nextCheckSeconds } from "../domain/resolution/requery/reschedule-requery.ts";
import type { RouteServices } from "./services.ts";

/** Says with a pending purchase when to ask again. @returns the seconds; null for one that has ended */
export function setRetryAfter(reply: FastifyReply, purchase: Purchase, services: RouteServices): number | null {
  if (purchase.status !== "pending") return null;
  const seconds = nextCheckSeconds(purchase, services.clock.now(), services.sandboxPendingSeconds);
  reply.header("retry-after", String(seconds));
  return seconds;
}
