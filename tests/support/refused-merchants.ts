import { setAllowlist, setMerchantStatus, withdrawApproval } from "../../src/domain/merchants/administration.ts";
import type { RegisteredMerchant } from "../../src/domain/merchants/registration.ts";
import { clock, type TestApp } from "./app.ts";

/** States of an account in which its keys of these modes open no door, with the code and the text that say so. */
export const refusedStates = [
  {
    state: "suspended",
    code: "ACCOUNT_SUSPENDED",
    text: "This account is suspended.",
    modes: ["test", "live"],
  },
  {
    state: "calling from elsewhere",
    code: "IP_NOT_ALLOWED",
    text: "Your address is not on the account's allowlist.",
    modes: ["test", "live"],
  },
  {
    state: "no longer approved",
    code: "API_ACCESS_NOT_APPROVED",
    text: "API access has not been approved yet.",
    modes: ["live"],
  },
] as const;

/** A merchant in such a state from its first request on: there is no change to wait for. */
export async function refusedMerchant(
  app: TestApp,
  { state }: (typeof refusedStates)[number],
): Promise<RegisteredMerchant> {
  const merchant = await app.createMerchant();
  const services = { database: app.services.database, clock };
  if (state === "suspended") await setMerchantStatus(services, merchant.id, "suspended");
  else if (state === "no longer approved") await withdrawApproval(services, merchant.id);
  else await setAllowlist(services, merchant.id, ["203.0.113.0/24"]);
  return merchant;
}
