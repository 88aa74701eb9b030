import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import type { WalletCredit } from "../../../domain/wallet/credit-queries.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import { Form } from "../../kit/parts/form.tsx";
import { Buttons, Empty } from "../../kit/parts/layout.tsx";
import { type Column, Pager, Table, TableSheet } from "../../kit/parts/list.tsx";
import { Moment, Money, Status } from "../../kit/parts/text.tsx";
import { personName } from "../audit/audit-words.ts";

interface CreditsProps {
  readonly credits: readonly WalletCredit[];
  readonly names: ReadonlyMap<MerchantId, string>;
  readonly here: string;
}

function firstColumns(names: CreditsProps["names"]): Column<WalletCredit>[] {
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

/** Credits that a second person books or nobody does: who proposed one can only withdraw it. */
export function WaitingCredits(props: CreditsProps & { readonly isOwn: (credit: WalletCredit) => boolean }) {
  const { credits, names, here, isOwn } = props;
  return (
    <TableSheet
      title="Waiting for approval"
      rows={credits}
      columns={[
        ...firstColumns(names),
        { title: "Asked by", cell: ({ proposedBy }) => personName(proposedBy), place: "sub" },
        { title: "Reason", cell: ({ reason }) => reason },
        { title: "Expires", cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
        { title: "Amount", cell: ({ amount }) => <Money amount={amount} />, place: "amount" },
        {
          title: "Decide",
          isTitleHidden: true,
          cell: (credit) => {
            const action = `${here}/credits/${credit.id}`;
            return (
              <Buttons>
                {isOwn(credit) ? null : (
                  <Form {...{ action }} submit="Approve and book" size="small" hidden={{ do: "approve" }} isInline />
                )}
                <Form
                  {...{ action }}
                  submit={isOwn(credit) ? "Take back" : "Refuse"}
                  kind="plain"
                  size="small"
                  hidden={{ do: "withdraw" }}
                  isInline
                />
              </Buttons>
            );
          },
          place: "act",
        },
      ]}
      empty={<Empty title="No credits wait for approval">Credits above what one person may book appear here.</Empty>}
    />
  );
}

const states = { proposed: "expired", booked: "booked", withdrawn: "withdrawn", expired: "expired" } as const;

interface EndedProps extends CreditsProps {
  readonly mayUndo: boolean;
  readonly isFirstPage: boolean;
  readonly nextBefore: number | null;
}

function undoColumn(here: string): Column<WalletCredit> {
  return {
    title: "Take back",
    isTitleHidden: true,
    cell: ({ id, status, wasUndone }) =>
      status === "booked" && !wasUndone ? (
        <a href={`${here}/credits/${id}/take-back`} aria-label={`Take back credit ${id}`}>
          Take back
        </a>
      ) : null,
    place: "act",
  };
}

export function EndedCredits({ credits, names, here, mayUndo, isFirstPage, nextBefore }: EndedProps) {
  return (
    <>
      <Table
        caption="Recent credits"
        rows={credits}
        columns={[
          ...firstColumns(names),
          {
            title: "By",
            cell: ({ proposedBy, approvedBy }) =>
              [proposedBy, approvedBy]
                .flatMap((name) => (name === null ? [] : [personName(name)]))
                .join(", approved by "),
            place: "sub",
          },
          { title: "When", cell: ({ endedAt, expiresAt }) => <Moment at={endedAt ?? expiresAt} />, place: "sub" },
          { title: "Reason", cell: ({ reason }) => reason },
          {
            title: "State",
            cell: ({ status, wasUndone }) =>
              wasUndone ? (
                <Status kind="waiting">taken back</Status>
              ) : (
                <Status kind={status === "booked" ? "good" : "quiet"}>{states[status]}</Status>
              ),
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
