import { createHash } from "node:crypto";
import type { Category, Verification } from "../../../categories/category.ts";
import { selectionOf } from "../../../categories/product/product-shape.ts";
import {
  type Preview,
  previewForBeneficiary,
  previewPurchase,
} from "../../../domain/purchases/buying/buy-for-beneficiary.ts";
import { beneficiaryCommand, readPurchaseRequest } from "../../../domain/purchases/buying/purchase-request.ts";
import { nothingSent } from "../../../domain/purchases/purchase.ts";
import type { Verified } from "../../../domain/purchases/verification/verify.ts";
import { findWallet } from "../../../domain/wallet/queries.ts";
import { assert } from "../../../kernel/assert.ts";
import type { Json, JsonObject } from "../../../kernel/json.ts";
import { formatNaira, type Kobo, subtract, zeroKobo } from "../../../kernel/money.ts";
import { Refusal } from "../../../kernel/problems.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { onceField, type Form as SentForm, type Typed } from "../../kit/form.ts";
import { KeptFields } from "../../kit/gate-pages.tsx";
import { type Fact, Facts } from "../../kit/parts/data.tsx";
import { Flash, Form } from "../../kit/parts/form.tsx";
import { Button, Sheet } from "../../kit/parts/layout.tsx";
import { Money, moneyText, spoken } from "../../kit/parts/text.tsx";
import type { ModeVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { type Chosen, savedField } from "./details.tsx";
import { bodyOf } from "./fields.tsx";
import { type CheckBody, moreMoney, refusalSentence, sellingStatus, tooLow } from "./selling.tsx";

/** The owner of the customer's number, where the category can tell. */
type Found = { readonly kind: "verified"; readonly verified: Verified } | { readonly kind: "unknown" } | null;

/** The fields that a check page adds to what was typed. */
const addedFields = [onceField, "merchant", "step", "expected_price", "verification_id"];

/** The request's fields as typed, with the saved number that was chosen. */
export function requestBody(form: SentForm, { category, product }: Chosen, reference: string): Record<string, unknown> {
  const body = { reference, ...bodyOf(form, category, product) };
  const saved = form.text(savedField);
  return saved === "" ? body : { ...body, [savedField]: saved };
}

/**
 * The purchase's name, made here: of one form and what was typed into it. A reload, the back button or a second click
 * names the same purchase, which is bought once; another number, or the form opened anew, names another.
 */
export function referenceOf(form: SentForm, visit: ModeVisit, body: Readonly<Record<string, unknown>>): string {
  const { merchantId, mode } = visit.wallet;
  const facts = JSON.stringify([form.text(onceField), merchantId, mode, visit.session.person.id, body]);
  return `web-${createHash("sha256").update(facts).digest("hex").slice(0, 24)}`;
}

/** Everything before the money moves: whose number it is, the price, and the balance afterwards. @throws Refusal */
export async function checkPage(
  services: MerchantServices & { readonly checkBody: CheckBody },
  visit: ModeVisit,
  chosen: Chosen,
  typed: Typed,
  reference: string,
): Promise<PageAnswer> {
  const { form, refusal } = typed;
  const { category, product } = chosen;
  const body = requestBody(form, chosen, reference);
  services.checkBody(category, body);
  const preview = await previewOf(services, visit, category, body);
  const [found, wallet] = await Promise.all([
    verified(services, visit, chosen, preview),
    findWallet(services.reads, visit.wallet),
  ]);
  const { total } = preview.price;
  const balance = wallet?.balance ?? zeroKobo;
  const hidden = {
    expected_price: formatNaira(total),
    ...(found?.kind === "verified" ? { verification_id: found.verified.verificationId } : {}),
  };
  const note = "Nothing is charged before you press the button.";
  return page(
    { title: `Check: ${product.name}`, heading: "Is everything right?", note, status: sellingStatus(typed) },
    <>
      {found === null ? null : <Customer category={category} shown={found} />}
      <Sheet title="Purchase">
        <Facts facts={{ ...factsOf(preview), ...pricesOf(preview, visit.may("see_balance") ? balance : null) }} />
        <Form
          action={visit.to(`buy/${category.slug}/order/${reference}`)}
          submit={`Buy for ${moneyText(total)}`}
          hidden={hidden}
          error={refusal === null ? shortOf(visit, balance, total) : refusalSentence(refusal, visit)}
          cancelHref={visit.to("buy")}
        >
          <KeptFields form={form} without={addedFields} />
          <p>
            <Button kind="quiet" name="step" value="change" action={visit.to(`buy/${category.slug}/check`)}>
              Change something
            </Button>
          </p>
        </Form>
      </Sheet>
    </>,
  );
}

function shortOf(visit: ModeVisit, balance: Kobo, total: Kobo): string | null {
  if (balance >= total) return null;
  if (!visit.may("see_balance")) return tooLow;
  return `The wallet holds ${moneyText(balance)}, which is too little. ${moreMoney[visit.mode]}.`;
}

function previewOf(
  services: MerchantServices,
  visit: ModeVisit,
  category: Category,
  body: Readonly<Record<string, unknown>>,
): Promise<Preview> {
  const principal = visit.buyer;
  if (body[savedField] !== undefined) {
    const common = { principal, channel: "dashboard", category } as const;
    return previewForBeneficiary(services, beneficiaryCommand(common, body, nothingSent));
  }
  const { requested } = readPurchaseRequest(category, body, nothingSent);
  return previewPurchase(services, { principal, category, requested });
}

/** Asks whose number it is. Where nobody can tell now, the person decides. @throws Refusal VERIFICATION_FAILED */
async function verified(
  services: MerchantServices,
  visit: ModeVisit,
  { category, product }: Chosen,
  { requested }: Preview,
): Promise<Found> {
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
    return { kind: "verified", verified: await services.verify({ principal: visit.buyer, category, inquiry }) };
  } catch (error) {
    const isUnanswered = error instanceof Refusal && error.code !== "VERIFICATION_FAILED";
    if (!isUnanswered) throw error;
    return { kind: "unknown" };
  }
}

function Customer({ category, shown: found }: { readonly category: Category; readonly shown: Exclude<Found, null> }) {
  if (found.kind === "unknown") {
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
      <Facts facts={findingsOf(verify, customerField, found.verified.reported)} />
    </Sheet>
  );
}

/** What the verification found out, name by name; what it left open is left out. */
function findingsOf(verify: Verification, customerField: string, found: JsonObject): readonly Fact[] {
  const isRequested = (name: string) => name === customerField || name in verify.body.properties;
  return Object.entries(verify.findings.properties).flatMap(([name, schema]): Fact[] => {
    const value = found[name] ?? null;
    if (value === null || isRequested(name) || name.endsWith("_id")) return [];
    const isMoney = "pattern" in schema && typeof value === "string" && /^[0-9]+\.[0-9]{2}$/.test(value);
    const shown = typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
    return [[spoken(name), isMoney ? <Money key={name} amount={shown} /> : shown]];
  });
}

function factsOf({ requested, soldProduct, beneficiaryLabel, price }: Preview) {
  const { product, category } = soldProduct;
  const { customerRef, phone, details } = requested;
  const more = Object.entries(details).filter(
    ([name, value]) => typeof value === "string" && !(name in (category.sells.selectors ?? {})),
  );
  return {
    Product: product.name,
    [product.biller.customerLabel]:
      customerRef === null || details.recipients !== undefined ? null : (
        <>
          <code>{customerRef}</code>
          {beneficiaryLabel === null ? null : ` (${beneficiaryLabel})`}
        </>
      ),
    ...(phone === null || phone === customerRef ? {} : { Phone: <code>{phone}</code> }),
    ...recipientsIn(details.recipients),
    ...Object.fromEntries(more.map(([name, value]) => [spoken(name), String(value)])),
    Quantity: price.quantity === 1 ? null : String(price.quantity),
  };
}

/** Everyone whom a message goes to, counted and listed; who is named twice gets it once. */
function recipientsIn(recipients: Json | undefined) {
  if (!Array.isArray(recipients)) return {};
  const found = recipients as readonly { readonly phone: string; readonly error_code: string | null }[];
  const phones = found.filter(({ error_code: refusedAs }) => refusedAs === null).map(({ phone }) => phone);
  const repeated = found.length - phones.length;
  const count = `${phones.length}${repeated === 0 ? "" : `, and ${repeated} repeated, sent to once`}`;
  return { Recipients: count, "Their numbers": phones.join(", ") };
}

/** `balance` is null for whoever may not see it. */
function pricesOf({ price }: Preview, balance: Kobo | null) {
  const left = balance === null ? null : subtract(balance, price.total);
  return {
    Amount: <Money amount={price.amount} />,
    Fee: price.fee > 0n ? <Money amount={price.fee} isSigned /> : null,
    Discount: price.discount > 0n ? <Money amount={-price.discount} isSigned /> : null,
    "You pay": (
      <strong>
        <Money amount={price.total} />
      </strong>
    ),
    "Balance now": balance === null ? null : <Money amount={balance} />,
    "Balance after": left === null || left < 0n ? null : <Money amount={left} />,
  };
}
