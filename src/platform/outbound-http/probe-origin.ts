import { lookup } from "node:dns/promises";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, TLSSocket } from "node:tls";

/** How far a connection to an origin came. `error` is the system's own name for what went wrong. */
export type Probed =
  | { readonly kind: "no_address"; readonly error: string }
  | { readonly kind: "no_connection"; readonly addresses: readonly string[]; readonly error: string }
  | { readonly kind: "no_tls"; readonly addresses: readonly string[]; readonly error: string }
  /** `tls` is null for plain http. */
  | { readonly kind: "reached"; readonly addresses: readonly string[]; readonly tls: ProbedTls | null };

export interface ProbedTls {
  /** Such as TLSv1.3. */
  readonly protocol: string;
  /** The last moment of the certificate, as the certificate writes it. */
  readonly validTo: string;
}

const lookupMs = 5_000;
const connectMs = 5_000;

/**
 * Looks an origin's name up and connects to it, as `openAllowlistedHttp` would, and says how far it came. Sends nothing
 * beyond the TLS handshake. Never throws.
 */
export async function probeOrigin(url: URL): Promise<Probed> {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  let addresses: readonly string[];
  try {
    addresses = (await within(lookupMs, lookup(host, { all: true }))).map(({ address }) => address);
  } catch (error) {
    return { kind: "no_address", error: nameOf(error) };
  }
  return connect(url, host, addresses);
}

function connect(url: URL, host: string, addresses: readonly string[]): Promise<Probed> {
  const isTls = url.protocol === "https:";
  const port = Number(url.port) || (isTls ? 443 : 80);
  return new Promise((resolve) => {
    const socket: Socket = isTls
      ? connectTls({ host, port, servername: isIP(host) === 0 ? host : "", minVersion: "TLSv1.2" })
      : connectTcp({ host, port });
    let isConnected = false;
    const end = (probed: Probed) => {
      clearTimeout(timer);
      resolve(probed);
      socket.destroy();
    };
    const fail = (error: string) => end({ kind: isConnected ? "no_tls" : "no_connection", addresses, error });
    const timer = setTimeout(() => fail("ETIMEDOUT"), connectMs);
    socket.on("error", (error) => fail(nameOf(error)));
    socket.once("close", () => fail("ECONNRESET"));
    socket.once("connect", () => {
      isConnected = true;
    });
    socket.once(isTls ? "secureConnect" : "connect", () => end({ kind: "reached", addresses, tls: tlsOf(socket) }));
  });
}

function tlsOf(socket: Socket): ProbedTls | null {
  if (!(socket instanceof TLSSocket)) return null;
  return { protocol: socket.getProtocol() ?? "TLS", validTo: socket.getPeerCertificate().valid_to };
}

function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error("late"), { code: "ETIMEDOUT" })), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function nameOf(error: unknown): string {
  return error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.name) : "failed";
}
