import { assert } from "../../kernel/assert.ts";
import type { TryExample, TryOperation, TryParameter } from "../../site/try-it.ts";
import type { ApiDocument, ApiOperation, ApiParameter } from "../openapi/api-document.ts";

/**
 * Each either reads or is done once per reference, so that sending it again does no harm. Of lists, only these filters are
 * asked for: the reference has all.
 */
const offered: readonly {
  readonly purpose: TryOperation["purpose"];
  readonly id: string;
  readonly filters?: readonly string[];
}[] = [
  { purpose: "find out what there is", id: "getWalletBalance" },
  { purpose: "find out what there is", id: "listBillers", filters: ["category", "q"] },
  { purpose: "find out what there is", id: "listProducts" },
  { purpose: "verify a number", id: "verifyMeter" },
  { purpose: "verify a number", id: "verifySmartcard" },
  { purpose: "buy", id: "buyAirtime" },
  { purpose: "buy", id: "buyData" },
  { purpose: "buy", id: "buyElectricity" },
  { purpose: "buy", id: "buyCable" },
  { purpose: "buy", id: "buyEducation" },
  { purpose: "look up", id: "getTransaction" },
  { purpose: "look up", id: "listTransactions", filters: ["status", "phone", "per_page"] },
];

/** The operations that are offered, in the order in which an integrator meets them. */
export function offeredOperations({ paths }: ApiDocument): readonly TryOperation[] {
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return offered.map(({ purpose, id, filters = [] }) => {
    const found = described.find(({ operation }) => operation.operationId === id);
    assert(found !== undefined, `the document describes ${id}`);
    const { path, method, operation } = found;
    assert(method === "GET" || method === "POST", "what is tried out reads or buys");
    const isRequested = (parameter: ApiParameter) => parameter.in === "path" || filters.includes(parameter.name);
    const parameters = (operation.parameters ?? []).filter(isRequested).map(parameterOf);
    return { id, purpose, method, path, title: operation.summary, parameters, examples: examplesOf(operation) };
  });
}

function parameterOf({ name, in: place, required, example, description, schema }: ApiParameter): TryParameter {
  assert(place !== "header", "a parameter that is asked for stands in the address");
  const isRequired = required ?? false;
  const choices = Array.isArray(schema.enum) ? schema.enum.map(String) : [];
  return { name, place, isRequired, example: String(example ?? ""), about: description ?? "", choices };
}

function examplesOf({ requestBody }: ApiOperation): TryExample[] {
  const examples = requestBody?.content["application/json"]?.examples ?? {};
  return Object.entries(examples).map(([name, example]) => {
    assert("value" in example, "examples of bodies stand where they are used");
    const { summary, value } = example;
    return { name, title: summary ?? name, body: value as Readonly<Record<string, unknown>> };
  });
}
