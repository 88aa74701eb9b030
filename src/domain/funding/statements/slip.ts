import { refuseField } from "../../../kernel/problems.ts";

/** What a slip may be. */
export type SlipType = "image/png" | "image/jpeg" | "image/webp" | "application/pdf";

/** 2 MiB. */
export const slipBytesMax = 2 * 1_048_576;

/** The first bytes of each, in hexadecimal digits; a dot is any digit. */
const slipTypes: readonly (readonly [SlipType, RegExp])[] = [
  ["image/png", /^89504e470d0a1a0a/],
  ["image/jpeg", /^ffd8ff/],
  ["image/webp", /^52494646.{8}57454250/],
  ["application/pdf", /^255044462d3./],
];

/** What else people send, or would like us to open. */
const others: readonly (readonly [what: string, RegExp])[] = [
  ["a program for Windows", /^4d5a/],
  ["a program", /^(?:7f454c46|cafebabe|c[ef]faedfe|feedfac[ef])/],
  ["a script", /^2321/],
  ["a ZIP file, an app or an Office document", /^504b0304/],
  ["a web page or a drawing with code", /^(?:efbbbf)?(?:20|09|0a|0d)*3c/],
];

/** What a slip is, by its first bytes: how it is called makes no difference. @throws Refusal VALIDATION_ERROR at `field` */
export function slipTypeOf(bytes: Buffer, field: string): SlipType {
  const beginning = bytes.subarray(0, 64).toString("hex");
  const type = slipTypes.find(([, shape]) => shape.test(beginning))?.[0];
  if (type !== undefined && bytes.length <= slipBytesMax) return type;
  const what = others.find(([, shape]) => shape.test(beginning))?.[0] ?? "another kind of file";
  const sentence =
    type === undefined
      ? `This is ${what}. A slip is a picture (PNG, JPEG or WebP) or a PDF: take a screenshot of it.`
      : "This slip is larger than 2 MB. Take a screenshot of it.";
  throw refuseField("VALIDATION_ERROR", field, sentence);
}
