import type { NumberedCategory } from "../../../src/domain/merchants/legacy-settings.ts";
import type { ClientProfile, Conclusion, Condition } from "./client-profile.ts";

/** What came of a request: an answer, none within the client's time, or nobody to connect to. */
export type Received =
  | { readonly kind: "answer"; readonly status: number; readonly text: string }
  | { readonly kind: "timeout" }
  | { readonly kind: "nobody" };

/** What the client takes its purchase for. */
export function conclude(profile: ClientProfile, category: NumberedCategory, received: Received): Conclusion {
  if (received.kind === "timeout") return profile.timeout?.[1] ?? "stuck";
  if (received.kind === "nobody") return profile.nobodyListens ?? "failed";
  const body = objectIn(received.text);
  if (body === null && readsBody(profile)) return profile.unreadable ?? "failed";
  const answer = { status: received.status, body: body ?? {}, category };
  return profile.rules.find(([, when]) => holds(when, answer))?.[0] ?? "failed";
}

interface ReceivedAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly category: NumberedCategory;
}

function holds(when: Condition, answer: ReceivedAnswer): boolean {
  const { body, category } = answer;
  const texts = ["api_response", "message", "detail"].map((field) => String(body[field] ?? "").toLowerCase());
  return (
    (when.http === undefined || fits(when.http, answer.status)) &&
    (["Status", "status", "success", "invalid"] as const).every((field) => {
      const needed = when[field];
      const reply = field in body ? String(body[field]) : null;
      return needed === undefined || (reply !== null && needed.includes(when.anyCase ? reply.toLowerCase() : reply));
    }) &&
    (when.has ?? []).every((field) => field in body) &&
    (when.lacks ?? []).every((field) => !(field in body)) &&
    (when.noText === undefined || (when.noText in body && typeof body[when.noText] !== "string")) &&
    (when.words === undefined || when.words.some((word) => texts.some((text) => text.includes(word)))) &&
    (when.category === undefined || when.category === category)
  );
}

function fits(needed: NonNullable<Condition["http"]>, status: number): boolean {
  if (typeof needed !== "string") return needed.includes(status);
  const isGood = status >= 200 && status < 300;
  if (needed === "5xx") return status >= 500;
  return needed === "2xx" ? isGood : !isGood;
}

/** A client that decides by the status alone does not mind what the body is. */
function readsBody({ rules }: ClientProfile): boolean {
  return rules.some(([, when]) => Object.keys(when).some((key) => key !== "http"));
}

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}
