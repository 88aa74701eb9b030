import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AddressRange,
  clientAddress,
  isPublicAddress,
  isWithin,
  parseAddress,
  parseAddressRange,
  sourceOf,
} from "../../src/platform/address.ts";

function ranges(...texts: string[]): AddressRange[] {
  return texts.map((text) => {
    const range = parseAddressRange(text);
    if (range === null) throw new Error(`no range: ${text}`);
    return range;
  });
}

function client(socketAddress: string | undefined, forwardedFor?: string, proxies: string[] = ["10.0.0.0/8"]) {
  return clientAddress({ socketAddress, forwardedFor, proxies: ranges(...proxies) })?.toString() ?? null;
}

describe("the client's address", () => {
  test("is the socket's when no proxy is configured, whatever the client claims", () => {
    expect(client("203.0.113.9", "198.51.100.1", [])).toBe("203.0.113.9");
  });

  test("is the socket's when it is no configured proxy's, whatever the client claims", () => {
    expect(client("203.0.113.9", "10.0.0.1")).toBe("203.0.113.9");
  });

  test("is what the last proxy saw, not what the client wrote before it", () => {
    expect(client("10.0.0.1", "192.0.2.1, 198.51.100.7")).toBe("198.51.100.7");
  });

  test("is found behind several proxies, and no further", () => {
    expect(client("10.0.0.1", "192.0.2.1, 198.51.100.7, 10.1.1.1,10.2.2.2")).toBe("198.51.100.7");
  });

  test("is the proxy's own when there is nobody before it", () => {
    expect(client("10.0.0.1", "10.9.9.9")).toBe("10.9.9.9");
    expect(client("10.0.0.1")).toBe("10.0.0.1");
  });

  test.each([
    ["203.0.113.5:41234", "203.0.113.5"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["203.0.113.5:41234, 10.2.2.2:80", "203.0.113.5"],
  ])("is read without the port and brackets that a proxy writes to it: %s", (forwardedFor, address) => {
    expect(client("10.0.0.1", `192.0.2.1, ${forwardedFor}`)).toBe(address);
  });

  test.each([
    ...["unknown", "", "1.2.3", "0x7f.0.0.1", "010.0.0.1", "<script>"],
    ...["198.51.100.7:", "198.51.100.7:port", "198.51.100.7:443:1", "[198.51.100.7", "2001:db8::1]:443", "[]:443"],
  ])("is nobody's when the deciding hop is %j", (hop) => {
    expect(client("10.0.0.1", `192.0.2.1, ${hop}`)).toBe(null);
  });

  test("is nobody's when the socket has none", () => {
    expect(client(undefined)).toBe(null);
  });

  test("written as IPv4 in IPv6 is the IPv4 address, on both sides of a proxy", () => {
    expect(client("::ffff:203.0.113.9")).toBe("203.0.113.9");
    expect(client("::ffff:10.0.0.1", "::ffff:198.51.100.7")).toBe("198.51.100.7");
  });
});

describe("an address range", () => {
  test.each([
    ["192.0.2.7", "192.0.2.7/32"],
    ["192.0.2.7/24", "192.0.2.0/24"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["2001:DB8:0:0::1", "2001:db8::1/128"],
    ["2001:db8:ffff::/36", "2001:db8:f000::/36"],
    ["::ffff:192.0.2.7/120", "192.0.2.0/24"],
  ])("%s is stored as %s", (text, stored) => {
    expect(parseAddressRange(text)?.text).toBe(stored);
  });

  test.each([
    "",
    "true",
    "1",
    "10.0.0.0/33",
    "2001:db8::/129",
    "10.0.0/8",
    "10.0.0.0/-1",
    "10.0.0.0/8/8",
    "::ffff:1.2.3.4/90",
  ])("%j is none", (text) => {
    expect(parseAddressRange(text)).toBe(null);
  });

  test("holds exactly the addresses that share its first bits", () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), fc.nat(0xffffffff), fc.integer({ min: 0, max: 32 }), (a, b, bits) => {
        const mask = bits === 0 ? 0 : (0xffffffff << (32 - bits)) >>> 0;
        const address = parseAddress(dotted(b));
        if (address === null) throw new Error("no address");
        expect(isWithin(address, ranges(`${dotted(a)}/${bits}`))).toBe((a & mask) >>> 0 === (b & mask) >>> 0);
      }),
    );
  });

  test("of one family holds no address of the other", () => {
    const six = parseAddress("2001:db8::1");
    if (six === null) throw new Error("no address");
    expect(isWithin(six, ranges("0.0.0.0/0"))).toBe(false);
    expect(isWithin(six, ranges("0.0.0.0/0", "2001:db8::/32"))).toBe(true);
  });
});

test("failures are counted by IPv4 address, by IPv6 customer, and together where nothing is readable", () => {
  expect(sourceOf(parseAddress("203.0.113.9"))).toBe("203.0.113.9");
  expect(sourceOf(parseAddress("::ffff:203.0.113.9"))).toBe("203.0.113.9");
  expect(sourceOf(parseAddress("2001:db8:1:2:aaaa::1"))).toBe(sourceOf(parseAddress("2001:db8:1:2:bbbb::9")));
  expect(sourceOf(parseAddress("2001:db8:1:3::1"))).not.toBe(sourceOf(parseAddress("2001:db8:1:2::1")));
  expect(sourceOf(null)).toBe("unreadable");
});

function dotted(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join(".");
}

describe("public addresses", () => {
  test.each(["8.8.8.8", "1.1.1.1", "93.184.215.14", "172.32.0.1", "11.0.0.1", "2001:4860:4860::8888", "2a00:1450::1"])(
    "%s is one",
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  test.each([
    ["loopback", "127.0.0.1", "127.255.255.254", "::1"],
    ["private", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fd12:3456::1"],
    ["link-local, where clouds keep their metadata", "169.254.169.254", "169.254.170.2", "fe80::1", "fd00:ec2::254"],
    ["metadata elsewhere", "168.63.129.16", "100.100.100.200", "192.0.0.192"],
    ["shared by a carrier", "100.64.0.1", "100.127.255.255"],
    ["unspecified, which is this machine", "0.0.0.0", "0.1.2.3", "::"],
    ["multicast and broadcast", "224.0.0.1", "239.255.255.255", "255.255.255.255", "ff02::1", "ff0e::1"],
    ["reserved, for documentation or tests", "240.0.0.1", "192.0.2.1", "198.51.100.1", "203.0.113.9", "198.18.0.1"],
    ["reserved in IPv6", "2001:db8::1", "3fff::1", "100::1", "4000::1", "2001:2::1", "5f00::1", "fec0::1"],
    ["IPv4 within IPv6", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:7f00:1", "::127.0.0.1", "::ffff:0:10.0.0.1"],
    ["NAT64", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b::808:808", "64:ff9b:1::1"],
    ["6to4 and Teredo", "2002:7f00:1::", "2002:a00:1::1", "2001::1"],
    ["AS112 and AMT", "192.31.196.1", "192.175.48.1", "192.52.193.1", "192.88.99.1"],
  ])("%s are none", (_name, ...addresses) => {
    expect(addresses.filter((address) => isPublicAddress(address))).toEqual([]);
  });

  test.each(["", "example.com", "127.1", "2130706433", "0x7f.0.0.1", "0177.0.0.1", "8.8.8.8 ", "8.8.8.8:443", "[::1]"])(
    "%j is no address, and so no public one",
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );

  test("a mapped public address is what it maps, and this machine's own is none in any spelling", () => {
    expect(isPublicAddress("::ffff:8.8.8.8")).toBe(true);
    const own = new Set(["8.8.8.8", "2a00:1450::1"]);
    for (const address of ["8.8.8.8", "::ffff:8.8.8.8", "2a00:1450::1", "2a00:1450:0::1"]) {
      expect(isPublicAddress(address, own)).toBe(false);
    }
    expect(isPublicAddress("8.8.4.4", own)).toBe(true);
  });
});
