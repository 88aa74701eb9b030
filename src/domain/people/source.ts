import { isIP } from "node:net";
import { canonicalAddress } from "../../platform/outbound-http/public-address.ts";

/** As the table bounds it. */
const sourceMax = 64;
/** Whoever has an IPv6 address mostly has all of its first four groups. */
const groupsKept = 4;

/** What attempts from an address are counted under: the address, or the /64 that it lies in. */
export function sourceOf(address: string): string {
  const canonical = canonicalAddress(address.split("%")[0] ?? "");
  if (canonical === null) return "unknown";
  if (isIP(canonical) === 4) return canonical;
  return `${groupsOf(canonical).slice(0, groupsKept).join(":")}::/64`.slice(0, sourceMax);
}

function groupsOf(address: string): string[] {
  const [head = "", tail] = address.split("::");
  const before = head === "" ? [] : head.split(":");
  if (tail === undefined) return before;
  const after = tail === "" ? [] : tail.split(":");
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => "0"), ...after];
}
