import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";
import type { Shop } from "../base/shop.ts";
import { type Attack, atMost, measure, mustBe } from "./attack.ts";
import { behindProxy, enterBusiness, openBrowser, sourceAt } from "./browser.ts";
import { openShop, post, watchOthers } from "./shop.ts";

/** What a list is unpacked to at most, and at least what a form of 8 KiB holds packed. */
const listBytes = 4 * 1_048_576;
const kinds = ['"a\n', "a\n", " ", '"', "\n", ",", '"",', "08031234567 500\n", "a,"];
const formsOfEach = 3;
const processorSecondsMax = 8;

export const packedLists: Attack = {
  name: "packed-lists",
  does: "a stranger who never confirmed an email sends lists of 4 MiB packed into forms of 8 KiB; nobody may wait for it.",
  secondsMax: 300,
  async run(ground) {
    const shop = await openShop(ground, behindProxy);
    const browser = openBrowser(shop.service, sourceAt(7));
    const merchant = await enterBusiness(browser, "eve@attack.example");
    const before = await processorSeconds(shop);
    const others = await watchOthers(shop);
    const counts: Record<string, number> = {};
    for (const kind of kinds) {
      ground.progress(`lists of ${JSON.stringify(kind)}`);
      const packed = (await promisify(deflateRaw)(kind.repeat(listBytes / kind.length))).toString("base64");
      const fields = { category: "airtime", packed, merchant };
      const sent = Array.from({ length: formsOfEach }, () => browser.send("/test/bulk/check", fields));
      for (const { status } of await Promise.all(sent)) counts[status] = (counts[status] ?? 0) + 1;
    }
    const wait = await others.stop();
    const took = (await processorSeconds(shop)) - before;
    const after = await post(shop, "/data/purchase", JSON.stringify({ ...shop.basket, reference: "afterwards" }));
    return [
      measure("attacker: answers by status", JSON.stringify(counts)),
      mustBe("attacker: forms without an answer", counts[0] ?? 0, 0),
      atMost("processor time of the service meanwhile", took, processorSecondsMax, " s"),
      mustBe("others: balances refused", wait.errors, 0),
      atMost("others: longest wait", wait.maxMs, 500, " ms"),
      mustBe("a purchase afterwards", after.status, 201),
    ];
  },
};

/** What the service's process took so far; a tick of Linux is a hundredth of a second. */
async function processorSeconds({ service }: Pick<Shop, "service">): Promise<number> {
  const [, figures = ""] = (await readFile(`/proc/${service.pid}/stat`, "utf8")).split(") ");
  const [user, system] = figures.split(" ").slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) / 100;
}
