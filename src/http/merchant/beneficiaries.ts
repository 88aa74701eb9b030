import { type Static, Type } from "typebox";
import { categorySlugs } from "../../categories/category-slugs.ts";
import { type MeterType, meterTypes } from "../../categories/product/product.ts";
import type { NewBeneficiary } from "../../domain/purchases/beneficiaries/beneficiaries.ts";
import {
  createBeneficiary,
  deleteBeneficiary,
  listBeneficiaryPage,
  updateBeneficiary,
} from "../../domain/purchases/beneficiaries/beneficiaries.ts";
import { type Beneficiary, beneficiaryIdPattern } from "../../domain/purchases/beneficiaries/beneficiary.ts";
import { changesBody, factsBody, readFacts } from "../../domain/purchases/beneficiaries/beneficiary-request.ts";
import { wordsIn } from "../../domain/purchases/beneficiaries/queries.ts";
import type { WallTime } from "../../kernel/clock.ts";
import type { ProblemCode } from "../../kernel/problems.ts";
import { forReaders } from "../../platform/database/database.ts";
import { operation } from "../openapi/operation.ts";
import { principalOf } from "../request-context.ts";
import {
  categorySchema,
  instant,
  networkSchema,
  nullable,
  pageMetaSchema,
  pathParameter,
  phoneSchema,
  slugSchema,
  text,
} from "../schemas/schemas.ts";
import type { RouteServices, TypedServer } from "../services.ts";
import { choiceFilter, pageFilters, pageOf, wordsFilter } from "./list-filters.ts";

const idExample = "ben_01KAGZ7Q3M5T8V1X4Y6Z9B2C3D";

const idParameter = Type.Object({ id: pathParameter("The beneficiary's id.", idExample) });

function idSchema(description: string) {
  return Type.String({ pattern: beneficiaryIdPattern, maxLength: 30, description, examples: [idExample] });
}

export const beneficiarySchema = Type.Object(
  {
    id: idSchema("What a purchase sends as `beneficiary_id`."),
    label: text(100, "Your own name for it.", "Mama Tolu's shop"),
    category: categorySchema,
    customer_ref: text(64, "The customer's number, in the spelling that purchases answer.", "45012345678"),
    biller_slug: nullable(slugSchema),
    network: networkSchema,
    meter_type: Type.Unsafe<MeterType | null>({
      type: ["string", "null"],
      enum: [...meterTypes, null],
      description: "For a meter: its kind, where it was said.",
      examples: ["prepaid"],
    }),
    customer_name: nullable(text(200, "Whom the number belongs to.", "ADEYEMI TOLU")),
    phone: nullable(phoneSchema),
    created_at: instant("When it was saved."),
    updated_at: instant("When it was changed last."),
  },
  { "x-component": "Beneficiary" },
);

export const deletedAnswer = Type.Object({
  deleted: Type.Literal(true),
  id: idSchema("What was deleted."),
});

/** What the facts of a beneficiary may be refused with beyond their fields' own codes. */
const factProblems: readonly ProblemCode[] = [
  "INVALID_PHONE",
  "INVALID_METER",
  "INVALID_SMARTCARD",
  "BILLER_NOT_FOUND",
  "BENEFICIARY_EXISTS",
];

const meter = {
  label: "Mama Tolu's shop",
  category: "electricity",
  customer_ref: "45012345678",
  biller_slug: "ikeja-electric",
  meter_type: "prepaid",
  customer_name: "ADEYEMI TOLU",
};

const listSchema = operation({
  id: "listBeneficiaries",
  tag: "Beneficiaries",
  summary: "List beneficiaries",
  description: "Saved customer numbers, newest first. A key of either mode sees the same.",
  querystring: Type.Object({
    category: choiceFilter(categorySlugs, "INVALID_CATEGORY"),
    q: wordsFilter("Words that its label, numbers, name, biller or network must contain.", "shop"),
    ...pageFilters,
  }),
  responses: {
    200: Type.Object({ beneficiaries: Type.Array(beneficiarySchema, { maxItems: 100 }), meta: pageMetaSchema }),
  },
});

const createSchema = operation({
  id: "createBeneficiary",
  tag: "Beneficiaries",
  summary: "Save a beneficiary",
  description:
    "Saves a customer's number under a label. A purchase may then send its `id` as `beneficiary_id` instead of the number. An account keeps up to 10,000.",
  body: factsBody,
  examples: { "A meter": meter, "A phone": { label: "Ada", category: "airtime", customer_ref: "08031234567" } },
  responses: { 201: beneficiarySchema },
  problems: [...factProblems, "TOO_MANY_ITEMS"],
});

const updateSchema = operation({
  id: "updateBeneficiary",
  tag: "Beneficiaries",
  summary: "Change a beneficiary",
  description:
    "Changes the fields that are sent and leaves the others. null empties a field; `label`, `category` and `customer_ref` cannot be empty, and are left by it.",
  params: idParameter,
  body: changesBody,
  examples: { "A new label": { label: "Mama Tolu's second shop" } },
  responses: { 200: beneficiarySchema },
  problems: [...factProblems, "BENEFICIARY_NOT_FOUND"],
});

const deleteSchema = operation({
  id: "deleteBeneficiary",
  tag: "Beneficiaries",
  summary: "Delete a beneficiary",
  description: "Forgets a saved number. Purchases that were made with it stay as they are, and so do their replays.",
  params: idParameter,
  responses: { 200: deletedAnswer },
  problems: ["BENEFICIARY_NOT_FOUND"],
});

/** A merchant's saved customer numbers. Both modes share them. */
export function beneficiaryRoutes(app: TypedServer, services: RouteServices): void {
  const { database, wallTime } = services;
  const reads = forReaders(database);

  app.get("/beneficiaries", { schema: listSchema }, async (request) => {
    const { category, q, ...paging } = request.query;
    const filter = { category: category ?? null, words: wordsIn(q ?? "") };
    const page = await listBeneficiaryPage(reads, principalOf(request), filter, pageOf(paging));
    return { beneficiaries: page.beneficiaries.map((row) => beneficiaryObject(row, wallTime)), meta: page.meta };
  });

  app.post("/beneficiaries", { schema: createSchema }, async (request, reply) => {
    const sent = readFacts(request.body) as NewBeneficiary;
    const created = await createBeneficiary(services, principalOf(request), sent);
    return reply.code(201).send(beneficiaryObject(created, wallTime));
  });

  app.put("/beneficiaries/:id", { schema: updateSchema }, async (request) => {
    const { id } = request.params;
    const sent = readFacts(request.body);
    return beneficiaryObject(await updateBeneficiary(services, principalOf(request), id, sent), wallTime);
  });

  app.delete("/beneficiaries/:id", { schema: deleteSchema }, async (request) => {
    const { id } = request.params;
    await deleteBeneficiary(database, principalOf(request), id);
    return { deleted: true, id };
  });
}

function beneficiaryObject(row: Beneficiary, wallTime: WallTime): Static<typeof beneficiarySchema> {
  return {
    id: row.id,
    label: row.label,
    category: row.category,
    customer_ref: row.customerRef,
    biller_slug: row.billerSlug,
    network: row.network,
    meter_type: row.meterType,
    customer_name: row.customerName,
    phone: row.phone,
    created_at: wallTime.format(row.createdAt),
    updated_at: wallTime.format(row.updatedAt),
  };
}
