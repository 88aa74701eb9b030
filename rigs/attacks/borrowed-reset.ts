import { openService } from "../base/shop.ts";
import { type Attack, mustBe } from "./attack.ts";
import { behindProxy, enterBusiness, enterStaff, openBrowser, password } from "./browser.ts";

const victim = "victim@shop.example";
const chosen = "another marble teapot 7";

export const borrowedReset: Attack = {
  name: "borrowed-reset",
  does: "an admin asks for an owner's new password, reads the email in the company's console and logs in; it learns no link.",
  secondsMax: 180,
  async run(ground) {
    const opened = await openService({ ...ground, environment: behindProxy });
    const { service } = opened;
    await enterBusiness(openBrowser(service, "203.0.113.9"), victim);
    const eve = await enterStaff(opened, { email: "eve@company.example", role: "admin" });
    const thief = openBrowser(service, "203.0.113.66");
    const requested = await thief.send("/reset-password", { email: victim });
    const list = await eve.send("/operator/emails");
    const emails = [...list.text.matchAll(/href="(\/operator\/emails\/\d+)"/g)].map(([, path = ""]) => path);
    const texts = await Promise.all([...new Set(emails)].map(async (path) => (await eve.send(path)).text));
    const tokens = texts.flatMap((text) => [...text.matchAll(/token=([\w-]{43})/g)].map(([, token = ""]) => token));
    for (const token of tokens) await thief.send("/reset-password/new", { token, password: chosen });
    const entered = await thief.send("/log-in", { email: victim, password: chosen });
    const owner = await openBrowser(service, "203.0.113.9").send("/log-in", { email: victim, password });
    return [
      mustBe("thief: the reset is asked for", requested.status < 400 ? "yes" : String(requested.status), "yes"),
      mustBe("admin: emails to the owner are listed", Number(emails.length > 0), 1),
      mustBe("admin: links read", tokens.length, 0),
      mustBe("thief: let in as the owner", Number(entered.status === 303), 0),
      mustBe("owner: let in as before", entered.status === 303 ? 0 : owner.status, 303),
    ];
  },
};
