import { findCategory } from "../../../categories/category-slugs.ts";
import { categories } from "../../../categories/registry.ts";
import { listBeneficiaryPage } from "../../../domain/beneficiaries/beneficiaries.ts";
import { type Beneficiary, beneficiariesMax } from "../../../domain/beneficiaries/beneficiary.ts";
import { wordsIn } from "../../../domain/beneficiaries/queries.ts";
import type { Database } from "../../../platform/database/database.ts";
import { may } from "../../access.ts";
import { type PageAnswer, page } from "../../answer.ts";
import { ButtonLink, Buttons } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Filters } from "../../parts/filters.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { grouped, Pager } from "../../parts/pager.tsx";
import { Sheet } from "../../parts/sheet.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { type ModeVisit, modePath } from "../../visit.ts";
import { buyerOf } from "../buy/selling-gate.tsx";

const rowsPerPage = 50;
const wordsMax = 20;

/** Where to buy for a kept number: what its biller has, else the whole category. */
export function buyForHref(visit: ModeVisit, { id, category, billerSlug }: Beneficiary): string {
  const query = { beneficiary: id, ...(billerSlug === null ? {} : { biller: billerSlug }) };
  return modePath(visit, `buy/${category}?${new URLSearchParams(query)}`);
}

/** What a list's address asks for. */
export function readBeneficiaryFilter({ query }: ModeVisit) {
  const q = (query.get("q") ?? "").trim().slice(0, 200);
  const category = findCategory(query.get("category") ?? "")?.slug ?? null;
  return { q, category, filter: { category, words: wordsIn(q).slice(0, wordsMax) } };
}

/** The kept numbers that the address asks for, newest first. */
export async function beneficiaryListPage(database: Database, visit: ModeVisit): Promise<PageAnswer> {
  const { q, category, filter } = readBeneficiaryFilter(visit);
  const number = Math.min(beneficiariesMax, Math.max(1, Math.floor(Number(visit.query.get("page") ?? 1)) || 1));
  const asked = { page: number, perPage: rowsPerPage };
  const { beneficiaries, meta } = await listBeneficiaryPage(database, buyerOf(visit), filter, asked);
  const here = modePath(visit, "beneficiaries");
  const kept = new URLSearchParams({ ...(q === "" ? {} : { q }), ...(category === null ? {} : { category }) });
  const href = (pageNumber: number) => `${here}?${new URLSearchParams([...kept, ["page", String(pageNumber)]])}`;
  const isFiltered = q !== "" || category !== null;
  const before = (number - 1) * rowsPerPage;
  return page(
    "Beneficiaries",
    <>
      <PageHead
        title="Beneficiaries"
        actions={
          <Buttons>
            {meta.total > 0 ? (
              <ButtonLink href={`${here}.csv?${kept}`} isDownload>
                Download {grouped(meta.total)} as CSV
              </ButtonLink>
            ) : null}
            <ButtonLink href={`${here}/add`} kind="main">
              Add one
            </ButtonLink>
          </Buttons>
        }
      >
        {`${grouped(meta.total)} ${isFiltered ? "that fit" : "kept"}, the same in live and test`}
      </PageHead>
      <Filters
        action={here}
        filters={[
          { kind: "text", name: "q", label: "Find", value: q, hint: "name, number, biller" },
          {
            ...({ kind: "choice", name: "category", label: "Category", value: category ?? "" } as const),
            options: categories.map(({ slug, title }) => ({ value: slug, label: title })),
          },
        ]}
      />
      <Sheet isPadded={false}>
        <Table
          caption="Beneficiaries, newest first"
          rows={beneficiaries}
          href={({ id }) => `${here}/${id}`}
          columns={columnsFor(visit)}
          empty={isFiltered ? <NothingFits href={here} /> : <NothingYet href={`${here}/add`} />}
        />
      </Sheet>
      <Pager
        previousHref={number > 1 ? href(number - 1) : null}
        nextHref={number < meta.last_page ? href(number + 1) : null}
        from={beneficiaries.length === 0 ? null : before + 1}
        to={before + beneficiaries.length}
        total={meta.total}
      />
    </>,
  );
}

function columnsFor(visit: ModeVisit): readonly Column<Beneficiary>[] {
  const buying: Column<Beneficiary> = {
    title: "Buy",
    isTitleHidden: true,
    cell: (kept) => (
      <a class="button small" href={buyForHref(visit, kept)}>
        Buy<span class="unseen"> for {kept.label}</span>
      </a>
    ),
    align: "end",
    place: "state",
  };
  return [
    { title: "Name", cell: ({ label }) => label, place: "lead" },
    { title: "Number", cell: ({ customerRef }) => <code>{customerRef}</code>, place: "under" },
    { title: "Category", cell: ({ category }) => findCategory(category)?.title ?? category },
    { title: "Biller", cell: ({ billerSlug, network }) => billerSlug ?? network ?? "any", isQuiet: true },
    { title: "Customer", cell: ({ customerName }) => customerName ?? "", isQuiet: true },
    ...(may(visit.member.role, "buy") ? [buying] : []),
  ];
}

function NothingFits({ href }: { readonly href: string }) {
  return (
    <Empty title="Nothing fits" action={<ButtonLink href={href}>Show all</ButtonLink>}>
      Every word must stand in the name, the number, the customer's name or the biller.
    </Empty>
  );
}

function NothingYet({ href }: { readonly href: string }) {
  return (
    <Empty title="No numbers kept yet" action={<ButtonLink href={href}>Add one</ButtonLink>}>
      Keep the numbers of regular customers, and buy for them by name: here, and in the API by their id.
    </Empty>
  );
}
