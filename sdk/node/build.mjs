// Writes dist: ESM and CommonJS with their types, by TypeScript alone.
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const here = import.meta.dirname;
const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");

rmSync(path.join(here, "dist"), { recursive: true, force: true });
for (const [folder, module] of [
  ["dist", "ESNext"],
  ["dist/cjs", "CommonJS"],
]) {
  const options = ["--outDir", path.join(here, folder), "--module", module, "--moduleResolution", "Bundler"];
  const { status } = spawnSync(process.execPath, [compiler, "--project", here, ...options], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
writeFileSync(path.join(here, "dist/cjs/package.json"), '{ "type": "commonjs" }\n');
