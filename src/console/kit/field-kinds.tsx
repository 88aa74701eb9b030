import { type ComponentProps, Fragment } from "preact";
import { readEmail } from "../../domain/identity/people/person.ts";
import type { Json } from "../../kernel/json.ts";
import { formatNaira, type Kobo, notAnAmount, readAmount } from "../../kernel/money.ts";
import { hasUnseenLetters, typedText, ungrouped, wholeNumber } from "../../kernel/typed-text.ts";
import type { Field, More } from "./fields.ts";
import { wrong } from "./form.ts";
import { CheckField, type Choice, RadioField, SelectField, TextAreaField, TextField } from "./parts/fields.tsx";
import { moneyText } from "./parts/text.tsx";

/** What is wrong with a field, whose name its form knows: to be thrown. */
const fault = (sentence: string) => wrong("", sentence);

/** How one is read by a function that says null of what it can't read, and what is said of it then. */
export function readOr<Value>(parse: (typed: string) => Value | null, sentence: string | ((typed: string) => string)) {
  return (typed: string): Value => {
    const value = parse(typed);
    if (value !== null) return value;
    throw fault(typeof sentence === "string" ? sentence : sentence(typed));
  };
}

interface TextOptions extends Omit<ComponentProps<typeof TextField>, "name" | "label" | "value" | "error"> {
  /** A text of several lines, and how many are shown. */
  readonly rows?: number;
  /** What is said of one that isn't read, where not what is usual. */
  readonly unread?: string;
}

interface Reading<Value> {
  /** What was typed, without blanks at its ends. @throws Refusal */
  readonly read: (typed: string) => Value;
  readonly show?: (value: Value) => string;
  readonly freeze?: (value: Value) => Json;
  readonly words?: (value: Value) => string | null;
}

/** A field that is typed into, read by a function of its own. */
export function typed<Value>(label: string, reading: Reading<Value>, options: TextOptions = {}): Field<Value> {
  const { read, show = String, freeze = show, words = show } = reading;
  const { rows, unread: _, ...props } = options;
  return {
    ...{ label, show, freeze, words },
    read: (form, name) => read(form.text(name)),
    thaw: (frozen) => read(String(frozen ?? "")),
    draw(drawn) {
      const all = { label, ...props, ...drawn };
      return rows === undefined ? <TextField key={drawn.name} {...all} /> : <TextAreaField {...{ rows, ...all }} />;
    },
  };
}

/** A line of text, or with `rows` several, in one spelling. */
export function text(label: string, options: TextOptions = {}): Field<string> {
  const { rows, lengthMax = rows === undefined ? 200 : 2_000, unread = "Enter it." } = options;
  const lines = rows === undefined ? ", on one line" : "";
  const read = (raw: string) => {
    // What no spelling makes short enough isn't spelled: that would take seconds.
    const value = raw.length > 4 * lengthMax ? raw : raw.normalize("NFC").replace(/\r\n?/g, "\n").trim();
    if (value === "") throw fault(unread);
    if (value.length <= lengthMax && !hasUnseenLetters(rows === undefined ? value : value.replace(/[\n\t]/g, " ")))
      return value;
    throw fault(`Use up to ${lengthMax} characters${lines}.`);
  };
  return typed(label, { read }, options);
}

/** An amount in naira above zero, as people write it. */
export function naira(label: string, options: TextOptions = {}): Field<Kobo> {
  const { unread = (raw: string) => (raw === "" ? "Enter an amount, such as 50,000." : notAnAmount(raw)) } = options;
  return typed(
    label,
    { read: readOr(readAmount, unread), show: formatNaira, words: moneyText },
    { unit: "₦", keys: "decimal", ...options },
  );
}

/** A whole number, as people group it. */
export function whole(label: string, [least, most]: readonly [number, number], options: TextOptions): Field<number> {
  const read = (raw: string) => {
    const digits = ungrouped(typedText(raw));
    const value = digits === "0" ? 0 : wholeNumber(digits);
    if (value !== null && value >= least && value <= most) return value;
    throw fault(options.unread ?? `Enter a whole number from ${least} to ${most}.`);
  };
  return typed(label, { read, freeze: (value) => value }, { keys: "numeric", ...options });
}

/** An email address, in small letters. */
export function email(label: string, options: TextOptions = {}): Field<string> {
  return typed(label, { read: readEmail }, { type: "email", ...options });
}

type Texts = readonly string[];

/** A list, one a line; commas and blanks part them too. */
export function list(label: string, readAll: (typed: Texts) => Texts, options: TextOptions): Field<Texts> {
  const read = (raw: string) => readAll(raw.split(/[\s,;]+/).filter((each) => each !== ""));
  const joined = (all: Texts) => all.join(", ");
  const reading = { read, show: (all: Texts) => all.join("\n"), freeze: joined, words: joined };
  return typed(label, reading, { rows: 4, isRequired: false, ...options });
}

/** A field that may be left empty: null then. */
export function optional<Value>(field: Field<Value>): Field<Value | null> {
  const unlessNull =
    <Result, Other>(make: (value: Value) => Result, other: Other) =>
    (value: Value | null) =>
      value === null ? other : make(value);
  return {
    ...field,
    read: (form, name) => (form.text(name) === "" ? null : field.read(form, name)),
    show: unlessNull(field.show, ""),
    freeze: unlessNull(field.freeze, null),
    words: unlessNull(field.words, null),
    thaw: (frozen) => (frozen === null ? null : field.thaw(frozen)),
    draw: (drawn) => field.draw({ isRequired: false, ...drawn }),
  };
}

/** A field whose stored value no page shows and nothing freezes: what is typed is sealed. */
export function sealed<Value>(field: Field<Value>): Field<Value> {
  return { ...field, isSecret: true };
}

interface ChoiceOptions<Value> extends Omit<More, "isLeftOut"> {
  readonly initial?: Value | undefined;
  /** All of them are seen at once. */
  readonly isRadio?: boolean;
  /** What is said where none of them was chosen. */
  readonly unread: string;
}

/** One of several. */
export function choice<Value extends string | number>(
  label: string,
  choices: readonly (Omit<Choice, "value"> & { readonly value: Value })[],
  { initial, unread, isRadio = false, ...props }: ChoiceOptions<Value>,
): Field<Value> {
  const read = (chosen: string) => {
    const found = choices.find(({ value }) => String(value) === chosen);
    if (found === undefined) throw fault(unread);
    return found.value;
  };
  const shown = choices.map((each) => ({ ...each, value: String(each.value) }));
  const Control = isRadio ? RadioField : SelectField;
  return {
    ...{ label, initial, show: String, words: String },
    read: (form, name) => read(form.text(name)),
    freeze: (value) => value,
    thaw: (frozen) => read(String(frozen)),
    draw: (drawn) => <Control key={drawn.name} {...{ label, choices: shown, ...props, ...drawn }} />,
  };
}

/** One of those that its page offers: whether there is such a one, whatever takes it says. */
export function offered(label: string, options: TextOptions): Field<string> {
  const { unread: _, ...props } = options;
  return {
    ...text(label, options),
    draw: (drawn) => <SelectField key={drawn.name} {...{ label, choices: [], ...props, ...drawn }} />,
  };
}

/** A field that begins a part of its form. */
export function under<Value>(heading: string, field: Field<Value>): Field<Value> {
  return {
    ...field,
    draw: (drawn) => (
      <Fragment key={drawn.name}>
        <h2>{heading}</h2>
        {field.draw(drawn)}
      </Fragment>
    ),
  };
}

/** Yes or no. */
export function box(label: string): Field<boolean> {
  return {
    ...{ label, initial: false, isBox: true },
    read: (form, name) => form.has(name),
    show: (isOn) => (isOn ? "on" : ""),
    freeze: (isOn) => isOn,
    thaw: (frozen) => frozen === true,
    words: (isOn) => (isOn ? label : null),
    draw: ({ value, ...drawn }) => <CheckField key={drawn.name} {...{ label, ...drawn }} isChecked={value !== ""} />,
  };
}
