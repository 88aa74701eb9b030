import { listCompanyEntries } from "../../../domain/audit/audit-queries.ts";
import { listCompanyMerchants } from "../../../domain/history/merchants/merchant-list-queries.ts";
import { listLastEntries } from "../../../domain/history/reports/queries.ts";
import { listInvitations } from "../../../domain/members/invitation-queries.ts";
import { findBusinessDetails } from "../../../domain/members/live-access-queries.ts";
import { listMembers } from "../../../domain/members/queries.ts";
import { listApiKeys } from "../../../domain/merchants/key-queries.ts";
import { listLimitTiers } from "../../../domain/merchants/limits/queries.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { listAllowlist, type MerchantRow } from "../../../domain/merchants/queries.ts";
import { listPriceTiers } from "../../../domain/merchants/tiers/queries.ts";
import { tierTitle } from "../../../domain/merchants/tiers/tiers.ts";
import { findWallet } from "../../../domain/wallet/queries.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import type { Typed } from "../../kit/form.ts";
import { Facts, Figures } from "../../kit/parts/data.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Columns, Sheet } from "../../kit/parts/layout.tsx";
import { Moment, Money } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { enterLook } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import { merchantAt, merchantPath } from "./found-merchant.ts";
import { figuresOf, HealthSheet, NeedsAttention, readHealth } from "./health.tsx";
import { findRequested, LiveAccess } from "./live-access.tsx";
import { CompanyLog, EntryTable, entriesShown, KeyTable, logShown, PeopleTable } from "./merchant-tables.tsx";
import { merchantState } from "./merchants.tsx";
import { merchantOwner } from "./owner.ts";
import { ReceivingSheet, readReceiving } from "./receiving.tsx";

/** One merchant, its whole life on one page. */
export function merchantPages(routes: StaffRoutes, services: OperatorServices): void {
  routes.page("/operator/merchants/:id", {
    capability: "look",
    async show(visit, typed) {
      const merchant = await merchantAt(services, visit);
      // Before it is shown: no look of support is unknown.
      if (visit.staff.role === "support") {
        await enterLook(services, visit, "console merchant look", { merchant: formatMerchantId(merchant.id) });
      }
      return merchantPage(services, visit, merchant, typed);
    },
  });
}

/** With what was typed in one of its forms; null where the merchant is gone. */
export async function merchantPage(
  services: OperatorServices,
  visit: StaffVisit,
  merchant: MerchantRow,
  typed: Typed,
): Promise<PageAnswer | null> {
  const { reads } = services;
  const { id } = merchant;
  const now = services.people.clock.now();
  const sought = { text: null, id: null, state: null, before: (id + 1) as MerchantId, limit: 1 };
  const [[listed], seen, rules, people, invitations, keys, details, entries, log, requested, receiving] =
    await Promise.all([
      listCompanyMerchants(reads, sought),
      readHealth(services, merchant),
      readRules(services, merchant),
      listMembers(reads, id),
      listInvitations(reads, id),
      listApiKeys(reads, id),
      findBusinessDetails(reads, id),
      listLastEntries(reads, { merchantId: id, mode: "live" }, entriesShown),
      listCompanyEntries(reads, formatMerchantId(id), logShown),
      findRequested(services, merchant),
      visit.may("see_payments") ? readReceiving(reads, id) : null,
    ]);
  if (listed === undefined || listed.id !== id) return null;
  const at = merchantPath(merchant.id);
  const mayChange = visit.may("change_merchants");
  return page(
    {
      title: merchant.name,
      state: merchantState.status(listed.state),
      crumbs: [["Merchants", "/operator/merchants"]],
      note: (
        <>
          {formatMerchantId(id)} · {merchant.email} · joined <Moment at={merchant.created_at} style="day" />
        </>
      ),
      actions: <Actions {...{ visit, at, merchant }} />,
    },
    <>
      <Figures figures={figuresOf(listed, seen, `/operator/sales?merchant=${formatMerchantId(id)}`)} />
      <NeedsAttention seen={seen} known={{ merchant, listed, people, details, mayChange }} />
      <Columns>
        <div>
          <HealthSheet seen={seen} />
          {receiving === null ? null : <ReceivingSheet {...receiving} debt={seen.debt} />}
          <EntryTable entries={entries} transactionIds={services.transactionIds} />
          <Sheet title="People" id="people" isPadded={false}>
            <PeopleTable {...{ people, invitations, at, now, mayChange }} />
            {mayChange ? <div class="inside">{merchantOwner.draw(visit, typed, merchant)}</div> : null}
          </Sheet>
          <KeyTable {...{ keys, at, now }} mayRevoke={mayChange} />
          <CompanyLog log={log} />
        </div>
        <div>
          <LiveAccess {...{ visit, merchant, details, requested }} />
          <Rules {...{ rules, merchant }} />
        </div>
      </Columns>
    </>,
  );
}

function Actions({ visit, at, merchant }: { visit: StaffVisit; at: string; merchant: MerchantRow }) {
  const named = `merchant=${formatMerchantId(merchant.id)}`;
  return (
    <>
      {visit.may("view_as_merchant") ? (
        <Form action={`${at}/view`} submit="See as the merchant" kind="plain" isInline />
      ) : null}
      <ButtonLink href={`/operator/sales?${named}`}>Sales</ButtonLink>
      {visit.may("see_money") ? <ButtonLink href={`${at}/statement`}>Statement</ButtonLink> : null}
      {visit.may("change_merchants") ? <ButtonLink href={`${at}/change`}>Change merchant</ButtonLink> : null}
      {visit.may("move_money") ? (
        <ButtonLink href={`/operator/money/credit?${named}`} kind="main">
          Credit or debit
        </ButtonLink>
      ) : null}
    </>
  );
}

async function readRules({ reads }: OperatorServices, { id, limit_tier: limit, price_tier: price }: MerchantRow) {
  const [limits, prices, allowlist, sandbox] = await Promise.all([
    listLimitTiers(reads),
    listPriceTiers(reads),
    listAllowlist(reads, id),
    findWallet(reads, { merchantId: id, mode: "test" }),
  ]);
  const [limitTier, priceTier] = [limits.find(({ tier }) => tier === limit), prices.find(({ tier }) => tier === price)];
  return { limitTier, priceTier, allowlist, sandbox };
}

function Rules({ rules, merchant }: { readonly rules: Awaited<ReturnType<typeof readRules>>; merchant: MerchantRow }) {
  const { limitTier, priceTier, allowlist, sandbox } = rules;
  return (
    <Sheet title="Limits and prices">
      <Facts
        facts={{
          Limits: limitTier === undefined ? null : tierTitle(limitTier),
          "One sale": limitTier === undefined ? null : <Money amount={limitTier.perTransaction} />,
          "A day": limitTier === undefined ? null : <Money amount={limitTier.perDay} />,
          Prices: priceTier === undefined ? null : tierTitle(priceTier),
          "Own prices": (
            <a href={`/operator/prices?margin=own&merchant=${formatMerchantId(merchant.id)}`}>See or change</a>
          ),
          "Calls from": allowlist.length === 0 ? "Any address" : allowlist.join(", "),
          "Sandbox balance": sandbox === null ? null : <Money amount={sandbox.balance} />,
        }}
      />
    </Sheet>
  );
}
