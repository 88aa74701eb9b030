// Writes dist: ESM and CommonJS with their types, by TypeScript alone.
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const here = import.meta.dirname;
const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");

rmSync(path.join(here, "dist"), { recursive: true, force: true });
for (const [folder, ...flags] of [
  ["dist", "--module", "ESNext"],
  ["dist/cjs", "--module", "CommonJS", "--noCheck"],
]) {
  const options = ["--outDir", path.join(here, folder), "--moduleResolution", "Bundler", ...flags];
  const { status } = spawnSync(process.execPath, [compiler, "--project", here, ...options], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
writeFileSync(path.join(here, "dist/cjs/package.json"), '{ "type": "commonjs" }\n');
