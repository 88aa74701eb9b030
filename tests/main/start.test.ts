import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { freePort } from "../../rigs/base/own-postgres.ts";
import { processesIn } from "../../src/platform/embedded-postgres/processes.ts";
import { databaseUrl, type FreshDatabase, freshDatabase } from "../support/database.ts";
import { openPrograms } from "../support/programs.ts";
import { makeScratchDirectory, type ScratchDirectory } from "../support/scratch-directory.ts";

let scratch: ScratchDirectory;
let fresh: FreshDatabase;
const programs = openPrograms();

beforeAll(async () => {
  scratch = await makeScratchDirectory();
  fresh = await freshDatabase();
});

afterAll(async () => {
  programs.killAll();
  await fresh.drop();
  await scratch.remove();
});

const start = (environment: Record<string, string>) =>
  programs.start(["start"], { DATA_DIR: scratch.folder, PORT: "0", ...environment });

test("what keeps the service from starting is told in one sentence, with code 1", async () => {
  const { code, error } = await start({ DATABASE_URL: databaseUrl(fresh.url, "no_such_database") }).ended;
  expect({ code, error }).toEqual({
    code: 1,
    error: expect.stringMatching(/^The database .* refuses \(.*\): .*\.\n$/),
  });
});

test("a first start that ends at a busy port has not used up the demo merchant's key", async () => {
  const squatter = createServer().listen(0, "127.0.0.1");
  await once(squatter, "listening");
  const { port } = squatter.address() as AddressInfo;
  const refused = await start({ DATABASE_URL: fresh.url, PORT: String(port) }).ended;
  squatter.close();
  expect(refused).toEqual({ code: 1, error: expect.stringMatching(/^Port \d+ is in use: .*\.\n$/) });
  const second = start({ DATABASE_URL: fresh.url });
  await second.saying("Docs");
  await second.saying("ds_test_");
  second.child.kill("SIGTERM");
  expect((await second.ended).code).toBe(0);
});

test("a stop between the first answer and the welcome is in order, and the demo merchant's key is still shown", async () => {
  const empty = await freshDatabase();
  onTestFinished(() => empty.drop());
  const holder = await empty.pool.connect();
  onTestFinished(() => holder.release());
  await holder.query("begin; lock table merchants in share mode");
  const port = await freePort();
  const service = start({ DATABASE_URL: empty.url, PORT: String(port) });
  const answers = () => fetch(`http://127.0.0.1:${port}/healthz`).then(({ status }) => status, String);
  await expect.poll(answers).toBe(200);
  service.child.kill("SIGTERM");
  // A service that exits at once answers no more, and by the fifth answer it has long had the signal.
  for (let request = 0; request < 5; request++) expect(await answers()).toBe(200);
  await holder.query("rollback");
  expect(await service.ended).toEqual({ code: 0, error: "" });
  expect(service.out()).toMatch(/ds_test_.*\n[\s\S]*service\.stopping/);
});

test("requests on kept connections are all answered while the service stops", async () => {
  const service = start({ DATABASE_URL: fresh.url, LOG_LEVEL: "silent" });
  await service.saying("Docs");
  const port = Number(/runs at http:\/\/127\.0\.0\.1:(\d+)/.exec(service.out())?.[1]);
  const answered = new Set<number>();
  const clients = Array.from({ length: 8 }, (_, client) => askUntilClosed(port, () => answered.add(client)));
  await expect.poll(() => answered.size).toBe(clients.length);
  service.child.kill("SIGTERM");
  expect(await Promise.all(clients)).toEqual(clients.map(() => "told that the connection closes"));
  expect((await service.ended).code).toBe(0);
});

/** Sends one request after the other on one connection until an answer says that it was the last. */
async function askUntilClosed(port: number, onAnswer: () => void): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  const ended = Promise.race([
    once(socket, "close").then(() => "closed without an answer"),
    once(socket, "error").then(([error]) => String(error)),
  ]);
  for (let calls = 0; calls < 1_000_000; calls++) {
    socket.write("GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n");
    const answer = await Promise.race([once(socket, "data").then(([data]) => String(data)), ended]);
    if (!answer.startsWith("HTTP/1.1 200")) return answer;
    if (/^connection: close/im.test(answer)) return "told that the connection closes";
    onAnswer();
  }
  return "never told";
}

test("a stop in the middle of a start takes the new PostgreSQL with it", async () => {
  const service = start({ LOG_LEVEL: "debug" });
  await service.saying("applied 0001");
  expect(processesIn(path.join(scratch.folder, "postgres"))).not.toEqual([]);
  service.child.kill("SIGTERM");
  expect((await service.ended).code).toBe(143);
  await expect.poll(() => processesIn(path.join(scratch.folder, "postgres"))).toEqual([]);
});

test("a terminal that goes away does not keep the service from stopping", async () => {
  const service = start({ DATABASE_URL: fresh.url });
  await service.saying("Docs");
  service.child.stdout?.destroy();
  service.child.stderr?.destroy();
  service.child.kill("SIGHUP");
  expect((await service.ended).code).toBe(0);
});
