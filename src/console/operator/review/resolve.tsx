import type { Category } from "../../../categories/category.ts";
import type { VendRequest } from "../../../categories/supplier-request.ts";
import type { FinalOutcome } from "../../../domain/purchases/purchase.ts";
import { vendRequestOf } from "../../../domain/purchases/vend-request.ts";
import { filledGoods, goodsFields } from "../../../domain/resolution/review/goods-fields.ts";
import { checkUnsold, checkWords, findingCodes, fulfilmentTemplate } from "../../../domain/resolution/review/review.ts";
import {
  checkedFulfilment,
  completedFulfilment,
  fulfilmentFaults,
} from "../../../domain/resolution/review/review-fulfilment.ts";
import { findWaiting } from "../../../domain/resolution/review/review-queries.ts";
import { type JsonObject, parseObject } from "../../../kernel/json.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Answer } from "../../kit/answer.tsx";
import { refused, type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { RadioField, SelectField, TextAreaField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { moneyText, spoken } from "../../kit/parts/text.tsx";
import type { StaffVisit } from "../access.ts";
import type { OpenSale } from "../sales/acting.ts";
import type { OperatorServices } from "../services.ts";
import { causeOf } from "./cause.ts";
import { checkSure, SureField } from "./sure.tsx";
import { askForResolutions } from "./together.tsx";

/** More than this many fields are too many for a form: what was delivered is pasted as JSON. */
const fieldsMax = 100;

/** What is to be filled in where a sale was delivered. */
interface DeliveryForm {
  readonly category: Category;
  readonly request: VendRequest;
  /** Null for a top-up, which hands nothing over. */
  readonly template: JsonObject | null;
}

export async function deliveryFormOf(
  { transactionIds }: Pick<OperatorServices, "transactionIds">,
  { purchase, sold: { category, product } }: OpenSale,
): Promise<DeliveryForm> {
  const request = vendRequestOf(transactionIds, purchase, product, purchase);
  return { category, request, template: category.byHand === null ? null : await fulfilmentTemplate(category, request) };
}

/** Asks for the end that a person found out; a second person approves it. @throws Refusal with the faults at their fields */
export async function askForResolution(
  services: OperatorServices,
  visit: StaffVisit,
  { sale, form, doneAt }: { readonly sale: OpenSale; readonly form: SentForm; readonly doneAt: string },
): Promise<Answer> {
  const { purchase, sold } = sale;
  const by = visit.session.person.email;
  const result = form.text("result");
  if (purchase.status !== "pending") throw refused("This sale has ended already.");
  if (result !== "vended" && result !== "declined") throw wrong("result", "Choose what happened.");
  const words = [form.text("source"), form.text("evidence")].filter((word) => word !== "").join(": ");
  checkWords({ by, evidence: form.text("evidence") });
  const about = `${sold.product.name}, ${moneyText(purchase.total)}, ${purchase.reference}`;
  const providerReference = form.text("supplier-id") || null;
  const ask = (outcome: FinalOutcome, summary: string) =>
    askForResolutions(
      services,
      visit,
      { supplier: purchase.supplier ?? "", ends: [{ purchase, outcome, line: null }], evidence: words, summary },
      doneAt,
    );
  if (result === "declined") {
    const waiting = await findWaiting(services.reads, purchase);
    checkSure(form, purchase.supplier ?? "", [causeOf(waiting?.lastAnswer ?? null)]);
    const errorCode = findingCodes.find((known) => known === form.text("reason")) ?? "EXPIRED_UNCONFIRMED";
    return ask({ status: "failed", errorCode, providerReference }, `Refund as not delivered: ${about}`);
  }
  const fulfilment = await fulfilmentIn(services, sale, form);
  await checkUnsold(services, { purchase, fulfilment });
  return ask({ status: "successful", providerReference, fulfilment }, `Hand over as delivered: ${about}`);
}

/** What the customer gets, checked against the sale; null for a top-up. @throws Refusal with each fault at its field */
async function fulfilmentIn(services: OperatorServices, sale: OpenSale, form: SentForm): Promise<JsonObject | null> {
  const { category, request, template } = await deliveryFormOf(services, sale);
  if (template === null) return null;
  const fields = goodsFields(template);
  const given = isPasted(fields.length)
    ? pastedFulfilment(form.raw("fulfilment"))
    : filledGoods(category, template, (path) => form.raw(nameOf(fields, path)));
  const completed = (await completedFulfilment(category, given)) ?? given;
  const errors: Record<string, string[]> = {};
  for (const fault of await fulfilmentFaults(category, request, completed)) {
    const [path = "", ...words] = fault.split(" ");
    const name = nameOf(fields, path.slice(1).replaceAll("/", "."));
    errors[name === "" ? "fulfilment" : name] = [`${spoken(path.split("/").at(-1) ?? "")} ${words.join(" ")}.`];
  }
  if (Object.keys(errors).length > 0) throw refuse("VALIDATION_ERROR", { errors });
  return checkedFulfilment(category, request, given);
}

function isPasted(count: number): boolean {
  return count > fieldsMax;
}

function pastedFulfilment(text: string): JsonObject {
  const fulfilment = parseObject(text);
  if (fulfilment === null) throw wrong("fulfilment", "That’s not one JSON object.");
  return fulfilment;
}

/** Fields are named by their place: by a name like `token` what was typed would be lost when a factor is asked for. */
function nameOf(fields: readonly { readonly path: string }[], path: string): string {
  const place = fields.findIndex((field) => field.path === path);
  return place === -1 ? "" : `fulfilment-${place}`;
}

interface ResolveFormProps {
  readonly action: string;
  readonly sale: OpenSale;
  readonly fulfilment: DeliveryForm;
  readonly merchantName: string;
  readonly typed: Typed;
}

/** What happened to it? With the category's own delivery where something is handed over. */
export function ResolveForm({ action, sale, fulfilment, merchantName, typed }: ResolveFormProps) {
  const { purchase } = sale;
  const amount = moneyText(purchase.total);
  const isHanded = fulfilment.template !== null;
  return (
    <Form action={action} submit="Ask a second person to approve" size="wide">
      <RadioField
        {...typed.field("result")}
        label="Result"
        choices={[
          {
            value: "vended",
            label: "Delivered",
            hint: `The merchant stays charged${isHanded ? " and gets what you enter below" : ""}.`,
          },
          { value: "declined", label: "Not delivered", hint: `${amount} goes back to ${merchantName}.` },
        ]}
      />
      <DeliveryFields {...{ fulfilment, typed }} />
      <TextField
        {...typed.field("supplier-id", purchase.providerReference)}
        label="Supplier’s ID"
        isRequired={false}
        isOptional
        isCode
      />
      <ReasonField typed={typed} />
      <SelectField
        {...typed.field("source", sources[0])}
        label="How do you know?"
        choices={sources.map((source) => ({ value: source, label: source }))}
      />
      <TextAreaField
        {...typed.field("evidence")}
        label="Evidence"
        rows={3}
        hint="In 10 characters or more: a ticket, a line of the statement, who said it and when. No token or PIN."
      />
      <SureField typed={typed} />
    </Form>
  );
}

const sources = ["Supplier’s dashboard", "Supplier’s statement", "Phone call", "Email", "Done by hand"];
const codeNames: Readonly<Record<(typeof findingCodes)[number], string>> = {
  EXPIRED_UNCONFIRMED: "The supplier never confirmed it",
  PROVIDER_DECLINED: "The supplier declined it",
  RECIPIENT_INVALID: "The supplier doesn’t know the number",
  OPERATOR_UNAVAILABLE: "The network was down",
};

export function ReasonField({ typed }: { readonly typed: Typed }) {
  const choices = findingCodes.map((code) => ({ value: code, label: codeNames[code] }));
  return (
    <SelectField {...typed.field("reason", "EXPIRED_UNCONFIRMED")} label="Reason, if not delivered" {...{ choices }} />
  );
}

function DeliveryFields({ fulfilment: { template }, typed }: Pick<ResolveFormProps, "fulfilment" | "typed">) {
  if (template === null) return null;
  const fields = goodsFields(template);
  if (isPasted(fields.length)) {
    const pasted = typed.field("fulfilment", JSON.stringify(template, null, 2));
    return <TextAreaField {...pasted} label="What the customer gets, as JSON" rows={12} isRequired={false} isCode />;
  }
  return (
    <fieldset class="field">
      <legend>If delivered: what the customer gets</legend>
      <div class="fields">
        {fields.map(({ path, isRequired }) => (
          <TextField
            key={path}
            {...typed.field(nameOf(fields, path))}
            label={labelOf(path)}
            isRequired={false}
            isOptional={!isRequired}
            isCode
          />
        ))}
      </div>
    </fieldset>
  );
}

/** `pins.0.serial` is “Pins 1, serial”; a token is typed twice, so that a wrong digit is noticed. */
function labelOf(path: string): string {
  if (path === "tokens.0.value") return "Token again";
  const parts = path.split(".").map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : part));
  return spoken(parts.join(" ").replace(/ (\d+) /g, " $1, "));
}
