import type { FastifyInstance } from "fastify";
import { type TObject, Type } from "typebox";
import type { Category, Verification } from "../../categories/category.ts";
import { categories } from "../../categories/registry.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { refuse } from "../../kernel/problems.ts";
import { refuseWhenAway } from "../../platform/database/refuse-when-away.ts";
import { operation } from "../openapi/operation.ts";
import { principalOf } from "../request-context.ts";
import { instant, sandboxField, slugSchema } from "../schemas/schemas.ts";
import type { RouteServices, TypedServer } from "../services.ts";

/** What a category's verify endpoint answers. */
export function verificationAnswer(verification: Verification): TObject {
  return Type.Object({
    verified: Type.Literal(true),
    biller_slug: slugSchema,
    ...verification.answer.properties,
    verification_id: Type.String({
      pattern: "^ver_[A-Za-z0-9_-]{28}$",
      maxLength: 32,
      description: "Proves this verification to a purchase for the same number, until `expires_at`.",
      examples: ["ver_AGk8ZcuC0m8tYF3dJQ1xv2Zp9wq5"],
    }),
    expires_at: instant("Half an hour after the request.", "2026-11-20T14:33:09+01:00"),
    sandbox: sandboxField,
  });
}

/** One verify endpoint per category that has one. */
export function verificationRoutes(app: TypedServer, services: RouteServices): void {
  for (const category of categories) {
    if (category.verify !== undefined) mountVerification(app, category, category.verify, services);
  }
}

function mountVerification(
  app: FastifyInstance,
  category: Category,
  verification: Verification,
  services: RouteServices,
): void {
  const { verify, wallTime, waiting } = services;
  const schema = operation({
    ...verification.operation,
    tag: "Verification",
    body: verification.body,
    examples: verification.examples as Readonly<Record<string, JsonObject>>,
    responses: { 200: verificationAnswer(verification) },
    problems: [
      "VERIFICATION_FAILED",
      "CATEGORY_NOT_ALLOWED",
      "BILLER_NOT_FOUND",
      ...("product_id" in verification.body.properties ? (["PRODUCT_NOT_FOUND"] as const) : []),
      "PROVIDER_UNAVAILABLE",
      "BILLER_UNAVAILABLE",
      "PRODUCT_UNAVAILABLE",
    ],
  });
  // It stores nothing, so a database that is away is no more to it than to a GET.
  app.post(verification.path, { schema }, async (request, reply) => {
    const principal = principalOf(request);
    const inquiry = verification.read(request.body as never);
    const { billerSlug, reported, verificationId, expiresAt } = await waiting
      .asking(
        reply,
        () => verify({ principal, category, inquiry }),
        () => refuse("MAINTENANCE"),
      )
      .catch(refuseWhenAway);
    return {
      verified: true,
      biller_slug: billerSlug,
      ...reported,
      verification_id: verificationId,
      expires_at: wallTime.format(expiresAt),
      ...(principal.mode === "test" ? { sandbox: true } : {}),
    };
  });
}
