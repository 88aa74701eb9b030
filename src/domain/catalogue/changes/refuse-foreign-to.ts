import type { Category } from "../../../categories/category.ts";
import { type Refusal, refuseField } from "../../../kernel/problems.ts";

/** The refusal of something that billers or products of the category have not. */
export function refuseForeignTo({ slug }: Category, field: string): Refusal {
  return refuseField("VALIDATION_ERROR", field, `Is nothing that ${slug} has: leave it out.`);
}
