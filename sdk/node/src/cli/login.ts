import { Dispense } from "../client.ts";
import { keep, pathOf, readKept } from "./kept-files.ts";
import { openTerminal } from "./terminal.ts";

const file = "login.json";

interface Login {
  readonly url?: string;
  readonly key?: string;
}

/** What login kept; null where nobody has logged in. @throws TypeError where the file is not ours any more */
function kept(): Login | null {
  const text = readKept(file);
  if (text === null) return null;
  try {
    return JSON.parse(text) as Login;
  } catch {
    throw new TypeError(`${pathOf(file)} can't be read. Remove it, and log in again.`);
  }
}

/** The client that the environment names, else the one that login kept, and what its key buys with. */
export function knownClient(): { readonly dispense: Dispense; readonly url: string; readonly isLive: boolean } {
  const { DISPENSE_URL, DISPENSE_KEY } = process.env;
  const known = DISPENSE_URL !== undefined && DISPENSE_KEY !== undefined ? null : kept();
  // A kept key goes to the address that it was kept with, and nowhere else.
  if (known !== null && DISPENSE_URL !== undefined && DISPENSE_URL !== known.url) {
    throw new TypeError(`DISPENSE_URL is another address than login kept. Set DISPENSE_KEY to its key, too.`);
  }
  const url = DISPENSE_URL ?? known?.url;
  const key = DISPENSE_KEY ?? known?.key;
  if (url === undefined || key === undefined) throw new TypeError("Nobody has logged in here: dispense login.");
  return { dispense: new Dispense({ url, key }), url, isLive: isLive(key) };
}

function isLive(key: string): boolean {
  return key.startsWith("ds_live_");
}

function described({ url = "no address", key = "" }: Login): string {
  return `${isLive(key) ? "live" : "sandbox"} key …${key.slice(-4)} at ${url}`;
}

/** Keeps address and key, once the key is known to be good. `isAgreed`: what was kept before may go. */
export async function login(address: string | undefined, isAgreed: boolean): Promise<number> {
  const terminal = openTerminal();
  try {
    const { DISPENSE_URL, DISPENSE_KEY } = process.env;
    const url = address ?? DISPENSE_URL ?? (await terminal.ask("Address, such as https://api.example.com: "));
    const key = DISPENSE_KEY ?? (await terminal.ask("API key (ds_test_… or ds_live_…): "));
    const { balance, currency } = await new Dispense({ url, key }).getWalletBalance();
    const before = readKept(file) === null ? null : kept();
    const isReplaced = before !== null && (before.url !== url || before.key !== key);
    if (isReplaced && !isAgreed && !(await terminal.agree(`Replace the ${described(before)}?`))) {
      console.error(`Nothing changed: the ${described(before)} is kept. --yes replaces it.`);
      return 1;
    }
    const place = keep(file, JSON.stringify({ url, key }));
    const mode = isLive(key) ? "LIVE: what you buy costs real money." : "Sandbox: nothing costs money.";
    console.log(`Logged in. ${mode} The wallet holds ${currency} ${balance}. Kept in ${place}.`);
    return 0;
  } finally {
    terminal.close();
  }
}
