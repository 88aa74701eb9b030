import type { FastifyInstance } from "fastify";
import type { Company } from "../domain/company/company.ts";
import { refuse } from "../kernel/problems.ts";
import { packed } from "../site/packed.ts";
import { consoleAssets } from "./assets.ts";

const forEver = "public, max-age=31536000, immutable";

/** Styles, scripts and the logo: what pages load. Another content has another address, so browsers may keep it. */
export function assetRoutes(app: FastifyInstance, company: () => Promise<Company>): void {
  for (const { path, type, bytes } of consoleAssets()) {
    const send = packed(() => bytes);
    app.get(path, { schema: { hide: true } }, (request, reply) =>
      send(request, reply.header("cache-control", forEver).type(type)),
    );
  }
  app.get("/company/logo", { schema: { hide: true } }, async (_request, reply) => {
    const { logo } = await company();
    if (logo === null) throw refuse("NOT_FOUND");
    // An SVG may hold a script: it is a picture here and nothing else.
    reply.header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    return reply.header("cache-control", "public, max-age=300").type(logo.type).send(logo.bytes);
  });
}
