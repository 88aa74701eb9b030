import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";

const fixtures = path.resolve(import.meta.dirname, "../fixtures/tls");

/** A server of one answer on this machine. */
export interface AnsweringServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts it; by https with a certificate that no authority vouches for. */
export async function startAnswering(
  listener: RequestListener,
  scheme: "http" | "https" = "http",
): Promise<AnsweringServer> {
  const file = (name: string) => readFileSync(path.join(fixtures, name));
  const server =
    scheme === "http"
      ? createServer(listener)
      : createTlsServer({ cert: file("certificate.pem"), key: file("key.pem") }, listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
