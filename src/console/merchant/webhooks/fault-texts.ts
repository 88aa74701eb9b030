import type { Spelling } from "../../../domain/webhooks/body-spelling.ts";
import { type SignatureFault, toleranceSeconds } from "../../../domain/webhooks/signature-diagnosis.ts";
import { grouped } from "../../kit/parts/text.tsx";

/** A fault for people: what is wrong, and what to do. */
export type FaultText = readonly [title: string, text: string];

type Plain = Exclude<
  SignatureFault["kind"],
  "timestamp_old" | "timestamp_future" | "other_secret" | "body_respelled" | "body_changed" | "wrong_secret"
>;

export function faultText(fault: SignatureFault): FaultText {
  switch (fault.kind) {
    case "timestamp_old":
      return [
        `The timestamp is ${span(fault.seconds)} old`,
        `Over ${toleranceSeconds / 60} minutes is refused. An old request that you pasted was in time when it came. If it just came, your server’s clock is ahead: set it.`,
      ];
    case "timestamp_future":
      return [
        `The timestamp is ${span(fault.seconds)} in the future`,
        `Over ${toleranceSeconds / 60} minutes is refused. Your server’s clock is behind: set it.`,
      ];
    case "other_secret":
      return [
        "Signed with another of your secrets",
        `The signature matches ${fault.name}. Use that one, or both while you replace the secret.`,
      ];
    case "body_respelled":
      return [
        "The body was parsed and written again",
        `The content is the same, but ${fault.spellings.map((each) => spellingWords[each]).join(" and ")} changed. Verify the raw bytes before anything parses them.`,
      ];
    case "body_changed":
      return [
        "The body isn’t the one we sent",
        `It differs from character ${grouped(fault.at)} on. The delivery’s page shows what we sent, byte for byte.`,
      ];
    case "wrong_secret":
      return fault.isCertain
        ? [
            "The secret is wrong",
            "The body is byte for byte what we sent, and nothing else explains the signature. Copy the whole secret again, or replace it.",
          ]
        : [
            "The secret is wrong, or the body was changed",
            "No usual mistake explains this signature. Compare the end of the secret with the endpoint’s page, and paste the body as it came, before anything parsed it.",
          ];
    default:
      return plain[fault.kind];
  }
}

/** The same of a signature that the receiver's code made: what it made of a wrong secret may be anything. */
export function ownRefusalText(fault: SignatureFault): FaultText {
  if (fault.kind !== "wrong_secret") return faultText(fault);
  return [
    "Your code signs something else",
    "No usual mistake explains this signature. Sign webhook-id, a dot, webhook-timestamp, a dot and the raw body with HMAC-SHA256 and the decoded secret.",
  ];
}

const passAllOn = "The signature covers it. Pass all three headers on; some frameworks and proxies drop unknown ones.";
const signAll = "Sign webhook-id, a dot, webhook-timestamp, a dot and the body.";

const plain: Readonly<Record<Plain, FaultText>> = {
  id_missing: ["webhook-id is missing", passAllOn],
  timestamp_missing: ["webhook-timestamp is missing", passAllOn],
  timestamp_unreadable: [
    "webhook-timestamp isn’t a number of seconds",
    "We send whole seconds since 1970, 10 digits. Pass it on as it came: not as a date, not in milliseconds.",
  ],
  signature_missing: ["webhook-signature is missing", "There is nothing to compare. Pass all three headers on."],
  version_missing: [
    "The signature has no version",
    "A signature is v1, a comma, then base64. Compare with the part after the comma, or put v1 and a comma before yours.",
  ],
  signature_hex: ["The signature is in hex instead of base64", 'The HMAC is right, but in hex. Use digest("base64").'],
  secret_not_decoded: [
    "The secret was not decoded from base64",
    "Your code used the secret’s text as the key. Decode what follows whsec_ from base64 and use those bytes.",
  ],
  secret_prefix_kept: ["whsec_ was used as part of the secret", "Remove it before you decode the rest."],
  id_not_signed: ["The ID isn’t signed", signAll],
  timestamp_not_signed: ["The timestamp isn’t signed", signAll],
  body_alone_signed: ["Only the body is signed", signAll],
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
