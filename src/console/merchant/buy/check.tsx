import { createHash } from "node:crypto";
import type { Category, Verification } from "../../../categories/category.ts";
import { selectionOf } from "../../../categories/product/product-shape.ts";
import { type Preview, previewForBeneficiary, previewPurchase } from "../../../domain/buying/preview.ts";
import { beneficiaryCommand, readPurchaseRequest } from "../../../domain/buying/purchase-request.ts";
import { nothingSent } from "../../../domain/purchases/purchase.ts";
import type { Verified } from "../../../domain/verification/verify.ts";
import { findWallet } from "../../../domain/wallet/queries.ts";
import { assert } from "../../../kernel/assert.ts";
import type { Json, JsonObject } from "../../../kernel/json.ts";
import { formatNaira, type Kobo, subtract, zeroKobo } from "../../../kernel/money.ts";
import { Refusal } from "../../../kernel/problems.ts";
import { forReaders } from "../../../platform/database/database.ts";
import { type PageAnswer, page } from "../../answer.ts";
import type { Form } from "../../form.ts";
import { Button } from "../../parts/button.tsx";
import { type Fact, Facts } from "../../parts/facts.tsx";
import { Flash } from "../../parts/flash.tsx";
import { onceField } from "../../parts/form.tsx";
import { Money, moneyText } from "../../parts/money.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Sheet } from "../../parts/sheet.tsx";
import { type ModeVisit, modePath } from "../../visit.ts";
import { KeptFields, VisitForm } from "../../visit-form.tsx";
import type { BuyPageServices, CheckBody } from "./buy-services.ts";
import { type Chosen, savedField, statusOf } from "./details.tsx";
import { bodyOf, spoken } from "./fields.tsx";
import { moreMoney, refusalSentence } from "./refusal-sentence.ts";
import { buyerOf } from "./selling-gate.tsx";

/** The owner of the customer's number, where the category can tell. */
type Told = { readonly kind: "verified"; readonly verified: Verified } | { readonly kind: "unknown" } | null;

/** The fields that a check page adds to what was typed. */
const addedFields = [onceField, "merchant", "step", "expected_price", "verification_id"];

/** The request's fields as typed, with the saved number that was chosen. */
export function requestBody(form: Form, { category, product }: Chosen, reference: string): Record<string, unknown> {
  const body = { reference, ...bodyOf(form, category, product) };
  const saved = form.text(savedField);
  return saved === "" ? body : { ...body, [savedField]: saved };
}

/**
 * The purchase's name, made here: of one form and what was typed into it. A reload, the back button or a second click
 * names the same purchase, which is bought once; another number, or the form opened anew, names another.
 */
export function referenceOf(form: Form, visit: ModeVisit, body: Readonly<Record<string, unknown>>): string {
  const { merchantId, mode } = visit.wallet;
  const facts = JSON.stringify([form.text(onceField), merchantId, mode, visit.session.person.id, body]);
  return `web-${createHash("sha256").update(facts).digest("hex").slice(0, 24)}`;
}

/** Everything before the money moves: whose number it is, the price, and the balance afterwards. @throws Refusal */
export async function checkPage(
  services: BuyPageServices & { readonly checkBody: CheckBody },
  visit: ModeVisit,
  chosen: Chosen,
  typed: { readonly form: Form; readonly reference: string; readonly refusal: Refusal | null },
): Promise<PageAnswer> {
  const { form, reference, refusal } = typed;
  const { category, product } = chosen;
  const body = requestBody(form, chosen, reference);
  services.checkBody(category, body);
  const preview = await previewOf(services, visit, category, body);
  const [told, wallet] = await Promise.all([
    verified(services, visit, chosen, preview),
    findWallet(forReaders(services.database), visit.wallet),
  ]);
  const { total } = preview.price;
  const balance = wallet?.balance ?? zeroKobo;
  const hidden = {
    expected_price: formatNaira(total),
    ...(told?.kind === "verified" ? { verification_id: told.verified.verificationId } : {}),
  };
  return page(
    `Check: ${product.name}`,
    <>
      <PageHead title="Is everything right?">Nothing is charged before you press the button.</PageHead>
      {told === null ? null : <Customer category={category} told={told} />}
      <Sheet title="Purchase">
        <Facts facts={[...factsOf(preview), ...pricesOf(preview, balance)]} />
        <VisitForm
          visit={visit}
          action={modePath(visit, `buy/${category.slug}/order/${reference}`)}
          submit={`Buy for ${moneyText(total)}`}
          hidden={hidden}
          error={refusal === null ? shortOf(visit, balance, total) : refusalSentence(refusal, visit.mode)}
          cancelHref={modePath(visit, "buy")}
        >
          <KeptFields form={form} without={addedFields} />
          <p>
            <Button kind="quiet" name="step" value="change" action={modePath(visit, `buy/${category.slug}/check`)}>
              Change something
            </Button>
          </p>
        </VisitForm>
      </Sheet>
    </>,
    refusal === null ? {} : { status: statusOf(refusal) },
  );
}

function shortOf(visit: ModeVisit, balance: Kobo, total: Kobo): string | null {
  if (balance >= total) return null;
  return `The wallet holds ${moneyText(balance)}, which is too little. ${moreMoney[visit.mode]}.`;
}

function previewOf(
  services: BuyPageServices,
  visit: ModeVisit,
  category: Category,
  body: Readonly<Record<string, unknown>>,
): Promise<Preview> {
  const principal = buyerOf(visit);
  if (body[savedField] !== undefined) {
    const common = { principal, channel: "dashboard", category } as const;
    return previewForBeneficiary(services, beneficiaryCommand(common, body, nothingSent));
  }
  const { requested } = readPurchaseRequest(category, body, nothingSent);
  return previewPurchase(services, { principal, category, requested });
}

/** Asks whose number it is. Where nobody can tell now, the person decides. @throws Refusal VERIFICATION_FAILED */
async function verified(
  services: BuyPageServices,
  visit: ModeVisit,
  { category, product }: Chosen,
  { requested }: Preview,
): Promise<Told> {
  const { verify } = category;
  if (verify === undefined || requested.customerRef === null) return null;
  const known: Record<string, Json> = {
    product_id: product.id,
    biller: product.biller.slug,
    ...selectionOf(category.sells, product),
    [category.customerField]: requested.customerRef,
  };
  const body = Object.fromEntries(Object.keys(verify.body.properties).map((name) => [name, known[name]]));
  try {
    const inquiry = verify.read(body as never);
    return { kind: "verified", verified: await services.verify({ principal: buyerOf(visit), category, inquiry }) };
  } catch (error) {
    const isUnanswered = error instanceof Refusal && error.code !== "VERIFICATION_FAILED";
    if (!isUnanswered) throw error;
    return { kind: "unknown" };
  }
}

function Customer({ category, told }: { readonly category: Category; readonly told: Exclude<Told, null> }) {
  if (told.kind === "unknown") {
    return (
      <Flash kind="waiting">
        Nobody can tell at the moment whose number this is. Buy only if you are sure of it, or try again later.
      </Flash>
    );
  }
  const { verify, customerField } = category;
  assert(verify !== undefined, "what was verified can be");
  return (
    <Sheet title="Whose number it is" note="verified just now">
      <Facts facts={findingsOf(verify, customerField, told.verified.told)} />
    </Sheet>
  );
}

/** What the verification found out, name by name; what it left open is left out. */
function findingsOf(verify: Verification, customerField: string, told: JsonObject): readonly Fact[] {
  const isAsked = (name: string) => name === customerField || name in verify.body.properties;
  return Object.entries(verify.findings.properties).flatMap(([name, schema]) => {
    const value = told[name] ?? null;
    if (value === null || isAsked(name) || name.endsWith("_id")) return [];
    const isMoney = "pattern" in schema && typeof value === "string" && /^[0-9]+\.[0-9]{2}$/.test(value);
    const shown = typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
    return [{ name: spoken(name), value: isMoney ? <Money amount={shown} /> : shown }];
  });
}

function factsOf({ requested, soldProduct, beneficiaryLabel, price }: Preview): readonly Fact[] {
  const { product, category } = soldProduct;
  const { customerRef, phone, details } = requested;
  const label = product.biller.customerLabel;
  const more = Object.entries(details).filter(
    ([name, value]) => typeof value === "string" && !(name in (category.sells.selectors ?? {})),
  );
  return [
    { name: "Product", value: product.name },
    ...(customerRef === null || details.recipients !== undefined
      ? []
      : [
          {
            name: label,
            value: (
              <>
                <code>{customerRef}</code>
                {beneficiaryLabel === null ? null : ` (${beneficiaryLabel})`}
              </>
            ),
          },
        ]),
    ...(phone === null || phone === customerRef ? [] : [{ name: "Phone", value: <code>{phone}</code> }]),
    ...recipientsIn(details.recipients),
    ...more.map(([name, value]) => ({ name: spoken(name), value: String(value) })),
    ...(price.quantity === 1 ? [] : [{ name: "Quantity", value: String(price.quantity) }]),
  ];
}

/** Everyone whom a message goes to, counted and listed; who is named twice gets it once. */
function recipientsIn(recipients: Json | undefined): readonly Fact[] {
  if (!Array.isArray(recipients)) return [];
  const told = recipients as readonly { readonly phone: string; readonly error_code: string | null }[];
  const phones = told.filter(({ error_code: refusedAs }) => refusedAs === null).map(({ phone }) => phone);
  const repeated = told.length - phones.length;
  const count = `${phones.length}${repeated === 0 ? "" : `, and ${repeated} repeated, sent to once`}`;
  return [
    { name: "Recipients", value: count },
    { name: "Their numbers", value: phones.join(", ") },
  ];
}

function pricesOf({ price }: Preview, balance: Kobo): readonly Fact[] {
  const left = subtract(balance, price.total);
  return [
    { name: "Amount", value: <Money amount={price.amount} /> },
    ...(price.fee > 0n ? [{ name: "Fee", value: <Money amount={price.fee} isSigned /> }] : []),
    ...(price.discount > 0n ? [{ name: "Discount", value: <Money amount={-price.discount} isSigned /> }] : []),
    {
      name: "You pay",
      value: (
        <strong>
          <Money amount={price.total} />
        </strong>
      ),
    },
    { name: "Balance now", value: <Money amount={balance} /> },
    ...(left < 0n ? [] : [{ name: "Balance after", value: <Money amount={left} /> }]),
  ];
}
