import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { hideCategory } from "../../src/domain/catalogue/changes/administration.ts";
import type { CategorySlug } from "../../src/domain/categories/category-slugs.ts";
import type { RegisteredMerchant } from "../../src/domain/merchants/registration.ts";
import type { JsonObject } from "../../src/kernel/json.ts";
import type { ProblemCode } from "../../src/kernel/problems.ts";
import type { Connector, VerifyOutcome, VerifyRequest } from "../../src/providers/contract.ts";
import { type Answer, startApp, type TestApp } from "./app.ts";
import { expectProblem, lagosInstant } from "./wire-expectations.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What the four verify endpoints differ in, as far as their common promises go. */
export interface VerifyEndpoint {
  readonly path: string;
  readonly category: CategorySlug;
  /** A complete request by biller. */
  readonly body: Fields & { readonly biller: string };
  readonly numberField: string;
  /** A number that ends so. */
  readonly numbered: (suffix: string) => string;
  /** Fields that alone are refused as missing. */
  readonly required: readonly string[];
  readonly malformed: readonly (readonly [change: Fields, code: ProblemCode, named: string | readonly string[]])[];
  /** What a live supplier finds out. */
  readonly findings: JsonObject;
}

/** A live supplier that was told what to say of numbers. */
export interface ToldVerifier extends Connector {
  outcome: VerifyOutcome | Error;
  readonly asked: VerifyRequest[];
}

export class VerifyUnderTest {
  readonly endpoint: VerifyEndpoint;
  readonly supplier: ToldVerifier;
  app!: TestApp;
  /** The same deployment with a live supplier. */
  live!: TestApp;
  excluded!: RegisteredMerchant;

  constructor(endpoint: VerifyEndpoint) {
    this.endpoint = endpoint;
    this.supplier = toldVerifier({ kind: "verified", findings: endpoint.findings });
  }

  async open(): Promise<void> {
    this.app = await startApp();
    this.live = await startApp({ database: this.app.fresh, suppliers: [this.supplier] });
    this.excluded = await this.app.createMerchant();
    await hideCategory(this.app.services.database, this.excluded.id, this.endpoint.category);
  }

  async close(): Promise<void> {
    await this.live.close();
    await this.app.close();
  }

  /** Sends the complete request with these changes; `undefined` leaves a field out. */
  send(changes: Fields = {}, key = this.app.merchant.testKey, at = this.app): Promise<Answer> {
    return at.call(key, this.endpoint.path, { body: { ...this.endpoint.body, ...changes } });
  }

  sendLive(changes: Fields = {}): Promise<Answer> {
    return this.send(changes, this.app.merchant.liveKey ?? "", this.live);
  }

  number(suffix: string): Fields {
    return { [this.endpoint.numberField]: this.endpoint.numbered(suffix) };
  }
}

function toldVerifier(outcome: VerifyOutcome): ToldVerifier {
  const never = async () => ({ kind: "unknown", evidence: "not asked" }) as const;
  const supplier: ToldVerifier = {
    name: "told",
    outcome,
    asked: [],
    vend: never,
    requery: never,
    async verify(request) {
      supplier.asked.push(request);
      if (supplier.outcome instanceof Error) throw supplier.outcome;
      return supplier.outcome;
    },
  };
  return supplier;
}

/** Registers what all verify endpoints promise, by status. */
export function describeVerifyEndpoint(endpoint: VerifyEndpoint): VerifyUnderTest {
  const under = new VerifyUnderTest(endpoint);
  beforeAll(() => under.open());
  afterAll(() => under.close());
  describe("200", () => describeSuccess(under));
  describe("400", () => describeInvalid(under));
  describe("403 and 404", () => describeRefusals(under));
  describe("502 and 503", () => describeAbsence(under));
  return under;
}

function describeSuccess(under: VerifyUnderTest): void {
  const { body, numberField } = under.endpoint;

  test("tells whom the number belongs to, every documented field and no other", async () => {
    const before = Date.now();
    const answer = await under.send();
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      verified: true,
      biller_slug: body.biller,
      [numberField]: body[numberField],
      customer_name: expect.stringMatching(/^TEST \S/),
      expires_at: expect.stringMatching(lagosInstant),
      sandbox: true,
    });
    const leftMs = Date.parse(answer.body.expires_at) - before;
    expect(leftMs).toBeGreaterThanOrEqual(30 * 60_000);
    expect(leftMs).toBeLessThan(30 * 60_000 + 5_000);
  });

  test("asked again it tells the same, and money and transactions stay as they were", async () => {
    const { testKey } = await under.app.createMerchant();
    const [first, second] = [await under.send({}, testKey), await under.send({ colour: "green" }, testKey)];
    const { verification_id: _one, expires_at: _then, ...told } = first.body;
    expect(second.body).toMatchObject(told);
    expect((await under.app.call(testKey, "/wallet/balance")).body.balance).toBe("100000.00");
    expect((await under.app.call(testKey, "/transactions")).body.meta.total).toBe(0);
  });

  test.each(["0002", "0003", "0004"])(
    "a number ending in %s is verified: only its purchases end otherwise",
    async (end) => {
      const answer = await under.send(under.number(end));
      expect([answer.status, answer.body.verified]).toEqual([200, true]);
    },
  );

  test("live, the supplier's findings are told, and nothing of a sandbox", async () => {
    under.supplier.outcome = { kind: "verified", findings: under.endpoint.findings };
    under.supplier.asked.length = 0;
    const answer = await under.sendLive(under.number("0009"));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject(under.endpoint.findings);
    expect("sandbox" in answer.body).toBe(false);
    expect(under.supplier.asked).toHaveLength(1);
    expect(under.supplier.asked[0]).toMatchObject({
      mode: "live",
      category: under.endpoint.category,
      billerSlug: body.biller,
      customerRef: under.endpoint.numbered("0009"),
    });
    expect(Object.keys(under.supplier.asked[0]!).join(" ")).not.toMatch(/merchant|bucket|key/i);
  });
}

function describeInvalid(under: VerifyUnderTest): void {
  const { required, malformed } = under.endpoint;

  test("a number ending in 0009 can't be verified", async () => {
    const answer = await under.send(under.number("0009"));
    expectProblem(answer, 400, "VERIFICATION_FAILED");
  });

  test("live, a number that the supplier does not know can't be verified; its words stay with us", async () => {
    under.supplier.outcome = { kind: "unverifiable", evidence: "RC 12 at 10.0.0.7" };
    const answer = await under.sendLive();
    expectProblem(answer, 400, "VERIFICATION_FAILED");
    expect(JSON.stringify(answer.body)).not.toContain("10.0.0.7");
  });

  test("an empty object names every field that is missing", async () => {
    const answer = await under.app.call(under.app.merchant.testKey, under.endpoint.path, { body: {} });
    expectProblem(answer, 400, "VALIDATION_ERROR", { fields: required });
  });

  test.each(required)("without %s nothing is verified", async (field) => {
    expectProblem(await under.send({ [field]: undefined }), 400, "VALIDATION_ERROR", { fields: [field] });
  });

  test.each(malformed)("%j is %s on %s", async (change, code, named) => {
    expectProblem(await under.send(change), 400, code, { fields: [named].flat() });
  });
}

function describeRefusals(under: VerifyUnderTest): void {
  test("403 where the category is hidden from the merchant", async () => {
    const answer = await under.send({}, under.excluded.testKey);
    expectProblem(answer, 403, "CATEGORY_NOT_ALLOWED");
  });

  test.each(["nobody", "mtn-data"])("404 the biller %s", async (biller) => {
    const answer = await under.send({ biller });
    expectProblem(answer, 404, "BILLER_NOT_FOUND");
  });
}

function describeAbsence(under: VerifyUnderTest): void {
  const { body } = under.endpoint;

  test.each<VerifyOutcome | Error>([
    { kind: "unavailable", evidence: "502 from 10.0.0.7" },
    new Error("ECONNRESET 10.0.0.7"),
    { kind: "verified", findings: { customer_name: "10.0.0.7 ".repeat(50) } },
  ])("502 live, where the supplier gives no answer that can be used: %j", async (outcome) => {
    under.supplier.outcome = outcome;
    const answer = await under.sendLive();
    expectProblem(answer, 502, "PROVIDER_UNAVAILABLE");
    expect(JSON.stringify(answer.body)).not.toContain("10.0.0.7");
  });

  test("503 live, where its supplier can't be asked about such numbers", async () => {
    under.supplier.outcome = { kind: "unasked", evidence: "it verifies no such thing" };
    const answer = await under.sendLive();
    expectProblem(answer, 503, "BILLER_UNAVAILABLE");
    expect(answer.headers.get("retry-after")).toBe("300");
  });

  test("503 live, as long as no supplier is configured", async () => {
    const answer = await under.send({}, under.app.merchant.liveKey ?? "");
    expectProblem(answer, 503, "BILLER_UNAVAILABLE");
  });

  test("503 a biller that is switched off", async () => {
    const { pool } = under.app.fresh;
    const change = async (status: string) => {
      await pool.query("update billers set status = $2 where slug = $1", [body.biller, status]);
      await pool.query("update revisions set revision = revision + 1 where subject = 'catalogue'");
      const found = status === "available" ? 200 : 503;
      await vi.waitUntil(async () => (await under.send()).status === found, { timeout: 20_000, interval: 25 });
    };
    await change("unavailable");
    try {
      expectProblem(await under.send(), 503, "BILLER_UNAVAILABLE");
    } finally {
      await change("available");
    }
  });
}
