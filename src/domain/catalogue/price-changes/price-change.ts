import type { Instant } from "../../../kernel/clock.ts";
import type { Json } from "../../../kernel/json.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Database, Queryable, Tx } from "../../../platform/database/database.ts";
import { inOneTransaction } from "../../../platform/database/joined-database.ts";
import { auditName, type Person, type PersonId } from "../../identity/people/person.ts";
import { updateChangeCancelled } from "../../staff/agreed-change-queries.ts";
import { askForChange, enterRequest, type RequestResult } from "../../staff/ask-change.ts";
import type { ChangeServices, Fields, Request } from "../../staff/change-kinds.ts";
import { type ChangeId, insertChange, takeChangeId } from "../../staff/change-queries.ts";
import { takeSubjects } from "../../staff/change-subject-queries.ts";
import { changeCatalogue } from "../changes/change.ts";
import type { CatalogueSnapshot } from "../snapshot.ts";
import {
  deletePriceDraft,
  findOpenChange,
  findPriceChange,
  insertPriceDraft,
  priceChangeKind,
  type WholePriceChange,
} from "./price-change-queries.ts";
import { listMovedLines, listPricesSet } from "./price-history-queries.ts";
import {
  isSamePrice,
  lineOf,
  linesOf,
  type PriceLine,
  type StoredLine,
  storedLine,
  subjectOfLine,
} from "./price-lines.ts";
import { changingPrices, countOf, inForce, madeAlone, portionMax, setPrices, underWay } from "./set-prices.ts";

/** Prices of one change: more are two changes. */
export const priceLinesMax = 50_000;

/**
 * Keeps prices for a preview; nothing that merchants pay is changed. @throws Refusal VALIDATION_ERROR without a price, or
 * for more than `priceLinesMax`
 */
export function draftPriceChange(
  database: Queryable,
  {
    madeBy,
    lines,
    undoes = null,
  }: {
    readonly madeBy: string;
    readonly lines: readonly PriceLine[];
    readonly undoes?: ChangeId | null;
  },
): Promise<ChangeId> {
  if (lines.length === 0) throw refuse("VALIDATION_ERROR", { message: "No price would change." });
  if (lines.length > priceLinesMax) {
    const message = `That would change ${lines.length} prices. At most ${priceLinesMax} change at once.`;
    throw refuse("VALIDATION_ERROR", { message });
  }
  return insertPriceDraft(database, { madeBy, undoes, lines: JSON.stringify(lines.map(storedLine)) });
}

/** What a person says of a change of prices. */
interface Decided {
  readonly reason: string;
  /** Null: at once. */
  readonly startsAt: Instant | null;
  readonly madeBy: string;
  /** How many of the prices are below cost. */
  readonly belowCost: number;
}

interface Planned extends Decided {
  readonly id: ChangeId;
  readonly lines: readonly StoredLine[];
  readonly undoes: ChangeId | null;
}

type PriceRequest = Request & Required<Pick<Request, "id" | "dueAt" | "subjects">>;

/** A change of prices as it is asked for. */
function priceRequest(planned: Planned): PriceRequest {
  const { id, lines, undoes, reason, startsAt, madeBy, belowCost } = planned;
  const loss = belowCost === 0 ? "" : `, ${belowCost} of them below cost`;
  const fields: Fields = {
    ...{ prices: lines.length, below_cost: belowCost, reason },
    starts_at: startsAt === null ? null : new Date(startsAt).toISOString(),
    ...{ undoes, made_by: madeBy, preview: `/operator/prices/changes/${id}` },
  };
  return {
    ...{ id, fields, dueAt: startsAt, lines: lines as unknown as Json },
    summary: `Change ${countOf(lines.length)}${loss}${reason === "" ? "" : `: ${reason}`}`,
    subjects: lines.map((line) => subjectOfLine(lineOf(line))),
  };
}

/**
 * Makes a previewed change that one person may make alone: sets all its prices or none, schedules it, or, of more than
 * `portionMax`, has them set in portions. Merchants who pay them are told, as of any other price. Locks the preview, then
 * the catalogue's revision. @returns what is true now; null where it is scheduled
 * @throws Refusal VALIDATION_ERROR where it was decided before, a price has changed since, or, of one that is scheduled,
 * another change is open about one of its prices
 */
export function makePriceChange(
  database: Database,
  id: ChangeId,
  { now, ...decided }: Decided & { readonly now: Instant },
): Promise<string | null> {
  return inOneTransaction(database, async (tx, joined) => {
    const planned = { ...decided, id, ...(await takeDraft(tx, id)) };
    const { lines, startsAt, madeBy } = planned;
    const request = priceRequest(planned);
    const isLater = startsAt !== null || lines.length > portionMax;
    if (startsAt !== null) await refuseOpen(tx, request);
    await insertAlone(tx, request, { isLater, madeBy });
    await changeCatalogue(joined, async (step) => {
      await refuseMoved(step, lines);
      if (!isLater) await setPrices(step, lines, planned);
    });
    if (startsAt === null) return isLater ? underWay : inForce;
    if (!(await takeSubjects(tx, id, { ...request, now }))) throw taken();
    return null;
  });
}

/**
 * Asks for a previewed change. Locks the preview, and takes its prices for it.
 * @throws Refusal VALIDATION_ERROR as `makePriceChange`, and where another change is open about one of its prices
 */
export function askForPriceChange(
  services: ChangeServices,
  by: Person,
  { id, ...decided }: Omit<Decided, "madeBy"> & { readonly id: ChangeId },
): Promise<Exclude<RequestResult, { readonly kind: "taken" }>> {
  return inOneTransaction(services.database, async (tx, database) => {
    const planned = { ...decided, id, madeBy: auditName(by), ...(await takeDraft(tx, id)) };
    const request = priceRequest(planned);
    await refuseMoved(tx, planned.lines);
    await refuseOpen(tx, request);
    const result = await askForChange({ ...services, database }, by, changingPrices, request);
    if (result.kind === "taken") throw taken();
    return result;
  });
}

/** Asks for prices that had no preview. */
export async function askForPrices(
  services: ChangeServices,
  by: Person,
  { lines, reason, belowCost }: Pick<Decided, "reason" | "belowCost"> & { readonly lines: readonly PriceLine[] },
): Promise<RequestResult> {
  const decided = { reason, belowCost, startsAt: null, undoes: null, madeBy: auditName(by) };
  const id = await takeChangeId(services.database);
  const request = priceRequest({ ...decided, id, lines: lines.map(storedLine) });
  return askForChange(services, by, changingPrices, request);
}

async function takeDraft(tx: Tx, id: ChangeId) {
  const draft = await deletePriceDraft(tx, id);
  if (draft !== null) return { lines: JSON.parse(draft.lines) as readonly StoredLine[], undoes: draft.undoes };
  throw refuse("VALIDATION_ERROR", { message: "This change was carried out or cancelled before." });
}

async function insertAlone(
  tx: Tx,
  { id, summary, fields, lines, subjects, dueAt }: PriceRequest,
  { isLater, madeBy }: { readonly isLater: boolean; readonly madeBy: string },
): Promise<void> {
  const texts = { summary, fields: JSON.stringify(fields), lines: isLater ? JSON.stringify(lines) : null };
  const change = { ...madeAlone, id, ...texts, subjects: dueAt === null ? [] : subjects, dueAt };
  await insertChange(tx, change, { state: isLater ? "agreed" : "done", outcome: isLater ? null : inForce });
  if (isLater) await enterRequest(tx, madeBy, "console approval alone", change);
}

async function refuseMoved(tx: Tx, lines: readonly StoredLine[]): Promise<void> {
  const [first] = await listMovedLines(tx, lines);
  if (first === undefined) return;
  const message = `The price of product ${lines[first]?.product} was changed since this preview. Nothing changed: preview again.`;
  throw refuse("VALIDATION_ERROR", { message });
}

async function refuseOpen(tx: Tx, request: PriceRequest): Promise<void> {
  const open = await findOpenChange(tx, request);
  if (open === null) return;
  const { prices, changeId, state } = open;
  const message =
    state === "waiting"
      ? `${prices} of these prices wait for approval already, in change ${changeId}. Decide or withdraw that first.`
      : `${prices} of these prices are scheduled to change already, by change ${changeId}. Cancel that first.`;
  throw refuse("VALIDATION_ERROR", { message });
}

function taken() {
  return refuse("VALIDATION_ERROR", { message: "Someone asked for one of these prices just now. Look again." });
}

/** Cancels a scheduled change before its time. @throws Refusal VALIDATION_ERROR where it isn't scheduled any more */
export function cancelPriceChange(database: Database, id: ChangeId, by: PersonId): Promise<void> {
  return database.transaction(async (tx) => {
    if (await updateChangeCancelled(tx, { id, kind: priceChangeKind }, by)) return;
    throw refuse("VALIDATION_ERROR", { message: "This change isn’t scheduled any more." });
  });
}

/** The prices of a change: those that it set, or those that it is about. */
export async function readPriceLines(
  database: Queryable,
  { id, state, lines }: Pick<WholePriceChange, "id" | "state" | "lines">,
): Promise<PriceLine[]> {
  return state === "done" || lines === null ? (await listPricesSet(database, id)).map(lineOf) : linesOf(lines);
}

/**
 * The prices that take a done change back, from those of now. @throws Refusal VALIDATION_ERROR where it isn't done, or its
 * prices are what they were before
 */
export async function undoingLines(
  database: Queryable,
  id: ChangeId,
  catalogue: CatalogueSnapshot,
): Promise<readonly PriceLine[]> {
  const change = await findPriceChange(database, id);
  if (change?.state !== "done") throw refuse("VALIDATION_ERROR", { message: "Only a change that was made is undone." });
  return (await readPriceLines(database, change))
    .map((line) => ({ ...line, before: catalogue.ownPrice(line.productId, line.scope), after: line.before }))
    .filter(({ before, after }) => !isSamePrice(before, after));
}
