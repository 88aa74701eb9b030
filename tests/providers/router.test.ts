import { afterEach, expect, test, vi } from "vitest";
import type { VendRequest, VerifyRequest } from "../../src/categories/supplier-request.ts";
import type { Connector, VerifyOutcome } from "../../src/providers/contract.ts";
import { openRouter, vendDeadlineMs } from "../../src/providers/router.ts";
import { simulator } from "../../src/providers/simulator.ts";

afterEach(() => {
  vi.useRealTimers();
});

const verifyDeadlineMs = 4_000;
const never = async () => ({ kind: "unknown", evidence: "not asked" }) as const;
const verified: VerifyOutcome = { kind: "verified", findings: { customer_name: "ADA" } };

function supplier(name: string, verify?: Connector["verify"]): Connector {
  return { name, vend: never, requery: never, ...(verify === undefined ? {} : { verify }) };
}

const sandbox = simulator(
  async () => ({}),
  () => ({ customer_name: "TEST" }),
);

function routerOf(...suppliers: Connector[]) {
  const connectorOf = async (name: string) => suppliers.find((each) => each.name === name) ?? null;
  return openRouter({ simulator: sandbox, connectorOf });
}

function question(mode: VerifyRequest["mode"]): VerifyRequest {
  const biller = { category: "cable", billerSlug: "dstv", billerName: "DStv", supplierCode: "dstv" };
  return { mode, ...biller, customerRef: "7032145678", details: {}, products: [], at: 0 };
}

test("live, the supplier that is named is asked, with the question as it is", async () => {
  const [first, second] = [vi.fn(async () => verified), vi.fn(async () => verified)];
  const router = routerOf(supplier("first", first), supplier("second", second));
  expect(await router.verify("second", question("live"), verifyDeadlineMs)).toBe(verified);
  expect(second.mock.calls).toEqual([[question("live")]]);
  expect(first).not.toHaveBeenCalled();
});

test("live, a supplier may be gone, or not be able to tell", async () => {
  for (const router of [routerOf(), routerOf(supplier("mute"))]) {
    expect(await router.verify("mute", question("live"), verifyDeadlineMs)).toMatchObject({ kind: "unasked" });
  }
});

test("a vend for which there is no connector never left, and a question about one stays open", async () => {
  const request = { mode: "live" } as VendRequest;
  expect(await routerOf().vend("gone", request)).toMatchObject({ kind: "declined", errorCode: "OPERATOR_UNAVAILABLE" });
  expect(await routerOf().requery("gone", request)).toMatchObject({ kind: "unknown" });
});

test("a vend whose connector is there only after the deadline does not leave any more", async () => {
  vi.useFakeTimers();
  const vend = vi.fn(never);
  let found: (connector: Connector) => void = () => {};
  const connectorOf = () => new Promise<Connector>((resolve) => (found = resolve));
  const answer = openRouter({ simulator: sandbox, connectorOf }).vend("slow", { mode: "live" } as VendRequest);
  await vi.advanceTimersByTimeAsync(vendDeadlineMs);
  expect(await answer).toMatchObject({ kind: "unknown" });
  found({ ...supplier("slow"), vend });
  await vi.advanceTimersByTimeAsync(1);
  expect(vend).not.toHaveBeenCalled();
});

test("sandbox never asks a supplier", async () => {
  const requests = vi.fn(async () => verified);
  expect(await routerOf(supplier("live", requests)).verify(null, question("test"), verifyDeadlineMs)).toMatchObject({
    findings: { customer_name: "TEST" },
  });
  expect(requests).not.toHaveBeenCalled();
});

test("a supplier that breaks is unavailable, whether it throws at once or later", async () => {
  const atOnce = supplier("broken", () => {
    throw new Error("no connection");
  });
  const later = supplier("broken", async () => {
    throw new Error("socket hang up");
  });
  for (const broken of [atOnce, later]) {
    expect(await routerOf(broken).verify("broken", question("live"), verifyDeadlineMs)).toMatchObject({
      kind: "unavailable",
    });
  }
});

test("a silent supplier is unavailable once the deadline is over, and not before", async () => {
  vi.useFakeTimers();
  const answered = vi.fn();
  const asking = routerOf(supplier("silent", () => new Promise(() => {})))
    .verify("silent", question("live"), verifyDeadlineMs)
    .then(answered);
  await vi.advanceTimersByTimeAsync(verifyDeadlineMs - 1);
  expect(answered).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await asking;
  expect(answered).toHaveBeenCalledWith({ kind: "unavailable", evidence: "no answer within the deadline" });
});

test("an answer in time leaves no timer behind", async () => {
  vi.useFakeTimers();
  await routerOf(supplier("quick", async () => verified)).verify("quick", question("live"), verifyDeadlineMs);
  expect(vi.getTimerCount()).toBe(0);
});

test("a supplier that throws at once has not declined: a vend stays unknown", async () => {
  const broken = {
    ...supplier("broken"),
    vend() {
      throw new Error("out of sockets");
    },
  };
  const request = { mode: "live" } as VendRequest;
  expect(await routerOf(broken).vend("broken", request)).toMatchObject({ kind: "unknown" });
});
