import { Type } from "typebox";
import { integerField, nairaField } from "../categories/fields.ts";
import {
  formatNetworkNumbers,
  type NetworkNumbers,
  networkNumbered,
  parseLegacyNetwork,
} from "../domain/merchants/legacy-settings.ts";
import type { Purchase, SoldProduct } from "../domain/purchases/purchase.ts";
import { integer, oneOf, phoneSchema } from "../http/schemas/schemas.ts";
import { assert } from "../kernel/assert.ts";
import { parseReference, type Reference, referencePattern } from "../kernel/ids.ts";
import { type Network, networks, type Phone, parsePhone, phonePattern } from "../kernel/phone.ts";
import { type ProblemCode, refuseField } from "../kernel/problems.ts";

const networkNumbers = "1 MTN, 2 GLO, 3 9MOBILE, 4 AIRTEL, unless the operator set other numbers for the account.";

export const networkField = Type.Unsafe<number | string>({
  type: ["integer", "string"],
  pattern: "^[A-Za-z0-9]{1,20}$",
  maxLength: 20,
  minimum: 1,
  maximum: 99,
  description: `${networkNumbers} Or its name.`,
  examples: [1],
  "x-message": "Must be a network's number or name.",
});

/** The same in an answer. */
export const networkIdSchema = integer({ minimum: 1, maximum: 99 }, networkNumbers, 1);

export const networkNameSchema = oneOf(networks, { description: "The network's name." });

/** Reads a `networkField` that its schema has accepted. @throws Refusal VALIDATION_ERROR for what is no network */
export function networkOf(value: number | string, numbers: NetworkNumbers): Network {
  const text = String(value);
  const network = /^[0-9]+$/.test(text) ? networkNumbered(numbers, Number(text)) : parseLegacyNetwork(text);
  if (network !== null) return network;
  const known = formatNetworkNumbers(numbers).replaceAll("=", " ").replaceAll(",", ", ");
  throw refuseField("VALIDATION_ERROR", "network", `Must be a network's number (${known}) or name.`);
}

/** What an answer about a purchase for a phone number has beside the fields that all have. */
export const phonePurchaseAnswer = {
  network: networkIdSchema,
  mobile_number: phoneSchema,
  plan_network: networkNameSchema,
  Ported_number: Type.Boolean({ description: "As first sent; true unless told here." }),
};

export function phonePurchaseFields(purchase: Purchase, { product }: SoldProduct, numbers: NetworkNumbers) {
  const { network } = product.biller;
  assert(network !== null, "every product of these categories has its network");
  return {
    network: numbers[network],
    mobile_number: purchase.phone,
    plan_network: network,
    Ported_number: purchase.details.ported !== false,
  };
}

export const planField = integerField({
  minimum: 1,
  maximum: 2_147_483_647,
  description: "A plan's id as `/api/user` lists it, or a product_id.",
  examples: [2],
});

export const amountField = nairaField("The airtime's value in naira.");

/** A number that was sent as a number has lost its leading zero, in JSON or on the way into a form. */
const zerolessPattern = "^[789][01][0-9]{8}$";
const zeroless = new RegExp(zerolessPattern);
const mobileNumberMessage = "Must be a Nigerian mobile number such as 08031234567.";

export const mobileNumberField = Type.Unsafe<string | number>({
  type: ["string", "integer"],
  pattern: `${phonePattern}|${zerolessPattern}`,
  maxLength: 40,
  minimum: 7_000_000_000,
  maximum: 2_349_199_999_999,
  description: "A Nigerian mobile number in local or international form.",
  examples: ["08031234567"],
  "x-problem": problemOf("INVALID_PHONE"),
  "x-message": mobileNumberMessage,
});

/** Reads a `mobileNumberField` that its schema has accepted. @throws Refusal for an integer that is no such number */
export function mobileNumberOf(value: string | number): Phone {
  const text = String(value);
  const phone = parsePhone(zeroless.test(text) ? `0${text}` : text);
  if (phone === null) throw refuseField("INVALID_PHONE", "mobile_number", mobileNumberMessage);
  return phone;
}

/** A number that is printed on what is paid for. Sent as a number, it may have lost its leading zeros. */
export function printedNumberField(options: { pattern: string; problem: ProblemCode; what: string; message: string }) {
  const { pattern, problem, what, message } = options;
  return Type.Unsafe<string | number>({
    type: ["string", "integer"],
    pattern,
    maxLength: 40,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: what,
    "x-problem": problemOf(problem),
    "x-message": message,
  });
}

/** A number or name that `numbered-names.ts` reads. */
export function numberedNameField(what: string, example: number | string) {
  return Type.Unsafe<number | string>({
    type: ["integer", "string"],
    pattern: "^[^\\u0000]{1,60}$",
    maxLength: 60,
    minimum: 1,
    maximum: 99,
    description: what,
    examples: [example],
    "x-message": "Must be a number or a name.",
  });
}

/** The phone number of the customer whose bill is paid. These clients seldom send it: what they buy needs none. */
export const contactField = Type.Optional({ ...mobileNumberField, description: "The customer's phone number." });

/** Stands in for a phone number that was not sent while the category reads the request, and is then taken out again. */
export const noContact = "08000000000";

export const contactAliases = { mobile_number: ["phone", "Customer_Phone", "customer_phone"] } as const;

/** How else clients of this family spell what every purchase may have. */
export const identAliases = { ident: ["request_id", "ref"] } as const;

export const phonePurchaseAliases = {
  ...identAliases,
  mobile_number: ["phone"],
  Ported_number: ["ported_number"],
} as const;

/** What Django REST framework takes for true and false, as the clients were written against it. */
const yes = ["true", "True", "TRUE", "1", "yes", "Yes", "YES", "on", "On", "ON", "t", "T", "y", "Y"];
const no = ["false", "False", "FALSE", "0", "no", "No", "NO", "off", "Off", "OFF", "f", "F", "n", "N"];

export const portedNumberField = Type.Unsafe<boolean | number | string>({
  type: ["boolean", "integer", "string"],
  enum: [true, false, 1, 0, ...yes, ...no],
  minimum: 0,
  maximum: 1,
  description: "false: the number was never ported, so refuse it when its prefix names another network.",
  examples: [true],
  "x-message": "Must be true or false.",
});

/** Reads a `portedNumberField`. Most clients send true to be spared the check of the prefix: that is the default. */
export function portedOf(value: boolean | number | string | undefined): boolean {
  return value === undefined || !no.includes(String(value));
}

export const identField = Type.Unsafe<string | number>({
  type: ["string", "integer"],
  pattern: referencePattern,
  maxLength: 100,
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "Your reference: sent again, it answers the original. Without one, the same within 30 s is refused.",
  examples: ["Data12345678901234567890"],
  "x-problem": problemOf("INVALID_REFERENCE"),
  "x-message": "Must be 1 to 100 letters, digits, dots, dashes, underscores or colons, and no transaction_id.",
});

/** Reads an `identField` that its schema has accepted; null where the client sent none. */
export function identOf(value: string | number | undefined): Reference | null {
  if (value === undefined) return null;
  const reference = parseReference(String(value));
  assert(reference !== null, "the schema let only references through");
  return reference;
}

function problemOf(code: ProblemCode) {
  return { pattern: code, maxLength: code, minimum: code, maximum: code };
}

/** Something that these clients name by a number, or by one of several names. */
export interface NumberedName {
  readonly number: number;
  /** As answers write it. */
  readonly name: string;
  /** Other names, as letters and digits in lower case. */
  readonly others: readonly string[];
}

/** Cable operators, by the biller's slug. Numbers are those of most deployments of the older script. */
export const cableNames: Readonly<Record<string, NumberedName>> = {
  gotv: { number: 1, name: "GOTV", others: [] },
  dstv: { number: 2, name: "DSTV", others: [] },
  startimes: { number: 3, name: "STARTIME", others: ["startimes"] },
  showmax: { number: 4, name: "SHOWMAX", others: [] },
};

/** Discos, by the biller's slug. */
export const discoNames: Readonly<Record<string, NumberedName>> = {
  "ikeja-electric": { number: 1, name: "Ikeja Electric", others: ["ikedc"] },
  "eko-electric": { number: 2, name: "Eko Electric", others: ["ekedc"] },
  "abuja-electric": { number: 3, name: "Abuja Electric", others: ["aedc"] },
  "kano-electric": { number: 4, name: "Kano Electric", others: ["kedco"] },
  "enugu-electric": { number: 5, name: "Enugu Electric", others: ["eedc"] },
  "portharcourt-electric": { number: 6, name: "Port Harcourt Electric", others: ["phed", "phedc"] },
  "ibadan-electric": { number: 7, name: "Ibadan Electric", others: ["ibedc"] },
  "kaduna-electric": { number: 8, name: "Kaduna Electric", others: ["kaedco"] },
  "jos-electric": { number: 9, name: "Jos Electric", others: ["jed", "jedc"] },
  "benin-electric": { number: 10, name: "Benin Electric", others: ["bedc"] },
  "yola-electric": { number: 11, name: "Yola Electric", others: ["yedc"] },
  "aba-electric": { number: 12, name: "Aba Electric", others: ["abedc"] },
};

/** Exams, by the product's code. */
export const examNames: Readonly<Record<string, NumberedName>> = {
  "waec-checker": { number: 1, name: "WAEC", others: [] },
  "neco-token": { number: 2, name: "NECO", others: [] },
  "nabteb-checker": { number: 3, name: "NABTEB", others: [] },
  "nbais-checker": { number: 4, name: "NBAIS", others: [] },
  "waec-gce-checker": { number: 5, name: "WAEC GCE", others: [] },
  "jamb-utme": { number: 6, name: "JAMB", others: ["jambutme"] },
};

/** Reads what stands for one of these: its number or name, in any case, or its key. @throws Refusal VALIDATION_ERROR */
export function keyOf(names: Readonly<Record<string, NumberedName>>, field: string, sent: string | number): string {
  const word = plainTextOf(String(sent));
  const found = Object.entries(names).find(
    ([key, { number, name, others }]) =>
      word === String(number) || plainTextOf(name) === word || plainTextOf(key) === word || others.includes(word),
  );
  if (found !== undefined) return found[0];
  const known = Object.values(names).map(({ number, name }) => `${number} ${name}`);
  throw refuseField("VALIDATION_ERROR", field, `Must be a number (${known.join(", ")}) or a name.`);
}

/** `Ikeja Electricity` is `ikeja`, as `ikeja-electric` is. */
function plainTextOf(text: string): string {
  const word = text.toLowerCase().replace(/[^a-z0-9]+/g, "");
  return word.replace(/(?<=.)electric(ity)?$/, "");
}
