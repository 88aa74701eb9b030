import { describe, expect, test } from "vitest";
import { isPublicAddress } from "../../src/platform/address.ts";

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
