import type { FastifyInstance } from "fastify";
import type { Category } from "../../categories/category.ts";
import { categories } from "../../categories/registry.ts";
import type { Bought } from "../../domain/purchases/buying/buy.ts";
import {
  beneficiaryCommand,
  purchaseBody,
  readPurchaseRequest,
} from "../../domain/purchases/buying/purchase-request.ts";
import type { Purchase } from "../../domain/purchases/purchase.ts";
import { purchaseJson } from "../../domain/purchases/transaction-object.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { purchaseOperation } from "../openapi/operation.ts";
import { principalOf, sendJson, setAnsweredPurchase, setReason, setRetryAfter } from "../request-context.ts";
import { sentInRequests, sentOf } from "../schemas/sent-fields.ts";
import type { RouteServices, TypedServer } from "../services.ts";
import type { Watch } from "../waiting.ts";

/** One purchase endpoint per category of the registry. */
export function purchaseRoutes(app: TypedServer, services: RouteServices): void {
  for (const category of categories) mountCategory(app, category, services);
}

function mountCategory(app: FastifyInstance, category: Category, services: RouteServices): void {
  app.post(
    category.paths.purchase,
    { schema: purchaseOperation(category, purchaseBody(category, sentInRequests)) },
    async (request, reply) => {
      const principal = principalOf(request);
      const body = request.body as Record<string, unknown>;
      const sent = sentOf(body);
      const buy = (watch: Watch): Promise<Bought> => {
        const common = { principal, channel: "api", category, ...watch } as const;
        if (body.beneficiary_id !== undefined) {
          return services.buyForBeneficiary(beneficiaryCommand(common, body, sent));
        }
        return services.buy({ ...common, request: readPurchaseRequest(category, body, sent) });
      };
      const { purchase, soldProduct, replayed } = await services.waiting.buying(reply, buy);
      if (replayed) reply.header("idempotent-replayed", "true");
      reply.code(httpStatus[purchase.status]);
      setRetryAfter(reply, purchase, services);
      setAnsweredPurchase(request, purchase);
      if (purchase.errorCode !== null) setReason(request, purchase.errorCode);
      return sendJson(reply, purchaseJson(purchase, soldProduct, services, errorFieldsOf(purchase)));
    },
  );
}

/** A client that takes every 422 for an error looks for its `code`. */
function errorFieldsOf({ status, errorCode }: Purchase): JsonObject | undefined {
  return status === "failed" ? { code: errorCode } : undefined;
}

const httpStatus = { successful: 201, pending: 202, failed: 422 } as const;
