import type { AnsweredRequest } from "../../src/domain/request-log/request-log.ts";
import type { MerchantId, WalletKey } from "../../src/kernel/ids.ts";
import type { Mode } from "../../src/kernel/mode.ts";
import type { TestApp } from "./app.ts";
import { answered, logUnderTest } from "./request-log.ts";

/** Puts requests into a merchant's log, a millisecond apart and the last of them at `at`. */
export async function logRequests(
  { services }: TestApp,
  of: { readonly merchantId: MerchantId; readonly mode?: Mode; readonly at?: number },
  requests: readonly Partial<AnsweredRequest>[],
): Promise<void> {
  const wallet: WalletKey = { merchantId: of.merchantId, mode: of.mode ?? "live" };
  const { requestLog, note, time } = logUnderTest(
    services.database,
    (of.at ?? Date.now()) - requests.length,
    Math.max(500, requests.length),
  );
  for (const request of requests) {
    time.at += 1;
    note(answered(wallet, request));
  }
  await requestLog.flush();
}
