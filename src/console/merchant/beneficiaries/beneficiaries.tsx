import { findCategory } from "../../../categories/category-slugs.ts";
import type { CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import { listBeneficiaryPage, streamBeneficiaries } from "../../../domain/purchases/beneficiaries/beneficiaries.ts";
import { type Beneficiary, beneficiariesMax } from "../../../domain/purchases/beneficiaries/beneficiary.ts";
import { wordsIn } from "../../../domain/purchases/beneficiaries/queries.ts";
import type { PageAnswer } from "../../kit/answer.tsx";
import { choiceFilter, findFilter, listPage, readList, refuseUnread } from "../../kit/list-page.tsx";
import { ButtonLink, Empty } from "../../kit/parts/layout.tsx";
import type { Column } from "../../kit/parts/list.tsx";
import { grouped } from "../../kit/parts/text.tsx";
import { Customer } from "../../kit/sale.tsx";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import { customerHref, savedCustomer } from "../buy/customers.ts";
import { categoryChoices } from "../buy/offer.ts";
import { type CsvColumns, csvFile } from "../exports.ts";
import { savedViews } from "../find/saved-views.tsx";
import type { MerchantServices } from "../services.ts";
import { beneficiaryPages } from "./beneficiary.tsx";

const rowsPerPage = 50;
const wordsMax = 20;

/** Customers' numbers that are kept by name, to buy for again. */
export function beneficiaryListPages(routes: ModeRoutes, services: MerchantServices): void {
  routes.page("/beneficiaries", {
    capability: "keep_beneficiaries",
    show: (visit) => beneficiariesPage(services, visit),
  });
  routes.file("/beneficiaries.csv", {
    capability: "see_money",
    show(visit) {
      const { query, filter } = readFilter(visit);
      refuseUnread(query);
      const rows = () => streamBeneficiaries(services.reads, visit.buyer, filter);
      return csvFile(services, visit, "beneficiaries", csvColumns(services), rows);
    },
  });
  beneficiaryPages(routes, services);
}

/** What the list's address asks for. */
function readFilter(visit: ModeVisit) {
  const filters = {
    q: findFilter("Name, number, biller"),
    category: choiceFilter("Category", categoryChoices, (text) => findCategory(text)?.slug ?? null),
  };
  const query = readList(visit, visit.to("beneficiaries"), filters, beneficiariesMax);
  const { q, category } = query.values;
  return { query, filter: { category, words: wordsIn(q ?? "").slice(0, wordsMax) } };
}

function csvColumns({ wallTime }: MerchantServices): CsvColumns<Beneficiary> {
  return [
    ["id", ({ id }) => id],
    ["label", ({ label }) => label],
    ["category", ({ category }) => category],
    ["customer_ref", ({ customerRef }) => customerRef],
    ["biller", ({ billerSlug }) => billerSlug],
    ["network", ({ network }) => network],
    ["meter_type", ({ meterType }) => meterType],
    ["customer_name", ({ customerName }) => customerName],
    ["phone", ({ phone }) => phone],
    ["created_at", ({ createdAt }) => wallTime.format(createdAt)],
    ["updated_at", ({ updatedAt }) => wallTime.format(updatedAt)],
  ];
}

/** The kept numbers that the address asks for, newest first. */
async function beneficiariesPage(services: MerchantServices, visit: ModeVisit): Promise<PageAnswer> {
  const { reads, catalogue } = services;
  const { query, filter } = readFilter(visit);
  const requested = { page: query.page, perPage: rowsPerPage };
  const { beneficiaries, meta } = await listBeneficiaryPage(reads, visit.buyer, filter, requested);
  const { total } = meta;
  return listPage(query, {
    above: await savedViews(services, visit, query),
    title: "Customers",
    note: `${grouped(total)} ${query.isFiltered ? "match" : "saved"}. Live and Test share them.`,
    csv: total > 0 ? { path: visit.to("beneficiaries.csv"), count: total } : null,
    actions: (
      <ButtonLink href={visit.to("beneficiaries/add")} kind="main">
        Add a customer
      </ButtonLink>
    ),
    caption: "Customers, newest first",
    rows: beneficiaries,
    href: ({ id }) => visit.to(`beneficiaries/${id}`),
    columns: columnsFor(visit, await catalogue.current()),
    empty: (
      <Empty
        title="No saved customers yet"
        action={<ButtonLink href={visit.to("beneficiaries/add")}>Add a customer</ButtonLink>}
      >
        Save your regular customers and sell to them by name.
      </Empty>
    ),
    noneFits: { text: "Try a part of the name or number, or clear a filter." },
    pages: { perPage: rowsPerPage, total, lastShown: meta.last_page },
  });
}

function columnsFor(visit: ModeVisit, catalogue: CatalogueSnapshot): readonly Column<Beneficiary>[] {
  const buying: Column<Beneficiary> = {
    title: "Sell",
    isTitleHidden: true,
    cell: (kept) => (
      <a class="button small" href={customerHref(visit, catalogue, savedCustomer(kept))}>
        Sell<span class="unseen"> to {kept.label}</span>
      </a>
    ),
    align: "end",
    place: "state",
  };
  return [
    { title: "Name", cell: ({ label }) => label, place: "lead" },
    { title: "Number", cell: ({ customerRef }) => <Customer text={customerRef} />, place: "sub" },
    { title: "Category", cell: ({ category }) => findCategory(category)?.title ?? category },
    { title: "Biller", cell: ({ billerSlug, network }) => billerSlug ?? network ?? "any" },
    { title: "Customer", cell: ({ customerName }) => customerName ?? "" },
    ...(visit.may("buy") ? [buying] : []),
  ];
}
