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

/** A quarter of the hostile texts for the page of this number: four pages beside each other see them all. */
export function someHostile(at: number): readonly string[] {
  return hostile.filter((_text, number) => number % 4 === at % 4);
}

/** What is wrong with the answers to some addresses, eight at a time; `ask` resolves with an answer's head. */
export async function faultsOf(paths: readonly string[], ask: (path: string) => Promise<string>): Promise<string[]> {
  const faults: string[] = [];
  for (let first = 0; first < paths.length; first += 8) {
    const some = paths.slice(first, first + 8).map(async (path) => {
      const head = await ask(path);
      const status = Number(/^HTTP\/1\.1 ([0-9]{3})/.exec(head)?.[1] ?? 0);
      if (status === 0 || status >= 500 || /set-cookie: *merchant=x/i.test(head))
        faults.push(`${status} ${path.slice(0, 90)}`);
    });
    await Promise.all(some);
  }
  return faults;
}

/** The query parameters that a page's fields and links name. */
export function parametersOn(text: string): readonly string[] {
  return [
    ...new Set([...text.matchAll(/\bname="([a-z_]+)"|[?;]([a-z_]+)=/g)].map(([, field, link]) => field ?? link!)),
  ];
}

/** A route's path with each of its names replaced. */
export function withNames(path: string, name: string): string {
  return path.replace(/:[a-z]+/g, name).replace("*", name);
}
