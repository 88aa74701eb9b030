import { setAllowlist, setMerchantStatus } from "../../src/domain/merchants/administration.ts";
import type { RegisteredMerchant } from "../../src/domain/merchants/registration.ts";
import { clock, type TestApp } from "./app.ts";

/** States of an account in which no key of it opens the door, with the code that says so. */
export const refusedStates = [
  { state: "suspended", code: "ACCOUNT_SUSPENDED", text: "This account is suspended." },
  { state: "calling from elsewhere", code: "IP_NOT_ALLOWED", text: "Your address is not on the account's allowlist." },
] as const;

/** A merchant in such a state from its first request on: there is no change to wait for. */
export async function refusedMerchant(
  app: TestApp,
  { state }: (typeof refusedStates)[number],
): Promise<RegisteredMerchant> {
  const merchant = await app.createMerchant();
  const services = { database: app.services.database, clock };
  if (state === "suspended") await setMerchantStatus(services, merchant.id, "suspended");
  else await setAllowlist(services, merchant.id, ["203.0.113.0/24"]);
  return merchant;
}
