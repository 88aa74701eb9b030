import type { FastifyReply } from "fastify";
import type { TObject } from "typebox";
import type { Category } from "../../../categories/category.ts";
import type { BeneficiaryServices } from "../../../domain/beneficiaries/beneficiaries.ts";
import type { Bought, Buy, BuyCommand } from "../../../domain/buying/buy.ts";
import type { BuyForBeneficiary } from "../../../domain/buying/buy-for-beneficiary.ts";
import type { PreviewServices } from "../../../domain/buying/preview.ts";
import { purchaseBody } from "../../../domain/buying/purchase-request.ts";
import type { Verify } from "../../../domain/verification/verify.ts";
import type { WallTime } from "../../../kernel/clock.ts";
import type { TransactionIds } from "../../../kernel/ids.ts";
import type { Database } from "../../../platform/database/database.ts";
import { refusalOf } from "../../../platform/validation/faults.ts";
import { buildValidator, type Validator, validatorCompiler } from "../../../platform/validation/validator.ts";
import type { RevealServices } from "../reveal.ts";

export interface BuyPageServices extends BeneficiaryServices, PreviewServices, RevealServices {
  readonly database: Database;
  readonly buy: Buy;
  readonly buyForBeneficiary: BuyForBeneficiary;
  /** Answers a purchase as pending where the service stops before its supplier has answered. */
  readonly earlyAnswers: {
    buying(
      reply: FastifyReply,
      buy: (watch: Pick<BuyCommand, "isAwaited" | "onAccepted">) => Promise<Bought>,
    ): Promise<Bought>;
  };
  readonly verify: Verify;
  readonly transactionIds: TransactionIds;
  readonly wallTime: WallTime;
  readonly timeZone: string;
}

/** @throws Refusal with the faults of a body, by field */
export type CheckBody = (category: Category, body: unknown) => void;

/** Holds bodies against each category's schema, as the API does: unless told, against what its purchases take. */
export function openBodyCheck(schemaOf: (category: Category) => TObject = purchaseBody): CheckBody {
  const compile = validatorCompiler(buildValidator());
  const validators = new Map<string, Validator>();
  return (category, body) => {
    const validator = validators.get(category.slug) ?? compile({ schema: schemaOf(category) });
    validators.set(category.slug, validator);
    if (!validator(body)) throw refusalOf(validator.errors ?? []);
  };
}
