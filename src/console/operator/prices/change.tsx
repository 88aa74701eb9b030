import {
  cancelPriceChange,
  changedAgain,
  draftPriceChange,
  nameOfLine,
  type PriceLine,
  readDayAgoLines,
  readPriceLines,
  undoingLines,
} from "../../../domain/catalogue/price-changes/price-change.ts";
import {
  findPriceChange,
  type PriceChange,
  type PriceChangeId,
} from "../../../domain/catalogue/price-changes/price-change-queries.ts";
import { countScheduledLines, listMovedLines } from "../../../domain/catalogue/price-changes/price-line-queries.ts";
import { auditName } from "../../../domain/identity/people/person.ts";
import { countMerchantsByTier, findMerchant } from "../../../domain/merchants/queries.ts";
import { type Preview, previewOf, tierEffects } from "../../../domain/suppliers/selling-prices/preview.ts";
import type { Instant } from "../../../kernel/clock.ts";
import { refuse } from "../../../kernel/problems.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import { goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { refused, type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { CheckField, TextField } from "../../kit/parts/fields.tsx";
import { Flash, Form } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { countText } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import { ChangeFacts, ChangeLines, PreviewFigures, StateOfChange, WhoPays } from "./change-tables.tsx";
import { decidePrices, needsAdmin } from "./price-approval.ts";
import type { PriceTable } from "./price-query.ts";
import { changesPath, pricesPath } from "./price-words.tsx";
import { momentIn } from "./start-moment.ts";
import type { ReadTable } from "./table.ts";

const reasonMax = 200;
const laterMaxMs = 366 * 86_400_000;

/** One change of prices: who pays what before and after, and what is done with it. */
export function priceChangePages(routes: StaffRoutes, services: OperatorServices, read: ReadTable): void {
  const path = `${changesPath}/:number`;
  const doneAt = (visit: StaffVisit) => `${changesPath}/${visit.param("number")}`;
  const show = async (visit: StaffVisit, typed: Typed) => changePage(services, visit, { typed, table: await read() });
  routes.page(path, { capability: "see_prices", show });
  const change = { capability: "change_prices", doneAt, show } as const;
  routes.form(path, { ...change, send: async (visit, form) => decide(services, visit, form, await read()) });
  routes.form(`${path}/cancel`, {
    ...change,
    async send(visit) {
      const id = numberIn(visit);
      await cancelPriceChange(changing(services, visit, "console prices cancel", { change: id }), id);
      return goTo(doneAt(visit), "Cancelled. Prices stay as they are.");
    },
  });
  routes.form(`${path}/leave-out`, {
    ...change,
    async send(visit, form) {
      const { change: draft, lines } = await openChange(services, visit, await read());
      if (draft.state !== "draft") throw refused("This change was decided before.");
      const [madeBy, out] = [auditName(visit.session.person), new Set(form.all("line"))];
      const left = { madeBy, undoes: draft.undoes, lines: lines.filter((line) => !out.has(nameOfLine(line))) };
      return goTo(`${changesPath}/${await draftPriceChange(services.database, left)}`);
    },
  });
  routes.form(`${path}/undo`, {
    ...change,
    async send(visit) {
      const undoes = numberIn(visit);
      const lines = await undoingLines(services.database, undoes, (await read()).catalogue);
      const madeBy = auditName(visit.session.person);
      return goTo(`${changesPath}/${await draftPriceChange(services.database, { madeBy, lines, undoes })}`);
    },
  });
}

function numberIn(visit: StaffVisit): PriceChangeId {
  return (wholeNumber(visit.param("number")) ?? 0) as PriceChangeId;
}

interface OpenChange {
  readonly change: PriceChange;
  readonly lines: readonly PriceLine[];
  readonly preview: Preview;
  /** Of an undoing: the names of prices that somebody changed again since. */
  readonly changedSince: ReadonlySet<string>;
}

/** @throws Refusal NOT_FOUND */
async function openChange({ reads }: OperatorServices, visit: StaffVisit, table: PriceTable): Promise<OpenChange> {
  const change = await findPriceChange(reads, numberIn(visit));
  if (change === null) throw refuse("NOT_FOUND", { message: "There is no such change of prices." });
  const lines = await readPriceLines(reads, change.id);
  const undone = change.undoes === null ? null : await readPriceLines(reads, change.undoes);
  const changedSince = undone === null ? new Set<string>() : changedAgain(undone, lines);
  const tiers = await tiersOf(reads, lines);
  const { largest } = previewOf(table, await readDayAgoLines(reads, change.id), tiers);
  const preview = previewOf(table, lines, tiers);
  return { change, lines, preview: largest > preview.largest ? { ...preview, largest } : preview, changedSince };
}

/** The price tiers of the merchants whose own prices a change sets. */
async function tiersOf(reads: OperatorServices["reads"], lines: readonly PriceLine[]) {
  const ids = new Set(lines.flatMap(({ scope }) => (scope.of === "merchant" ? [scope.merchantId] : [])));
  const found = await Promise.all([...ids].map((id) => findMerchant(reads, id)));
  return new Map(found.flatMap((merchant) => (merchant === null ? [] : [[merchant.id, merchant.price_tier] as const])));
}

async function decide(services: OperatorServices, visit: StaffVisit, form: SentForm, table: PriceTable) {
  const { change, preview, changedSince } = await openChange(services, visit, table);
  if (change.state !== "draft") throw refused("This change was decided before.");
  const reason = form.text("reason");
  if (reason === "" || reason.length > reasonMax) throw wrong("reason", `Say why, in up to ${reasonMax} characters.`);
  const startsAt = startIn(form, services);
  // A cost may have changed since the page was made: what is confirmed is what was shown.
  if (preview.belowCost > (form.has("below_cost") ? (wholeNumber(form.text("below_cost_shown")) ?? 0) : 0)) {
    throw wrong("below_cost", "Tick this to sell below cost, or leave these prices out.");
  }
  if (changedSince.size > 0 && !form.has("changed_since")) {
    throw wrong("changed_since", "Tick this to overwrite the newer prices, or leave them out.");
  }
  return decidePrices(services, visit, { id: change.id, preview, reason, startsAt });
}

function startIn(form: SentForm, { wallTime, people }: OperatorServices): Instant | null {
  const typed = form.text("starts_at");
  if (typed === "") return null;
  const at = momentIn(typed, wallTime);
  const now = people.clock.now();
  if (at !== null && at > now && at < now + laterMaxMs) return at;
  throw wrong("starts_at", "Choose a moment within the next year, or leave it empty for now.");
}

interface Shown {
  readonly typed: Typed;
  readonly table: PriceTable;
}

async function changePage(services: OperatorServices, visit: StaffVisit, { typed, table }: Shown): Promise<PageAnswer> {
  const open = await openChange(services, visit, table);
  const { change, lines, preview } = open;
  const { id, state, undoes } = change;
  const isDraft = state === "draft";
  const isAhead = isDraft || state === "scheduled";
  const mayChange = visit.may("change_prices");
  const [moved] = isAhead ? await listMovedLines(services.reads, id, 1) : [];
  const scheduled = isDraft ? await countScheduledLines(services.reads, id) : { prices: 0, changeId: null };
  const number = Math.floor(Number(visit.query.get("page"))) || 1;
  return page(
    {
      title: isDraft ? "Preview of new prices" : `Price change ${id}`,
      state: <StateOfChange state={state} />,
      ...(undoes === null ? {} : { note: <a href={`${changesPath}/${undoes}`}>Undoes change {undoes}</a> }),
      crumbs: [
        ["Prices", pricesPath],
        ["Changes", changesPath],
      ],
    },
    <>
      {moved === undefined ? null : (
        <Flash kind="waiting">
          {`The price of product ${moved.productId} was changed since this was previewed, so this change can’t be made any more. `}
          <a href={pricesPath}>Start again from the table</a>
        </Flash>
      )}
      {scheduled.changeId === null ? null : (
        <Flash kind="waiting">
          {`${scheduled.prices} of these prices will change by `}
          <a href={`${changesPath}/${scheduled.changeId}`}>change {scheduled.changeId}</a>
          {", which can’t be made any more once you change them now."}
        </Flash>
      )}
      <PreviewFigures {...{ preview, isAhead }} />
      {isDraft ? null : <ChangeFacts change={change} />}
      {isAhead ? (
        <WhoPays effects={tierEffects(table.catalogue, lines, await countMerchantsByTier(services.reads))} />
      ) : null}
      {isDraft && mayChange && moved === undefined ? <DecideForm {...{ open, typed, visit }} /> : null}
      <ChangeLines {...{ preview, id, number, isAhead, ticked: isDraft && mayChange ? open.changedSince : null }} />
      {mayChange && state === "scheduled" ? (
        <Form action={`${changesPath}/${id}/cancel`} submit="Cancel price change" kind="danger" />
      ) : null}
      {mayChange && state === "done" ? (
        <Form action={`${changesPath}/${id}/undo`} submit="Preview undoing this change" kind="plain" />
      ) : null}
    </>,
  );
}

interface DecideProps {
  readonly open: OpenChange;
  readonly typed: Typed;
  readonly visit: StaffVisit;
}

function DecideForm({ open: { change, preview, changedSince }, typed, visit }: DecideProps) {
  const { belowCost, lines } = preview;
  const asks = needsAdmin(visit.staff.role, preview);
  const what = countText(lines.length, "price");
  return (
    <Sheet title={asks ? "Ask for approval" : "Change prices"}>
      {asks ? <p>An admin has to approve over 50 prices, moves of over 10%, and prices below cost.</p> : null}
      <Form
        action={`${changesPath}/${change.id}`}
        submit={asks ? `Ask to change ${what}` : `Change ${what}`}
        cancelHref={pricesPath}
        hidden={{ below_cost_shown: String(belowCost) }}
      >
        <TextField
          {...typed.field("reason", change.undoes === null ? "" : `Undo of change ${change.undoes}`)}
          label="Reason"
          hint="The history of each price shows it."
          lengthMax={reasonMax}
        />
        <TextField
          {...typed.field("starts_at")}
          label="Valid from"
          type="datetime-local"
          hint="Leave empty for now. A later change can be cancelled until it starts; merchants get catalogue.updated then."
          isRequired={false}
          isOptional={false}
        />
        {belowCost === 0 ? null : (
          <CheckField {...typed.box("below_cost")} label={`Sell at ${countText(belowCost, "price")} below cost`} />
        )}
        {changedSince.size === 0 ? null : (
          <CheckField
            {...typed.box("changed_since")}
            label={`Overwrite ${countText(changedSince.size, "price")} that changed again since`}
          />
        )}
      </Form>
    </Sheet>
  );
}
