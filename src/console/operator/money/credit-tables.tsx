import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import type { Change } from "../../../domain/staff/change-queries.ts";
import type { WalletCredit } from "../../../domain/wallet/credit-queries.ts";
import type { CreditRequest } from "../../../domain/wallet/credits.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import { columnsOf, type ListColumn } from "../../kit/columns.tsx";
import { Empty } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { Moment } from "../../kit/parts/text.tsx";
import { states } from "../../kit/states.tsx";
import { personName } from "../audit/audit-words.ts";

type Names = ReadonlyMap<MerchantId, string>;

function firstColumns<Row extends Pick<WalletCredit, "merchantId" | "bankReference">>(
  names: Names,
): readonly ListColumn<Row>[] {
  const column = columnsOf<Row>();
  return [
    column.lead("Merchant", ({ merchantId: id }) => (
      <a href={`/operator/merchants/${formatMerchantId(id)}`}>{names.get(id) ?? formatMerchantId(id)}</a>
    )),
    column.sub("Bank reference", ({ bankReference }) =>
      bankReference === null ? "none" : <code>{bankReference}</code>,
    ),
  ];
}

type WaitingCredit = Change & CreditRequest;
const waitingColumn = columnsOf<WaitingCredit>();

interface WaitingProps {
  readonly waiting: readonly WaitingCredit[];
  readonly names: Names;
}

/** Credits that another person books or refuses, each by its request. */
export function WaitingCredits({ waiting, names }: WaitingProps) {
  return (
    <TableSheet
      title="Waiting for approval"
      rows={waiting}
      columns={[
        ...firstColumns<WaitingCredit>(names),
        waitingColumn.sub("Asked by", ({ requesterName }) => requesterName),
        waitingColumn.plain("Reason", ({ reason }) => reason),
        waitingColumn.plain("Expires", ({ endsAt }) => <Moment at={endsAt} />),
        waitingColumn.amount("Amount", ({ amount }) => amount),
        waitingColumn.act("Request", ({ id }) => <a href={`/operator/approvals/${id}`}>{`Request ${id}`}</a>),
      ]}
      empty={<Empty title="No credits wait for approval">Credits above what one person may book appear here.</Empty>}
    />
  );
}

const creditStates = states({ undone: ["taken back", "waiting"], booked: ["booked", "good"] });
const column = columnsOf<WalletCredit>();

interface RecentProps {
  readonly names: Names;
  readonly here: string;
  readonly mayUndo: boolean;
}

export function recentColumns({ names, here, mayUndo }: RecentProps): readonly ListColumn<WalletCredit>[] {
  const undo = column.act("Take back", ({ id, wasUndone }) =>
    wasUndone ? null : (
      <a href={`${here}/credits/${id}/take-back`} aria-label={`Take back credit ${id}`}>
        Take back
      </a>
    ),
  );
  return [
    ...firstColumns<WalletCredit>(names),
    column.sub("By", ({ requestedBy, approvedBy }) =>
      [requestedBy, approvedBy].flatMap((name) => (name === null ? [] : [personName(name)])).join(", approved by "),
    ),
    column.when("When", ({ bookedAt }) => bookedAt),
    column.plain("Reason", ({ reason }) => reason),
    column.state("State", creditStates, ({ wasUndone }) => (wasUndone ? "undone" : "booked")),
    column.amount("Amount", ({ amount }) => amount),
    ...(mayUndo ? [undo] : []),
  ];
}
