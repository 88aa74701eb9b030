import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildHttp } from "../../src/main/build-http.ts";
import { exposureWarning, readTlsFiles } from "../../src/main/configuration/encryption-keys.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { freshDatabase } from "../support/database.ts";
import { compileOnce } from "../support/known-validators.ts";
import { openPrograms } from "../support/programs.ts";
import { makeScratchDirectory, type ScratchDirectory } from "../support/scratch-directory.ts";

const fixtures = path.resolve(import.meta.dirname, "../fixtures/tls");
const tlsCert = path.join(fixtures, "certificate.pem");
const tlsKey = path.join(fixtures, "key.pem");
const programs = openPrograms();

let app: TestApp;
let scratch: ScratchDirectory;
beforeAll(async () => {
  app = await startApp();
  scratch = await makeScratchDirectory();
});
afterAll(async () => {
  programs.killAll();
  await scratch.remove();
  await app.close();
});

async function get(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const calls = request(url, { headers, rejectUnauthorized: false }).end();
  const [answer] = (await once(calls, "response")) as [IncomingMessage];
  answer.resume();
  return answer;
}

test("https is spoken by the service itself: the API answers, browsers are told to stay, plain http is not", async () => {
  const tls = await readTlsFiles({ tlsCert, tlsKey });
  const secured = await buildHttp({ ...app.services, tls }, compileOnce);
  const url = await secured.listen({ port: 0, host: "127.0.0.1" });
  try {
    expect(url).toMatch(/^https:/);
    const authorization = `Bearer ${app.merchant.testKey}`;
    const answer = await get(`${url}/api/v1/merchant/wallet/balance`, { authorization });
    expect([answer.statusCode, answer.headers["strict-transport-security"]]).toEqual([200, "max-age=31536000"]);
    const many = Object.fromEntries(Array.from({ length: 1_100 }, (_, i) => [`x${i}`, "y"]));
    expect((await get(`${url}/healthz`, many)).statusCode).toBe(431);
    await expect(fetch(url.replace("https", "http"))).rejects.toThrow();
  } finally {
    await secured.close();
  }
});

describe("files that https can't be served with are refused in one sentence", () => {
  const other = () => {
    const file = path.join(scratch.folder, "other.pem");
    writeFileSync(
      file,
      generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }),
    );
    return file;
  };
  test.each([
    ["one alone", () => ({ tlsCert, tlsKey: null }), /^TLS_CERT is set and TLS_KEY is not: https needs both\.$/],
    ["the other alone", () => ({ tlsCert: null, tlsKey }), /^TLS_KEY is set and TLS_CERT is not: https needs both\.$/],
    [
      "one that is not there",
      () => ({ tlsCert: "/nowhere.pem", tlsKey }),
      /^The file of TLS_CERT can't be read \(ENOENT\)\.$/,
    ],
    ["another key", () => ({ tlsCert, tlsKey: other() }), /^TLS_KEY is not the key of the certificate in TLS_CERT: /],
    [
      "no PEM file",
      () => ({ tlsCert: path.join(fixtures, "../starting-product-ids.json"), tlsKey }),
      /^The file of TLS_CERT is no PEM file\.$/,
    ],
    [
      "two keys",
      () => ({ tlsCert: tlsKey, tlsKey }),
      /^TLS_CERT and TLS_KEY can't be used \(\S+\): they must be PEM files .*\.$/,
    ],
  ])("%s", async (_what, files, sentence) => {
    await expect(readTlsFiles(files())).rejects.toThrow(sentence);
  });

  test("neither is no https", async () => {
    expect(await readTlsFiles({ tlsCert: null, tlsKey: null })).toBeNull();
  });
});

test("a HOST beyond loopback warns, unless TLS or a proxy stands before it", () => {
  const open = { tlsCert: null, trustedProxies: [] };
  for (const host of ["0.0.0.0", "::", "192.0.2.7", "api.example.com"]) {
    expect(exposureWarning({ host, ...open })).toMatch(
      /^HOST \S+ serves other machines without TLS: .*TLS_CERT.*TRUSTED_PROXIES/,
    );
    expect(exposureWarning({ host, ...open, tlsCert })).toBeNull();
    expect(exposureWarning({ host, ...open, trustedProxies: [{} as never] })).toBeNull();
  }
  for (const host of ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
    expect(exposureWarning({ host, ...open })).toBeNull();
});

test("in production no demo merchant is made, and a start beyond loopback warns in the log", async () => {
  const fresh = await freshDatabase();
  const service = programs.start(["start"], {
    DATA_DIR: scratch.folder,
    PORT: "0",
    HOST: "0.0.0.0",
    DATABASE_URL: fresh.url,
    NODE_ENV: "production",
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  });
  await service.saying("http.exposed");
  await service.saying("Docs");
  service.child.kill("SIGTERM");
  expect((await service.ended).code).toBe(0);
  expect((await fresh.pool.query("select 1 from merchants")).rowCount).toBe(0);
  await fresh.drop();
});
