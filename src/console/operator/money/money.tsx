import { listMerchantNames } from "../../../domain/history/today/risk-queries.ts";
import { listWaitingChanges } from "../../../domain/staff/change-list-queries.ts";
import { listCredits } from "../../../domain/wallet/credit-queries.ts";
import { creditIn, creditingWallet } from "../../../domain/wallet/credits.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import { list } from "../../kit/list.tsx";
import { ButtonLink, Empty } from "../../kit/parts/layout.tsx";
import type { StaffRoutes } from "../access.ts";
import type { TwoPeople } from "../approvals/two-people.ts";
import type { OperatorServices } from "../services.ts";
import { recentColumns, WaitingCredits } from "./credit-tables.tsx";
import { presentWallet } from "./undo-credit.tsx";

const here = "/operator/money";
const waitingMax = 200;

/** Money that merchants paid in: what waits for a second person, what was booked, and what is taken back. */
export function moneyPages(routes: StaffRoutes, { reads, people }: OperatorServices): void {
  list(routes, {
    at: here,
    may: "see_money",
    title: "Credits",
    filters: {},
    placeIn: wholeNumber,
    async read({ visit, before, limit }) {
      const [open, rows] = await Promise.all([
        listWaitingChanges(reads, people.clock.now(), waitingMax, creditingWallet.rules.kind),
        listCredits(reads, limit, before),
      ]);
      const waiting = open.map((change) => ({ ...change, ...creditIn(JSON.parse(change.fields)) }));
      const names = await listMerchantNames(
        reads,
        [...waiting, ...rows].map(({ merchantId }) => merchantId),
      );
      return {
        rows,
        over: <WaitingCredits {...{ waiting, names }} />,
        columns: recentColumns({ names, here, mayUndo: visit.may("move_money") }),
      };
    },
    place: ({ id }) => id,
    caption: "Recent credits",
    heading: "Recent credits",
    note: "Money that merchants paid in. Each bank reference is booked once.",
    actions: (visit) =>
      visit.may("move_money") ? (
        <ButtonLink href={`${here}/credit`} kind="main">
          Credit wallet
        </ButtonLink>
      ) : null,
    empty: <Empty title="No credits yet">Money that merchants paid in appears here once it’s booked.</Empty>,
  });
}

/** More than one person may book alone; beside it what the wallet holds now. */
export const walletCredit: TwoPeople = {
  ...creditingWallet.rules,
  by: () => creditingWallet,
  show: ({ reads }, fields) => presentWallet(reads, fields),
};
