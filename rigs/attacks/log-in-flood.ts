import { setTimeout as delay } from "node:timers/promises";
import type { Shop } from "../base/shop.ts";
import { type Attack, atLeast, measure, mustBe } from "./attack.ts";
import { behindProxy, enterBusiness, openBrowser, password, sourceAt } from "./browser.ts";
import { besideOthers, openShop } from "./shop.ts";

const seconds = 20;
const atOnce = 100;
const owner = { email: "owner@shop.example", password };

export const logInFlood: Attack = {
  name: "log-in-flood",
  does: "thousands of sources type wrong passwords of one owner, who types the right one and may not be locked out.",
  secondsMax: 300,
  async run(ground) {
    const shop = await openShop(ground, behindProxy);
    await enterBusiness(openBrowser(shop.service, "203.0.113.7"), owner.email);
    const attack = async (signal: AbortSignal) => {
      const flood = Array.from({ length: atOnce }, (_, lane) => typeWrong(shop, lane, signal));
      const statuses = await logInAgainAndAgain(shop, signal);
      await Promise.all(flood);
      return statuses;
    };
    const { result, figures } = await besideOthers(ground, shop, { seconds, attack });
    const afterwards = await openBrowser(shop.service, "203.0.113.7").send("/log-in", owner);
    const share = (result.filter((status) => status === 303).length / Math.max(1, result.length)) * 100;
    return [
      ...figures,
      measure("owner: log-ins during the flood", result.length),
      atLeast("owner: let in", share, 50, " %"),
      mustBe("owner: told that the password was wrong", result.filter((status) => status === 401).length, 0),
      mustBe("owner: locked out", result.filter((status) => status === 429).length, 0),
      mustBe("owner: afterwards", afterwards.status, 303),
    ];
  },
};

/** Half of them at the owner's account, others at many. */
async function typeWrong({ service }: Shop, lane: number, signal: AbortSignal): Promise<void> {
  for (let turn = 0; !signal.aborted; turn++) {
    const email = turn % 2 === 0 ? owner.email : `many-${lane}-${turn}@shop.example`;
    // Each source tries three times.
    await openBrowser(service, sourceAt(lane * 600 + Math.floor(turn / 3))).send("/log-in", {
      email,
      password: "wrong",
    });
  }
}

async function logInAgainAndAgain({ service }: Shop, signal: AbortSignal): Promise<number[]> {
  const statuses: number[] = [];
  while (!signal.aborted) {
    statuses.push((await openBrowser(service, "203.0.113.7").send("/log-in", owner)).status);
    await delay(500);
  }
  return statuses;
}
