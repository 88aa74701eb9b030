import {
  applyPriceChange,
  hashOfPrices,
  schedulePriceChange,
} from "../../../domain/catalogue/price-changes/price-change.ts";
import type { PriceChangeId } from "../../../domain/catalogue/price-changes/price-change-queries.ts";
import { auditName } from "../../../domain/identity/people/person.ts";
import type { StaffRole } from "../../../domain/staff/roles.ts";
import type { Preview } from "../../../domain/suppliers/selling-prices/preview.ts";
import type { Instant } from "../../../kernel/clock.ts";
import type { Answer } from "../../kit/answer.tsx";
import { momentText } from "../../kit/parts/text.tsx";
import { matrix, type StaffVisit } from "../access.ts";
import { changeOrAsk, type TwoPeople } from "../approvals/two-people.ts";
import type { OperatorServices } from "../services.ts";
import { changesPath } from "./price-words.tsx";

/** What a person of the catalogue changes alone: so many prices, each by so many hundredths of a percent, none below cost. */
const aloneMax = { prices: 50, moved: 1_000n };

export function needsAdmin(role: StaffRole, { lines, largest, belowCost }: Preview): boolean {
  return role !== "admin" && (lines.length > aloneMax.prices || largest > aloneMax.moved || belowCost > 0);
}

/** Prices that a person of the catalogue asks for and an admin approves: frozen as they were previewed. */
export const priceChange: TwoPeople = {
  kind: "change prices",
  subjects: ({ change }) => [`price change ${change}`],
  ask: matrix.change_prices.roles,
  approve: ["admin"],
  async carryOut({ people, format }, database, payload) {
    const { change, prices_hash, reason, starts_at, made_by } = payload;
    const decided = {
      ...{ id: change as PriceChangeId, hash: String(prices_hash) },
      ...{ reason: String(reason), madeBy: String(made_by) },
    };
    const startsAt = typeof starts_at === "string" ? Date.parse(starts_at) : null;
    // What was to start in the meantime starts now.
    if (startsAt === null || startsAt <= people.clock.now()) {
      await applyPriceChange(database, decided);
      return "The new prices are in force. Merchants get catalogue.updated.";
    }
    await schedulePriceChange(database, { ...decided, startsAt });
    return `The new prices start ${momentText(format, startsAt, "full")}.`;
  },
};

interface Requested {
  readonly id: PriceChangeId;
  readonly preview: Preview;
  readonly reason: string;
  readonly startsAt: Instant | null;
}

/** Carries a previewed change out, schedules it, or asks an admin to approve it. */
export async function decidePrices(
  services: OperatorServices,
  visit: StaffVisit,
  { id, preview, reason, startsAt }: Requested,
): Promise<Answer> {
  const { person } = visit.session;
  const hash = await hashOfPrices(services.database, id);
  const madeBy = auditName(person);
  const doneAt = `${changesPath}/${id}`;
  const prices = preview.lines.length;
  const starts = startsAt === null ? null : new Date(startsAt).toISOString();
  const facts = { change: id, prices, below_cost: preview.belowCost, reason, starts_at: starts };
  const loss = preview.belowCost === 0 ? "" : `, ${preview.belowCost} of them below cost`;
  return changeOrAsk(services, visit, priceChange, {
    mayAlone: !needsAdmin(visit.staff.role, preview),
    command: startsAt === null ? "console prices change" : "console prices schedule",
    summary: `Change ${prices === 1 ? "1 price" : `${prices} prices`}${loss}: ${reason}`,
    payload: { ...facts, prices_hash: hash, made_by: madeBy, preview: doneAt },
    doneAt,
  });
}
