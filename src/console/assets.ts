import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { projectRoot } from "../platform/data-directory/data-directory.ts";

export interface Asset {
  /** `console.js`: what a page asks for. */
  readonly name: string;
  /** `/assets/console-1f2e3d4c5b.js`: another content has another path, so it may be kept for ever. */
  readonly path: string;
  readonly type: string;
  readonly bytes: Buffer;
  readonly brotli: Buffer;
  readonly gzip: Buffer;
}

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

let known: ReadonlyMap<string, Asset> | undefined;

/** Every file that pages of the consoles load, read at the first call. */
export function consoleAssets(): readonly Asset[] {
  return [...byName().values()];
}

/** The address of an asset by its name, such as `style.css`. An unknown name is our own mistake. */
export function assetUrl(name: string): string {
  const asset = byName().get(name);
  if (asset === undefined) throw new Error(`dist/console has no ${name}: node scripts/build.mjs makes it.`);
  return asset.path;
}

function byName(): ReadonlyMap<string, Asset> {
  known ??= readAssets(path.join(projectRoot(), "dist/console"));
  return known;
}

function readAssets(folder: string): Map<string, Asset> {
  const names = readdirSync(folder).filter((name) => types[path.extname(name)] !== undefined);
  return new Map(names.map((name) => [name, asset(name, readFileSync(path.join(folder, name)))]));
}

/** Compressed when a browser first asks for it: no start waits for that. */
function asset(name: string, bytes: Buffer): Asset {
  const { name: stem, ext } = path.parse(name);
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 10);
  let brotli: Buffer | undefined;
  let gzip: Buffer | undefined;
  return {
    name,
    path: `/assets/${stem}-${hash}${ext}`,
    type: types[ext] ?? "application/octet-stream",
    bytes,
    get brotli() {
      brotli ??= brotliCompressSync(bytes);
      return brotli;
    },
    get gzip() {
      gzip ??= gzipSync(bytes, { level: 9 });
      return gzip;
    },
  };
}
