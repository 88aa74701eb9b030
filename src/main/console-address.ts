import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { openDataDirectory } from "../platform/data-directory/data-directory.ts";
import { replacePrivately } from "../platform/data-directory/private-file.ts";
import type { Config } from "./configuration/config.ts";

const loopback = new Set(["127.0.0.1", "localhost", "::1"]);

/**
 * Writes into the data directory where people reach the console, for commands that make links: they run without the
 * service's settings, and no setting names a port that was free. A disk that can't be written keeps nobody from selling.
 * @returns how to forget it
 */
export async function keepConsoleAddress(dataDirectory: string, address: string): Promise<() => Promise<void>> {
  const file = fileIn(dataDirectory);
  await openDataDirectory(dataDirectory)
    .then(() => replacePrivately(file, `${address}\n`))
    .catch(() => {});
  return () => rm(file, { force: true }).catch(() => {});
}

/**
 * Where people reach the console: PUBLIC_URL, else where it runs on this data directory, else this machine's address where
 * the settings name that; else null.
 */
export async function consoleAddress(config: Config): Promise<string | null> {
  const { publicUrl, host, port, tlsCert } = config;
  if (publicUrl !== null) return publicUrl;
  const running = await readFile(fileIn(config.dataDirectory), "utf8").catch(() => null);
  if (running !== null) return running.trim();
  if (!loopback.has(host) || port === 0) return null;
  const name = host.includes(":") ? `[${host}]` : host;
  return `${tlsCert === null ? "http" : "https"}://${name}:${port}`;
}

function fileIn(dataDirectory: string): string {
  return path.join(dataDirectory, "address");
}
