import { copyFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { build } from "esbuild";
import { projectRoot } from "../architecture/source-text.ts";
import { type ProgramLanguage, programLanguages } from "./program-languages.ts";

const sdk = path.join(projectRoot, "sdk");
/** The Python that Debian's packages are for: another one may come first in PATH. */
export const python = "/usr/bin/python3";

const toolsOf: Readonly<Record<string, ProgramLanguage["tools"]>> = {
  Node: [],
  PHP: [["php", "-r", "require 'GuzzleHttp/autoload.php';"]],
  Python: [[python, "-c", "import httpx"]],
};

/** The languages that have an SDK, at hand where what the SDK needs is there. */
export const sdkLanguages: readonly ProgramLanguage[] = programLanguages
  .filter(({ name }) => name in toolsOf)
  .map((language) => ({
    ...language,
    tools: toolsOf[language.name] ?? [],
    ...(language.name === "Python" ? { build: async (_folder: string, main: string) => [python, main] as const } : {}),
  }));

/** The SDKs' clients: Python has a second one, to be awaited. */
export const sdkClients: readonly ProgramLanguage[] = [
  ...sdkLanguages,
  ...sdkLanguages.filter(({ name }) => name === "Python").map((language) => ({ ...language, name: "asyncio" })),
];

/**
 * Programs in the folder find the SDKs there as if they were installed.
 * @param from where the SDKs' sources lie: a copy may have a fault in it
 * @returns what their environment needs for it
 */
export async function placeSdks(folder: string, from: string = sdk): Promise<Record<string, string>> {
  const [dispense, vendor] = [path.join(folder, "node_modules/dispense"), path.join(folder, "vendor")];
  await Promise.all([dispense, vendor].map((each) => mkdir(each, { recursive: true })));
  const entryPoints = ["index", "testing", "bin"].map((name) => path.join(from, `node/src/${name}.ts`));
  await build({ entryPoints, outdir: path.join(dispense, "dist"), bundle: true, platform: "node", format: "esm" });
  await copyFile(path.join(sdk, "node/package.json"), path.join(dispense, "package.json"));
  await writeFile(path.join(vendor, "autoload.php"), `<?php require "${path.join(from, "conformance/autoload.php")}";`);
  return { PYTHONPATH: path.join(from, "python/src") };
}

/** Where a package for Node is installed; null where it is not. */
function placeOf(name: string): string | null {
  try {
    return path.dirname(createRequire(path.join(sdk, "node/examples/")).resolve(`${name}/package.json`));
  } catch {
    return null;
  }
}

export function isInstalled(name: string): boolean {
  return placeOf(name) !== null;
}

/** Programs in the folder find the package there. */
export async function linkPackage(name: string, folder: string): Promise<void> {
  await symlink(placeOf(name) ?? "", path.join(folder, "node_modules", name));
}
