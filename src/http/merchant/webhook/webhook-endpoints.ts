import { Type } from "typebox";
import { formatEndpointId } from "../../../domain/webhooks/endpoints/endpoint.ts";
import {
  changeEndpoint,
  createEndpoint,
  endpointKeyFor,
  findSetEndpoint,
  listSetEndpoints,
  removeEndpoint,
} from "../../../domain/webhooks/endpoints/endpoints.ts";
import type { SavedEndpoint } from "../../../domain/webhooks/endpoints/settings.ts";
import type { WalletKey } from "../../../kernel/ids.ts";
import { forReaders } from "../../../platform/database/database.ts";
import { operation } from "../../openapi/operation.ts";
import { walletOf } from "../../request-context.ts";
import {
  endpointList,
  endpointParameter,
  endpointRequest,
  endpointSchema,
  newEndpointRequest,
  removedEndpoint,
  savedEndpoint,
} from "../../schemas/webhook-schemas.ts";
import type { RouteServices, TypedServer } from "../../services.ts";
import { changeOf, endpointObjects } from "./webhook.ts";

const listSchema = operation({
  id: "listEndpoints",
  tag: "Webhooks",
  summary: "List webhook endpoints",
  description:
    "All places that events are sent to, at most five. The first one set is the one of `/webhook`, unless that was removed. Both modes share them, but each hears only of the mode that it asks for.",
  querystring: Type.Object({}),
  responses: { 200: endpointList },
});

const getSchema = operation({
  id: "getEndpoint",
  tag: "Webhooks",
  summary: "Read a webhook endpoint",
  description: "Its settings, what waits for it, and whether it is paused. The secret is never answered here.",
  params: endpointParameter,
  responses: { 200: endpointSchema },
  problems: ["ENDPOINT_NOT_FOUND"],
});

const createSchema = operation({
  id: "createEndpoint",
  tag: "Webhooks",
  summary: "Add a webhook endpoint",
  description:
    "One more place to send events to, with events, mode and secret of its own; the secret is answered this once. An event goes to each endpoint that wants it, with a `delivery_id` of its own and the same `event_id`.",
  body: newEndpointRequest,
  examples: {
    "The sandbox's events": { url: "https://example.com/webhooks/sandbox", mode: "test", description: "Staging" },
  },
  responses: { 201: savedEndpoint },
  problems: ["ENDPOINT_LIMIT_REACHED"],
});

const changeSchema = operation({
  id: "changeEndpoint",
  tag: "Webhooks",
  summary: "Change a webhook endpoint",
  description: "Changes the fields that are sent and leaves the others. `enabled: true` ends a pause at once.",
  params: endpointParameter,
  body: endpointRequest,
  examples: { "Choose events": { events: ["transaction.failed"] } },
  responses: { 200: savedEndpoint },
  problems: ["ENDPOINT_NOT_FOUND"],
});

const removeSchema = operation({
  id: "deleteEndpoint",
  tag: "Webhooks",
  summary: "Remove a webhook endpoint",
  description:
    "Ends its secret. What it is still owed is dropped; its deliveries stay in the log, and are sent to no other endpoint.",
  params: endpointParameter,
  responses: { 200: removedEndpoint },
  problems: ["ENDPOINT_NOT_FOUND"],
});

/** A merchant's endpoints, the one of `/webhook` among them. */
export function webhookEndpointRoutes(app: TypedServer, services: RouteServices): void {
  const reads = { ...services, database: forReaders(services.database) };
  const { database, clock, webhooks } = services;
  const saving = { database, clock, ...webhooks };
  const saved = async (wallet: WalletKey, { endpoint, secret }: SavedEndpoint) => {
    const [object] = await endpointObjects(services, wallet, [endpoint]);
    return secret === null ? object : { ...object, secret };
  };

  app.get("/webhook/endpoints", { schema: listSchema }, async (request) => {
    const wallet = walletOf(request);
    return { endpoints: await endpointObjects(reads, wallet, await listSetEndpoints(reads.database, wallet)) };
  });

  app.get("/webhook/endpoints/:id", { schema: getSchema }, async (request) => {
    const wallet = walletOf(request);
    const endpoint = await findSetEndpoint(reads.database, endpointKeyFor(wallet, request.params.id));
    const [object] = await endpointObjects(reads, wallet, [endpoint]);
    return object;
  });

  app.post("/webhook/endpoints", { schema: createSchema }, async (request, reply) => {
    const wallet = walletOf(request);
    const { body } = request;
    const created = await createEndpoint(saving, wallet, { ...changeOf(body), url: body.url });
    return reply.code(201).send(await saved(wallet, created));
  });

  app.put("/webhook/endpoints/:id", { schema: changeSchema }, async (request) => {
    const wallet = walletOf(request);
    const change = changeOf(request.body);
    return saved(wallet, await changeEndpoint(saving, endpointKeyFor(wallet, request.params.id), change));
  });

  app.delete("/webhook/endpoints/:id", { schema: removeSchema }, async (request) => {
    const key = endpointKeyFor(walletOf(request), request.params.id);
    await removeEndpoint(saving, key);
    return { deleted: true, id: formatEndpointId(key) };
  });
}
