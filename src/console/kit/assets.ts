import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { FastifyInstance } from "fastify";
import type { Company } from "../../domain/identity/company/company.ts";
import { refuse } from "../../kernel/problems.ts";
import { projectRoot } from "../../platform/data-directory/data-directory.ts";
import { packed } from "../../site/packed.ts";

export interface Asset {
  /** `console.js`: what a page asks for. */
  readonly name: string;
  /** `/assets/console-1f2e3d4c5b.js`: another content has another path, so it may be kept for ever. */
  readonly path: string;
  readonly type: string;
  readonly bytes: Buffer;
}

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Every file that pages of the consoles load. */
export interface Assets {
  readonly all: readonly Asset[];
  /** The address of one by its name, such as `style.css`. An unknown name is our own mistake. */
  readonly url: (name: string) => string;
}

/** Reads what was built. */
export function readAssets(folder = path.join(projectRoot(), "dist/console")): Assets {
  const names = readdirSync(folder).filter((name) => types[path.extname(name)] !== undefined);
  const known = new Map(names.map((name) => [name, asset(name, readFileSync(path.join(folder, name)))]));
  return {
    all: [...known.values()],
    url(name) {
      const found = known.get(name);
      if (found === undefined) throw new Error(`dist/console has no ${name}: node scripts/build.mjs makes it.`);
      return found.path;
    },
  };
}

function asset(name: string, bytes: Buffer): Asset {
  const { name: stem, ext } = path.parse(name);
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 10);
  return { name, path: `/assets/${stem}-${hash}${ext}`, type: types[ext] ?? "application/octet-stream", bytes };
}

const forEver = "public, max-age=31536000, immutable";

/** Styles, scripts and the logo: what pages load. Another content has another address, so browsers may keep it. */
export function assetRoutes(app: FastifyInstance, { all }: Assets, company: () => Promise<Company>): void {
  for (const { path, type, bytes } of all) {
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
