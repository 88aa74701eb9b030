import { changingPrices } from "../../../domain/catalogue/price-changes/set-prices.ts";
import type { FindKind } from "../../../domain/staff/change-kinds.ts";
import type { StaffRole } from "../../../domain/staff/roles.ts";
import { recipients } from "../alerts/alerts.tsx";
import { companyTexts } from "../company/company.tsx";
import { liveAccess } from "../merchants/live-access.tsx";
import { merchantOwner } from "../merchants/owner.ts";
import { bankTransfers } from "../money/bank-lines.tsx";
import { debit } from "../money/booking-form.tsx";
import { walletCredit } from "../money/money.tsx";
import { creditUndo } from "../money/undo-credit.tsx";
import { movingBack, movingIn } from "../moving-in/move-in.tsx";
import { paymentMatch } from "../payments/match.tsx";
import { providerChange } from "../payments/provider-account.tsx";
import { productAddition } from "../prices/new-product.tsx";
import { rateChange } from "../prices/rates.tsx";
import { differenceEnd } from "../reconciliation/difference-end.tsx";
import { resolutions } from "../review/together.tsx";
import { costChange } from "../routes/cost-approval.ts";
import { routeImport } from "../routes/import.tsx";
import { goodwill, resending, revealing } from "../sales/acting.ts";
import { limitTier } from "../settings/limit-tier.tsx";
import { sandboxSwitch, signUp } from "../settings/settings.tsx";
import { factorReset, invitation, removal, roleChange } from "../staff/staff.tsx";
import { accountChange } from "../suppliers/account.tsx";
import { limitsStop } from "../suppliers/limits.tsx";
import { supplierStop } from "../suppliers/stop.tsx";
import { voucherImport } from "../vouchers/imported.tsx";
import type { KindServices, TwoPeople } from "./two-people.ts";

const pricesChange: TwoPeople = { ...changingPrices.rules, by: () => changingPrices };

const changes: ReadonlyMap<string, TwoPeople> = new Map(
  [
    ...[invitation.kind, roleChange, removal, liveAccess, goodwill.kind, walletCredit, debit.kind, creditUndo],
    bankTransfers,
    ...[supplierStop, companyTexts.kind, recipients.kind, resolutions, differenceEnd, voucherImport, pricesChange],
    ...[
      merchantOwner.kind,
      signUp.kind,
      sandboxSwitch.kind,
      limitTier.kind,
      movingIn,
      movingBack,
      rateChange.kind,
      productAddition.kind,
      revealing,
      resending,
    ],
    ...[costChange, routeImport, limitsStop, factorReset, accountChange, providerChange, paymentMatch],
  ].map((change) => [change.kind, change]),
);

export const kindNames: readonly string[] = [...changes.keys()];

/** The kinds that a role agrees to. */
export function kindsFor(role: StaffRole): readonly string[] {
  return [...changes.values()].filter(({ approve }) => approve.includes(role)).map(({ kind }) => kind);
}

/** The kinds whose requests a role sees besides its own: what it may ask for or agree to. Null: all, also of another release. */
export function kindsSeenBy(role: StaffRole): readonly string[] | null {
  if (role === "admin") return null;
  const seen = [...changes.values()].filter(({ ask, approve }) => ask.includes(role) || approve.includes(role));
  return seen.map(({ kind }) => kind);
}

/** Null for a kind of another release. */
export function changeOf(kind: string): TwoPeople | null {
  return changes.get(kind) ?? null;
}

/** The kinds as these services carry them out. */
export function kindsOf(services: KindServices): FindKind {
  return (kind) => {
    const change = changeOf(kind);
    return change === null ? null : { rules: change, ...change.by(services) };
  };
}
