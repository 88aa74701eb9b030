import { listPendingGroups } from "../../../domain/history/search/search-queries.ts";
import { sumOfGroups } from "../../../domain/history/today/money-at-risk.ts";
import { type Purchase, soldProductOf } from "../../../domain/purchases/purchase.ts";
import { listReview, listReviewAnswers } from "../../../domain/resolution/review/review-queries.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { columnsOf } from "../../kit/columns.tsx";
import { ButtonLink, Empty, Split } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { countText, Money, spanText } from "../../kit/parts/text.tsx";
import { ProductName } from "../../kit/sale.tsx";
import type { StaffVisit } from "../access.ts";
import { merchantNames, shortNumber } from "../sales/words.ts";
import type { OperatorServices } from "../services.ts";
import { causeOf, whyText } from "./cause.ts";

const column = columnsOf<Purchase>();

const here = "/operator/review";
const shownMax = 200;
/** What waits for longer is red. */
const longMs = 3_600_000;

interface BesideQueue {
  readonly detail: PageAnswer["body"];
  readonly beside: PageAnswer["body"];
  readonly purchase: Purchase;
}

/** Sales that wait for a person, oldest first, with the one that is open beside them. */
export async function queuePage(
  services: OperatorServices,
  visit: StaffVisit,
  open: BesideQueue | null,
): Promise<PageAnswer> {
  const { reads, transactionIds, people, catalogue } = services;
  const [rows, answers, groups, products] = await Promise.all([
    listReview(reads, shownMax),
    listReviewAnswers(reads, shownMax),
    listPendingGroups(reads, { mode: "live", supplier: null, merchantId: null }),
    catalogue.current(),
  ]);
  const names = await merchantNames(reads, rows);
  const now = people.clock.now();
  const { count, total } = sumOfGroups(groups.filter(({ step }) => step === "review"));
  return page(
    {
      title: "Review queue",
      actions:
        count === 0 || !visit.may("resolve") ? null : (
          <>
            <ButtonLink href={`${here}/several`}>Decide several at once</ButtonLink>
            <ButtonLink href={`${here}/statement`}>Decide by statement</ButtonLink>
          </>
        ),
      note:
        count === 0 ? undefined : (
          <>
            {countText(count, "sale")}, <Money amount={total} />. Each is charged, and we don’t know whether it was
            delivered.
          </>
        ),
    },
    <Split detail={open?.detail ?? null}>
      <TableSheet
        caption="Sales in review, oldest first"
        rows={rows}
        href={({ id, wallet }) => `${here}/${transactionIds.format(id, wallet.mode)}`}
        isCurrent={({ id }) => id === open?.purchase.id}
        columns={[
          column.lead("Sale", (purchase) => <ProductName {...soldProductOf(products, purchase)} />),
          column.sub("Merchant", ({ wallet }) => names.get(wallet.merchantId)),
          column.sub("Why", ({ id, supplier, customerRef }) =>
            whyText(causeOf(answers.get(id) ?? null), { supplier, number: shortNumber(customerRef) }),
          ),
          column.amount("Charged", (purchase) => purchase.total),
          column.status("Waiting", ({ purchasedAt }) => <Waited ms={now - purchasedAt} />),
        ]}
        empty={
          <Empty title="No sales in review" icon="check">
            Sales whose supplier never says whether it delivered appear here, oldest first.
          </Empty>
        }
      />
      {count > rows.length ? (
        <p class="hint">The oldest {rows.length} are shown. Decide some to see the others.</p>
      ) : null}
      {open?.beside}
    </Split>,
  );
}

export function Waited({ ms }: { readonly ms: number }) {
  return <span class={ms > longMs ? "ink-bad" : undefined}>{spanText(ms)}</span>;
}
