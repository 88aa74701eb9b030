import { openFulfilment } from "../../../domain/purchases/fulfilment/sealed-fulfilment.ts";
import { amountOf, discountOf, type Purchase, totalDeductedOf } from "../../../domain/purchases/purchase.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import { add, subtract } from "../../../kernel/money.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { withoutCodes } from "../../kit/codes.tsx";
import { Delivered } from "../../kit/delivered.tsx";
import { Facts } from "../../kit/parts/data.tsx";
import { TextField } from "../../kit/parts/fields.tsx";
import { Form, Live } from "../../kit/parts/form.tsx";
import { ButtonLink, Columns, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { Money, moneyText } from "../../kit/parts/text.tsx";
import { Customer, saleStatus } from "../../kit/sale.tsx";
import { type ModeRoutes, type ModeVisit, useVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { purchasePath } from "../transactions/purchase.tsx";
import { ReportProblem } from "../transactions/report-problem.tsx";
import { type BoughtPurchase, reveal, revealOwn } from "../transactions/reveal.ts";
import { type OpenedTransaction, readTransaction } from "../transactions/transaction.tsx";
import { afterSaleField, boughtPath, savedCustomers, takes } from "./customers.ts";
import { feeAndDiscount } from "./pay.tsx";
import { Result } from "./result.tsx";

/** What became of a sale by hand, and its PINs or token for whoever may see them. */
export function boughtPages(routes: ModeRoutes, services: MerchantServices): void {
  const showing = (open: typeof reveal) => async (visit: ModeVisit) => {
    const bought = await readTransaction(services, visit, visit.param("reference"));
    return bought === null
      ? notBoughtPage(visit)
      : boughtPage(services, visit, bought, await open(services, visit, bought));
  };
  routes.page("/buy/bought/:reference", { capability: "buy", show: showing(revealOwn) });
  routes.form("/buy/bought/:reference", {
    capability: "hand_over",
    doneAt: (visit) => boughtPath(visit, visit.param("reference")),
    show: notBoughtPage,
    send: showing(reveal),
  });
}

function notBoughtPage(visit: ModeVisit): PageAnswer {
  return page(
    { title: "You haven’t been charged", status: 404 },
    <Sheet>
      <Empty title="No sale has this reference" action={<ButtonLink href={visit.to("buy")}>Sell</ButtonLink>}>
        If you pressed the button a moment ago, load this page again before you sell it once more.
      </Empty>
    </Sheet>,
  );
}

/** `revealed` is what was handed over, where somebody asked for it; null: it stays hidden. */
async function boughtPage(
  services: MerchantServices,
  visit: ModeVisit,
  bought: OpenedTransaction,
  revealed: JsonObject | null,
): Promise<PageAnswer> {
  const { purchase, sold, company, transactionId } = bought;
  const { product, category } = sold;
  const isOpen = purchase.status === "successful" && category.secrets.length === 0;
  const delivered = isOpen ? openFulfilment(services.secretBox, purchase) : revealed;
  const saved = purchase.customerRef === null ? [] : await savedCustomers(services, visit, purchase.customerRef);
  const { reference, customerRef } = purchase;
  return page(
    {
      title: `${product.name}: ${purchase.status === "successful" ? "delivered" : purchase.status}`,
      heading: `${product.name}, ${moneyText(amountOf(purchase))}`,
      state: saleStatus(purchase),
      note: customerRef === null ? undefined : ["For ", <Customer key="" text={customerRef} />],
      actions: <ButtonLink href={visit.to("buy")}>Sell to somebody else</ButtonLink>,
    },
    <Columns kind="aside">
      <div>
        <Live tableId="bought" isOn={purchase.status === "pending"} />
        <div id="bought">
          <Result bought={bought} delivered={delivered} />
        </div>
        {/* The codes stand large above what else was handed over. */}
        {delivered === null ? null : (
          <Delivered fulfilment={withoutCodes(delivered, category.secrets)} secrets={category.secrets} />
        )}
      </div>
      <div class="stay">
        <Sheet title="Payment">
          <Payment purchase={purchase} />
        </Sheet>
        {saved.some((each) => each.category === category && each.number === customerRef) ? null : (
          <SaveCustomer bought={bought} />
        )}
        <Sheet>
          {visit.may("look") ? (
            <p>
              <a href={purchasePath(visit, reference)}>Open transaction</a>
            </p>
          ) : null}
          <ReportProblem {...{ company, reference, transactionId }} product={product.name} />
        </Sheet>
      </div>
    </Columns>,
  );
}

function Payment({ purchase }: { readonly purchase: Purchase }) {
  const visit = useVisit();
  const deducted = totalDeductedOf(purchase);
  const left = <Money amount={subtract(purchase.balanceBefore, deducted)} />;
  const [amount, discount] = [amountOf(purchase), discountOf(purchase)];
  return (
    <Facts
      isMoney
      facts={{
        Amount: <Money amount={amount} />,
        ...feeAndDiscount(visit, { amount, discount, fee: purchase.fee }),
        "The customer pays": visit.may("see_costs") ? null : <Money amount={add(amount, purchase.fee)} />,
        "You paid": visit.may("see_costs") ? <Money amount={deducted} /> : null,
        "Balance after": visit.may("see_balance") ? left : null,
      }}
    />
  );
}

/** Saves the number that was just sold to by a name of the shop's own. */
function SaveCustomer({ bought: { purchase, sold } }: { readonly bought: BoughtPurchase }) {
  const visit = useVisit();
  const { customerRef, phone, reference } = purchase;
  const { category, product } = sold;
  const isKept = customerRef !== null && takes(category, customerRef) && purchase.status !== "failed";
  if (!isKept || !visit.may("keep_beneficiaries")) return null;
  const hidden = {
    [afterSaleField]: reference,
    category: category.slug,
    customer_ref: customerRef,
    biller_slug: product.biller.slug,
    meter_type: product.meterType ?? "",
    phone: phone === customerRef ? "" : (phone ?? ""),
  };
  return (
    <Sheet title="Save this customer">
      <Form action={visit.to("beneficiaries/add")} submit="Save customer" kind="plain" hidden={hidden}>
        <TextField name="label" label="Name" placeholder="Mama Tolu" lengthMax={100} />
      </Form>
    </Sheet>
  );
}
