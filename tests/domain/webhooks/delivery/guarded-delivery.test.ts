import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createHttpsServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { checkWebhookUrl } from "../../../../src/domain/webhooks/endpoints/url-guard.ts";
import { guardedConnect, type NameAnswer } from "../../../../src/platform/outbound-http/guarded-connect.ts";
import { openDelivery } from "../../../support/deliver.ts";
import { startRawServer, startReceiver } from "../../../support/receiver.ts";

const strict = { allowPrivate: false, ownAddresses: new Set(["93.184.215.14"]) };
const trying = { allowPrivate: true, ownAddresses: new Set<string>() };
const tls = path.resolve(import.meta.dirname, "../../../fixtures/tls");
const certificate = readFileSync(path.join(tls, "certificate.pem"), "utf8");

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

function delivery(given: Parameters<typeof openDelivery>[0]) {
  const made = openDelivery(given);
  open.push(made);
  return made;
}
const answers =
  (...addresses: string[]) =>
  async (): Promise<NameAnswer> => ({ kind: "addresses", addresses });
const blocked = {
  successful: false,
  error: "blocked_destination",
  errorDetail: null,
  httpStatus: null,
  durationMs: 0,
  responseBody: "",
};

describe("an attempt is blocked, and takes no time that tells anything,", () => {
  // Each of these passed the check at saving once, or was written past it: the attempt judges again.
  test.each([
    ["a decimal address", "https://2130706433/"],
    ["a hexadecimal address", "https://0x7f000001/"],
    ["an octal address", "https://0177.0.0.1/"],
    ["a short address", "https://127.1/"],
    ["zero", "https://0/"],
    ["an IPv6 loopback", "https://[::1]/"],
    ["an IPv4 address mapped into IPv6", "https://[::ffff:169.254.169.254]/"],
    ["an address behind NAT64", "https://[64:ff9b::a9fe:a9fe]/"],
    ["cloud metadata", "https://169.254.169.254/latest/meta-data/"],
    ["Azure's host", "https://168.63.129.16/"],
    ["a private network", "https://10.0.0.8/"],
    ["our own address", "https://93.184.215.14/"],
    ["credentials", "https://user:secret@example.com/"],
    ["an odd port", "https://example.com:22/"],
    ["plain http", "http://example.com/"],
    ["localhost", "https://localhost/"],
    ["a name with a dot at the end", "https://localhost./"],
  ])("to the URL of %s", async (_what, url) => {
    const { send } = delivery({ rules: strict, resolveName: answers("8.8.8.8") });
    expect(await send(url)).toMatchObject(blocked);
  });

  test.each([
    ["a private address alone", ["10.1.2.3"]],
    ["a public and a private address", ["8.8.8.8", "192.168.1.1"]],
    ["a public address and loopback in IPv6", ["8.8.8.8", "::1"]],
    ["our own address", ["93.184.215.14"]],
  ])("to a name that has %s", async (_what, addresses) => {
    const { send } = delivery({ rules: strict, resolveName: answers(...addresses) });
    expect(await send("https://example.com/hook")).toMatchObject(blocked);
  });

  test("to a name that was public when it was saved and is private now", async () => {
    const url = "https://example.com/hook";
    await checkWebhookUrl(url, { rules: strict, resolveName: answers("8.8.8.8") });
    const { send } = delivery({ rules: strict, resolveName: answers("127.0.0.1") });
    expect(await send(url)).toMatchObject(blocked);
  });
});

test("a connection that ends elsewhere than was judged is given up before a byte is sent", async () => {
  const receiver = await startReceiver();
  open.push(receiver);
  let looks = 0;
  const refusedAmong = (addresses: readonly string[]) => {
    looks += 1;
    return looks === 1 ? [] : addresses;
  };
  const connect = guardedConnect({ resolveName: answers("127.0.0.1"), refusedAmong, deadlineMs: 1_000 });
  const target = { hostname: "example.com", protocol: "http:", port: String(receiver.port) };
  const fault = await new Promise((resolve) => connect(target, (...[error]) => resolve(error?.message)));
  expect([fault, looks]).toEqual(["blocked_destination", 2]);
  expect(receiver.received).toHaveLength(0);
});

test.each([
  ["no_address", /no address/],
  ["no_answer", /name servers/],
] as const)("a name of which the name servers tell %s is a dns_error that says so", async (kind, cause) => {
  const { send } = delivery({ rules: trying, resolveName: async () => ({ kind }) });
  const failed = { error: "dns_error", errorDetail: expect.stringMatching(cause), successful: false };
  expect(await send("http://nowhere.example/")).toMatchObject(failed);
});

test("a name's next address is tried when the first refuses", async () => {
  const receiver = await startReceiver();
  open.push(receiver);
  const { send } = delivery({ rules: trying, resolveName: answers("127.0.0.9", "127.0.0.1") });
  expect(await send(`http://example.com:${receiver.port}/`)).toMatchObject({ successful: true });
});

describe("over TLS", () => {
  async function startTls(settings: ServerOptions = {}) {
    const options = { key: readFileSync(path.join(tls, "key.pem")), cert: certificate, ...settings };
    const server = createHttpsServer(options, (_request, response) => response.end("OK")).listen(0, "127.0.0.1");
    await once(server, "listening");
    open.push({
      close: async () => {
        server.closeAllConnections();
        server.close();
      },
    });
    return (server.address() as AddressInfo).port;
  }

  test("a receiver is believed by its name and its authority", async () => {
    const port = await startTls();
    const { send } = delivery({ rules: trying, authorities: [certificate] });
    expect(await send(`https://receiver.test:${port}/`)).toMatchObject({ successful: true, responseBody: "OK" });
  });

  const pem = (name: string) => readFileSync(path.join(tls, name), "utf8");
  const expired = pem("expired-certificate.pem");
  const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
  const choosy = { requestCert: true, rejectUnauthorized: true, maxVersion: "TLSv1.2" } as const;
  test.each([
    ["is for another name", "other.test", {}, [certificate], /another name/],
    ["is self-signed", "receiver.test", {}, undefined, /self-signed/],
    [
      "is of an authority that nobody trusts",
      "receiver.test",
      { cert: pem("foreign-certificate.pem") },
      undefined,
      /authority/,
    ],
    ["has expired", "receiver.test", { cert: expired }, [expired], /expired/],
    ["comes with TLS 1.1 alone", "receiver.test", old, [certificate], /TLS 1\.2/],
    ["is answered by a demand for one of ours", "receiver.test", choosy, [certificate], /certificate of ours/],
    ["comes with HTTP/2 alone", "receiver.test", { ALPNProtocols: ["h2"] }, [certificate], /HTTP\/1\.1/],
  ])("a failure says that the certificate %s", async (_what, host, settings, authorities, cause) => {
    const port = await startTls(settings);
    const { send } = delivery({ rules: trying, ...(authorities === undefined ? {} : { authorities }) });
    const failed = { error: "tls_error", errorDetail: expect.stringMatching(cause), httpStatus: null };
    expect(await send(`https://${host}:${port}/`)).toMatchObject(failed);
  });

  test("a failure says that plain HTTP is spoken where TLS was expected, and that an answer is no HTTP", async () => {
    const [receiver, mail] = [await startReceiver(), await startRawServer((socket) => socket.end("220 smtp\r\n"))];
    open.push(receiver, mail);
    const { send } = delivery({ rules: trying });
    const plain = { error: "tls_error", errorDetail: expect.stringContaining("plain http") };
    expect(await send(`https://receiver.test:${receiver.port}/`)).toMatchObject(plain);
    const other = { error: "protocol_error", errorDetail: expect.stringContaining("Expected HTTP/") };
    expect(await send(mail.url)).toMatchObject(other);
  });

  test("a failure says that the receiver closed in the middle of the handshake", async () => {
    const server = await startRawServer((socket) => socket.once("data", () => socket.destroy()));
    open.push(server);
    const { send } = delivery({ rules: trying });
    const closed = { error: "tls_error", errorDetail: expect.stringContaining("handshake") };
    expect(await send(server.url.replace("http:", "https:"))).toMatchObject(closed);
  });
});
