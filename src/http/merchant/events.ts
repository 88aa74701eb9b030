import { Type } from "typebox";
import { listEvents } from "../../domain/history/events/list.ts";
import { eventIdPattern, subjectEvents } from "../../domain/webhooks/events/event.ts";
import { operation } from "../openapi/operation.ts";
import { sendJson, walletOf } from "../request-context.ts";
import { bulkSummarySchema } from "../schemas/bulk-schemas.ts";
import { eventIdSchema } from "../schemas/delivery-schemas.ts";
import { instant, oneOf } from "../schemas/schemas.ts";
import { listedTransactionSchema } from "../schemas/transaction-schemas.ts";
import type { RouteServices, TypedServer } from "../services.ts";
import { choiceFilter, pageFilters } from "./list-filters.ts";

const eventName = oneOf(subjectEvents, { description: "What happened." });

const eventSchema = Type.Object(
  {
    id: eventIdSchema,
    event: eventName,
    created_at: instant("When it happened."),
    payload: Type.Object(
      {
        event: eventName,
        mode: oneOf(["live", "test"], { description: "The key's own." }),
        event_id: eventIdSchema,
        sent_at: instant("When it happened."),
        data: Type.Union([listedTransactionSchema, bulkSummarySchema], {
          description: "The transaction, or the bulk order, as it is now, without secrets and lines.",
        }),
      },
      { description: "The webhook's body, but for its `delivery_id`.", "x-component": "EventPayload" },
    ),
  },
  { "x-component": "ListedEvent" },
);

const eventsAnswer = Type.Object(
  {
    events: Type.Array(eventSchema, { maxItems: 100 }),
    has_more: Type.Boolean({
      description:
        "Whether to ask again at once, behind the last event that you have: a page may be short, even empty.",
      examples: [false],
    }),
  },
  { "x-component": "EventList" },
);

const listSchema = operation({
  id: "listEvents",
  tag: "Webhooks",
  summary: "List events",
  description:
    "What happened in the last 30 days to transactions and bulk orders of the key's own mode, oldest first, whether or not a webhook was set: what `notify: all` would have sent. Go on with `after`, the id of the last event that you have, and you miss none and get none twice; ask again at once while `has_more` is true. What took longer to end stands behind what was listed before. Of `wallet.low_balance` and `catalogue.updated` there is no list: read the balance and the billers. `after` is refused when something behind it is older than 31 days: leave it out and begin anew.",
  querystring: Type.Object({
    after: Type.Optional(
      Type.String({
        pattern: `${eventIdPattern}|^newest$`,
        maxLength: 40,
        description:
          "An event's `id`: only what comes behind it. `newest`: the newest alone, to go on from there; ask again while `has_more` is true. Without it the list begins with the oldest.",
        examples: ["evt_0b5k3l2m9q8rks"],
        "x-message": "Must be the id of an event, as this list or a webhook told it.",
      }),
    ),
    event: choiceFilter(subjectEvents, "VALIDATION_ERROR"),
    per_page: pageFilters.per_page,
  }),
  responses: { 200: eventsAnswer },
});

/** Lists events for merchants that missed their webhooks. */
export function eventRoutes(app: TypedServer, services: RouteServices): void {
  app.get("/events", { schema: listSchema }, async (request, reply) => {
    const { query } = request;
    const { events, hasMore } = await listEvents(services, walletOf(request), {
      after: query.after ?? null,
      event: query.event ?? null,
      limit: Number(query.per_page ?? 20),
    });
    return sendJson(reply, `{"events":[${events}],"has_more":${hasMore}}`);
  });
}
