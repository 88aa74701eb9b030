import type { FastifyInstance } from "fastify";
import { type Static, Type } from "typebox";
import { integerField } from "../../domain/categories/fields.ts";
import { type EventName, eventNames, parseDeliveryId } from "../../domain/webhooks/event.ts";
import { listLog } from "../../domain/webhooks/log.ts";
import type { Attempt } from "../../domain/webhooks/log-queries.ts";
import { resend } from "../../domain/webhooks/outbox.ts";
import { recoverSince } from "../../domain/webhooks/recover.ts";
import { parseInstant, type WallTime } from "../../kernel/clock.ts";
import { refuse, refuseField } from "../../kernel/problems.ts";
import { type Database, forReaders } from "../../platform/database.ts";
import { operation } from "../openapi/operation.ts";
import { pathParameter } from "../path-parameter.ts";
import { walletOf } from "../request-context.ts";
import { instantMessage } from "../schemas.ts";
import { deliveryLog, owedDelivery, recovery, recoveryWish } from "../webhook-schemas.ts";
import { choiceFilter, pageFilters, pageOf, textFilter } from "./list-filters.ts";
import { sendOwed } from "./webhook.ts";

interface DeliveryServices {
  readonly database: Database;
  readonly wallTime: WallTime;
  readonly webhooks: { readonly wake: () => void };
}

const logQuery = Type.Object({
  status: choiceFilter(["success", "failed"], "INVALID_STATUS"),
  event: choiceFilter(eventNames, "VALIDATION_ERROR"),
  reference: textFilter("Of the transaction or bulk order.", "order-data-1"),
  max_id: Type.Optional(
    integerField({
      minimum: 1,
      maximum: 999_999_999_999_999,
      description:
        "Only attempts up to this one. Take the first page's first id along, and the pages don't move while new attempts come in.",
      examples: [1_000],
    }),
  ),
  ...pageFilters,
});

const deliveryParameters = Type.Object({
  delivery_id: pathParameter("The delivery's id.", "019aa1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"),
});

const listSchema = operation({
  id: "listDeliveries",
  tag: "Webhooks",
  summary: "List webhook deliveries",
  description:
    "The delivery log of the key's own mode: one entry per attempt, newest first. Without filters any page is equally quick; filtered lists can be paged through their first 100,000 entries.",
  querystring: logQuery,
  responses: { 200: deliveryLog },
});

const resendSchema = operation({
  id: "resendDelivery",
  tag: "Webhooks",
  summary: "Resend a delivery",
  description:
    "Owes the event one more attempt, at once, with the same `delivery_id` and body, to the present URL. Refused while an attempt is due or under way, while the webhook is removed or switched off, and once the body is not kept any more.",
  params: deliveryParameters,
  responses: { 202: owedDelivery },
  problems: ["DELIVERY_NOT_FOUND", "DELIVERY_NOT_RESENDABLE"],
});

const recoverSchema = operation({
  id: "recoverDeliveries",
  tag: "Webhooks",
  summary: "Resend all that failed since a time",
  description:
    "Owes every event that happened since then and was never delivered one more attempt, at once, with the same `delivery_id` and body, to the present URL: those whose attempts are over, that were dropped while the webhook was off, and that wait for their next attempt. In turn with your new events; what fails again goes on with what is left of its schedule. Of the key's own mode, without test events. Refused while the webhook is removed or switched off.",
  body: recoveryWish,
  examples: { "Since a time": { since: "2026-11-20T14:03:09+01:00" } },
  responses: { 202: recovery },
  problems: ["DELIVERY_NOT_RESENDABLE"],
});

/** The log of webhook deliveries, and another attempt of one or of all that failed. */
export function webhookDeliveryRoutes(app: FastifyInstance, services: DeliveryServices): void {
  const { database, wallTime } = services;
  const reads = forReaders(database);

  app.get("/webhook/deliveries", { schema: listSchema }, async (request) => {
    const query = request.query as Static<typeof logQuery>;
    const filter = {
      successful: query.status === undefined ? null : query.status === "success",
      event: (query.event as EventName | undefined) ?? null,
      reference: query.reference ?? null,
      maxId: query.max_id === undefined ? null : BigInt(query.max_id),
    };
    const { attempts, meta } = await listLog(reads, walletOf(request), filter, pageOf(query));
    return { deliveries: attempts.map((attempt) => deliveryRecord(attempt, wallTime)), meta };
  });

  app.post("/webhook/deliveries/:delivery_id/resend", { schema: resendSchema }, async (request, reply) => {
    const id = parseDeliveryId((request.params as Static<typeof deliveryParameters>).delivery_id);
    if (id === null) throw refuse("DELIVERY_NOT_FOUND");
    await resend(database, walletOf(request), id);
    services.webhooks.wake();
    return sendOwed(reply, { delivery_id: id });
  });

  app.post("/webhook/recover", { schema: recoverSchema }, async (request, reply) => {
    const { since: text } = request.body as Static<typeof recoveryWish>;
    const since = parseInstant(text, wallTime, "start");
    if (since === null) throw refuseField("INVALID_DATE", "since", instantMessage);
    const { recovered, nextSince } = await recoverSince(database, walletOf(request), since);
    services.webhooks.wake();
    return sendOwed(reply, { recovered, next_since: nextSince === null ? null : wallTime.format(nextSince) });
  });
}

function deliveryRecord(attempt: Attempt, wallTime: WallTime) {
  return {
    id: Number(attempt.id),
    event: attempt.event,
    delivery_id: attempt.deliveryId,
    url: attempt.url,
    attempt: attempt.attempt,
    successful: attempt.successful,
    http_status: attempt.httpStatus,
    duration_ms: attempt.durationMs,
    error: attempt.error,
    response_body: attempt.responseBody,
    payload: attempt.payload,
    reference: attempt.reference,
    resendable: attempt.resendable,
    created_at: wallTime.format(attempt.createdAt),
  };
}
