import type { FastifyInstance, FastifyReply } from "fastify";
import type { Static } from "typebox";
import type { Endpoint, EndpointKey } from "../../domain/webhooks/endpoint.ts";
import { firstEndpointOf, isOn } from "../../domain/webhooks/endpoint.ts";
import type { MintDeliveryId } from "../../domain/webhooks/event.ts";
import { findFailure } from "../../domain/webhooks/failing-endpoints.ts";
import { sendTest } from "../../domain/webhooks/outbox.ts";
import { findEndpoint } from "../../domain/webhooks/queries.ts";
import type { MintSecret } from "../../domain/webhooks/secret.ts";
import { previousSecretEnd, type SettingsWish, saveSettings } from "../../domain/webhooks/settings.ts";
import type { DestinationRules } from "../../domain/webhooks/url-guard.ts";
import type { Clock, Instant, WallTime } from "../../kernel/clock.ts";
import { type Database, forReaders } from "../../platform/database.ts";
import type { ResolveName } from "../../platform/resolve-name.ts";
import type { RevisionWatch } from "../../platform/revisions.ts";
import { operation } from "../openapi/operation.ts";
import { principalOf, walletOf } from "../request-context.ts";
import { owedDelivery, savedWebhookSettings, webhookSettings, webhookWish } from "../webhook-schemas.ts";

export interface WebhookServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly wallTime: WallTime;
  readonly webhooks: {
    readonly mintDeliveryId: MintDeliveryId;
    readonly mintSecret: MintSecret;
    readonly rules: DestinationRules;
    readonly resolveName: ResolveName;
    readonly watch: Pick<RevisionWatch, "refreshAnew">;
    /** Something is owed since just now. */
    readonly wake: () => void;
  };
}

/** When the log may tell what became of an attempt that was asked for: it is due at once, and lasts 15 s at most. */
const lookAgainSeconds = 5;

const getSchema = operation({
  id: "getWebhook",
  tag: "Webhooks",
  summary: "Webhook settings",
  description: "The settings that both modes share. The secret is never answered here, only a hint at it.",
  responses: { 200: webhookSettings },
});

const putSchema = operation({
  id: "saveWebhook",
  tag: "Webhooks",
  summary: "Set the webhook",
  description:
    "Sets where events of both modes are sent to, and which. The first URL makes the secret that signs them, by the rules of Standard Webhooks; it is answered this once. The process that answers knows the settings at once, where several serve the API the others within about a second: what is bought there meanwhile is told by the settings before.",
  body: webhookWish,
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
});

const testSchema = operation({
  id: "sendTestEvent",
  tag: "Webhooks",
  summary: "Send a test event",
  description:
    "Owes your webhook one event `webhook.test`, whatever events were chosen, in one attempt. It is stored and due at once; the log shows what became of it.",
  responses: { 202: owedDelivery },
  problems: ["DELIVERY_NOT_RESENDABLE"],
});

/** The settings of a merchant's webhook and its test. */
export function webhookRoutes(app: FastifyInstance, services: WebhookServices): void {
  const { database, clock, webhooks } = services;
  const reads = { ...services, database: forReaders(database) };

  app.get("/webhook", { schema: getSchema }, async (request) => {
    const key = firstEndpointOf(principalOf(request));
    return settingsObject(await findEndpoint(reads.database, key), key, reads);
  });

  app.put("/webhook", { schema: putSchema }, async (request) => {
    const wish = wishOf(request.body as Static<typeof webhookWish>);
    const key = firstEndpointOf(principalOf(request));
    const { endpoint, secret } = await saveSettings({ database, clock, ...webhooks }, key, wish);
    return { ...(await settingsObject(endpoint, key, services)), ...(secret === null ? {} : { secret }) };
  });

  app.post("/webhook/test", { schema: testSchema }, async (request, reply) => {
    const { mintDeliveryId } = webhooks;
    const id = await sendTest({ ...services, mintDeliveryId }, walletOf(request));
    webhooks.wake();
    return sendOwed(reply, { delivery_id: id });
  });
}

/** Answers what was owed just now, and when to look what became of it. */
export function sendOwed(reply: FastifyReply, owed: object): FastifyReply {
  return reply.code(202).header("retry-after", String(lookAgainSeconds)).send(owed);
}

function wishOf(body: Static<typeof webhookWish>): SettingsWish {
  const { url, enabled, events, notify, rotate_secret: rotateSecret = false, overlap_hours: hours } = body;
  const overlapHours = hours === undefined ? undefined : Number(hours);
  // The schema let only known names through.
  return { url, enabled, events, notify, rotateSecret, overlapHours } as SettingsWish;
}

/** A merchant that never set a webhook has the settings that it would start with. */
async function settingsObject(endpoint: Endpoint | null, key: EndpointKey, services: WebhookServices) {
  const { database, clock, wallTime } = services;
  const failure = await findFailure(database, key);
  const told = (instant: Instant | null) => (instant === null ? null : wallTime.format(instant));
  return {
    url: endpoint?.url ?? null,
    enabled: isOn(endpoint),
    events: endpoint?.events ?? ["*"],
    notify: endpoint?.notify ?? "changes",
    secret_hint: endpoint?.secretHint ?? null,
    previous_secret_expires_at: told(endpoint === null ? null : previousSecretEnd(endpoint, clock.now())),
    disabled_reason: endpoint?.disabledReason ?? null,
    failing_since: told(failure?.failingSince ?? null),
    disable_at: told(failure?.disableAt ?? null),
    updated_at: told(endpoint?.updatedAt ?? null),
  };
}
