import { newReference } from "../client.ts";
import { knownClient } from "./login.ts";
import { openTerminal } from "./terminal.ts";

const purchases = {
  airtime: "buyAirtime",
  data: "buyData",
  electricity: "buyElectricity",
  cable: "buyCable",
  education: "buyEducation",
  giftcard: "buyGiftcard",
  esim: "buyEsim",
  betting: "fundBetting",
  internet: "buyInternet",
  voice: "buyVoice",
  sms: "sendSms",
  "recharge-pin": "buyRechargePins",
} as const;

/** Buys one thing and waits for its end. `isAgreed`: with a live key it is bought without a question. */
export async function buy([what = "", ...fields]: readonly string[], isAgreed: boolean): Promise<number> {
  if (!(what in purchases)) throw new TypeError(`buy sells ${Object.keys(purchases).join(", ")}.`);
  const method = purchases[what as keyof typeof purchases];
  const given: Readonly<Record<string, string>> = Object.fromEntries(fields.map(pairOf));
  const { dispense, url, isLive } = knownClient();
  const reference = given.reference ?? newReference();
  if (isLive && !isAgreed && !(await isConfirmed(`${what} ${fields.join(" ")} at ${url}`))) {
    console.error("Nothing was bought. --yes buys without this question.");
    return 1;
  }
  // Before it is sent: whatever happens then, the reference is on the screen.
  console.error(`Reference: ${reference}`);
  const sale = await dispense[method]({ ...given, reference } as never);
  if (sale.status === "pending") console.error("Pending. Waiting for its end; Ctrl-C stops waiting, not the sale.");
  const end = sale.status === "pending" ? await dispense.waitFor(reference) : sale;
  console.log(JSON.stringify(end, null, 2));
  return end.status === "successful" ? 0 : 1;
}

function pairOf(field: string): readonly [string, string] {
  const [, name, value = ""] = /^([a-z_]+)=(.*)$/s.exec(field) ?? [];
  if (name === undefined) throw new TypeError(`“${field}” is no field=value.`);
  return [name, value];
}

async function isConfirmed(wish: string): Promise<boolean> {
  const terminal = openTerminal();
  try {
    return await terminal.agree(`This key is live. Buy ${wish} for real money?`);
  } finally {
    terminal.close();
  }
}
