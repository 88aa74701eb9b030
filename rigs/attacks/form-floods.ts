import { readFile } from "node:fs/promises";
import { request } from "node:http";
import type { Shop } from "../base/shop.ts";
import { type Attack, atMost, measure } from "./attack.ts";
import { besideOthers, openShop } from "./shop.ts";

const seconds = 20;
const connections = 12;
const formBytes = 4 * 1_048_576 - 64;
/** What such a flood may add to the process at its peak. */
const addedMibMax = 400;

export const formFloods: Attack = {
  name: "form-floods",
  does: "twelve strangers post the worst forms to the dashboard, again and again; others may hardly notice.",
  secondsMax: 240,
  async run(ground) {
    const shop = await openShop(ground);
    const peakBefore = await peakMib(shop);
    const attack = async (signal: AbortSignal) => {
      const flood = Array.from({ length: connections }, (_, n) => sendForms(shop, n, signal));
      return (await Promise.all(flood)).flat();
    };
    const { result, figures } = await besideOthers(ground, shop, { seconds, attack, restSeconds: 60 });
    const counts: Record<string, number> = {};
    for (const status of result) counts[status] = (counts[status] ?? 0) + 1;
    return [
      measure("attacker: answers by status", JSON.stringify(counts)),
      ...figures,
      atMost("memory added at the peak", (await peakMib(shop)) - peakBefore, addedMibMax, " MiB"),
    ];
  },
};

/** The most memory that the service's process ever held. */
async function peakMib({ service }: Shop): Promise<number> {
  const status = await readFile(`/proc/${service.pid}/status`, "utf8");
  return Number(/^VmHWM:\s+([0-9]+) kB$/m.exec(status)?.[1]) / 1_024;
}

/** One after the other, each of another kind and to another page. */
async function sendForms(shop: Shop, first: number, signal: AbortSignal): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = first; !signal.aborted; n++) {
    const kind = kinds[n % kinds.length];
    if (kind !== undefined) statuses.push(await sendForm(shop, kind));
  }
  return statuses;
}

interface Kind {
  readonly path: string;
  readonly body: Buffer;
  /** From a page of the dashboard's own, as far as its headers say. */
  readonly isOwn: boolean;
}

/** Names of four characters and no values: the most fields that a body can hold. */
const names = Buffer.from(Array.from({ length: Math.ceil(formBytes / 5) }, (_, n) => nameOf(n)).join("&")).subarray(
  0,
  formBytes,
);
const nested = Buffer.from(`resume=${encodeURIComponent(JSON.stringify({ path: "/x", fields: manyFields() }))}`);
const kinds: readonly Kind[] = [
  { path: "/log-in", body: names, isOwn: true },
  { path: "/live/bulk/check", body: names, isOwn: true },
  { path: "/log-in", body: names.subarray(0, 65_000), isOwn: true },
  { path: "/account/security/password", body: Buffer.from("label=".padEnd(65_000, '"')), isOwn: true },
  { path: "/log-in", body: nested, isOwn: true },
  { path: "/log-in", body: names, isOwn: false },
];

function nameOf(n: number): string {
  return n.toString(36).padStart(4, "_");
}

function manyFields(): [string, string][] {
  return Array.from({ length: 5_000 }, (_, n) => [nameOf(n), ""]);
}

/** @returns the status; 0 where there was no answer */
function sendForm({ service }: Shop, { path, body, isOwn }: Kind): Promise<number> {
  const origin = isOwn ? service.url : "http://elsewhere.example";
  return new Promise((resolve) => {
    const sent = request(`${service.url}${path}`, {
      method: "POST",
      headers: { origin, "content-type": "application/x-www-form-urlencoded", "content-length": body.length },
      timeout: 60_000,
    });
    sent.once("response", (answer) => answer.once("close", () => resolve(answer.statusCode ?? 0)).resume());
    sent.once("timeout", () => sent.destroy());
    sent.once("error", () => resolve(0));
    sent.end(body);
  });
}
