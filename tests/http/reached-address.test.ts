import { expect, test } from "vitest";
import { buildHttp } from "../../src/main/build-http.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { sendRaw } from "../support/raw-request.ts";

const app = closing(await startApp());
const named = closing(await buildHttp({ ...app.services, publicUrl: "https://api.example.ng" }));
const namedUrl = await named.listen({ port: 0, host: "127.0.0.1" });

const page = "/docs/errors#UNAUTHORIZED";

/** Where the refusal of a request with these lines in its head leads. */
async function docUrl(lines: readonly string[], url = app.url): Promise<string> {
  const answer = await sendRaw(url, { head: ["GET /api/v1/merchant/balance HTTP/1.1", ...lines] });
  return (answer as { body: { doc_url: string } }).body.doc_url;
}

test("a link in an answer begins with the address that the client reached us at", async () => {
  expect(await docUrl(["Host: sell.example.ng:8443"])).toBe(`http://sell.example.ng:8443${page}`);
  expect(await docUrl(["Host: [::1]:8080"])).toBe(`http://[::1]:8080${page}`);
});

test("a link is https where the proxy in front says that the client came by it", async () => {
  expect(await docUrl(["Host: sell.example.ng", "X-Forwarded-Proto: https"])).toBe(`https://sell.example.ng${page}`);
});

test.each(['sell.example.ng/"><script>', "me@sell.example.ng", "", "sell.example.ng:1:2"])(
  "a Host of %j is not repeated: the connection's own address stands in its place",
  async (host) => {
    expect(await docUrl([`Host: ${host}`])).toBe(`${app.url}${page}`);
  },
);

test("bytes that are no request are told of an address, too", async () => {
  const answer = await sendRaw(app.url, { head: ["GET / HTTP/1.1", "no header"] });
  expect(answer?.body).toMatchObject({ code: "INVALID_JSON", doc_url: `${app.url}/docs/errors#INVALID_JSON` });
});

test("a configured address stands in links, whatever the client's Host says", async () => {
  expect(await docUrl(["Host: other.example.ng"], namedUrl)).toBe(`https://api.example.ng${page}`);
});
