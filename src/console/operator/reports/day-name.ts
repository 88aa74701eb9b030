import type { MomentFormat } from "../../kit/parts/surroundings.ts";
import { momentText } from "../../kit/parts/text.tsx";

/** `27 Nov 2026`. Noon is the same day in every zone that a deployment has. */
export function dayName(format: MomentFormat, date: string): string {
  return momentText(format, `${date}T12:00:00Z`, "day");
}

/** `1 Nov 2026 to 27 Nov 2026`, or the one day. */
export function daysName(format: MomentFormat, { from, to }: { readonly from: string; readonly to: string }): string {
  return from === to ? dayName(format, from) : `${dayName(format, from)} to ${dayName(format, to)}`;
}
