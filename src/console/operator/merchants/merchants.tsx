import { Fragment } from "preact";
import {
  type ListedMerchant,
  listCompanyMerchants,
  type MerchantState,
  merchantStates,
} from "../../../domain/history/merchants/merchant-list-queries.ts";
import { failingMs } from "../../../domain/history/today/money-at-risk.ts";
import { formatMerchantId, parseMerchantId } from "../../../domain/merchants/merchant.ts";
import type { PageAnswer } from "../../kit/answer.tsx";
import { choiceFilter, findFilter, listPage, pageOf, readList } from "../../kit/list-page.tsx";
import { ButtonLink, Empty } from "../../kit/parts/layout.tsx";
import { MomentOrNever, Money, Status, type StatusKind } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import type { OperatorServices } from "../services.ts";

const here = "/operator/merchants";
const perPage = 50;

/** The list answers: who is this caller, how do they stand, how much do they hold? */
export function merchantListPages(routes: StaffRoutes, services: OperatorServices): void {
  routes.page(here, { capability: "look", show: (visit) => merchantsPage(services, visit) });
}

const stateWords: Readonly<Record<MerchantState, readonly [word: string, kind: StatusKind]>> = {
  live: ["live", "good"],
  waiting: ["asks for live access", "waiting"],
  sandbox: ["sandbox only", "quiet"],
  suspended: ["suspended", "stop"],
};

export function MerchantStatus({ state }: { readonly state: MerchantState }) {
  const [word, kind] = stateWords[state];
  return <Status kind={kind}>{word}</Status>;
}

const filters = {
  q: findFilter("Name, email or mer_ number"),
  state: choiceFilter(
    "State",
    merchantStates.map((value) => ({ value, label: stateWords[value][0] })),
  ),
  webhooks: choiceFilter("Webhooks", [{ value: "failing", label: "Failing" }]),
};

async function merchantsPage({ reads, people }: OperatorServices, visit: StaffVisit): Promise<PageAnswer> {
  const query = readList(visit, here, filters);
  const { q, state, webhooks } = query.values;
  const before = parseMerchantId(query.before);
  const failingSince = webhooks === null ? null : people.clock.now() - failingMs;
  const sought = { failingSince, text: q, id: q === null ? null : parseMerchantId(q), state, before };
  const found = await listCompanyMerchants(reads, { ...sought, limit: perPage + 1 });
  const { rows, older } = pageOf(found, perPage, ({ id }) => formatMerchantId(id));
  return listPage(query, {
    title: "Merchants",
    note: "The newest first. A suspended one sells nothing.",
    actions: (
      <>
        {visit.may("see_money") ? <ButtonLink href="/operator/moving-in">Moving in</ButtonLink> : null}
        {visit.may("change_merchants") ? (
          <ButtonLink href="/operator/new-merchant" kind="main">
            New merchant
          </ButtonLink>
        ) : null}
      </>
    ),
    caption: "Merchants",
    rows,
    href: ({ id }) => `${here}/${formatMerchantId(id)}`,
    columns: [
      { title: "Merchant", cell: ({ name }: ListedMerchant) => name, place: "lead" },
      { title: "ID", cell: ({ id }) => <code>{formatMerchantId(id)}</code>, place: "sub" },
      { title: "Email", cell: ({ email }) => <Breakable text={email} />, place: "sub", isExtra: true },
      { title: "State", cell: ({ state }) => <MerchantStatus state={state} />, place: "state" },
      { title: "Last sale", cell: ({ lastSaleAt }) => <MomentOrNever at={lastSaleAt} /> },
      { title: "Balance", cell: ({ balance }) => <Money amount={balance} />, place: "amount" },
    ],
    empty: <Empty title="No merchants yet">Businesses that sign up appear here, and those you create.</Empty>,
    noneFits: { title: "No merchants match", text: "Try a part of the name, the email of a person there, or mer_17." },
    older,
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
