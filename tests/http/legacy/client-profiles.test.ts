import { describe, expect, test } from "vitest";
import { conclude, type Received } from "./client-conclusions.ts";
import type { ClientProfile, Conclusion } from "./client-profile.ts";
import { clientProfiles } from "./client-profiles.ts";

const count = (having: (profile: ClientProfile) => boolean) => clientProfiles.filter(having).length;
const sellers = (category: "data" | "airtime") => clientProfiles.filter((profile) => profile[category] !== undefined);

/** As the 28 code bases were counted. */
describe("the profiles are the clients that were counted", () => {
  test("28 clients: 18 in Node, 4 in PHP, 6 in Python; 22 sell data, 19 airtime", () => {
    expect(new Set(clientProfiles.map(({ name }) => name)).size).toBe(28);
    expect(["Node", "PHP", "Python"].map((name) => count(({ language }) => language === name))).toEqual([18, 4, 6]);
    expect([sellers("data").length, sellers("airtime").length]).toEqual([22, 19]);
  });

  test.each([
    ["a trailing slash", 27, ({ sends }) => sends?.slash !== false],
    ["Token and two blanks", 2, ({ sends }) => sends?.key === "Token  K"],
    ["Bearer and x-api-key", 1, ({ sends }) => sends?.key === "Bearer K and x-api-key"],
    ["a form called JSON", 1, ({ sends }) => sends?.body === "form called JSON"],
    [
      "JSON called a form, for airtime",
      1,
      ({ sends, data }) => sends?.body === "JSON called form" && data === undefined,
    ],
    ["JSON over several lines", 2, ({ sends }) => sends?.body === "JSON over several lines"],
    ["phone", 1, ({ sends, data }) => sends?.number === "phone" && data !== undefined],
    ["phone and mobile_number", 1, ({ sends }) => sends?.number === "both"],
    ["plan as text", 8, ({ sends, data }) => sends?.plan === "text" && data !== undefined],
    ["amount as text", 4, ({ sends, airtime }) => sends?.amount === "text" && airtime !== undefined],
    ["Ported_number as text", 2, ({ sends }) => sends?.ported === "text"],
    ["ported_number", 1, ({ sends, data }) => sends?.ported === "ported_number" && data !== undefined],
    ["no Ported_number", 1, ({ sends, airtime }) => sends?.ported === "nothing" && airtime !== undefined],
    ["a reference of its own", 3, ({ sends }) => sends?.reference !== undefined],
    ["other fields", 4, ({ sends }) => sends?.more !== undefined],
    ["network as digits in a text", 7, ({ sends }) => sends?.network === "digits"],
    ["network as a name", 2, ({ numbers }) => numbers === "names"],
    ["the shop's own numbers", 13, ({ numbers }) => numbers === "shop"],
    ["MTN alone", 1, ({ data, airtime }) => (data ?? airtime)?.length === 1],
    ["our numbers", 8, (profile) => numbering(profile) === "MTN GLO 9MOBILE AIRTEL"],
    ["AIRTEL third", 2, (profile) => numbering(profile) === "MTN GLO AIRTEL 9MOBILE"],
    ["AIRTEL second", 2, (profile) => numbering(profile) === "MTN AIRTEL GLO 9MOBILE"],
    ["AIRTEL second for airtime alone", 1, ({ data, airtime }) => data?.[1] === "GLO" && airtime?.[1] === "AIRTEL"],
    ["GLO third for data alone", 1, ({ data, airtime }) => data?.[2] === "GLO" && airtime?.[2] === "9MOBILE"],
    ["30 seconds", 5, ({ timeout }) => timeout?.[0] === 30],
    ["60 seconds", 3, ({ timeout }) => timeout?.[0] === 60],
    ["failed after its time", 4, ({ timeout }) => timeout?.[1] === "failed"],
    ["waiting after its time", 4, ({ timeout }) => timeout?.[1] === "pending"],
    ["a look at Status", 21, ({ rules }) => rules.some(([, when]) => when.Status !== undefined)],
    ["a look at status", 10, ({ rules }) => rules.some(([, when]) => when.status !== undefined)],
    ["any case of Status", 7, ({ rules }) => rules.some(([, when]) => when.Status !== undefined && when.anyCase)],
  ] satisfies [string, number, (profile: ClientProfile) => unknown][])("%s: %d", (_habit, needed, having) => {
    expect(count((profile) => Boolean(having(profile)))).toBe(needed);
  });
});

function numbering({ numbers, data, airtime }: ClientProfile): string {
  return numbers === "own" ? (data ?? airtime ?? []).join(" ") : numbers;
}

const bought = { id: 1, ident: "x", api_response: "done" };
const answered = (status: number, body: object | string): Received => ({
  kind: "answer",
  status,
  text: typeof body === "string" ? body : JSON.stringify(body),
});
const text = "Nothing was sold.";

/** What the code bases conclude by their own rules from each kind of answer. Clients that differ by what they sell count twice. */
test.each<[string, Received, Partial<Record<Conclusion, number>>]>([
  ["201 successful", answered(201, { ...bought, Status: "successful" }), { success: 26, failed: 2 }],
  [
    "200 successful, with status",
    answered(200, { ...bought, Status: "successful", status: "success" }),
    { success: 28 },
  ],
  ["201 processing", answered(201, { ...bought, Status: "processing" }), { success: 13, failed: 11, pending: 5 }],
  ["201 failed", answered(201, { ...bought, Status: "failed" }), { success: 6, failed: 22 }],
  ["400 failed with error", answered(400, { ...bought, Status: "failed", error: [text] }), { failed: 28 }],
  ["400 without Status", answered(400, { error: [text] }), { success: 1, failed: 27 }],
  ["401 with detail", answered(401, { detail: text }), { success: 1, failed: 26, stuck: 1 }],
  ["403 without Status", answered(403, { error: [text] }), { success: 1, failed: 26, pending: 1 }],
  ["503 without Status", answered(503, { error: [text] }), { success: 1, failed: 25, pending: 2 }],
  ["502 that is no JSON", answered(502, "<html>"), { failed: 23, pending: 3, stuck: 2 }],
  ["nobody listens", { kind: "nobody" }, { failed: 26, pending: 2 }],
])("%s is concluded as the document counts", (_answer, received, needed) => {
  const counts: Partial<Record<Conclusion, number>> = {};
  for (const profile of clientProfiles) {
    const conclusions = (["data", "airtime"] as const)
      .filter((category) => profile[category] !== undefined)
      .map((category) => conclude(profile, category, received));
    for (const conclusion of new Set(conclusions)) counts[conclusion] = (counts[conclusion] ?? 0) + 1;
  }
  expect(counts).toEqual(needed);
});
