import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { type Browser, type BrowserContextOptions, chromium } from "playwright-core";

const packageName = "@sparticuz/chromium";
const systemBrowser = "/usr/bin/chromium";
/** Not the package's own list: its --single-process and --no-zygote are for the host it was built for, and unstable elsewhere. */
const flags = ["--no-sandbox", "--disable-dev-shm-usage", "--font-render-hinting=none", "--disable-gpu"];

/** A page needs a language: without one, its dates and its `Intl` are those of nowhere. */
export const browserContext: BrowserContextOptions = { locale: "en-GB", timezoneId: "Africa/Lagos" };

/**
 * Starts a Chromium: the one from the package registry on x64, else, or where that can't start, the system's. Takes a
 * second; the first time on a machine two more, as it is unpacked. Close it.
 */
export async function launchBrowser(): Promise<Browser> {
  const failures: string[] = [];
  for (const start of [startPackaged, startSystem]) {
    try {
      return await start();
    } catch (error) {
      failures.push(error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error));
    }
  }
  throw new Error(`No browser starts: ${packageName} (${failures[0]}), ${systemBrowser} (${failures[1]}).`);
}

async function startPackaged(): Promise<Browser> {
  if (process.arch !== "x64") throw new Error(`is for x64, and this is ${process.arch}`);
  const folder = await unpacked();
  const libraries = [path.join(folder, "al2023/lib"), process.env.LD_LIBRARY_PATH ?? ""].filter(Boolean).join(":");
  return chromium.launch({
    executablePath: path.join(folder, "chromium"),
    args: flags,
    env: { ...process.env, LD_LIBRARY_PATH: libraries },
  });
}

async function startSystem(): Promise<Browser> {
  if (!existsSync(systemBrowser)) throw new Error("is not there");
  return chromium.launch({ executablePath: systemBrowser, args: flags });
}

/** The folder with the browser and the libraries that its host would have; made once, and renamed when it is complete. */
async function unpacked(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve(packageName);
  const root = path.resolve(path.dirname(entry), "..");
  const { version } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8")) as { version: string };
  const target = path.join(tmpdir(), `dispense-chromium-${version}-${process.getuid?.() ?? 0}`);
  if (existsSync(path.join(target, "chromium"))) return target;
  const unfinished = await mkdtemp(`${target}.`);
  try {
    await writeFile(path.join(unfinished, "chromium"), await decompressed(path.join(root, "bin/chromium.br")));
    await chmod(path.join(unfinished, "chromium"), 0o755);
    await extract(path.join(root, "bin/al2023.tar.br"), path.join(unfinished, "al2023"));
    await extract(path.join(root, "bin/swiftshader.tar.br"), unfinished);
    await rename(unfinished, target).catch((error: unknown) => {
      if (!existsSync(path.join(target, "chromium"))) throw error; // else another process was first
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return target;
}

async function decompressed(file: string): Promise<Buffer> {
  return promisify(brotliDecompress)(await readFile(file));
}

async function extract(archive: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const tar = path.join(folder, "archive.tar");
  await writeFile(tar, await decompressed(archive));
  await promisify(execFile)("tar", ["-xf", tar, "-C", folder]);
  await rm(tar);
}
