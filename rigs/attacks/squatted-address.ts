import { randomBytes } from "node:crypto";
import { makeLogInLink } from "../../src/domain/members/log-in-link.ts";
import { newMerchant, systemClock } from "../base/merchants.ts";
import type { Shop } from "../base/shop.ts";
import { type Attack, mustBe } from "./attack.ts";
import { behindProxy, enterBusiness, openBrowser, sourceAt } from "./browser.ts";
import { besideOthers, openShop } from "./shop.ts";

const email = "victim@shop.example";

export const squattedAddress: Attack = {
  name: "squatted-address",
  does: "a stranger signs up with a merchant's address and waits for the operator to make it an owner; he gets nothing.",
  secondsMax: 300,
  async run(ground) {
    const shop = await openShop(ground, behindProxy);
    const stranger = openBrowser(shop.service, "203.0.113.9");
    await enterBusiness(stranger, email);
    const { figures } = await besideOthers(ground, shop, { seconds: 10, attack: (signal) => squat(shop, signal) });
    const { id: merchantId } = await newMerchant(shop.database, { name: "Victim Limited", email, approved: true });
    const { link } = await makeLogInLink(
      { database: shop.database, clock: systemClock, randomness: randomBytes },
      { merchantId, publicUrl: "https://console.example" },
    );
    const hasShop = async () => Number((await stranger.send("/test/overview")).text.includes("Victim Limited"));
    const before = await hasShop();
    const token = new URL(link).searchParams.get("token") ?? "";
    const owner = openBrowser(shop.service, "203.0.113.10");
    const entered = await owner.send("/log-in/link", { token });
    const { text } = await owner.send("/account/security");
    return [
      ...figures,
      mustBe("stranger: owns the business once the link is made", before, 0),
      mustBe("owner: let in by the link", entered.status, 303),
      mustBe("owner: owns the business", Number(text.includes("Victim Limited")), 1),
      mustBe("stranger: owns it once the link was followed", await hasShop(), 0),
      mustBe("stranger: his session", (await stranger.send("/test/overview")).status, 303),
    ];
  },
};

/** Signs up with one address after another, each from elsewhere. */
async function squat({ service }: Shop, signal: AbortSignal): Promise<void> {
  for (let turn = 0; !signal.aborted; turn++) {
    await enterBusiness(openBrowser(service, sourceAt(turn)), `victim-${turn}@shop.example`);
  }
}
