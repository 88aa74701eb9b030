import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../../rigs/base/own-postgres.ts";
import { waitUntil } from "../support/receiver.ts";
import { makeScratchDirectory, type ScratchDirectory } from "../support/scratch-directory.ts";
import { certificate, name, proxies, sourceMax } from "./kit-proxies.ts";

// Debian has them where only root's path leads.
const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

/** In the place of the service: tells which request reached it. */
interface Service {
  readonly port: number;
  readonly reached: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly port: number }[];
  checks: number;
  isReady: boolean;
  close(): void;
}

async function openService(): Promise<Service> {
  const server = createServer((arrived, answer) => {
    const { url = "", headers, socket } = arrived;
    arrived.resume().on("end", () => {
      if (url === "/readyz") service.checks++;
      else service.reached.push({ path: url, headers, port: socket.remotePort ?? 0 });
      if (url === "/cut") return void socket.destroy();
      if (url === "/slow") return void setTimeout(() => answer.end(), 1_000);
      answer.statusCode = url === "/readyz" && !service.isReady ? 503 : 200;
      answer.setHeader("content-type", "application/json").end(`{"path":${JSON.stringify(url)}}`);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  const service: Service = { port, reached: [], checks: 0, isReady: true, close };
  return service;
}

describe.each(Object.entries(proxies))("%s, with the kit's file", (_called, proxy) => {
  const { program, version, asksReadyz, boundsSources } = proxy;
  const isThere = spawnSync(program, [version], { env: environment }).status === 0;
  const where = isThere ? "" : ` (skipped: ${program} is not installed here)`;
  const tried = test.runIf(isThere);

  let scratch: ScratchDirectory;
  let service: Service;
  let running: ChildProcess | undefined;
  let httpPort = 0;
  let httpsPort = 0;
  const agent = new Agent({ ca: readFileSync(certificate), servername: name, keepAlive: true });

  beforeAll(async () => {
    scratch = await makeScratchDirectory();
    service = await openService();
    if (!isThere) return;
    chmodSync(scratch.folder, 0o755);
    [httpPort, httpsPort] = [await freePort(), await freePort()];
    const args = proxy.prepare({ folder: scratch.folder, httpPort, httpsPort, servicePort: service.port });
    const env = {
      ...environment,
      HOME: scratch.folder,
      XDG_DATA_HOME: scratch.folder,
      XDG_CONFIG_HOME: scratch.folder,
    };
    const child = spawn(program, args, { env, stdio: ["ignore", "ignore", "pipe"] });
    running = child;
    let said = "";
    child.stderr.on("data", (chunk) => (said += chunk));
    const answers = () =>
      ask("/docs").then(
        ({ status }) => status === 200,
        () => false,
      );
    await waitUntil(async () => child.exitCode !== null || (await answers()), `${program}: ${said}`);
    if (child.exitCode !== null) throw new Error(`${program} ended: ${said}`);
  });
  afterAll(async () => {
    agent.destroy();
    if (running?.exitCode === null) {
      running.kill("SIGTERM");
      await once(running, "exit");
    }
    service.close();
    await scratch.remove();
  });

  async function ask(url: string, headers: Record<string, string> = {}, body?: Buffer, by: Agent = agent) {
    const method = body === undefined ? "GET" : "POST";
    const all = { host: name, ...(body && { "content-length": String(body.length) }), ...headers };
    const calls = request({ host: "127.0.0.1", port: httpsPort, path: url, method, headers: all, agent: by });
    // What is large is sent once the proxy wants it, as curl does.
    if (headers.expect === undefined) calls.end(body);
    else calls.once("continue", () => calls.end(body)).flushHeaders();
    const [answer] = (await once(calls, "response")) as [IncomingMessage];
    let text = "";
    for await (const chunk of answer) text += chunk;
    return { status: answer.statusCode, headers: answer.headers, text };
  }

  tried(`a request over TLS is answered by the service, which learns name and scheme${where}`, async () => {
    const { status, text } = await ask("/api/v1/merchant/wallet/balance?x=%2F");
    expect([status, text]).toEqual([200, '{"path":"/api/v1/merchant/wallet/balance?x=%2F"}']);
    expect(service.reached.at(-1)?.headers).toMatchObject({ host: name, "x-forwarded-proto": "https" });
  });

  tried(`a client that lies about its address is not believed${where}`, async () => {
    const lies = { "X-Forwarded-For": "198.51.100.7", Forwarded: "for=198.51.100.7", "X-Real-IP": "198.51.100.7" };
    expect((await ask("/healthz", lies)).status).toBe(200);
    const headers = service.reached.at(-1)?.headers ?? {};
    expect(headers["x-forwarded-for"]).toBe("127.0.0.1");
    expect(JSON.stringify(headers)).not.toContain("198.51.100.7");
  });

  tried.each(["/metrics", "/metrics/", "/metrics?a=b", "/%6detrics"])(
    `the figures are nobody's beyond the machine: %s is not found${where}`,
    async (url) => {
      const before = service.reached.length;
      expect((await ask(url)).status).toBe(404);
      expect(service.reached.length).toBe(before);
    },
  );

  tried(`a bulk order of 4 MiB passes, what is much larger is 413 as the service says it${where}`, async () => {
    const expecting = { expect: "100-continue" };
    expect((await ask("/bulk", expecting, Buffer.alloc(4 * 1_048_576 + 1, "x"))).status).toBe(200);
    const before = service.reached.length;
    const large = await ask("/bulk", expecting, Buffer.alloc(7 * 1_048_576, "x"));
    expect(service.reached.length).toBe(before);
    expect(large).toMatchObject({ status: 413, text: expect.stringContaining('"code":"PAYLOAD_TOO_LARGE"') });
    expect(large.headers["content-type"]).toContain("application/json");
    expect(large.headers.server).not.toBe("Caddy");
  });

  tried(`connections to the service are kept from one request to the next${where}`, async () => {
    const from = service.reached.length;
    for (let i = 0; i < 10; i++) await ask("/healthz");
    const ports = service.reached.slice(from).map(({ port }) => port);
    expect(new Set(ports).size).toBeLessThanOrEqual(2);
  });

  tried(`plain http is sent to https with its method and its path${where}`, async () => {
    const answer = await fetch(`http://127.0.0.1:${httpPort}/docs`, { redirect: "manual", headers: { host: name } });
    expect([answer.status, answer.headers.get("location")]).toEqual([308, expect.stringMatching(/^https:.*\/docs$/)]);
  });

  const bound = boundsSources ? "an address is refused what is too much at once" : "it bounds no address";
  tried(`${bound}, and is answered again afterwards${where}`, async () => {
    const own = new Agent({ ca: readFileSync(certificate), servername: name });
    const many = Array.from({ length: sourceMax * 2 }, () => ask("/slow", {}, undefined, own).catch(() => null));
    const statuses = (await Promise.all(many)).map((answer) => answer?.status ?? 0);
    const served = statuses.filter((status) => status === 200).length;
    expect(served).toBeGreaterThanOrEqual(sourceMax / 2);
    expect(served < statuses.length).toBe(boundsSources);
    expect(statuses.filter((status) => ![0, 200, 429].includes(status))).toEqual([]);
    await waitUntil(async () => (await ask("/healthz").catch(() => null))?.status === 200, "an answer");
  });

  const readiness = asksReadyz
    ? "a service that is not ready is sent nothing, and clients are told so as the service says it"
    : "it asks no health check by itself, and passes /readyz on to whoever does";
  tried(`${readiness}${where}`, async () => {
    const checksBefore = service.checks;
    if (!asksReadyz) {
      expect((await ask("/readyz")).status).toBe(200);
      return expect(service.checks).toBe(checksBefore + 1);
    }
    service.isReady = false;
    await expect.poll(() => service.checks).toBeGreaterThan(checksBefore + 2);
    const before = service.reached.length;
    const away = await ask("/api/v1/merchant/data/purchase", {}, Buffer.from("{}"));
    expect([away.status, JSON.parse(away.text).code]).toEqual([503, "MAINTENANCE"]);
    expect(away.headers["retry-after"]).toBe("5");
    expect(service.reached.length).toBe(before);
    service.isReady = true;
    await expect.poll(async () => (await ask("/healthz")).status).toBe(200);
  });

  tried(
    `a purchase whose answer is lost is sent once, and the answer leaves open whether it exists${where}`,
    async () => {
      const before = service.reached.length;
      // On a connection that it had a request on before, HAProxy closes it: no answer at all, which means the same.
      agent.destroy();
      const cut = await ask("/cut", {}, Buffer.from("{}"));
      expect([cut.status, JSON.parse(cut.text).code]).toEqual([502, "INTERNAL_ERROR"]);
      expect(service.reached.slice(before).map(({ path: reached }) => reached)).toEqual(["/cut"]);
    },
  );
});
