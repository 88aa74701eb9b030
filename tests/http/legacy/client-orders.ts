import type { NumberedCategory } from "../../../src/domain/merchants/legacy-settings.ts";
import type { Network } from "../../../src/kernel/phone.ts";
import type { ClientProfile } from "./client-profile.ts";
import { clientProfiles } from "./client-profiles.ts";
import type { ShopOrder } from "./client-requests.ts";

const prefixes: Readonly<Record<Network, string>> = { MTN: "0803", GLO: "0805", "9MOBILE": "0809", AIRTEL: "0802" };
const plans: Readonly<Record<Network, number>> = { MTN: 2, GLO: 202, "9MOBILE": 402, AIRTEL: 622 };

let phones = 0;
/** The last four digits decide in the sandbox. */
function phoneOf(network: Network, suffix: string): string {
  phones += 1;
  const middle = String(phones).padStart(6, "0");
  return `${prefixes[network]}${suffix === "" ? `${middle}5` : `${middle.slice(-3)}${suffix}`}`;
}

export interface OrderWish {
  readonly network?: Network;
  /** The number's last four digits. */
  readonly suffix?: string;
  readonly change?: Partial<ShopOrder>;
}

export interface Requested {
  readonly profile: ClientProfile;
  readonly order: ShopOrder;
}

/** An order for everything that each client sells on this network. */
export function ordersFor({ network = "MTN", suffix = "", change = {} }: OrderWish): readonly Requested[] {
  return clientProfiles.flatMap((profile) =>
    (["data", "airtime"] as const)
      .filter((category: NumberedCategory) => profile[category]?.includes(network))
      .map((category) => {
        const order = { category, network, phone: phoneOf(network, suffix), plan: plans[network], amount: 100 };
        return { profile, order: { ...order, ...change } };
      }),
  );
}
