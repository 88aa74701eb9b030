import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import type { Change } from "../../../domain/staff/change-queries.ts";
import type { WalletCredit } from "../../../domain/wallet/credit-queries.ts";
import type { CreditRequest } from "../../../domain/wallet/credits.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import { Empty } from "../../kit/parts/layout.tsx";
import { type Column, Pager, Table, TableSheet } from "../../kit/parts/list.tsx";
import { Moment, Money, Status } from "../../kit/parts/text.tsx";
import { personName } from "../audit/audit-words.ts";

type Names = ReadonlyMap<MerchantId, string>;

function firstColumns<Row extends Pick<WalletCredit, "merchantId" | "bankReference">>(names: Names): Column<Row>[] {
  return [
    {
      title: "Merchant",
      cell: ({ merchantId: id }) => (
        <a href={`/operator/merchants/${formatMerchantId(id)}`}>{names.get(id) ?? formatMerchantId(id)}</a>
      ),
      place: "lead",
    },
    {
      title: "Bank reference",
      cell: ({ bankReference }) => (bankReference === null ? "none" : <code>{bankReference}</code>),
      place: "sub",
    },
  ];
}

type WaitingCredit = Change & CreditRequest;

/** Credits that another person books or refuses, each by its request. */
export function WaitingCredits({
  waiting,
  names,
}: {
  readonly waiting: readonly WaitingCredit[];
  readonly names: Names;
}) {
  return (
    <TableSheet
      title="Waiting for approval"
      rows={waiting}
      columns={[
        ...firstColumns<WaitingCredit>(names),
        { title: "Asked by", cell: ({ requesterName }) => requesterName, place: "sub" },
        { title: "Reason", cell: ({ reason }) => reason },
        { title: "Expires", cell: ({ endsAt }) => <Moment at={endsAt} /> },
        { title: "Amount", cell: ({ amount }) => <Money amount={amount} />, place: "amount" },
        {
          title: "Request",
          isTitleHidden: true,
          cell: ({ id }) => <a href={`/operator/approvals/${id}`}>{`Request ${id}`}</a>,
          place: "act",
        },
      ]}
      empty={<Empty title="No credits wait for approval">Credits above what one person may book appear here.</Empty>}
    />
  );
}

interface RecentProps {
  readonly credits: readonly WalletCredit[];
  readonly names: Names;
  readonly here: string;
  readonly mayUndo: boolean;
  readonly isFirstPage: boolean;
  readonly nextBefore: number | null;
}

function undoColumn(here: string): Column<WalletCredit> {
  return {
    title: "Take back",
    isTitleHidden: true,
    cell: ({ id, wasUndone }) =>
      wasUndone ? null : (
        <a href={`${here}/credits/${id}/take-back`} aria-label={`Take back credit ${id}`}>
          Take back
        </a>
      ),
    place: "act",
  };
}

export function RecentCredits({ credits, names, here, mayUndo, isFirstPage, nextBefore }: RecentProps) {
  return (
    <>
      <Table
        caption="Recent credits"
        rows={credits}
        columns={[
          ...firstColumns<WalletCredit>(names),
          {
            title: "By",
            cell: ({ requestedBy, approvedBy }) =>
              [requestedBy, approvedBy]
                .flatMap((name) => (name === null ? [] : [personName(name)]))
                .join(", approved by "),
            place: "sub",
          },
          { title: "When", cell: ({ bookedAt }) => <Moment at={bookedAt} />, place: "sub" },
          { title: "Reason", cell: ({ reason }) => reason },
          {
            title: "State",
            cell: ({ wasUndone }) =>
              wasUndone ? <Status kind="waiting">taken back</Status> : <Status kind="good">booked</Status>,
            place: "state",
          },
          { title: "Amount", cell: ({ amount }) => <Money amount={amount} />, place: "amount" },
          ...(mayUndo ? [undoColumn(here)] : []),
        ]}
        empty={<Empty title="No credits yet">Money that merchants paid in appears here once it’s booked.</Empty>}
      />
      <Pager
        previousHref={isFirstPage ? null : here}
        nextHref={nextBefore === null ? null : `${here}?before=${nextBefore}`}
      />
    </>
  );
}
