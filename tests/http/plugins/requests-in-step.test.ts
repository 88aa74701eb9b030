import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { type FastifyInstance, fastify } from "fastify";
import { describe, expect, it } from "vitest";
import { keepRequestsInStep } from "../../../src/http/plugins/requests-in-step.ts";

const names = ["/a", "/b", "/c"];

describe("requests of one turn of the event loop", () => {
  it("take each step together, in the order in which they came", async () => {
    const steps: string[] = [];
    const app = fastify();
    app.addHook("onRequest", (request, _reply, next) => {
      steps.push(`read ${request.url}`);
      next();
    });
    keepRequestsInStep(app);
    app.addHook("onRequest", (request, _reply, next) => {
      steps.push(`enter ${request.url}`);
      next();
    });
    app.post("/:name", async (request) => {
      steps.push(`begin ${request.url}`);
      await Promise.resolve();
      steps.push(`end ${request.url}`);
      return {};
    });
    await app.listen({ host: "127.0.0.1", port: 0 });

    await sendAtOnce(app, names);

    expect(steps).toEqual(["read", "enter", "begin", "end"].flatMap((step) => names.map((name) => `${step} ${name}`)));
    await app.close();
  });

  it("go on although one of them is refused before it is handled", async () => {
    const app = fastify();
    keepRequestsInStep(app);
    app.addHook("onRequest", (request, _reply, next) => next(request.url === "/a" ? new Error("refused") : undefined));
    app.get("/:name", async () => ({}));

    const answers = await Promise.all(names.map((url) => app.inject({ url })));

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([500, 200, 200]);
  });
});

/** Writes one request on each of as many open connections without a pause between, and waits for all answers. */
async function sendAtOnce({ server }: FastifyInstance, paths: readonly string[]): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  for (const _path of paths) {
    const accepted = once(server, "connection");
    sockets.push(connect(port, "127.0.0.1"));
    await accepted;
  }
  const answers = sockets.map((socket) => once(socket, "data"));
  for (const [i, socket] of sockets.entries()) {
    socket.write(
      `POST ${paths[i]} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`,
    );
  }
  await Promise.all(answers);
  for (const socket of sockets) socket.destroy();
}
