import {
  askForPriceChange,
  cancelPriceChange,
  draftPriceChange,
  makePriceChange,
  readPriceLines,
  undoingLines,
} from "../../../domain/catalogue/price-changes/price-change.ts";
import {
  countSetAlone,
  findOpenChange,
  findPriceChange,
  type WholePriceChange,
} from "../../../domain/catalogue/price-changes/price-change-queries.ts";
import { listMovedLines } from "../../../domain/catalogue/price-changes/price-history-queries.ts";
import {
  changedAgain,
  linesOf,
  nameOfLine,
  type PriceLine,
  storedLine,
  subjectOfLine,
} from "../../../domain/catalogue/price-changes/price-lines.ts";
import { auditName } from "../../../domain/identity/people/person.ts";
import { countMerchantsByTier } from "../../../domain/merchants/queries.ts";
import type { ChangeId } from "../../../domain/staff/change-queries.ts";
import { needsSecondPerson, readPreview } from "../../../domain/suppliers/selling-prices/made-alone.ts";
import { type Preview, tierEffects } from "../../../domain/suppliers/selling-prices/preview.ts";
import type { Instant } from "../../../kernel/clock.ts";
import { refuse } from "../../../kernel/problems.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import { type Answer, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { refused, type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { CheckField, TextField } from "../../kit/parts/fields.tsx";
import { Flash, Form, Live } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { countText, momentText } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { HowFar } from "../approvals/request-facts.tsx";
import { answerRequest } from "../approvals/two-people.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import { ChangeFacts, ChangeLines, PreviewFigures, StateOfChange, WhoPays } from "./change-tables.tsx";
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
      const database = changing(services, visit, "console prices cancel", { change: id });
      await cancelPriceChange(database, id, visit.session.person.id);
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

function numberIn(visit: StaffVisit): ChangeId {
  return (wholeNumber(visit.param("number")) ?? 0) as ChangeId;
}

interface OpenChange {
  readonly change: WholePriceChange;
  readonly lines: readonly PriceLine[];
  readonly preview: Preview;
  /** Of an undoing: the names of prices that somebody changed again since. */
  readonly changedSince: ReadonlySet<string>;
  /** Of one that is not made yet: how many prices the visit's person set alone in the last 24 hours. */
  readonly setAlone: number;
}

/** @throws Refusal NOT_FOUND */
async function openChange({ reads }: OperatorServices, visit: StaffVisit, table: PriceTable): Promise<OpenChange> {
  const change = await findPriceChange(reads, numberIn(visit));
  if (change === null) throw refuse("NOT_FOUND", { message: "There is no such change of prices." });
  const lines = await readPriceLines(reads, change);
  const undone = change.undoes === null ? null : await findPriceChange(reads, change.undoes);
  const changedSince = undone === null ? new Set<string>() : changedAgain(await readPriceLines(reads, undone), lines);
  const ahead = isAhead(change);
  const preview = await readPreview(reads, table, lines, { isAhead: ahead });
  // What is taken back was within what one changes alone.
  const setAlone = ahead && change.undoes === null ? await countSetAlone(reads, auditName(visit.session.person)) : 0;
  return { change, lines, preview, changedSince, setAlone };
}

/** What of a done change was not set. */
function leftOf({ change, lines }: OpenChange): readonly PriceLine[] {
  if (change.state !== "done" || change.lines === null) return [];
  const set = new Set(lines.map(nameOfLine));
  return linesOf(change.lines).filter((line) => !set.has(nameOfLine(line)));
}

function isAhead({ state }: WholePriceChange): boolean {
  return state === "draft" || state === "waiting" || state === "agreed";
}

function needsAdmin({ staff: { role } }: StaffVisit, { preview, setAlone }: OpenChange): boolean {
  return role !== "admin" && needsSecondPerson(preview, setAlone);
}

async function decide(
  services: OperatorServices,
  visit: StaffVisit,
  form: SentForm,
  table: PriceTable,
): Promise<Answer> {
  const open = await openChange(services, visit, table);
  const { change, preview, changedSince } = open;
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
  const { person } = visit.session;
  const [id, doneAt, belowCost] = [change.id, `${changesPath}/${change.id}`, preview.belowCost];
  if (needsAdmin(visit, open)) {
    const requested = { id, reason, startsAt, belowCost };
    return answerRequest(await askForPriceChange(services.people, person, requested), { me: person.id, doneAt });
  }
  const starts = startsAt === null ? null : new Date(startsAt).toISOString();
  const details = { change: id, prices: preview.lines.length, below_cost: belowCost, reason, starts_at: starts };
  const command = startsAt === null ? "console prices change" : "console prices schedule";
  const given = { reason, startsAt, belowCost, madeBy: auditName(person), now: services.people.clock.now() };
  const made = await makePriceChange(changing(services, visit, command, details), id, given);
  return goTo(doneAt, made ?? `The new prices start ${momentText(services.format, startsAt ?? given.now, "full")}.`);
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
  const [now, isDraft, ahead] = [services.people.clock.now(), state === "draft", isAhead(change)];
  const isScheduled = state === "agreed" && change.dueAt !== null && change.dueAt > now;
  const mayChange = visit.may("change_prices");
  const [moved] = isDraft || isScheduled ? await listMovedLines(services.reads, lines.map(storedLine)) : [];
  const other = isDraft ? await findOpenChange(services.reads, { id, subjects: lines.map(subjectOfLine) }) : null;
  const number = Math.floor(Number(visit.query.get("page"))) || 1;
  return page(
    {
      title: isDraft ? "Preview of new prices" : `Price change ${id}`,
      state: <StateOfChange {...{ change, now }} />,
      actions: <Live tableId="change" everySeconds={2} isOn={state === "agreed" && !isScheduled} />,
      ...(undoes === null ? {} : { note: <a href={`${changesPath}/${undoes}`}>Undoes change {undoes}</a> }),
      crumbs: [
        ["Prices", pricesPath],
        ["Changes", changesPath],
      ],
    },
    <div id="change">
      {moved === undefined ? null : <MovedFlash product={lines[moved]?.productId} isDraft={isDraft} />}
      {other === null ? null : (
        <Flash kind="waiting">
          {`${other.prices} of these prices ${other.state === "agreed" ? "will change by" : "wait for approval in"} `}
          <a href={`${changesPath}/${other.changeId}`}>change {other.changeId}</a>
          {", which leaves them out once you change them now."}
        </Flash>
      )}
      <HowFar {...{ change, now }} />
      <PreviewFigures {...{ preview, isAhead: ahead }} />
      {isDraft ? null : <ChangeFacts change={change} left={leftOf(open)} />}
      {ahead ? (
        <WhoPays effects={tierEffects(table.catalogue, lines, await countMerchantsByTier(services.reads))} />
      ) : null}
      {isDraft && mayChange && moved === undefined ? <DecideForm {...{ open, typed, visit }} /> : null}
      <ChangeLines
        {...{ preview, id, number, isAhead: ahead, ticked: isDraft && mayChange ? open.changedSince : null }}
      />
      {mayChange && isScheduled ? (
        <Form action={`${changesPath}/${id}/cancel`} submit="Cancel price change" kind="danger" />
      ) : null}
      {mayChange && state === "done" ? (
        <Form action={`${changesPath}/${id}/undo`} submit="Preview undoing this change" kind="plain" />
      ) : null}
    </div>,
  );
}

/** That a price is another one by now than before this change. */
function MovedFlash({ product, isDraft }: { readonly product: number | undefined; readonly isDraft: boolean }) {
  return (
    <Flash kind="waiting">
      {`The price of product ${product} was changed since this was previewed, so `}
      {isDraft ? "this change can’t be made any more. " : "it will be left out. "}
      <a href={pricesPath}>{isDraft ? "Start again from the table" : "See prices"}</a>
    </Flash>
  );
}

interface DecideProps {
  readonly open: OpenChange;
  readonly typed: Typed;
  readonly visit: StaffVisit;
}

function DecideForm({ open, typed, visit }: DecideProps) {
  const { change, preview, changedSince } = open;
  const { belowCost, lines } = preview;
  const asks = needsAdmin(visit, open);
  const what = countText(lines.length, "price");
  return (
    <Sheet title={asks ? "Ask for approval" : "Change prices"}>
      {asks ? (
        <p>An admin has to approve over 50 prices or moves of over 10% in 24 hours, and prices below cost.</p>
      ) : null}
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
