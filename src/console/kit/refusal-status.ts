import { problems } from "../../kernel/problem-catalogue.ts";
import type { Refusal } from "../../kernel/problems.ts";

/** The HTTP status of a page that is shown again because of a refusal. */
export function statusOf(refusal: Refusal | null): number {
  return refusal === null ? 200 : problems[refusal.code].status;
}
