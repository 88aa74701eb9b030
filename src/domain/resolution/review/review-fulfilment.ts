import { isDeepStrictEqual } from "node:util";
import { Errors } from "typebox/value";
import type { Category } from "../../../categories/category.ts";
import { isJsonObject } from "../../../categories/fulfilment/fulfilment-by-hand.ts";
import { toppedUp } from "../../../categories/fulfilment/fulfilment-fields.ts";
import type { VendRequest } from "../../../categories/supplier-request.ts";
import { wallTime } from "../../../kernel/clock.ts";
import type { Json, JsonObject } from "../../../kernel/json.ts";
import { refuse } from "../../../kernel/problems.ts";

/** The parts of a JSON schema that are read here. */
export interface FieldShape {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, FieldShape>>;
  readonly items?: FieldShape;
  readonly maxItems?: number;
  readonly examples?: readonly unknown[];
}

/** The sandbox's dates are compared with nothing here. */
const anyZone = wallTime("UTC");
/** A refusal names no more faults than this. */
const faultsShown = 200;

/** The sandbox's fulfilment of a purchase: as many pieces as were bought, with the fields that the purchase decides. */
export async function simulatedFulfilment(category: Category, request: VendRequest): Promise<JsonObject> {
  return category.simulate(request, anyZone);
}

/** The fulfilment as a person entered it, with its derived fields. Null stands for a top-up: nothing is entered. */
export async function completedFulfilment({ byHand }: Category, given: JsonObject | null): Promise<JsonObject | null> {
  if (given === null) return byHand === null ? toppedUp : null;
  return byHand?.complete?.(given) ?? given;
}

/**
 * Completes a fulfilment that a person entered in a supplier's place, and checks it against the purchase.
 * @throws Refusal VALIDATION_ERROR with every fault, or where nothing was given and the customer gets something
 */
export async function checkedFulfilment(
  category: Category,
  request: VendRequest,
  given: JsonObject | null,
): Promise<JsonObject> {
  const handed = await completedFulfilment(category, given);
  if (handed === null) {
    throw refuse("VALIDATION_ERROR", { message: "Say what the customer gets: only a top-up hands nothing over." });
  }
  const faults = await fulfilmentFaults(category, request, handed);
  if (faults.length === 0) return handed;
  const more = faults.length > faultsShown ? [`and ${faults.length - faultsShown} more`] : [];
  const reported = [...faults.slice(0, faultsShown), ...more].join(";\n  ");
  throw refuse("VALIDATION_ERROR", { message: `These are no goods of ${category.slug}: ${reported}.` });
}

/** The faults of a fulfilment: one sentence a field, its path first. None where it is right for the purchase. */
export async function fulfilmentFaults(
  category: Category,
  request: VendRequest,
  handed: JsonObject,
): Promise<readonly string[]> {
  const { fulfilment, byHand } = category;
  const kind = fulfilment.properties.kind.const;
  if (handed.kind !== kind) return [`/kind must be ${JSON.stringify(kind)}`];
  const simulated = await simulatedFulfilment(category, request);
  // The plainest sentence about a field comes first: only that one is answered.
  const all = [
    ...emptyTexts(handed, simulated, "").filter((fault) => !isDerived(fault, byHand)),
    ...(byHand?.faults?.(request, handed) ?? []),
    ...(byHand?.fixed ?? []).flatMap((path) => unlikeBought(handed, simulated, { path: path.split("."), at: "" })),
    ...shapeFaults(fulfilment as FieldShape, handed, ""),
  ];
  const byPath = new Map<string, string>();
  for (const fault of all) {
    const [path = ""] = fault.split(" ", 1);
    if (!byPath.has(path)) byPath.set(path, fault);
  }
  return [...byPath.values()];
}

/** Whether a fault is of a field that is made from others: nobody left it empty. */
function isDerived(fault: string, byHand: Category["byHand"]): boolean {
  const [path = ""] = fault
    .slice(1)
    .replace(/\/[0-9]+/g, "")
    .replaceAll("/", ".")
    .split(" ", 1);
  return byHand?.derived?.includes(path) === true;
}

/** An empty text says nothing, unless the purchase itself has one there (an SMS recipient that was left empty). */
function emptyTexts(value: Json | undefined, simulated: Json | undefined, at: string): string[] {
  if (typeof value === "string") return value.trim() === "" && value !== simulated ? [`${at} must not be empty`] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => emptyTexts(inner, fieldOf(simulated, name), `${at}/${name}`));
}

/** Where a fulfilment differs from the fields that the purchase decides. Missing fields are found elsewhere. */
function unlikeBought(
  value: Json | undefined,
  decided: Json | undefined,
  { path, at }: { readonly path: readonly string[]; readonly at: string },
): string[] {
  if (value === undefined || decided === undefined) return [];
  const [name, ...rest] = path;
  if (name === undefined) {
    return isDeepStrictEqual(value, decided) ? [] : [`${at} must be ${JSON.stringify(decided)}, as it was bought`];
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      unlikeBought(item, fieldOf(decided, String(index)), { path, at: `${at}/${index}` }),
    );
  }
  return unlikeBought(fieldOf(value, name), fieldOf(decided, name), { path: rest, at: `${at}/${name}` });
}

function fieldOf(value: Json | undefined, name: string): Json | undefined {
  const hasIt = typeof value === "object" && value !== null && Object.hasOwn(value, name);
  return hasIt ? (value as JsonObject)[name] : undefined;
}

/** The schema's faults, field by field: the library tells the first eight of a whole. */
function shapeFaults(shape: FieldShape, value: Json | undefined, at: string): string[] {
  if (value === undefined) return [`${at} is missing`];
  const { properties, items, maxItems = Number.POSITIVE_INFINITY } = shape;
  if (properties !== undefined && isJsonObject(value)) {
    const unknown = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
    return [
      ...Object.entries(properties).flatMap(([name, inner]) => shapeFaults(inner, value[name], `${at}/${name}`)),
      ...unknown.map((name) => `${at}/${name} is no field of these goods`),
    ];
  }
  if (items !== undefined && Array.isArray(value)) {
    if (value.length > maxItems) return [`${at} must hold at most ${maxItems}`];
    return value.flatMap((item: Json, index) => shapeFaults(items, item, `${at}/${index}`));
  }
  const [fault] = Errors(shape, value);
  return fault === undefined ? [] : [`${at} ${sentenceOf(fault, shape)}`];
}

function sentenceOf(fault: ReturnType<typeof Errors>[number], { examples = [] }: FieldShape): string {
  if (fault.keyword === "enum") {
    return `must be one of ${fault.params.allowedValues.map((value) => JSON.stringify(value)).join(", ")}`;
  }
  const isOfForm = fault.keyword === "pattern" || fault.keyword === "format";
  return isOfForm && examples.length > 0 ? `must be like ${JSON.stringify(examples[0])}` : fault.message;
}
