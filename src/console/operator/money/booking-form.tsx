import { parseMerchantId } from "../../../domain/merchants/merchant.ts";
import { findExistingMerchant } from "../../../domain/merchants/queries.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import type { Typed } from "../../kit/form.ts";
import { CheckField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Sheet } from "../../kit/parts/layout.tsx";
import { moneyText } from "../../kit/parts/text.tsx";
import type { StaffVisit } from "../access.ts";
import { merchantPath } from "../merchants/found-merchant.ts";
import type { OperatorServices } from "../services.ts";

const here = "/operator/money";

/** Both forms have the same three fields, so each has a page: a credit by its own address, a debit with `take=back`. */
export async function bookingPage(services: OperatorServices, visit: StaffVisit, typed: Typed): Promise<PageAnswer> {
  const isDebit = typed.form.has("merchant") ? visit.path === `${here}/debit` : visit.query.get("take") === "back";
  const given = visit.query.get("merchant") ?? "";
  const id = parseMerchantId(given);
  const merchant = id === null ? null : await findExistingMerchant(services.reads, id);
  const other = new URLSearchParams({
    ...(id === null ? {} : { merchant: given }),
    ...(isDebit ? {} : { take: "back" }),
  });
  return page(
    {
      title: isDebit ? "Take money back" : "Credit wallet",
      ...(merchant === null ? {} : { note: `${merchant.name}, live wallet` }),
      crumbs: [["Credits", here]],
      actions: (
        <ButtonLink href={`${here}/credit?${other}`}>{isDebit ? "Credit instead" : "Take money back"}</ButtonLink>
      ),
    },
    <Sheet>
      <p>
        {isDebit
          ? "For what was credited by mistake. A second person approves; no more is taken than the wallet holds."
          : `You can credit up to ${moneyText(services.creditAloneMax)} alone. More waits for a second person.`}
      </p>
      <Form
        action={isDebit ? `${here}/debit` : `${here}/credit`}
        submit={isDebit ? "Ask to take money back" : "Credit wallet"}
        cancelHref={merchant === null ? here : merchantPath(merchant.id)}
      >
        <TextField
          {...typed.field("merchant", merchant === null ? "" : given)}
          label="Merchant"
          hint="Its ID, such as mer_17."
        />
        <TextField {...typed.field("amount")} label="Amount" unit="₦" keys="decimal" />
        {isDebit ? null : (
          <>
            <TextField
              {...typed.field("bank_reference")}
              label="Bank reference"
              hint="As your bank’s statement has it. Each one is credited once."
              isRequired={false}
              isOptional={false}
              isCode
            />
            <CheckField
              {...typed.box("no_reference")}
              label="This payment has no reference (it isn’t protected from being credited twice)"
            />
          </>
        )}
        <TextField
          {...typed.field("reason")}
          label="Reason"
          hint="The merchant’s statement shows it."
          lengthMax={200}
        />
      </Form>
    </Sheet>,
  );
}
