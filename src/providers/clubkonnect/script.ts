import type { Question } from "../dialect.ts";

/** Everything is asked by GET, everything said in the query. */
export function scriptOf(name: string, fields: Readonly<Record<string, string>> = {}): Question {
  const query = new URLSearchParams(fields).toString();
  return { method: "GET", path: query === "" ? `/${name}.asp` : `/${name}.asp?${query}` };
}

/** A product's code here is their code of the network, company or exam, and of the plan where there is one. */
export function partsOf(supplierCode: string | null): readonly [string, string] {
  const [first = "", ...rest] = (supplierCode ?? "").split("/");
  return [first, rest.join("/")];
}
