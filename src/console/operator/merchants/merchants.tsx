import { Fragment } from "preact";
import { listCompanyMerchants, type MerchantState } from "../../../domain/history/merchants/merchant-list-queries.ts";
import { failingMs } from "../../../domain/history/today/money-at-risk.ts";
import { formatMerchantId, parseMerchantId } from "../../../domain/merchants/merchant.ts";
import { list } from "../../kit/list.tsx";
import { choiceFilter, findFilter } from "../../kit/list-page.tsx";
import { ButtonLink, Empty } from "../../kit/parts/layout.tsx";
import { MomentOrNever } from "../../kit/parts/text.tsx";
import { states } from "../../kit/states.tsx";
import type { StaffRoutes } from "../access.ts";
import type { OperatorServices } from "../services.ts";
import { merchantPath } from "./found-merchant.ts";

export const merchantState = states<MerchantState>({
  live: ["live", "good"],
  waiting: ["asks for live access", "waiting"],
  sandbox: ["sandbox only", "quiet"],
  suspended: ["suspended", "stop"],
});

/** The list answers: who is this caller, how do they stand, how much do they hold? */
export function merchantListPages(routes: StaffRoutes, { reads, people }: OperatorServices): void {
  list(routes, {
    at: "/operator/merchants",
    may: "look",
    title: "Merchants",
    note: "The newest first. A suspended one sells nothing.",
    filters: {
      q: findFilter("Name, email or mer_ number"),
      state: merchantState.filter("State"),
      webhooks: choiceFilter("Webhooks", [{ value: "failing", label: "Failing" }]),
    },
    placeIn: parseMerchantId,
    async read({ values: { q, state, webhooks }, before, limit }) {
      const failingSince = webhooks === null ? null : people.clock.now() - failingMs;
      const sought = { failingSince, text: q, id: q === null ? null : parseMerchantId(q), state, before };
      return { rows: await listCompanyMerchants(reads, { ...sought, limit }) };
    },
    place: ({ id }) => formatMerchantId(id),
    href: ({ id }) => merchantPath(id),
    columns: ({ lead, sub, extra, more, state, amount }) => [
      lead("Merchant", ({ name }) => name),
      sub("ID", ({ id }) => <code>{formatMerchantId(id)}</code>),
      extra("Email", ({ email }) => <Breakable text={email} />),
      state("State", merchantState, (merchant) => merchant.state),
      more("Last sale", ({ lastSaleAt }) => <MomentOrNever at={lastSaleAt} />),
      amount("Balance", ({ balance }) => balance),
    ],
    actions: (visit) => (
      <>
        {visit.may("see_money") ? <ButtonLink href="/operator/moving-in">Moving in</ButtonLink> : null}
        {visit.may("change_merchants") ? (
          <ButtonLink href="/operator/new-merchant" kind="main">
            New merchant
          </ButtonLink>
        ) : null}
      </>
    ),
    empty: <Empty title="No merchants yet">Businesses that sign up appear here, and those you create.</Empty>,
    noneFits: { title: "No merchants match", text: "Try a part of the name, the email of a person there, or mer_17." },
  });
}

/** An address may be broken before its dots and after its @, where a column is narrow. */
function Breakable({ text }: { readonly text: string }) {
  return text.split(/(?<=@)|(?=\.)/).map((part, place) => (
    <Fragment key={place}>
      {place === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ));
}
