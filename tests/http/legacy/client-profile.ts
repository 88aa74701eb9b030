import type { NumberedCategory } from "../../../src/domain/merchants/legacy-settings.ts";
import type { Network } from "../../../src/kernel/phone.ts";

/** What a client takes a purchase for. `stuck`: it broke down over the answer, and the order stays as it was. */
export type Conclusion = "success" | "failed" | "pending" | "stuck";

/** The networks that a client can name, in the order of the numbers 1, 2, 3, 4. */
export type Numbers = readonly Network[];

/** All that a rule asks must hold. Fields are compared as texts: `true` is `"true"`. */
export interface Condition {
  readonly http?: "2xx" | "5xx" | "not 2xx" | readonly number[];
  readonly Status?: readonly string[];
  readonly status?: readonly string[];
  readonly success?: readonly string[];
  readonly invalid?: readonly string[];
  /** Values are compared in lower case. */
  readonly anyCase?: true;
  readonly has?: readonly string[];
  readonly lacks?: readonly string[];
  /** The field is there, but no text. */
  readonly noText?: string;
  /** One of these words in `api_response`, `message` or `detail`. */
  readonly words?: readonly string[];
  readonly category?: NumberedCategory;
}

/** The first rule that holds decides; where none does, the client says failed. */
export type Rule = readonly [then: Conclusion, when: Condition];

/** One of the 28 public client scripts of `docs/guides/legacy-clients.md`: what it sends, and how it concludes. */
export interface ClientProfile {
  readonly name: string;
  readonly language: "Node" | "PHP" | "Python";
  /** The networks by number for what it sells. */
  readonly data?: Numbers;
  readonly airtime?: Numbers;
  /** `shop`: whoever set it up wrote them down, here as the service numbers them. */
  readonly numbers: "own" | "shop" | "names";
  readonly sends?: {
    readonly slash?: false;
    readonly key?: "Token  K" | "Bearer K and x-api-key";
    readonly body?: "form called JSON" | "JSON called form" | "JSON over several lines";
    /** `phone`: for data alone. */
    readonly number?: "phone" | "both";
    readonly plan?: "text";
    readonly amount?: "text";
    readonly ported?: "text" | "ported_number" | "nothing";
    readonly network?: "digits" | "lower name" | "upper name";
    readonly reference?: "header request-id" | "request_id" | "ref";
    readonly more?: Readonly<Record<string, string>>;
  };
  /** After how many seconds it stops waiting, and what it says then. */
  readonly timeout?: readonly [seconds: 30 | 60, then: Conclusion];
  /** Where it differs from `failed`. */
  readonly nobodyListens?: Conclusion;
  readonly unreadable?: Conclusion;
  readonly rules: readonly Rule[];
}

export const ours: Numbers = ["MTN", "GLO", "9MOBILE", "AIRTEL"];
export const airtelThird: Numbers = ["MTN", "GLO", "AIRTEL", "9MOBILE"];
export const airtelSecond: Numbers = ["MTN", "AIRTEL", "GLO", "9MOBILE"];
export const gloThird: Numbers = ["MTN", "9MOBILE", "GLO", "AIRTEL"];

export const good = ["successful"];
export const underWay = ["processing"];
export const goodOrUnderWay = [...good, ...underWay];
export const lowerGood = ["success", "successful", "true"];
