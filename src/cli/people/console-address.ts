import type { Config } from "../../main/configuration/config.ts";
import { wrong } from "../failures.ts";
import type { Session } from "../session.ts";

const loopback = new Set(["127.0.0.1", "localhost", "::1"]);

/** Where people reach the console: PUBLIC_URL, else this machine's address where it serves that alone; else null. */
export function consoleAddress({ publicUrl, host, port, tlsCert }: Config): string | null {
  if (publicUrl !== null) return publicUrl;
  if (!loopback.has(host)) return null;
  const name = host.includes(":") ? `[${host}]` : host;
  return `${tlsCert === null ? "http" : "https"}://${name}:${port}`;
}

/** The same for a link that has to be made. @throws Refusal VALIDATION_ERROR */
export function addressForLinks({ publicUrl }: Session): string {
  if (publicUrl !== null) return publicUrl;
  throw wrong("PUBLIC_URL must be set: nobody else knows the address that links into the console begin with.");
}
