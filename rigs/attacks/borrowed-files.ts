import { openService } from "../base/shop.ts";
import { type Attack, atLeast, mustBe } from "./attack.ts";
import { behindProxy, enterBusiness, enterStaff, fieldsFor, openBrowser } from "./browser.ts";

const files = [
  ...["transactions.csv", "wallet/statement.csv", "wallet/statement.pdf", "bulk.csv", "beneficiaries.csv"],
  ...["prices/prices.csv", "webhooks/deliveries.csv", "bulk/new/airtime/template.csv"],
];

export const borrowedFiles: Attack = {
  name: "borrowed-files",
  does: "support sees a merchant read only, and asks for its files and signatures by misspelt addresses; it gets none.",
  secondsMax: 180,
  async run(ground) {
    const opened = await openService({ ...ground, environment: behindProxy });
    const merchant = await enterBusiness(openBrowser(opened.service, "203.0.113.9"), "owner@shop.example");
    const eve = await enterStaff(opened, { email: "eve@company.example", role: "support" });
    const view = await eve.send(`/operator/merchants/${merchant}/view`, fieldsFor());
    const page = await eve.send("/test/overview");
    const addresses = files.flatMap((file) => spelt(`/test/${file}`));
    const taken: string[] = [];
    for (const path of addresses) if ((await eve.send(path)).status === 200) taken.push(path);
    for (const path of taken) ground.progress(`taken: ${path}`);
    const tester = await eve.send("/test/webhooks/tester?delivery=01J0000000000000000000000");
    return [
      mustBe("support: the view is open", `${view.status} ${page.status}`, "303 200"),
      atLeast("support: addresses tried", addresses.length, 50),
      mustBe("support: files taken", taken.length, 0),
      mustBe("support: what signs by the merchant's secret", tester.status, 403),
    ];
  },
};

/** One address in the spellings that lead to the same route. */
function spelt(path: string): string[] {
  const encoded = (at: number) => `${path.slice(0, at)}%${path.charCodeAt(at).toString(16)}${path.slice(at + 1)}`;
  const dot = path.lastIndexOf(".");
  return [
    path,
    encoded(dot),
    encoded(path.length - 1),
    encoded(dot + 2),
    encoded(8),
    `${path}/`,
    `${encoded(dot)}?x=1`,
  ];
}
