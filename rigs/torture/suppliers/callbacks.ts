import { setTimeout as delay } from "node:timers/promises";
import type { CallbackMessage } from "../../../src/providers/contract.ts";
import type { Chance } from "../chance.ts";
import type { ServiceProcess } from "../service-process.ts";
import type { Stand } from "./stands.ts";

type Said = "vended" | "declined" | "pending";

/** Calls the deployment as the stubs' suppliers do. */
export interface Callbacks {
  /** Calls about what was just asked, once or several times, in or out of order, truthfully or not. */
  callAbout(stand: Stand, reference: string): void;
  /** Calls until somebody has heard it. Returns whether anybody did, or could. */
  callUntilReceived(stand: Stand, reference: string, said: Said): Promise<boolean>;
  /** How many were heard. */
  readonly counts: { received: number; unreceived: number };
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

const patienceMs = 5_000;
const triesMax = 40;
const againMs = 1_500;

export function openCallbacks(apis: readonly ServiceProcess[], chance: Chance): Callbacks {
  const counts = { received: 0, unreceived: 0 };
  const underWay = new Set<Promise<void>>();

  async function call(stand: Stand, reference: string, said: Said): Promise<boolean> {
    const { under, stub, name } = stand;
    if (under.callbacks === null || under.stub.call === undefined || !stub.records.has(reference)) return false;
    const message = under.callbacks.genuine(stub.callback(reference, said), Date.now());
    const isReceived = await send(chance.pick(apis), name, message);
    counts[isReceived ? "received" : "unreceived"] += 1;
    return isReceived;
  }

  async function callLater(stand: Stand, reference: string): Promise<void> {
    for (const { said, afterMs } of drawCalls(stand, chance)) {
      await delay(afterMs);
      await call(stand, reference, said);
    }
  }

  return {
    counts,
    callAbout(stand, reference) {
      const work = callLater(stand, reference).finally(() => underWay.delete(work));
      underWay.add(work);
    },
    async callUntilReceived(stand, reference, said) {
      if (stand.under.callbacks === null || stand.under.stub.call === undefined) return false;
      for (let tries = 1; tries <= triesMax; tries++) {
        if (await call(stand, reference, said)) return true;
        await delay(againMs);
      }
      return false;
    },
    async idle() {
      await Promise.all(underWay);
    },
  };
}

/** What it says of one purchase: mostly nothing, or once what is so; while it is noisy, several times and anything. */
function drawCalls({ mood }: Stand, chance: Chance): readonly { readonly said: Said; readonly afterMs: number }[] {
  const words: readonly Said[] = ["vended", "pending", "declined", "vended"];
  if (mood === "noisy") {
    const times = chance.whole(1, 4);
    return Array.from({ length: times }, () => ({ said: chance.pick(words), afterMs: chance.whole(0, 1_500) }));
  }
  return chance.next() < 0.25 ? [{ said: "vended", afterMs: chance.whole(50, 4_000) }] : [];
}

async function send(api: ServiceProcess, supplier: string, message: CallbackMessage): Promise<boolean> {
  const { headers, body, query, addressSecret } = message;
  const secret = addressSecret === null ? "" : `/${addressSecret}`;
  const url = `${api.url}/supplier-callbacks/${supplier}${secret}${query === "" ? "" : `?${query}`}`;
  const isGet = body === "" && query !== "";
  const sent = Object.entries(headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
  try {
    const answer = await fetch(url, {
      method: isGet ? "GET" : "POST",
      headers: Object.fromEntries(sent),
      ...(isGet ? {} : { body }),
      signal: AbortSignal.timeout(patienceMs),
    });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}
