// A program: the least that the service's own HTTP framework can do with a JSON body and a JSON answer. Prints its port.
import type { AddressInfo } from "node:net";
import { fastify } from "fastify";

const app = fastify();
app.post("/hello", async (request, reply) => {
  const { reference } = request.body as { readonly reference: string };
  return reply.code(201).send({ hello: "world", reference });
});
await app.listen({ host: "127.0.0.1", port: 0 });
console.log(`port ${(app.server.address() as AddressInfo).port}`);
process.once("SIGTERM", () => process.exit(0));
