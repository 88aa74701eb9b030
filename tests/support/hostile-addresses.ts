import { connect } from "node:net";

/** As they stand in an address: what no text of a database can be, what no header can hold, what is no UTF-8, what is long. */
export const hostile = [
  "%00",
  "a%00b",
  "%0d%0aset-cookie:%20merchant=x",
  "%ed%a0%80",
  "%ff",
  "%c0%af",
  "%zz",
  "%",
  "%e2%80%ae",
  "..%2f..%2fetc",
  "%2f%2fevil.example",
  "é",
  "1".repeat(6_000),
  "9".repeat(25),
  "2147483648", // one more than an integer column holds
  "9223372036854775808",
  "-1",
  "1e400",
  "NaN",
  "'%22%3Cscript%3E",
];

/** What a browser would never send as such: the bytes are the test's own. @returns the head; "" where it has no end */
export function getRaw(
  url: string,
  { path, cookie, method = "GET", body = "" }: { path: string; cookie: string; method?: string; body?: string },
): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let text = "";
    socket.setTimeout(20_000, () => socket.destroy(new Error(`no answer to ${path}`)));
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
      // A feed goes on for ever.
      if (isFeed(text)) socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () => {
      const [answered = ""] = text.split("\r\n\r\n", 1);
      const isWhole = !/^transfer-encoding: chunked/im.test(answered) || text.endsWith("\r\n0\r\n\r\n");
      resolve(isWhole || isFeed(text) ? answered : "");
    });
    const head = [`${method} ${path} HTTP/1.1`, `host: ${hostname}:${port}`, `cookie: ${cookie}`, "connection: close"];
    if (method === "POST") {
      head.push(`origin: ${url}`, "sec-fetch-site: same-origin");
      head.push("content-type: application/x-www-form-urlencoded", `content-length: ${body.length}`);
    }
    socket.write(Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`, "utf8"));
  });
}

function isFeed(text: string): boolean {
  return /^content-type: text\/event-stream.*\r\n\r\n/ims.test(text);
}

/** A route's path with each of its names replaced. */
export function withNames(path: string, name: string): string {
  return path.replace(/:[a-z]+/g, name).replace("*", name);
}
