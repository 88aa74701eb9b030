import { fastify } from "fastify";
import { healthRoutes } from "../../src/http/health.ts";
import type { ApiDocument } from "../../src/http/openapi/api-document.ts";
import type { ServiceOptions } from "../../src/main/services/services.ts";
import { startApp, type TestApp } from "../../tests/support/app.ts";
import { stockedDatabase } from "../../tests/support/database.ts";
import { type ExampleAnswers, sendExample } from "../../tests/support/send-example.ts";
import { type ExampleRequest, exampleRequests } from "./example-requests.ts";
import { describeApi } from "./openapi-doc.ts";

/** Lists are cut to this: a reader sees the form, not the catalogue. */
const itemsMax = 2;

/**
 * What the sandbox answers to each example of the document, by operation and example. Carried out in its order by a
 * fresh merchant; what differs from run to run is written as the schemas' examples write it.
 */
export async function renderSampleAnswers(): Promise<string> {
  const document = await describeApi();
  const app = await startSampleApp();
  const answers: ExampleAnswers = new Map();
  const samples: Record<string, Record<string, object>> = {};
  try {
    for (const request of exampleRequests(document)) {
      const { status, body } = await sendExample(app, request, answers);
      if (status >= 300) throw new Error(`${request.operation.operationId} ${request.name}: ${JSON.stringify(body)}`);
      const { operationId } = request.operation;
      samples[operationId] = { ...samples[operationId], [request.key]: { status, body: settled(body) } };
    }
    for (const request of exampleRequests(document)) {
      for (const { key, status: expected } of otherEnds(request)) {
        await app.call(app.merchant.testKey, "/sandbox/reset", { method: "POST" });
        for (const requested of [withEnd(request, key), ...askingAfter(request, document)]) {
          const { status, body } = await sendExample(app, requested, answers);
          const { operationId } = requested.operation;
          if (status !== expected) throw new Error(`${operationId} ${key}: ${status} ${JSON.stringify(body)}`);
          samples[operationId] = { ...samples[operationId], [key]: { status, body: settled(body) } };
        }
      }
    }
  } finally {
    await app.close();
  }
  samples.getReadiness = { ...samples.getReadiness, databaseDown: await readinessWithoutDatabase() };
  return `${JSON.stringify(samples, null, 1)}\n`;
}

async function readinessWithoutDatabase(): Promise<object> {
  const probes = fastify();
  healthRoutes(probes, { findCommitBlock: () => Promise.reject(new Error("away")), clock: { now: () => sampledAt } });
  const { statusCode, body } = await probes.inject({ path: "/readyz" });
  return { status: statusCode, body: JSON.parse(body) as object };
}

/** Last four digits of the customer's number, by what they lead to in the sandbox. */
const endings = { pending: "0003", failed: "0002" } as const;

/** A phone, meter, account or policy number in a request: no reference, which ends in a word by then. */
const customerNumber = /"([\w@.+-]{2,})[0-9]{4}"/g;

/** The ends that a purchase's first example does not show: each is an answer of its own in the document. */
function otherEnds({ operation, key, body }: ExampleRequest) {
  const examples = Object.values(operation.requestBody?.content ?? {})[0]?.examples ?? {};
  const isFirst = key === Object.keys(examples)[0];
  const ends = [
    { named: "reference", key: "pending", status: 202 },
    { named: "reference", key: "failed", status: 422 },
    { named: "ident", key: "pending", status: 200 },
    { named: "ident", key: "failed", status: 400 },
  ] as const;
  return ends.filter(({ named, status }) => isFirst && named in (body ?? {}) && status in operation.responses);
}

/** What asks again by the id that this request answers, with the same status. */
function askingAfter({ operation }: ExampleRequest, document: ApiDocument): readonly ExampleRequest[] {
  return exampleRequests(document).filter(({ parameters }) =>
    parameters.some(({ source }) => source?.operationId === operation.operationId),
  );
}

/** The same purchase under a reference of its own, for a number that the sandbox does not vend to at once. */
function withEnd(request: ExampleRequest, end: keyof typeof endings): ExampleRequest {
  const fields = Object.entries({ phone: "08031234567", ...request.body }).map(([name, value]) => {
    return [name, name === "reference" || name === "ident" ? `${value}-${end}` : value] as const;
  });
  const text = JSON.stringify(Object.fromEntries(fields));
  return { ...request, body: JSON.parse(text.replaceAll(customerNumber, `"$1${endings[end]}"`)) as object };
}

/** Fields that the database's clock fills. */
const databaseTimes = ["at", "updated_at", "completed_at", "refunded_at", "created_at", "credited_at"];

/** What chance makes, and how a sample writes it. */
const chance: readonly (readonly [RegExp, string])[] = [
  [/^ver_[\w-]{28}$/, "ver_AGk8ZcuC0m8tYF3dJQ1xv2Zp9wq5"],
  [/^ben_\w{26}$/, "ben_01KAGZ7Q3M5T8V1X4Y6Z9B2C3D"],
  [/^whsec_[\w+/]{43}=$/, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="],
  [/^whsec_….{0,10}$/, "whsec_…GKYo="],
  [/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "019aa1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"],
  [/^evt_[0-9a-f]{32}$/, "evt_019aa1b2c3d47e5f8a9b0c1d2e3f4a5b"],
  [/^data:image\/png;base64,/, "data:image/png;base64,iVBORw0KGgo="],
];

/** A body with what chance and the database's clock made written as every sample writes it. */
export function settled(value: unknown, field = ""): unknown {
  if (Array.isArray(value)) return value.slice(0, itemsMax).map((item) => settled(item));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, settled(inner, name)] as const));
  }
  if (typeof value !== "string") return value;
  if (databaseTimes.includes(field)) return "2026-11-20T14:03:09+01:00";
  return chance.find(([shape]) => shape.test(value))?.[1] ?? value;
}

/** 2026-11-20 14:03:09 in Lagos: the moment of every sample. Purchase ids follow from it. */
export const sampledAt = Date.UTC(2026, 10, 20, 13, 3, 9);

/** An app whose ids are the same in every run: its clock stands still, and its deployment's number is no chance. */
export async function startSampleApp(options: Partial<ServiceOptions> & { workers?: boolean } = {}): Promise<TestApp> {
  const database = await stockedDatabase();
  await database.pool.query("update deployment_numbers set number = 20261120");
  const app = await startApp({ clock: { now: () => sampledAt }, database, ...options });
  return {
    ...app,
    async close() {
      await app.close();
      await database.drop();
    },
  };
}
