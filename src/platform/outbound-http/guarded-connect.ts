import { Resolver } from "node:dns/promises";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { buildConnector } from "undici";

/** Why no connection came about. */
export type ConnectFault = "timeout" | "dns_error" | "connection_refused" | "tls_error" | "blocked_destination";

export class ConnectFailure extends Error {
  override readonly name = "ConnectFailure";
  readonly fault: ConnectFault;
  /** More than the fault says, in words; null where no more is known, or told. */
  readonly detail: string | null;
  constructor(fault: ConnectFault, detail: string | null = null) {
    super(fault);
    this.fault = fault;
    this.detail = detail;
  }
}

export interface ConnectOptions {
  readonly resolveName: ResolveName;
  /** Picks, among one host's addresses, the ones that nothing may be sent to. */
  readonly refusedAmong: (addresses: readonly string[]) => readonly string[];
  /** The time for TCP and TLS together, over all addresses that are tried. */
  readonly deadlineMs: number;
  /** Trusted besides the system's own, as PEM: a test's receiver has a certificate of its own. */
  readonly authorities?: readonly string[];
}

/** A name with more addresses has the others for its other clients. */
const addressesTried = 4;

/**
 * Connects undici to hosts that a stranger named. Looks the name up itself and judges every address it has, then connects
 * to one of those, and judges once more what it is connected to: whoever answers two lookups differently gains nothing.
 * An address instead of a name is judged the same way, as no lookup is ever made for it.
 * Fails with ConnectFailure.
 */
export function guardedConnect(options: ConnectOptions): buildConnector.connector {
  return (target, callback) => {
    open(options, target).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(error instanceof Error ? error : new ConnectFailure("connection_refused"), null),
    );
  };
}

async function open(options: ConnectOptions, target: buildConnector.Options): Promise<Socket> {
  const addresses = await addressesOf(target.hostname, options.resolveName);
  if (options.refusedAmong(addresses).length > 0) throw new ConnectFailure("blocked_destination");
  const deadline = performance.now() + options.deadlineMs;
  let failure = new ConnectFailure("dns_error");
  for (const address of addresses.slice(0, addressesTried)) {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) break;
    try {
      return await dial(options, target, address, leftMs);
    } catch (error) {
      if (!(error instanceof ConnectFailure) || error.fault === "blocked_destination") throw error;
      failure = error;
    }
  }
  throw failure;
}

async function addressesOf(host: string, resolveName: ResolveName): Promise<readonly string[]> {
  const name = host.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  if (isIP(name) !== 0) return [name];
  // RFC 6761: it is no business of name servers, and whether loopback may be reached is judged like any other address.
  if (name === "localhost") return ["127.0.0.1", "::1"];
  const answer = await resolveName(name);
  if (answer.kind === "addresses") return answer.addresses;
  const isAbsent = answer.kind === "no_address";
  throw new ConnectFailure("dns_error", isAbsent ? "the name has no address" : "its name servers did not answer");
}

function dial(
  { refusedAmong, authorities }: ConnectOptions,
  target: buildConnector.Options,
  address: string,
  timeoutMs: number,
): Promise<Socket> {
  const isTls = target.protocol === "https:";
  const port = Number(target.port) || (isTls ? 443 : 80);
  const servername = target.servername ?? (isIP(target.hostname) === 0 ? target.hostname.replace(/\.$/, "") : "");
  return new Promise((resolve, reject) => {
    const socket = isTls
      ? connectTls({
          host: address,
          port,
          servername,
          minVersion: "TLSv1.2",
          ALPNProtocols: ["http/1.1"],
          ...(authorities === undefined ? {} : { ca: [...authorities] }),
        })
      : connectTcp({ host: address, port });
    const fail = (failure: ConnectFailure) => {
      clearTimeout(timer);
      socket.destroy();
      reject(failure);
    };
    const timer = setTimeout(() => fail(new ConnectFailure("timeout", "no connection came about in time")), timeoutMs);
    let isConnected = false;
    // Stays on, so that what comes after a refusal finds somebody who listens.
    socket.on("error", (error) => fail(failureOf(error, isTls && isConnected)));
    socket.once("connect", () => {
      isConnected = true;
      // Before a byte of ours is on its way, TLS included.
      const remote = socket.remoteAddress;
      if (remote === undefined || refusedAmong([remote]).length > 0) fail(new ConnectFailure("blocked_destination"));
    });
    socket.once(isTls ? "secureConnect" : "connect", () => {
      if (socket.destroyed) return;
      clearTimeout(timer);
      socket.removeAllListeners("error");
      socket.setNoDelay(true);
      resolve(socket);
    });
    socket.once("close", () => fail(failureOf(new Error("closed"), isTls && isConnected)));
  });
}

function failureOf(error: Error, isInTls: boolean): ConnectFailure {
  const cause = causeOf(error);
  if ((error as NodeJS.ErrnoException).code === "ETIMEDOUT") return new ConnectFailure("timeout", cause);
  if (!isInTls) return new ConnectFailure("connection_refused", cause);
  return new ConnectFailure("tls_error", cause ?? "the receiver closed the connection during the TLS handshake");
}

/** What a failure's code says of the other end, the first that fits. */
const causes: readonly (readonly [code: RegExp, cause: string])[] = [
  [/^CERT_HAS_EXPIRED$/, "the certificate has expired"],
  [/^CERT_NOT_YET_VALID$/, "the certificate is not valid yet"],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, "the certificate is for another name"],
  [/^DEPTH_ZERO_SELF_SIGNED_CERT$/, "the certificate is self-signed"],
  [/CERTIFICATE_REQUIRED/, "the receiver asks for a certificate of ours, and we have none"],
  [
    /^UNABLE_TO_|CERT_IN_CHAIN|CERT_UNTRUSTED/,
    "the certificate is of an authority that is not trusted, or the receiver does not send the certificates between",
  ],
  [
    /WRONG_VERSION_NUMBER|PACKET_LENGTH|RECORD/,
    "the receiver speaks no TLS at this port: plain http, or another protocol",
  ],
  [/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/, "the receiver does not speak TLS 1.2 or later"],
  [/NO_APPLICATION_PROTOCOL/, "the receiver does not speak HTTP/1.1"],
  [/UNRECOGNIZED_NAME/, "the receiver serves no host of this name"],
  [/HANDSHAKE_FAILURE/, "the receiver has no cipher in common with us, or asks for a certificate of ours"],
  [/^E(HOST|NET)UNREACH$/, "no network leads to the receiver"],
  [/^UND_ERR_HEADERS_OVERFLOW$/, "the head of the answer is too long"],
];

/** These say no more than the kind of the failure. */
const plain = /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|UND_ERR_SOCKET)$/;
const causeMax = 200;

/** Why a connection or an answer failed, in words for the people at its other end; null where no more is known. */
export function causeOf(error: Error): string | null {
  // undici tells the parser's reason in its message alone: … (Invalid character in chunk size).
  if (error.name === "HTTPParserError") {
    return `the answer is no HTTP/1.1: ${/\((.*)\)/.exec(error.message)?.[1] ?? error.message}`.slice(0, causeMax);
  }
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || plain.test(code)) return null;
  return causes.find(([pattern]) => pattern.test(code))?.[1] ?? code.slice(0, causeMax);
}

/** The domain name system's answer for a name. */
export type NameAnswer =
  | { readonly kind: "addresses"; readonly addresses: readonly string[] }
  /** There is no such name, or it has no address. */
  | { readonly kind: "no_address" }
  /** No server answered in time, or it refused: nothing is known. */
  | { readonly kind: "no_answer" };

/** Every IPv4 and IPv6 address of a name. Never throws. */
export type ResolveName = (hostname: string) => Promise<NameAnswer>;

/** Addresses of one name beyond these are not looked at: who needs more is not a receiver of webhooks. */
const addressesMax = 64;

/**
 * Asks the system's name servers, with one deadline over everything. Not `dns.lookup`: that runs on threads, of which
 * there are four, and names that never answer would hold up everybody's; nor does it stop at a deadline. Unlike it,
 * this does not read the hosts file.
 */
export function nameResolver(options: {
  readonly deadlineMs: number;
  /** Instead of the system's: `127.0.0.1:5353`. */
  readonly servers?: readonly string[];
}): ResolveName {
  return async (hostname) => {
    const resolver = new Resolver({ timeout: options.deadlineMs / 2, tries: 2 });
    if (options.servers !== undefined) resolver.setServers(options.servers);
    const deadline = setTimeout(() => resolver.cancel(), options.deadlineMs);
    try {
      const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
      return answerOf(answers);
    } finally {
      clearTimeout(deadline);
    }
  };
}

function answerOf(answers: readonly PromiseSettledResult<string[]>[]): NameAnswer {
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  if (addresses.length > 0) return { kind: "addresses", addresses: addresses.slice(0, addressesMax) };
  const isAbsent = answers.every((answer) => answer.status === "rejected" && absences.has(answer.reason?.code));
  return { kind: isAbsent ? "no_address" : "no_answer" };
}

const absences = new Set(["ENOTFOUND", "ENODATA"]);
