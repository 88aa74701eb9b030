import type { Spelling } from "../../../domain/webhooks/body-spelling.ts";
import { type SignatureFault, toleranceSeconds } from "../../../domain/webhooks/signature-diagnosis.ts";
import { grouped } from "../../kit/parts/text.tsx";

/** A fault for people: what is wrong, and what to do. */
export interface FaultText {
  readonly title: string;
  readonly text: string;
}

type Plain = Exclude<
  SignatureFault["kind"],
  "timestamp_old" | "timestamp_future" | "other_secret" | "body_respelled" | "body_changed" | "wrong_secret"
>;

export function faultText(fault: SignatureFault): FaultText {
  switch (fault.kind) {
    case "timestamp_old":
      return {
        title: `The timestamp is ${span(fault.seconds)} old`,
        text: `Over ${toleranceSeconds / 60} minutes is refused. An old request that you pasted was in time when it came. If it just came, your server’s clock is ahead: set it.`,
      };
    case "timestamp_future":
      return {
        title: `The timestamp is ${span(fault.seconds)} in the future`,
        text: `Over ${toleranceSeconds / 60} minutes is refused. Your server’s clock is behind: set it.`,
      };
    case "other_secret":
      return {
        title: "Signed with another of your secrets",
        text: `The signature matches ${fault.name}. Use that one, or both while you replace the secret.`,
      };
    case "body_respelled":
      return {
        title: "The body was parsed and written again",
        text: `The content is the same, but ${fault.spellings.map((each) => spellingWords[each]).join(" and ")} changed. Verify the raw bytes before anything parses them.`,
      };
    case "body_changed":
      return {
        title: "The body isn’t the one we sent",
        text: `It differs from character ${grouped(fault.at)} on. The delivery’s page shows what we sent, byte for byte.`,
      };
    case "wrong_secret":
      return fault.isCertain
        ? {
            title: "The secret is wrong",
            text: "The body is byte for byte what we sent, and nothing else explains the signature. Copy the whole secret again, or replace it.",
          }
        : {
            title: "The secret is wrong, or the body was changed",
            text: "No usual mistake explains this signature. Compare the end of the secret with the endpoint’s page, and paste the body as it came, before anything parsed it.",
          };
    default:
      return plain[fault.kind];
  }
}

/** The same of a signature that the receiver's code made: what it made of a wrong secret may be anything. */
export function ownRefusalText(fault: SignatureFault): FaultText {
  if (fault.kind !== "wrong_secret") return faultText(fault);
  return {
    title: "Your code signs something else",
    text: "No usual mistake explains this signature. Sign webhook-id, a dot, webhook-timestamp, a dot and the raw body with HMAC-SHA256 and the decoded secret.",
  };
}

const plain: Readonly<Record<Plain, FaultText>> = {
  id_missing: {
    title: "webhook-id is missing",
    text: "The signature covers it. Pass all three headers on; some frameworks and proxies drop unknown ones.",
  },
  timestamp_missing: {
    title: "webhook-timestamp is missing",
    text: "The signature covers it. Pass all three headers on; some frameworks and proxies drop unknown ones.",
  },
  timestamp_unreadable: {
    title: "webhook-timestamp isn’t a number of seconds",
    text: "We send whole seconds since 1970, 10 digits. Pass it on as it came: not as a date, not in milliseconds.",
  },
  signature_missing: {
    title: "webhook-signature is missing",
    text: "There is nothing to compare. Pass all three headers on.",
  },
  version_missing: {
    title: "The signature has no version",
    text: "A signature is v1, a comma, then base64. Compare with the part after the comma, or put v1 and a comma before yours.",
  },
  signature_hex: {
    title: "The signature is in hex instead of base64",
    text: 'The HMAC is right, but in hex. Use digest("base64").',
  },
  secret_not_decoded: {
    title: "The secret was not decoded from base64",
    text: "Your code used the secret’s text as the key. Decode what follows whsec_ from base64 and use those bytes.",
  },
  secret_prefix_kept: {
    title: "whsec_ was used as part of the secret",
    text: "Remove it before you decode the rest.",
  },
  id_not_signed: {
    title: "The ID isn’t signed",
    text: "Sign webhook-id, a dot, webhook-timestamp, a dot and the body.",
  },
  timestamp_not_signed: {
    title: "The timestamp isn’t signed",
    text: "Sign webhook-id, a dot, webhook-timestamp, a dot and the body.",
  },
  body_alone_signed: {
    title: "Only the body is signed",
    text: "Sign webhook-id, a dot, webhook-timestamp, a dot and the body.",
  },
};

const spellingWords: Readonly<Record<Spelling, string>> = {
  whitespace: "spaces or line breaks",
  key_order: "the order of keys",
  escaped_slashes: "the escapes of slashes (\\/)",
  unicode_escapes: "the escapes of characters (\\u…)",
  other: "the spelling of a number or a text",
};

function span(seconds: number): string {
  const [unit, size] = seconds >= 172_800 ? ["days", 86_400] : seconds >= 7_200 ? ["hours", 3_600] : ["minutes", 60];
  return `${grouped(Math.floor(seconds / Number(size)))} ${unit}`;
}
