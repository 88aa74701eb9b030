import swagger from "@fastify/swagger";
import reference from "@scalar/fastify-api-reference";
import type { FastifyInstance } from "fastify";

/** Describes every route that is registered afterwards, from the schemas that validate it. */
export async function describeRoutes(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Dispense",
        version: "1.0.0",
        description:
          "Buy airtime, data, electricity tokens and other digital products against a wallet: once per reference, refunded when it fails.",
      },
      components: {
        securitySchemes: {
          bearer: {
            type: "http",
            scheme: "bearer",
            description: "Your API key: ds_test_… in sandbox, ds_live_… live.",
          },
          apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
        },
      },
      security: [{ bearer: [] }, { apiKey: [] }],
      tags: ["Wallet", "Catalogue", "Purchases", "Transactions", "Sandbox", "Health"].map((name) => ({ name })),
    },
  });
}

/** Serves the description at `/openapi.json` and a readable reference at `/docs`, without any third party. */
export async function serveReference(app: FastifyInstance): Promise<void> {
  app.get("/openapi.json", { schema: { hide: true } }, async (_request, reply) =>
    reply.header("cache-control", "public, max-age=300").send(app.swagger()),
  );
  await app.register(reference, {
    routePrefix: "/docs",
    configuration: { title: "Dispense API", url: "/openapi.json" },
  });
}
