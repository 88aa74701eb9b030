import type { FastifyInstance } from "fastify";
import { type Static, Type } from "typebox";
import { categorySlugs } from "../../categories/category-slugs.ts";
import type { NewBeneficiary } from "../../domain/beneficiaries/beneficiaries.ts";
import {
  createBeneficiary,
  deleteBeneficiary,
  listBeneficiaryPage,
  updateBeneficiary,
} from "../../domain/beneficiaries/beneficiaries.ts";
import type { Beneficiary } from "../../domain/beneficiaries/beneficiary.ts";
import { changesBody, factsBody, readFacts } from "../../domain/beneficiaries/beneficiary-request.ts";
import { wordsIn } from "../../domain/beneficiaries/queries.ts";
import type { WallTime } from "../../kernel/clock.ts";
import type { ProblemCode } from "../../kernel/problems.ts";
import { forReaders } from "../../platform/database/database.ts";
import { operation } from "../openapi/operation.ts";
import { principalOf } from "../request-context.ts";
import { pageMetaSchema } from "../schemas/schemas.ts";
import type { RouteServices } from "../services.ts";
import { beneficiarySchema, deletedAnswer, idParameter } from "./beneficiary-shapes.ts";
import { choiceFilter, pageFilters, pageOf, wordsFilter } from "./list-filters.ts";

const listQuery = Type.Object({
  category: choiceFilter(categorySlugs, "INVALID_CATEGORY"),
  q: wordsFilter("Words that its label, numbers, name, biller or network must contain.", "shop"),
  ...pageFilters,
});

/** What the facts of a beneficiary may be refused with beyond their fields' own codes. */
const factProblems: readonly ProblemCode[] = [
  "INVALID_PHONE",
  "INVALID_METER",
  "INVALID_SMARTCARD",
  "BILLER_NOT_FOUND",
  "BENEFICIARY_EXISTS",
];

/** A merchant's saved customer numbers. Both modes share them. */
export function beneficiaryRoutes(app: FastifyInstance, services: RouteServices): void {
  const { database, wallTime } = services;
  const reads = forReaders(database);

  app.get("/beneficiaries", { schema: descriptions.list }, async (request) => {
    const { category, q, ...paging } = request.query as Static<typeof listQuery>;
    const filter = { category: category ?? null, words: wordsIn(q ?? "") };
    const page = await listBeneficiaryPage(reads, principalOf(request), filter, pageOf(paging));
    return { beneficiaries: page.beneficiaries.map((row) => beneficiaryObject(row, wallTime)), meta: page.meta };
  });

  app.post("/beneficiaries", { schema: descriptions.create }, async (request, reply) => {
    const sent = readFacts(request.body as Static<typeof factsBody>) as NewBeneficiary;
    const created = await createBeneficiary(services, principalOf(request), sent);
    return reply.code(201).send(beneficiaryObject(created, wallTime));
  });

  app.put("/beneficiaries/:id", { schema: descriptions.update }, async (request) => {
    const { id } = request.params as Static<typeof idParameter>;
    const sent = readFacts(request.body as Static<typeof changesBody>);
    return beneficiaryObject(await updateBeneficiary(services, principalOf(request), id, sent), wallTime);
  });

  app.delete("/beneficiaries/:id", { schema: descriptions.delete }, async (request) => {
    const { id } = request.params as Static<typeof idParameter>;
    await deleteBeneficiary(database, principalOf(request), id);
    return { deleted: true, id };
  });
}

const meter = {
  label: "Mama Tolu's shop",
  category: "electricity",
  customer_ref: "45012345678",
  biller_slug: "ikeja-electric",
  meter_type: "prepaid",
  customer_name: "ADEYEMI TOLU",
};

const descriptions = {
  list: operation({
    id: "listBeneficiaries",
    tag: "Beneficiaries",
    summary: "List beneficiaries",
    description: "Saved customer numbers, newest first. A key of either mode sees the same.",
    querystring: listQuery,
    responses: {
      200: Type.Object({ beneficiaries: Type.Array(beneficiarySchema, { maxItems: 100 }), meta: pageMetaSchema }),
    },
  }),
  create: operation({
    id: "createBeneficiary",
    tag: "Beneficiaries",
    summary: "Save a beneficiary",
    description:
      "Saves a customer's number under a label. A purchase may then send its `id` as `beneficiary_id` instead of the number. An account keeps up to 10,000.",
    body: factsBody,
    examples: { "A meter": meter, "A phone": { label: "Ada", category: "airtime", customer_ref: "08031234567" } },
    responses: { 201: beneficiarySchema },
    problems: [...factProblems, "TOO_MANY_ITEMS"],
  }),
  update: operation({
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
  }),
  delete: operation({
    id: "deleteBeneficiary",
    tag: "Beneficiaries",
    summary: "Delete a beneficiary",
    description: "Forgets a saved number. Purchases that were made with it stay as they are, and so do their replays.",
    params: idParameter,
    responses: { 200: deletedAnswer },
    problems: ["BENEFICIARY_NOT_FOUND"],
  }),
};

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
