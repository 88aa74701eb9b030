import type { Reading } from "../../../platform/database/reading-standby.ts";
import { useSurroundings } from "../../kit/parts/surroundings.ts";
import { Moment, spanText } from "../../kit/parts/text.tsx";

/** How old what was read at a standby is; nothing where it is as of now. */
export function AsOf({ asOf }: Pick<Reading, "asOf">) {
  const { now } = useSurroundings();
  if (asOf === null) return null;
  return (
    <p class="hint">
      As of <Moment at={asOf} style="time" />, {spanText(now - asOf)} ago. Later sales and refunds appear within a
      minute.
    </p>
  );
}
