import { findCategory } from "../../../categories/category-slugs.ts";
import type { CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import { listBeneficiaryPage, streamBeneficiaries } from "../../../domain/purchases/beneficiaries/beneficiaries.ts";
import type { Beneficiary } from "../../../domain/purchases/beneficiaries/beneficiary.ts";
import { wordsIn } from "../../../domain/purchases/beneficiaries/queries.ts";
import { list } from "../../kit/list.tsx";
import { choiceFilter, findFilter } from "../../kit/list-page.tsx";
import { categoryChoices } from "../../kit/offer-filters.ts";
import { ButtonLink, Empty } from "../../kit/parts/layout.tsx";
import type { Column } from "../../kit/parts/list.tsx";
import { grouped } from "../../kit/parts/text.tsx";
import { Customer } from "../../kit/sale.tsx";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import { customerHref, savedCustomer } from "../buy/customers.ts";
import { savedViews } from "../find/saved-views.tsx";
import type { MerchantServices } from "../services.ts";
import { beneficiaryPages } from "./beneficiary.tsx";

const wordsMax = 20;

/** Customers' numbers that are kept by name, to buy for again. */
export function beneficiaryListPages(routes: ModeRoutes, services: MerchantServices): void {
  const { reads, catalogue } = services;
  const filterOf = ({ q, category }: { readonly q: string | null; readonly category: string | null }) => {
    return { category, words: wordsIn(q ?? "").slice(0, wordsMax) };
  };
  list(routes, {
    at: "/beneficiaries",
    may: "keep_beneficiaries",
    title: "Customers",
    filters: {
      q: findFilter("Name, number, biller"),
      category: choiceFilter("Category", categoryChoices, (text) => findCategory(text)?.slug ?? null),
    },
    async read({ visit, query, values, page, limit: perPage }) {
      const { beneficiaries, meta } = await listBeneficiaryPage(reads, visit.buyer, filterOf(values), {
        page,
        perPage,
      });
      return {
        rows: beneficiaries,
        columns: visit.may("buy") ? [sellColumn(visit, await catalogue.current())] : [],
        total: meta.total,
        lastShown: meta.last_page,
        above: await savedViews(services, visit, query),
        note: `${grouped(meta.total)} ${query.isFiltered ? "match" : "saved"}. Live and Test share them.`,
        empty: (
          <Empty title="No saved customers yet" action={<ButtonLink href={addPath(visit)}>Add a customer</ButtonLink>}>
            Save your regular customers and sell to them by name.
          </Empty>
        ),
      };
    },
    href: ({ id }, { visit }) => visit.to(`beneficiaries/${id}`),
    csv: {
      ...{ from: services, may: "see_money", what: "beneficiaries" },
      rows: ({ visit, values }) => streamBeneficiaries(reads, visit.buyer, filterOf(values)),
    },
    caption: "Customers, newest first",
    columns: ({ lead, sub, more, inFile }) => [
      inFile({ id: ({ id }) => id }),
      lead("Name", ({ label }) => label, { label: ({ label }) => label, category: ({ category }) => category }),
      sub("Number", ({ customerRef }) => <Customer text={customerRef} />, {
        customer_ref: ({ customerRef }) => customerRef,
      }),
      more("Category", ({ category }) => findCategory(category)?.title ?? category),
      more("Biller", ({ billerSlug, network }) => billerSlug ?? network ?? "any", {
        biller: ({ billerSlug }) => billerSlug,
        network: ({ network }) => network,
        meter_type: ({ meterType }) => meterType,
      }),
      more("Customer", ({ customerName }) => customerName ?? "", { customer_name: ({ customerName }) => customerName }),
      inFile({
        phone: ({ phone }) => phone,
        created_at: ({ createdAt }, wallTime) => wallTime.format(createdAt),
        updated_at: ({ updatedAt }, wallTime) => wallTime.format(updatedAt),
      }),
    ],
    actions: (visit) => (
      <ButtonLink href={addPath(visit)} kind="main">
        Add a customer
      </ButtonLink>
    ),
    noneFits: { text: "Try a part of the name or number, or clear a filter." },
  });
  beneficiaryPages(routes, services);
}

function addPath(visit: ModeVisit): string {
  return visit.to("beneficiaries/add");
}

function sellColumn(visit: ModeVisit, catalogue: CatalogueSnapshot): Column<Beneficiary> {
  return {
    ...{ title: "Sell", isTitleHidden: true, align: "end", place: "state" },
    cell: (kept) => (
      <a class="button small" href={customerHref(visit, catalogue, savedCustomer(kept))}>
        Sell<span class="unseen"> to {kept.label}</span>
      </a>
    ),
  };
}
