import { countsOf, type ImportPlan, type PlannedRoute } from "../../../domain/suppliers/route-lists/import-list.ts";
import type { ListedRoute } from "../../../domain/suppliers/route-lists/line-faults.ts";
import type { RouteList } from "../../../domain/suppliers/route-lists/read-list.ts";
import { listLinesMax } from "../../../domain/suppliers/route-lists/read-list.ts";
import { openFindLoss } from "../../../domain/suppliers/routing/limits.ts";
import { costOf, withRates } from "../../../domain/suppliers/routing/route-table.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { columnsOf } from "../../kit/columns.tsx";
import { FileOrLines } from "../../kit/file-or-lines.tsx";
import type { Typed } from "../../kit/form.ts";
import { Figures } from "../../kit/parts/data.tsx";
import { CheckField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { type Column, TableSheet } from "../../kit/parts/list.tsx";
import { countText, grouped } from "../../kit/parts/text.tsx";
import { states } from "../../kit/states.tsx";
import { CostText } from "../prices/price-words.tsx";
import type { OperatorServices } from "../services.ts";
import { routesPath } from "./words.tsx";

const column = columnsOf<PlannedRoute>();

const here = `${routesPath}/import`;
const shownMax = 200;

interface Previewed {
  readonly list: RouteList & { readonly isWhole: boolean };
  readonly plan: ImportPlan;
  readonly text: string;
  readonly typed: Typed;
}

/** What a list would change, line by line, with one button for all of it; or what is wrong with it, and the list to mend. */
export async function previewPage(services: OperatorServices, previewed: Previewed): Promise<PageAnswer> {
  const { list, plan, text } = previewed;
  const { planned, faults, unchanged } = plan;
  const counts = countsOf(planned);
  const { findProduct } = await services.catalogue.current();
  const losing = await losingRoutes(services, planned);
  const rows = [...planned].sort(
    (one, other) => Number(losing.has(other.productId)) - Number(losing.has(one.productId)),
  );
  const hidden = { supplier: list.supplier, list: text, seen: plan.version, ...(list.isWhole ? { whole: "on" } : {}) };
  return page(
    {
      title: faults.length > 0 ? `${countText(faults.length, "line")} to fix` : "Preview changes",
      note: `${list.supplier}: nothing has changed yet`,
      crumbs: [["Routes", routesPath] as const, ["Import routes", here] as const],
      status: faults.length > 0 ? 400 : 200,
    },
    <>
      <Figures
        figures={[
          { label: "Added", value: grouped(counts.added) },
          {
            label: "Changed",
            value: grouped(counts.changed + counts.moved),
            note: counts.moved === 0 ? undefined : `${grouped(counts.moved)} in priority alone`,
          },
          { label: "Removed", value: grouped(counts.removed), isAlarm: counts.removed > 0 },
          { label: "Sell at a loss", value: grouped(losing.size), isAlarm: losing.size > 0 },
        ]}
      />
      {faults.length > 0 ? <Faults {...previewed} /> : null}
      <TableSheet
        title="What changes"
        note={unchanged === 0 ? undefined : `${countText(unchanged, "route")} unchanged`}
        caption="Changes, by the lines of the list"
        rows={rows.slice(0, shownMax)}
        columns={plannedColumns(findProduct, losing)}
        mark={({ productId }) => (losing.has(productId) ? "odd" : undefined)}
        empty={<Empty title="Nothing changes">Every line is stored as the list has it.</Empty>}
      />
      {rows.length > shownMax ? <p class="hint">{`${shownMax} of ${grouped(rows.length)} changes shown.`}</p> : null}
      {faults.length > 0 || planned.length === 0 ? null : (
        <Form
          action={`${here}/apply`}
          submit={`Apply ${countText(planned.length, "change")}`}
          cancelHref={`${here}?supplier=${list.supplier}`}
          hidden={hidden}
        />
      )}
      {planned.length > 0 || faults.length > 0 ? null : (
        <div class="buttons">
          <ButtonLink href={`${routesPath}?supplier=${list.supplier}`}>See its routes</ButtonLink>
        </div>
      )}
    </>,
  );
}

async function losingRoutes(
  { reads, catalogue }: OperatorServices,
  planned: readonly PlannedRoute[],
): Promise<ReadonlySet<ProductId>> {
  const after: ListedRoute[] = planned.flatMap((each) => each.after ?? []);
  const ids = after.map(({ productId }) => productId);
  const findLoss = await openFindLoss(reads, ids, await catalogue.current());
  const priced = await withRates(reads, after);
  return new Set(priced.filter((route) => findLoss(route) !== null).map(({ productId }) => productId));
}

const kinds = states({
  added: ["Added", "waiting"],
  changed: ["Changed", "waiting"],
  moved: ["Moved", "waiting"],
  removed: ["Removed", "stop"],
});

type FindProduct = (id: ProductId) => { readonly name: string } | null;

function plannedColumns(findProduct: FindProduct, losing: ReadonlySet<ProductId>): readonly Column<PlannedRoute>[] {
  return [
    { title: "Line", cell: ({ line }) => (line === null ? "–" : grouped(line)), place: "pick" },
    column.lead("Product", ({ productId }) => (
      <>
        {findProduct(productId)?.name ?? "No such product"} <code>{productId}</code>
      </>
    )),
    column.more("Code", ({ before, after }) => <Changed before={before?.supplierCode} after={after?.supplierCode} />),
    {
      title: "Cost",
      cell: ({ before, after }) => {
        const [old, now] = [before === null ? null : costOf(before), after?.cost ?? null];
        return (
          <>
            {now === null ? "–" : <CostText cost={now} />}
            {old === null || JSON.stringify(old, text) === JSON.stringify(now, text) ? null : (
              <small>
                was <CostText cost={old} />
              </small>
            )}
          </>
        );
      },
      place: "amount",
    },
    column.more("Priority", ({ before, after }) => <Changed before={before?.priority} after={after?.priority} />),
    column.status("Change", ({ kind, productId, before }) => (
      <>
        {kinds.status(kind)}
        {losing.has(productId) ? <small class="ink-bad">sells at a loss</small> : null}
        {before !== null && !before.enabled ? <small>stays stopped</small> : null}
      </>
    )),
  ];
}

function text(_name: string, value: unknown) {
  return typeof value === "bigint" ? String(value) : value;
}

function Changed({
  before,
  after,
}: {
  readonly before: string | number | undefined;
  readonly after: string | number | undefined;
}) {
  return (
    <span>
      {after ?? "–"}
      {before === undefined || before === after ? null : <small>{`was ${before}`}</small>}
    </span>
  );
}

/** What is wrong, by the numbers of the lines, over the list to mend. */
function Faults({ list, plan: { faults }, text: pasted, typed }: Previewed) {
  return (
    <Sheet title="Lines to fix" note="Nothing can be applied before all are right">
      <ol class="plain-list">
        {faults.slice(0, shownMax).map(({ line, sentence }) => (
          <li key={`${line} ${sentence}`}>{sentence}</li>
        ))}
        {faults.length > shownMax ? <li>{`and ${grouped(faults.length - shownMax)} more`}</li> : null}
      </ol>
      <Form action={here} submit="Preview changes" hidden={{ supplier: list.supplier }} isUpload>
        <ListFields typed={typed.form.raw("file") === "" ? typed : { ...typed, value: () => pasted }} />
      </Form>
    </Sheet>
  );
}

/** Where a list is chosen, pasted or mended. */
export function ListFields({ typed }: { readonly typed: Typed }) {
  return (
    <>
      <FileOrLines
        {...{ typed, name: "list", rows: 10 }}
        label="Upload the list"
        hint={`CSV: a line of headings with product, code, cost and, if you like, priority; then a line for each route, up to ${grouped(listLinesMax)}.`}
      />
      <CheckField {...typed.box("whole")} label="Remove this supplier’s routes that the list doesn’t have" />
    </>
  );
}
