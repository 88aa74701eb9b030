import type { TSchema } from "typebox";
import type { Category } from "../../../categories/category.ts";
import type { Product } from "../../../categories/product/product.ts";
import { selectionOf } from "../../../categories/product/product-shape.ts";
import { formatNaira, notAnAmount, readAmount } from "../../../kernel/money.ts";
import { parsePhone, phonePattern } from "../../../kernel/phone.ts";
import { type FieldErrors, Refusal, refuseField } from "../../../kernel/problems.ts";
import { typedPhone, ungrouped } from "../../../kernel/typed-text.ts";
import { customerText } from "../../kit/delivered.tsx";
import type { Form, Typed } from "../../kit/form.ts";
import { SelectField, TextAreaField, TextField } from "../../kit/parts/fields.tsx";
import { spoken } from "../../kit/parts/text.tsx";
import { readTypedNumber } from "./customers.ts";
import { amountsText } from "./offer.ts";

/** What a field's schema says that a form can use. */
interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly "x-naira"?: boolean;
  readonly "x-range"?: { readonly minimum: number; readonly maximum: number };
}

/** A field of a category's request that somebody fills in, once the product is chosen. */
export interface BuyField {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly schema: FieldSchema;
  readonly isRequired: boolean;
}

/** What the chosen product says itself, or the page: never typed. That a number was ported, choosing its network says. */
const neverTyped = new Set(["product_id", "verification_id", "ported"]);
/** A longer text has several lines. */
const lineMax = 250;

/** The category's own fields, as far as the product leaves them open, the customer's number first. */
export function buyFields(category: Category, product: Product): readonly BuyField[] {
  const { body, customerField, quantityField, sells } = category;
  const isSettled = (name: string) =>
    neverTyped.has(name) ||
    name in (sells.selectors ?? {}) ||
    (name === "amount" && product.amountType === "fixed") ||
    (name === quantityField && name !== customerField && product.maxQuantity === 1);
  const names = Object.keys(body.properties).filter((name) => !isSettled(name));
  const sorted = [...names.filter((name) => name === customerField), ...names.filter((name) => name !== customerField)];
  return sorted.map((name) => {
    const schema = body.properties[name] as TSchema as FieldSchema;
    const isRequired = body.required?.includes(name) === true || (name === "amount" && "amount" in body.properties);
    const label = name === customerField ? product.biller.customerLabel : (schema.title ?? spoken(name));
    return { name, label, hint: hintOf(name, schema, product), schema, isRequired };
  });
}

function hintOf(name: string, { description = "", type, pattern }: FieldSchema, product: Product): string {
  if (pattern === phonePattern || name === product.biller.customerField) return "";
  const plain = description.replaceAll("`", "");
  // The API's true and false are Yes and No in a form.
  const sentence = type === "boolean" ? plain.replace(/^false:/, "No:").replace(/^true:/, "Yes:") : plain;
  const amounts = name === "amount" ? amountsText(product) : null;
  return amounts === null ? sentence : `From ${amounts}.`;
}

/** The request's fields as a form typed them. What was left empty is not sent; what can't be read has its fault instead. */
export function bodyOf(form: Form, category: Category, product: Product) {
  const body: Record<string, unknown> =
    "product_id" in category.body.properties ? { product_id: product.id } : { ...selectionOf(category.sells, product) };
  const faults: Record<string, readonly string[]> = {};
  for (const { name, schema } of buyFields(category, product)) {
    const fault = faultsOf(() => {
      const value = readTyped(name, form.text(name), schema, name === category.customerField);
      if (value !== undefined) body[name] = value;
    });
    Object.assign(faults, fault);
  }
  return { body, faults };
}

/** What `read` refuses of single fields. @throws Refusal that is about none */
export function faultsOf(read: () => unknown): FieldErrors {
  try {
    read();
    return {};
  } catch (error) {
    if (!(error instanceof Refusal) || error.detail.errors === undefined) throw error;
    return error.detail.errors;
  }
}

function readTyped(name: string, text: string, schema: FieldSchema, isCustomer: boolean): unknown {
  if (text === "") return undefined;
  if (schema.type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  if (isList(schema)) return recipientsOf(name, text);
  if (schema["x-naira"] === true) return amountOf(name, text);
  if (schema["x-range"] !== undefined) return ungrouped(text);
  // In one spelling: however it is grouped, it is the same sale.
  if (schema.pattern === phonePattern) return parsePhone(typedPhone(text)) ?? typedPhone(text);
  if (isCustomer) return readTypedNumber(text);
  return text.replaceAll("\r\n", "\n");
}

/** @throws Refusal where one can't be read: the API would answer it as rejected, after the others were sent to */
function recipientsOf(field: string, text: string): readonly string[] {
  const entries = text
    .split(/[\n,;\t]+/)
    .map(typedPhone)
    .filter(Boolean);
  const unreadable = entries.filter((entry) => parsePhone(entry) === null);
  if (unreadable.length === 0) return entries;
  const shown = unreadable.slice(0, 10).map((entry) => `“${entry.slice(0, 40)}”`);
  const sentence = `${unreadable.length} of ${entries.length} can't be read as Nigerian mobile numbers: ${shown.join(", ")}`;
  throw refuseField("VALIDATION_ERROR", field, `${sentence}${unreadable.length > shown.length ? " …" : "."}`);
}

/** An amount as the API takes it. @throws Refusal VALIDATION_ERROR for what is none */
export function amountOf(field: string, text: string): string {
  const amount = readAmount(text);
  if (amount === null) throw refuseField("VALIDATION_ERROR", field, notAnAmount(text));
  return formatNaira(amount);
}

function isList({ type }: FieldSchema): boolean {
  return [type].flat().includes("array");
}

/** One field of a category's request, by its schema. */
export function BuyControl(props: {
  readonly field: BuyField;
  readonly product: Product;
  readonly typed: Typed;
  readonly isFocused: boolean;
}) {
  const { field, product, typed, isFocused } = props;
  const { name, label, hint, schema, isRequired } = field;
  const shared = { ...typed.field(name), label, hint: hint === "" ? undefined : hint, isRequired, isFocused };
  if (schema.type === "boolean") {
    const choices = [
      { value: "true", label: "Yes" },
      { value: "false", label: "No" },
    ];
    return <SelectField {...shared} choices={choices} placeholder="Not said" />;
  }
  if (schema.enum !== undefined) {
    const choices = schema.enum.map((value) => ({ value, label: spoken(value) }));
    return <SelectField {...shared} choices={choices} placeholder="Choose" />;
  }
  if (isList(schema) || (schema.maxLength ?? 0) > lineMax) return <TextAreaField {...shared} rows={5} />;
  if (schema["x-naira"] === true) {
    return <TextField {...shared} keys="decimal" unit={product.faceCurrency === "NGN" ? "₦" : product.faceCurrency} />;
  }
  const range = schema["x-range"];
  if (range !== undefined) {
    const least = Math.max(range.minimum, product.minQuantity);
    const most = Math.min(range.maximum, product.maxQuantity);
    return <TextField {...shared} type="number" keys="numeric" least={least} most={most} />;
  }
  const isPhone = schema.pattern === phonePattern;
  // A phone that lost its 0 is shown as it would be sold to.
  const whole = isPhone ? (parsePhone(typedPhone(shared.value)) ?? shared.value) : shared.value;
  const value = isPhone || name === product.biller.customerField ? customerText(whole) : whole;
  return <TextField {...shared} value={value} {...(isPhone ? { type: "tel" as const } : {})} />;
}
