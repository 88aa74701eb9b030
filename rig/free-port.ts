import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The next caller may get the same one. */
export async function freePort(): Promise<number> {
  const squatter = createServer().listen(0, "127.0.0.1");
  await once(squatter, "listening");
  const { port } = squatter.address() as AddressInfo;
  squatter.close();
  await once(squatter, "close");
  return port;
}
