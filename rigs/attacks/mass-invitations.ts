import { randomBytes } from "node:crypto";
import type { Shop } from "../base/shop.ts";
import { type Attack, mustBe } from "./attack.ts";
import { behindProxy, enterBusiness, openBrowser, password, sourceAt } from "./browser.ts";
import { besideOthers, openShop } from "./shop.ts";

export const massInvitations: Attack = {
  name: "mass-invitations",
  does: "businesses that nobody confirmed invite strangers, under names that are links; no such email may be written.",
  secondsMax: 300,
  async run(ground) {
    const shop = await openShop(ground, behindProxy);
    const { result: sent, figures } = await besideOthers(ground, shop, {
      seconds: 15,
      attack: (signal) => inviteStrangers(shop, signal),
    });
    const named = await openBrowser(shop.service, sourceAt(9_000)).send("/sign-up", {
      ...{ business: "Win at prize.example", name: "Eve", email: "named@shop.example", password },
    });
    const subjects = await shop.database.query<{ subject: string }>({
      name: "list_subjects",
      text: "select distinct subject from emails where recipient like 'stranger-%' or subject like '%prize%'",
    });
    return [
      ...figures,
      mustBe("invitations tried, at least one", Number(sent > 0), 1),
      mustBe("emails to strangers", subjects.length, 0),
      mustBe("a business whose name is a link", named.status, 400),
    ];
  },
};

async function inviteStrangers({ service }: Shop, signal: AbortSignal): Promise<number> {
  let sent = 0;
  for (let turn = 0; !signal.aborted; turn++) {
    const browser = openBrowser(service, sourceAt(turn));
    const merchant = await enterBusiness(browser, `eve-${turn}@shop.example`);
    for (let each = 0; each < 30 && !signal.aborted; each++, sent++) {
      const once = randomBytes(32).toString("base64url");
      const invited = { email: `stranger-${turn}-${each}@example.com`, role: "viewer", merchant, once };
      await browser.send("/account/members/invite", invited);
    }
  }
  return sent;
}
