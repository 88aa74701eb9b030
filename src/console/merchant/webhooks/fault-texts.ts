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
        text: `More than ${toleranceSeconds / 60} minutes are refused. If you pasted a request of then, that is all: it was in time when it came. If it has just come, your server's clock is ahead: set it.`,
      };
    case "timestamp_future":
      return {
        title: `The timestamp is ${span(fault.seconds)} in the future`,
        text: `More than ${toleranceSeconds / 60} minutes are refused. Your server's clock is behind: set it.`,
      };
    case "other_secret":
      return {
        title: "It was signed with another of your secrets",
        text: `The signature is right by ${fault.name}. Use that one, or both during a rotation.`,
      };
    case "body_respelled":
      return {
        title: "The body was parsed and written anew",
        text: `It says the same, but ${fault.spellings.map((each) => spellingWords[each]).join(" and ")} changed. The signature is of the bytes as they came: verify the raw body before anything parses it.`,
      };
    case "body_changed":
      return {
        title: "The body is not the one that was sent",
        text: `It differs from character ${grouped(fault.at)} on. The delivery's page shows what was sent, byte by byte.`,
      };
    case "wrong_secret":
      return fault.isCertain
        ? {
            title: "The secret is wrong",
            text: "The body is the one that was sent, byte by byte, and nothing else explains the signature. Copy the secret again, whole, from where you keep it, or rotate it.",
          }
        : {
            title: "The secret is wrong, or the body was changed",
            text: "Nothing that receivers usually do wrong makes this signature. Compare the end of the secret with the endpoint's page, and paste the body as it came, before anything parsed it.",
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
    text: "Nothing that receivers usually do wrong makes this signature. It must be the HMAC-SHA256 of webhook-id, a dot, webhook-timestamp, a dot, and the body as it came, with the decoded secret.",
  };
}

const plain: Readonly<Record<Plain, FaultText>> = {
  id_missing: {
    title: "webhook-id is missing",
    text: "It is part of what is signed. Pass all three headers on; some frameworks and proxies drop those they don't know.",
  },
  timestamp_missing: {
    title: "webhook-timestamp is missing",
    text: "It is part of what is signed. Pass all three headers on; some frameworks and proxies drop those they don't know.",
  },
  timestamp_unreadable: {
    title: "webhook-timestamp is no number of seconds",
    text: "It is sent as whole seconds since 1970, ten digits. Pass it on as it came: not as a date, not in milliseconds.",
  },
  signature_missing: {
    title: "webhook-signature is missing",
    text: "Without it there is nothing to compare. Pass all three headers on.",
  },
  version_missing: {
    title: "The version is missing before the signature",
    text: "A signature is written v1, and then base64. Compare with the part after the comma, or put v1, before your own.",
  },
  signature_hex: {
    title: "The signature is in hex instead of base64",
    text: 'The HMAC is right, but its bytes are written in base64 here: use digest("base64"), not hex.',
  },
  secret_not_decoded: {
    title: "The secret was not decoded from base64",
    text: "The text of the secret was the key. Take what stands after whsec_, decode it from base64, and use those bytes.",
  },
  secret_prefix_kept: {
    title: "whsec_ was taken as a part of the secret",
    text: "It only says what the secret is for. Take it off before the rest is decoded.",
  },
  id_not_signed: {
    title: "The id was left out of what is signed",
    text: "What is signed is webhook-id, a dot, webhook-timestamp, a dot, and the body.",
  },
  timestamp_not_signed: {
    title: "The timestamp was left out of what is signed",
    text: "What is signed is webhook-id, a dot, webhook-timestamp, a dot, and the body.",
  },
  body_alone_signed: {
    title: "The body alone was signed",
    text: "What is signed is webhook-id, a dot, webhook-timestamp, a dot, and the body.",
  },
};

const spellingWords: Readonly<Record<Spelling, string>> = {
  whitespace: "blanks or line ends",
  key_order: "the order of keys",
  escaped_slashes: "the escapes of slashes (\\/)",
  unicode_escapes: "the escapes of characters (\\u…)",
  other: "the spelling of a number or a text",
};

function span(seconds: number): string {
  const [unit, size] = seconds >= 172_800 ? ["days", 86_400] : seconds >= 7_200 ? ["hours", 3_600] : ["minutes", 60];
  return `${grouped(Math.floor(seconds / Number(size)))} ${unit}`;
}
