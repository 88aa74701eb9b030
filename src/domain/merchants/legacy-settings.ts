import { assert } from "../../kernel/assert.ts";
import { type Network, networks, parseNetwork } from "../../kernel/phone.ts";

/** The number by which a merchant's older clients know each network. */
export type NetworkNumbers = Readonly<Record<Network, number>>;

/** How a merchant's older clients buy, as the operator set it for them. */
export interface LegacySettings {
  readonly networks: Readonly<Record<NumberedCategory, NetworkNumbers>>;
  /** Whether airtime to a number of another network's prefix is refused. */
  readonly checksPrefixes: boolean;
}

/** Some clients number the networks in one way for data and in another for airtime. */
export const numberedCategories = ["data", "airtime"] as const;
export type NumberedCategory = (typeof numberedCategories)[number];

export const usualNetworkNumbers: NetworkNumbers = { MTN: 1, GLO: 2, "9MOBILE": 3, AIRTEL: 4 };

/** The settings of a merchant for whom nothing was set. */
export const usualLegacySettings: LegacySettings = {
  networks: { data: usualNetworkNumbers, airtime: usualNetworkNumbers },
  checksPrefixes: true,
};

/** Reads `1=mtn,2=airtel,3=glo,4=9mobile`: each network once, each under a number of its own from 1 to 99. Null for anything else. */
export function parseNetworkNumbers(text: string): NetworkNumbers | null {
  const numbers = new Map<Network, number>();
  for (const pair of text.split(",")) {
    const [, digits = "", name = ""] = /^ *([1-9][0-9]?) *= *([A-Za-z0-9]+) *$/.exec(pair) ?? [];
    const network = parseLegacyNetwork(name);
    if (network === null || numbers.has(network)) return null;
    numbers.set(network, Number(digits));
  }
  const isWhole = numbers.size === networks.length && new Set(numbers.values()).size === networks.length;
  return isWhole ? (Object.fromEntries(numbers) as NetworkNumbers) : null;
}

/** As `parseNetworkNumbers` reads them, by number: `1=MTN,2=AIRTEL,3=GLO,4=9MOBILE`. */
export function formatNetworkNumbers(numbers: NetworkNumbers): string {
  const byNumber = networks
    .map((network) => [numbers[network], network] as const)
    .sort(([one], [other]) => one - other);
  return byNumber.map(([number, network]) => `${number}=${network}`).join(",");
}

/** As the database holds them: null for the usual ones. */
export function storedText(numbers: NetworkNumbers): string | null {
  const text = formatNetworkNumbers(numbers);
  return text === formatNetworkNumbers(usualNetworkNumbers) ? null : text;
}

/** The network that goes by a number; null where none does. */
export function networkNumbered(numbers: NetworkNumbers, number: number): Network | null {
  return networks.find((network) => numbers[network] === number) ?? null;
}

/** 9mobile's older name is among the names that older clients send. */
export function parseLegacyNetwork(text: string): Network | null {
  return text.trim().toUpperCase() === "ETISALAT" ? "9MOBILE" : parseNetwork(text);
}

/** Reads the settings from a merchant's row. */
export function legacySettings(row: {
  readonly legacy_data_networks: string | null;
  readonly legacy_airtime_networks: string | null;
  readonly legacy_prefix_check: boolean;
}): LegacySettings {
  return {
    networks: { data: storedNumbers(row.legacy_data_networks), airtime: storedNumbers(row.legacy_airtime_networks) },
    checksPrefixes: row.legacy_prefix_check,
  };
}

function storedNumbers(text: string | null): NetworkNumbers {
  if (text === null) return usualNetworkNumbers;
  const numbers = parseNetworkNumbers(text);
  assert(numbers !== null, "the database holds readable numbers of networks only");
  return numbers;
}
