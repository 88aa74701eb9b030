import { describe, expect, test } from "vitest";
import {
  box,
  choice,
  email,
  list,
  naira,
  optional,
  sealed,
  text,
  whole,
} from "../../../src/console/kit/field-kinds.tsx";
import { type Field, fields } from "../../../src/console/kit/fields.ts";
import { formOf, typedForm, untouched } from "../../../src/console/kit/form.ts";
import { readAllowlist } from "../../../src/domain/merchants/administration.ts";
import type { Json } from "../../../src/kernel/json.ts";
import { kobo } from "../../../src/kernel/money.ts";
import { Refusal } from "../../../src/kernel/problems.ts";
import { renderPart } from "./render-part.tsx";

const huge = "9".repeat(10_000_000);
/** What people and their programs type. */
const inputs = {
  empty: "",
  blanks: " \t ",
  padded: "  1,500  ",
  naira: "₦1,500",
  "fixed blanks": "\u00a01,500\u00a0",
  "fixed blank inside": "1\u00a0500",
  "wide digits": "１５００",
  "NUL inside": "1\u0000500",
  huge,
  smile: "🙂",
  negative: "-5",
  "minus sign": "−5",
  exponent: "1e9",
  plus: "+5",
  zero: "0",
  decimals: "1500.50",
  "comma for a dot": "100,00",
  lines: "a\r\nb",
} as const;
type Input = keyof typeof inputs;

/** What a field makes of those that it takes; all others are refused with a sentence. */
interface Kind {
  readonly takes: Readonly<Partial<Record<Input, unknown>>>;
  readonly read: (typed: string) => unknown;
  /** As its control has it, before and after it was frozen. */
  readonly shownTwice: (typed: string) => readonly [string, string];
}

function kind<Value>(field: Field<Value>, takes: Kind["takes"]): Kind {
  const read = (typed: string) => field.read(formOf([["it", typed]]), "it");
  return {
    ...{ takes, read },
    shownTwice(typed) {
      const frozen = JSON.parse(JSON.stringify(field.freeze(read(typed)))) as Json;
      return [field.show(read(typed)), field.show(field.thaw(frozen))];
    },
  };
}

const amount = {
  padded: kobo(150_000n),
  naira: kobo(150_000n),
  "fixed blanks": kobo(150_000n),
  decimals: kobo(150_050n),
};
const seen = {
  padded: "1,500",
  naira: "₦1,500",
  "fixed blanks": "1,500",
  "fixed blank inside": "1\u00a0500",
  "wide digits": "１５００",
  smile: "🙂",
  negative: "-5",
  "minus sign": "−5",
  exponent: "1e9",
  plus: "+5",
  zero: "0",
  decimals: "1500.50",
  "comma for a dot": "100,00",
} as const;

const everything = Object.fromEntries(Object.keys(inputs).map((input) => [input, true]));
const ranges = list("Addresses", (typed) => readAllowlist(typed).map((range) => range.text), {});
const tiers = choice("Tier", [{ value: "0", label: "None" }], { unread: "Choose a tier." });

const kinds: Readonly<Record<string, Kind>> = {
  "a line of text": kind(text("Name"), seen),
  "a text of several lines": kind(text("Why", { rows: 3 }), { ...seen, lines: "a\nb" }),
  "an amount": kind(naira("One sale"), amount),
  "an amount or none": kind(optional(naira("Cap")), { ...amount, empty: null, blanks: null }),
  "a whole number": kind(whole("Seconds", [5, 86_400], {}), { padded: 1_500, "fixed blanks": 1_500 }),
  "a whole number from 0": kind(whole("Hours", [0, 72], {}), { zero: 0 }),
  "an email": kind(email("Email"), {}),
  "a list": kind(ranges, { empty: [], blanks: [] }),
  "a choice": kind(tiers, { zero: "0" }),
  "a box": kind(box("On"), everything),
};

describe.each(Object.entries(kinds))("%s", (_name, { takes, read, shownTwice }) => {
  test.each(Object.entries(inputs))("takes or refuses what is typed: %s", (input, typed) => {
    if (input in takes) {
      expect(read(typed)).toEqual(takes[input as Input]);
      const [before, after] = shownTwice(typed);
      expect(after).toBe(before);
    } else {
      const sentence = Object.values(refusalOf(() => read(typed)).detail.errors ?? {})[0]?.[0] ?? "";
      expect([sentence.length > 5, sentence.length < 200]).toEqual([true, true]);
    }
  });
});

function refusalOf(act: () => unknown): Refusal {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

const tier = fields({
  name: optional(text("Name", { lengthMax: 40 })),
  per_sale: naira("One sale"),
  to: email("Email"),
  url: sealed(optional(text("Webhook"))),
  isOn: box("On"),
});
const sent = { name: "Gold", per_sale: "₦1,500", to: "Ada@Kobo.Example", url: "https://x.example/secret", isOn: "on" };
const values = tier.read(formOf(Object.entries(sent)));

test("a form says all that is wrong at once, each at its field", () => {
  const wrong = formOf(Object.entries({ name: "x".repeat(41), per_sale: "100,00", to: "nobody" }));
  expect(Object.keys(refusalOf(() => tier.read(wrong)).detail.errors ?? {})).toEqual(["name", "per_sale", "to"]);
});

test("a form is frozen without its secret and thawed, compared, and said in words", () => {
  expect(tier.freeze(values)).toEqual({ name: "Gold", per_sale: "1500.00", to: "ada@kobo.example", isOn: true });
  expect(tier.thaw(tier.freeze(values))).toEqual({ ...values, url: undefined });
  expect(tier.changed(values, { ...values, url: null, per_sale: kobo(1n) })).toEqual({
    ...{ per_sale: values.per_sale, url: values.url },
  });
  expect(tier.wordsOf(values)).toBe("Gold; ₦1,500.00; ada@kobo.example; On");
  expect(tier.labelsIn({ name: "", per_sale: "" })).toBe("name, one sale");
  expect(tier.seen(values)).not.toMatch(/["\n]|secret/);
});

test("a form shows what is stored but no secret, and again what was typed with what is wrong", () => {
  const stored = renderPart(<div>{tier.draw(untouched, values)}</div>);
  expect([stored.includes('value="1500.00"'), stored.includes("checked"), stored.includes("secret")]).toEqual([
    ...[true, true, false],
  ]);
  const wrong = typedForm(formOf([["per_sale", "<b>100,00"]]), null, { per_sale: ["Enter an amount."] });
  const again = renderPart(<div>{tier.draw(wrong, values)}</div>);
  expect([again.includes("&lt;b>100,00"), again.includes("checked"), again.includes("Enter an amount.")]).toEqual([
    ...[true, false, true],
  ]);
});
