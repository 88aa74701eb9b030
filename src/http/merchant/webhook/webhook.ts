import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import {
  type Endpoint,
  firstEndpointNumber,
  firstEndpointOf,
  formatEndpointId,
  isOn,
  printableUrl,
} from "../../../domain/webhooks/endpoints/endpoint.ts";
import { endpointNamed } from "../../../domain/webhooks/endpoints/endpoints.ts";
import { disableTimeOf, nextAttemptAt } from "../../../domain/webhooks/endpoints/failing/failing-endpoints.ts";
import { type EndpointState, listEndpointStates } from "../../../domain/webhooks/endpoints/failing/failing-queries.ts";
import { findEndpoint } from "../../../domain/webhooks/endpoints/queries.ts";
import { previousSecretEnd, type SettingsChange, saveSettings } from "../../../domain/webhooks/endpoints/settings.ts";
import { type EventName, eventNames } from "../../../domain/webhooks/events/event.ts";
import { sendTest } from "../../../domain/webhooks/log/outbox.ts";
import { assert } from "../../../kernel/assert.ts";
import type { Instant } from "../../../kernel/clock.ts";
import type { WalletKey } from "../../../kernel/ids.ts";
import { forReaders } from "../../../platform/database/database.ts";
import { operation } from "../../openapi/operation.ts";
import { walletOf } from "../../request-context.ts";
import { endpointName, enqueuedDelivery } from "../../schemas/delivery-schemas.ts";
import { oneOf } from "../../schemas/schemas.ts";
import {
  type endpointRequest,
  savedWebhookSettings,
  webhookRequest,
  webhookSettings,
} from "../../schemas/webhook-schemas.ts";
import type { RouteServices, TypedServer } from "../../services.ts";

/** When the log may tell what became of an attempt that was asked for: it is due at once, and lasts 15 s at most. */
const lookAgainSeconds = 5;

const getSchema = operation({
  id: "getWebhook",
  tag: "Webhooks",
  summary: "Webhook settings",
  description:
    "The settings that both modes share, what waits of your key's mode, and whether it is paused. The secret is never answered here, only a hint at it. Where you have several endpoints, this is the first one.",
  responses: { 200: webhookSettings },
});

const putSchema = operation({
  id: "saveWebhook",
  tag: "Webhooks",
  summary: "Set the webhook",
  description:
    "Sets where events of both modes are sent to, and which. The first URL makes the secret that signs them, by the rules of Standard Webhooks; it is answered this once. The process that answers knows the settings at once, where several serve the API the others within about a second: what is bought there meanwhile is told by the settings before.",
  body: webhookRequest,
  examples: {
    "Set the URL": { url: "https://example.com/webhooks/dispense" },
    "Choose events": {
      url: "https://example.com/webhooks/dispense",
      events: ["transaction.successful", "transaction.failed"],
      notify: "all",
    },
    "Remove the webhook": { url: null },
    "Rotate the secret": { url: "https://example.com/webhooks/dispense", rotate_secret: true, overlap_hours: 48 },
  },
  responses: { 200: savedWebhookSettings },
  problems: ["ENDPOINT_LIMIT_REACHED"],
});

const testSchema = operation({
  id: "sendTestEvent",
  tag: "Webhooks",
  summary: "Send a test event",
  description:
    "Owes your webhook an example of an event, `webhook.test` unless told, whatever events were chosen, in one attempt. Its `data.example` is true: nothing happened. It is stored and due at once, also while events are paused; a success ends the pause. The log shows what became of it.",
  body: Type.Object({
    event: Type.Optional(
      oneOf(eventNames, { description: "Which event to send an example of; `webhook.test` unless told." }),
    ),
    endpoint_id: Type.Optional({ ...endpointName, description: "Where to; the first endpoint unless told." }),
  }),
  examples: { "A test": { event: "webhook.test" }, "An example of an event": { event: "transaction.failed" } },
  responses: { 202: enqueuedDelivery },
  problems: ["DELIVERY_NOT_RESENDABLE", "ENDPOINT_NOT_FOUND"],
});

/** The settings of a merchant's webhook and its test. */
export function webhookRoutes(app: TypedServer, services: RouteServices): void {
  const { database, clock, webhooks } = services;
  const reads = { ...services, database: forReaders(database) };

  app.get("/webhook", { schema: getSchema }, async (request) => {
    const wallet = walletOf(request);
    return firstEndpointObject(reads, wallet, await findEndpoint(reads.database, firstEndpointOf(wallet)));
  });

  app.put("/webhook", { schema: putSchema }, async (request) => {
    const change = changeOf(request.body);
    const wallet = walletOf(request);
    const saved = await saveSettings({ database, clock, ...webhooks }, firstEndpointOf(wallet), change);
    const settings = await firstEndpointObject(services, wallet, saved.endpoint);
    return saved.secret === null ? settings : { ...settings, secret: saved.secret };
  });

  // It may come without a body, as it did before there was anything to say in it.
  const withoutBody = async (request: FastifyRequest) => {
    request.body ??= {};
  };
  app.post("/webhook/test", { schema: testSchema, preValidation: withoutBody }, async (request, reply) => {
    const { event = "webhook.test", endpoint_id: endpointId } = request.body;
    const wallet = walletOf(request);
    const { endpointNumber } =
      endpointId === undefined ? firstEndpointOf(wallet) : await endpointNamed(database, wallet, endpointId);
    // The schema let only known names through.
    const requested = { event: event as EventName, endpointNumber };
    const id = await sendTest({ ...services, mintDeliveryId: webhooks.mintDeliveryId }, wallet, requested);
    webhooks.wake();
    return sendEnqueued(reply, { delivery_id: id });
  });
}

/** Answers what was owed just now, and when to look what became of it. */
export function sendEnqueued(reply: FastifyReply, enqueued: object): FastifyReply {
  return reply.code(202).header("retry-after", String(lookAgainSeconds)).send(enqueued);
}

/** Reads what was sent; what was not stays as it is. */
export function changeOf(body: Static<typeof webhookRequest> | Static<typeof endpointRequest>): SettingsChange {
  const { url, enabled, events, notify, rotate_secret: rotateSecret = false } = body;
  const { mode, description } = { mode: undefined, description: undefined, ...body };
  const overlapHours = body.overlap_hours === undefined ? undefined : Number(body.overlap_hours);
  // The schema let only known names through.
  return { url, enabled, events, notify, mode, description, rotateSecret, overlapHours } as SettingsChange;
}

/** Endpoints as their merchant reads them, with what waits of the key's own mode. */
export async function endpointObjects(services: RouteServices, wallet: WalletKey, endpoints: readonly Endpoint[]) {
  const numbers = endpoints.map(({ endpointNumber }) => endpointNumber);
  const states = await listEndpointStates(services.database, wallet, numbers);
  return endpoints.map((endpoint, index) => endpointObject(services, wallet, endpoint, stateAt(states, index)));
}

/** The first endpoint; a merchant that never set one has the settings that it would start with. */
async function firstEndpointObject(services: RouteServices, wallet: WalletKey, endpoint: Endpoint | null) {
  const [state] = await listEndpointStates(services.database, wallet, [firstEndpointNumber]);
  return endpointObject(services, wallet, endpoint, stateAt([state], 0));
}

function stateAt(states: readonly (EndpointState | undefined)[], index: number): EndpointState {
  const state = states[index];
  assert(state !== undefined, "each endpoint has a state");
  return state;
}

function endpointObject(services: RouteServices, wallet: WalletKey, endpoint: Endpoint | null, state: EndpointState) {
  const { clock, wallTime, secretBox } = services;
  const reported = (instant: Instant | null) => (instant === null ? null : wallTime.format(instant));
  const endpointNumber = endpoint?.endpointNumber ?? firstEndpointNumber;
  const key = { merchantId: wallet.merchantId, endpointNumber };
  return {
    id: endpoint === null || endpoint.url === null ? null : formatEndpointId(key),
    url: endpoint === null ? null : printableUrl(secretBox, key, endpoint),
    enabled: isOn(endpoint),
    events: endpoint?.events ?? ["*"],
    notify: endpoint?.notify ?? "changes",
    mode: endpoint?.mode ?? "both",
    description: endpoint?.description ?? null,
    secret_hint: endpoint?.secretHint ?? null,
    previous_secret_expires_at: reported(endpoint === null ? null : previousSecretEnd(endpoint, clock.now())),
    disabled_reason: endpoint?.disabledReason ?? null,
    waiting: state.waiting,
    next_attempt_at: reported(nextAttemptAt(state)),
    paused_until: reported(state.pausedUntil),
    failing_since: reported(state.failingSince),
    disable_at: reported(disableTimeOf(state)),
    updated_at: reported(endpoint?.updatedAt ?? null),
  };
}
