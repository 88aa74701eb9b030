import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { negotiate } from "@fastify/accept-negotiator";
import type { FastifyReply, FastifyRequest } from "fastify";
import { publicUrlOf } from "../request-context.ts";

type Encoding = "br" | "gzip" | "identity";
type Make = () => string | Buffer | Promise<string | Buffer>;
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
export function packedDocument(make: Make, cacheControl = "public, max-age=300"): Send {
  const kept = new Map<Encoding, Promise<Buffer>>();

  function packed(encoding: Encoding): Promise<Buffer> {
    const known = kept.get(encoding);
    if (known !== undefined) return known;
    const bytes = encoding === "identity" ? made() : packed("identity").then((plain) => packers[encoding](plain));
    kept.set(encoding, bytes);
    // After a failure the next request tries again.
    bytes.catch(() => kept.delete(encoding));
    return bytes;
  }

  async function made(): Promise<Buffer> {
    return Buffer.from(await make());
  }

  return async function send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const encoding = encodingFor(request);
    const bytes = await packed(encoding);
    return sendEncoded(reply.header("cache-control", cacheControl), encoding, bytes);
  };
}

/** How the repository's texts call this service: what is served has the deployment's own address in its place. */
export const writtenAddress = "http://127.0.0.1:8080";

/** Of one document: clients may claim any, and each is kept in three encodings. */
const addressesMax = 8;

/**
 * A document whose samples show this deployment's own address: the configured one, else the one that the client reached,
 * for that client alone (no cache on the way may show it to others). The address holds nothing that HTML would escape.
 */
export function addressedDocument(make: () => string): Send {
  let written: string | null = null;
  const kept = new Map<string, Send>();

  function madeFor(address: string): Send {
    const known = kept.get(address);
    if (known !== undefined) return known;
    const [oldest] = kept.keys();
    if (oldest !== undefined && kept.size >= addressesMax) kept.delete(oldest);
    const send = packedDocument(() => {
      written ??= make();
      return written.replaceAll(writtenAddress, () => address);
    }, "private, max-age=300");
    kept.set(address, send);
    return send;
  }

  return (request, reply) => madeFor(publicUrlOf(request))(request, reply);
}
