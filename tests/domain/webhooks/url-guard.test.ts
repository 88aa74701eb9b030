import { describe, expect, test } from "vitest";
import {
  checkWebhookUrl,
  type DestinationRules,
  readDestination,
  refusedAmong,
} from "../../../src/domain/webhooks/endpoints/url-guard.ts";
import type { NameAnswer } from "../../../src/platform/outbound-http/guarded-connect.ts";

const rules: DestinationRules = { allowPrivate: false, ownAddresses: new Set(["93.184.215.99"]) };
const lenient: DestinationRules = { ...rules, allowPrivate: true };

describe("a destination that is public", () => {
  test.each([
    ["https://example.com", "example.com", false],
    ["https://example.com/hook?a=b#c", "example.com", false],
    ["https://EXAMPLE.com:443/", "example.com", false],
    ["https://example.com:8443/", "example.com", false],
    ["https://a.b-c.example.co.uk/", "a.b-c.example.co.uk", false],
    ["https://example.com./", "example.com", false],
    ["https://_hook.example.com/", "_hook.example.com", false],
    ["https://xn--bcher-kva.example/", "xn--bcher-kva.example", false],
    ["https://bücher.example/", "xn--bcher-kva.example", false],
    ["https://example.com/%E2%9C%93/✓", "example.com", false],
    ["https://8.8.8.8/", "8.8.8.8", true],
    ["https://[2001:4860:4860::8888]:8443/", "2001:4860:4860::8888", true],
  ])("%s is allowed", (text, host, isLiteral) => {
    expect(readDestination(text, rules)).toMatchObject({ kind: "allowed", host, isLiteral });
  });
});

/** Every way that we know of to write an address or a URL so that a careless check lets it pass. */
const hostile: readonly (readonly [what: string, ...texts: string[]])[] = [
  ["another scheme", "http://example.com/", "ftp://example.com/", "file:///etc/passwd", "gopher://example.com/"],
  ["no URL", "", "example.com", "//example.com/", "https://", "https:", "https://?", "https://#", "https://:443/"],
  ["credentials", "https://user@example.com/", "https://user:pass@example.com/", "https://:pass@example.com/"],
  ["credentials that look like the host", "https://example.com@10.0.0.1/", "https://example.com:443@127.0.0.1/"],
  ["an odd port", "https://example.com:80/", "https://example.com:22/", "https://8.8.8.8:8080/"],
  ["port 0, or past the last", "https://example.com:0/", "https://example.com:65536/", "https://example.com:-1/"],
  ["blanks and control characters", " https://example.com/", "https://example.com/ ", "https://exa\tmple.com/"],
  ["line ends", "https://example.com/\r\nHost: evil", "https://example.com/\n", "https://\u0000example.com/"],
  ["a backslash", "https://example.com\\@127.0.0.1/", "https:\\\\example.com/", "https://example.com/\\..\\"],
  ["loopback", "https://127.0.0.1/", "https://127.255.255.254/", "https://[::1]/", "https://[0:0:0:0:0:0:0:1]/"],
  ["loopback in decimal, octal, hex", "https://2130706433/", "https://017700000001/", "https://0x7f000001/"],
  ["loopback in parts", "https://0177.0.0.1/", "https://0x7f.0.0.1/", "https://127.1/", "https://127.0.1/"],
  [
    "loopback with a dot, percent-encoded, full-width",
    "https://127.0.0.1./",
    "https://%31%32%37.0.0.1/",
    "https://１２７.0.0.1/",
  ],
  ["circled digits and an ideographic stop", "https://①②⑦.⓪.⓪.①/", "https://127。0。0。1/"],
  ["this machine", "https://0.0.0.0/", "https://0/", "https://[::]/", "https://93.184.215.99/"],
  ["private", "https://10.0.0.1/", "https://172.16.0.1/", "https://192.168.0.1/", "https://[fd00::1]/"],
  ["metadata", "https://169.254.169.254/", "https://2852039166/", "https://[fd00:ec2::254]/", "https://168.63.129.16/"],
  ["mapped", "https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/", "https://[::ffff:a9fe:a9fe]/"],
  ["compatible and translated", "https://[::127.0.0.1]/", "https://[::ffff:0:127.0.0.1]/"],
  ["NAT64 and 6to4", "https://[64:ff9b::7f00:1]/", "https://[64:ff9b:1::a00:1]/", "https://[2002:7f00:1::]/"],
  ["link-local, with and without a zone", "https://[fe80::1]/", "https://[fe80::1%25eth0]/"],
  [
    "multicast and reserved",
    "https://224.0.0.1/",
    "https://240.0.0.1/",
    "https://255.255.255.255/",
    "https://[ff02::1]/",
  ],
  [
    "shared and documentation",
    "https://100.64.0.1/",
    "https://192.0.2.1/",
    "https://198.18.0.1/",
    "https://[2001:db8::1]/",
  ],
  ["a name of this machine", "https://localhost/", "https://LOCALHOST/", "https://localhost./", "https://a.localhost/"],
  [
    "a name of this network",
    "https://intranet/",
    "https://db.internal/",
    "https://printer.local/",
    "https://a.home.arpa/",
  ],
  ["a name that is none", "https://a..b/", "https://-/", "https://example.com../", `https://${"a".repeat(64)}.com/`],
  ["too long", `https://example.com/${"x".repeat(2_029)}`],
];

describe("a destination that is not", () => {
  test.each(hostile)("%s is refused, with a sentence", (_what, ...texts) => {
    for (const text of texts) {
      const destination = readDestination(text, rules);
      expect(destination, text).toEqual({ kind: "refused", why: expect.stringMatching(/^Must .+\.$/) });
    }
  });

  test("is allowed where the operator allows private ones, but for other schemes, credentials and blanks", () => {
    for (const text of ["http://127.0.0.1:9000/", "http://sink:8080/hook", "https://[::1]/", "http://10.0.0.1/"]) {
      expect(readDestination(text, lenient).kind).toBe("allowed");
    }
    for (const text of ["ftp://localhost/", "http://u:p@localhost/", "http://local host/", "javascript:alert(1)"]) {
      expect(readDestination(text, lenient).kind).toBe("refused");
    }
  });
});

describe("the addresses of a name", () => {
  test("are refused one by one", () => {
    const addresses = ["8.8.8.8", "10.0.0.1", "2001:4860:4860::8888", "::1", "93.184.215.99", "::ffff:127.0.0.1"];
    expect(refusedAmong(addresses, rules)).toEqual(["10.0.0.1", "::1", "93.184.215.99", "::ffff:127.0.0.1"]);
    expect(refusedAmong(addresses, lenient)).toEqual([]);
  });

  const check = async (text: string, answer: NameAnswer, under = rules) => {
    const calls: string[] = [];
    const resolveName = async (host: string) => {
      calls.push(host);
      return answer;
    };
    const refusal = await checkWebhookUrl(text, { rules: under, resolveName }).catch((error) => error.code as string);
    return { refusal, asked: calls };
  };
  const addresses = (...list: string[]): NameAnswer => ({ kind: "addresses", addresses: list });

  test("must all be public at the saving", async () => {
    const url = "https://Example.com./hook";
    const fine = await check(url, addresses("8.8.8.8", "2001:4860:4860::8888"));
    expect(fine).toEqual({ refusal: undefined, asked: ["example.com"] });
    for (const bad of ["10.0.0.1", "169.254.169.254", "::1", "64:ff9b::7f00:1", "93.184.215.99"]) {
      expect((await check(url, addresses("8.8.8.8", bad))).refusal).toBe("INVALID_WEBHOOK_URL");
      expect((await check(url, addresses(bad, "8.8.8.8"))).refusal).toBe("INVALID_WEBHOOK_URL");
    }
  });

  test("may be unknown at the saving: what counts is what they are at each attempt", async () => {
    expect((await check("https://later.example/", { kind: "no_address" })).refusal).toBeUndefined();
    expect((await check("https://silent.example/", { kind: "no_answer" })).refusal).toBeUndefined();
  });

  test("are not asked for where the URL says enough, or nothing is forbidden", async () => {
    expect(await check("https://127.0.0.1/", addresses("8.8.8.8"))).toEqual({
      refusal: "INVALID_WEBHOOK_URL",
      asked: [],
    });
    expect(await check("https://8.8.8.8/", addresses("10.0.0.1"))).toEqual({ refusal: undefined, asked: [] });
    expect(await check("http://sink/", addresses("10.0.0.1"), lenient)).toEqual({ refusal: undefined, asked: [] });
  });
});
