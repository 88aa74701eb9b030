import { negotiate } from "@fastify/accept-negotiator";
import type { FastifyInstance } from "fastify";
import type { Company } from "../domain/company/company.ts";
import { refuse } from "../kernel/problems.ts";
import { consoleAssets } from "./assets.ts";

const forEver = "public, max-age=31536000, immutable";

/** Styles, scripts and the logo: what pages load. Another content has another address, so browsers may keep it. */
export function assetRoutes(app: FastifyInstance, company: () => Promise<Company>): void {
  for (const asset of consoleAssets()) {
    app.get(asset.path, { schema: { hide: true } }, (request, reply) => {
      const accepted = negotiate(request.headers["accept-encoding"] ?? "", ["br", "gzip", "identity"]);
      reply.header("cache-control", forEver).header("vary", "accept-encoding").type(asset.type);
      if (accepted === "br") return reply.header("content-encoding", "br").send(asset.brotli);
      if (accepted === "gzip") return reply.header("content-encoding", "gzip").send(asset.gzip);
      return reply.send(asset.bytes);
    });
  }
  app.get("/company/logo", { schema: { hide: true } }, async (_request, reply) => {
    const { logo } = await company();
    if (logo === null) throw refuse("NOT_FOUND");
    // An SVG may hold a script: it is a picture here and nothing else.
    reply.header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    return reply.header("cache-control", "public, max-age=300").type(logo.type).send(logo.bytes);
  });
}
