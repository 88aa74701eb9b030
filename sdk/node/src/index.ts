// biome-ignore-all lint/performance: a package's entry is where its users import from

export { requestIdOf } from "./answer.ts";
export { Dispense, type DispenseOptions, newReference, type WaitOptions } from "./client.ts";
export * from "./errors.ts";
export type * from "./generated/types.ts";
export { addAmounts, fromKobo, toKobo } from "./money.ts";
export type { CallOptions, Logger, PurchaseToSend } from "./sender.ts";
export { verifyWebhook, WebhookVerificationError } from "./webhooks.ts";
