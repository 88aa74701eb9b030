import type { NumberedCategory } from "../../../src/domain/merchants/legacy-settings.ts";
import type { Network } from "../../../src/kernel/phone.ts";
import type { Received } from "./client-conclusions.ts";
import type { ClientProfile } from "./client-profile.ts";

/** One purchase that a shop asks its client for. */
export interface ShopOrder {
  readonly category: NumberedCategory;
  readonly network: Network;
  readonly phone: string;
  readonly plan: number;
  readonly amount: number;
}

export interface Sending {
  readonly url: string;
  readonly key: string;
  /** How much of the time that it would wait a client waits here. */
  readonly timeScale: number;
}

/** Sends the order as the client would, over a socket, and waits as long as it would. */
export async function sendAs(profile: ClientProfile, order: ShopOrder, to: Sending): Promise<Received> {
  const { path, headers, body } = requestOf(profile, order, to.key);
  const seconds = profile.timeout?.[0];
  try {
    const response = await fetch(`${to.url}${path}`, {
      method: "POST",
      headers,
      body,
      redirect: "error",
      ...(seconds === undefined ? {} : { signal: AbortSignal.timeout(seconds * 1_000 * to.timeScale) }),
    });
    return { kind: "answer", status: response.status, text: await response.text() };
  } catch (error) {
    return { kind: error instanceof Error && error.name === "TimeoutError" ? "timeout" : "nobody" };
  }
}

let references = 0;

function requestOf(profile: ClientProfile, order: ShopOrder, key: string) {
  const { sends = {} } = profile;
  const path = `${order.category === "data" ? "/api/data" : "/api/topup"}${sends.slash === false ? "" : "/"}`;
  const fields: Record<string, unknown> = { network: networkFor(profile, order), ...numberFields(profile, order) };
  if (order.category === "data") fields.plan = sends.plan === "text" ? String(order.plan) : order.plan;
  else Object.assign(fields, { amount: asSent(order.amount, sends.amount), airtime_type: "VTU" });
  if (sends.ported !== "nothing") {
    fields[sends.ported === "ported_number" ? "ported_number" : "Ported_number"] = asSent(true, sends.ported);
  }
  Object.assign(fields, sends.more);
  references += 1;
  const reference = `${profile.name}-${references}`;
  if (sends.reference === "request_id" || sends.reference === "ref") fields[sends.reference] = reference;
  return {
    path,
    headers: {
      "content-type": sends.body === "JSON called form" ? "application/x-www-form-urlencoded" : "application/json",
      ...keyHeaders(profile, key),
      ...(sends.reference === "header request-id" ? { "request-id": reference } : {}),
    },
    body: bodyOf(profile, fields),
  };
}

function asSent(value: number | boolean, as: string | undefined): number | boolean | string {
  return as === "text" ? String(value) : value;
}

function networkFor(profile: ClientProfile, { category, network }: ShopOrder): number | string {
  const sent = profile.sends?.network;
  if (sent === "lower name") return network.toLowerCase();
  if (sent === "upper name") return network;
  const number = (profile[category] ?? []).indexOf(network) + 1;
  return sent === "digits" ? String(number) : number;
}

function numberFields({ sends }: ClientProfile, { category, phone }: ShopOrder) {
  if (sends?.number === "both") return { mobile_number: phone, phone };
  return sends?.number === "phone" && category === "data" ? { phone } : { mobile_number: phone };
}

function keyHeaders({ sends }: ClientProfile, key: string): Record<string, string> {
  if (sends?.key === "Bearer K and x-api-key") return { authorization: `Bearer ${key}`, "x-api-key": key };
  return { authorization: `${sends?.key === "Token  K" ? "Token  " : "Token "}${key}` };
}

function bodyOf({ sends }: ClientProfile, fields: Readonly<Record<string, unknown>>): string {
  if (sends?.body === "form called JSON") {
    return new URLSearchParams(
      Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
    ).toString();
  }
  return JSON.stringify(fields, null, sends?.body === "JSON over several lines" ? 4 : undefined);
}
