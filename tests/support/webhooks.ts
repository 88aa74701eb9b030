import type { WebhookOptions } from "../../src/main/webhook-services.ts";
import { secretBox } from "../../src/platform/secret-box.ts";

/** As in production, but that every name has one public address: tests ask no name server. */
export const testWebhooks: WebhookOptions = {
  secretBox: secretBox([Buffer.alloc(32, 7)]),
  allowPrivate: false,
  resolveName: async () => ({ kind: "addresses", addresses: ["93.184.215.14"] }),
};
