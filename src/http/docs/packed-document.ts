import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { negotiate } from "@fastify/accept-negotiator";
import type { FastifyReply, FastifyRequest } from "fastify";
import { lastingUrlOf } from "../request-context.ts";

type Encoding = "br" | "gzip" | "identity";
/** `address` is this deployment's own, for samples. */
type Make = (address: string) => string | Buffer | Promise<string | Buffer>;

/** How the repository's texts call this service: what is served has the deployment's own address in its place. */
export const writtenAddress = "http://127.0.0.1:8080";

type Send = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

const packers: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer> | Buffer>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      // From 7 on it takes several times as long, for a few per cent (measured with the OpenAPI document).
      params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes) => promisify(gzip)(bytes),
  identity: (bytes) => bytes,
};

/**
 * The encoding that the client prefers, and of several that it likes alike our first one. Nothing is packed for a client
 * that does not ask for it.
 */
export function encodingFor(request: FastifyRequest, ours: Encoding[] = ["br", "gzip", "identity"]): Encoding {
  return (negotiate(request.headers["accept-encoding"] ?? "", ours) as Encoding | null) ?? "identity";
}

/** Sends bytes that were packed already. */
export function sendEncoded(reply: FastifyReply, encoding: Encoding, bytes: Buffer): FastifyReply {
  reply.header("vary", "accept-encoding");
  return (encoding === "identity" ? reply : reply.header("content-encoding", encoding)).send(bytes);
}

/**
 * A document that is the same for everybody. It is made when somebody first asks for it, packed once for each encoding,
 * and kept as bytes, which all answers share: of a text, each connection that does not read would keep a copy.
 */
export function packedDocument(make: Make): Send {
  const kept = new Map<Encoding, Promise<Buffer>>();

  function packed(encoding: Encoding, address: string): Promise<Buffer> {
    const known = kept.get(encoding);
    if (known !== undefined) return known;
    const plain = encoding === "identity" ? made(address) : packed("identity", address);
    const bytes = plain.then((unpacked) => packers[encoding](unpacked));
    kept.set(encoding, bytes);
    // After a failure the next request tries again.
    bytes.catch(() => kept.delete(encoding));
    return bytes;
  }

  async function made(address: string): Promise<Buffer> {
    return Buffer.from(await make(address));
  }

  return async function send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const encoding = encodingFor(request);
    const bytes = await packed(encoding, lastingUrlOf(request));
    return sendEncoded(reply.header("cache-control", "public, max-age=300"), encoding, bytes);
  };
}
