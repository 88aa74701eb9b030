import { addressOf } from "../../../domain/suppliers/asking.ts";
import { passedLimit } from "../../../domain/suppliers/routing/limits.ts";
import type { Supplier } from "../../../domain/suppliers/routing/route.ts";
import { readStandings } from "../../../domain/suppliers/routing/route-counts.ts";
import { changeSettings, type SupplierSettings, settingsText } from "../../../domain/suppliers/settings.ts";
import type { Json } from "../../../kernel/json.ts";
import { formatHundredths, kobo, notAnAmount, readAmount } from "../../../kernel/money.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { ungrouped, wholeNumber } from "../../../kernel/typed-text.ts";
import { type Answer, goTo } from "../../kit/answer.tsx";
import type { Form as SentForm, Typed } from "../../kit/form.ts";
import { TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { moneyText } from "../../kit/parts/text.tsx";
import type { StaffVisit } from "../access.ts";
import { askForTwo, type TwoPeople } from "../approvals/two-people.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import { supplierPath } from "./found-supplier.ts";
import { servesMuch } from "./stop.ts";

const purchasesMax = 100_000_000;

/** Limits that leave nothing of today: a stop by another name. */
export const limitsStop: TwoPeople = {
  kind: "limit supplier",
  roles: ["admin", "catalogue"],
  async carryOut(_services, database, { supplier, shown, cap, cap_sales, floor, alarm_below }) {
    const amount = (text: Json | undefined) => (typeof text === "string" ? readAmount(text) : null);
    const dayPurchases = typeof cap_sales === "number" ? cap_sales : null;
    const amounts = { dayCost: amount(cap), balanceFloor: amount(floor), alarmBelow: amount(alarm_below) };
    const changed = { shown: String(shown), settings: { ...amounts, dayPurchases } };
    await changeSettings(database, String(supplier), changed);
    return `${String(supplier)} keeps to its new limits from now on.`;
  },
};

/** Changes cap, floor and alarm of a supplier together, where nobody else changed them meanwhile. */
export async function saveLimits(
  services: OperatorServices,
  visit: StaffVisit,
  supplier: Supplier,
  form: SentForm,
): Promise<Answer> {
  const settings = settingsIn(form, addressOf(supplier.settings) !== null);
  const { name } = supplier;
  const details = { supplier: name, ...wordsOf(settings) };
  const shown = form.text("shown");
  const { reads, people, wallTime } = services;
  const standing = (await readStandings({ database: reads, clock: people.clock, wallTime }))(name);
  if (passedLimit(settings, standing, kobo(1n)) !== null && (await servesMuch(services, name))) {
    const summary = `Limit ${name} to less than it was sent today`;
    return askForTwo(services, visit, limitsStop, {
      summary,
      payload: { ...details, shown },
      doneAt: supplierPath(name),
    });
  }
  const database = changing(services, visit, "console supplier limits", details);
  await changeSettings(database, name, { shown, settings });
  return goTo(supplierPath(name), "Saved. New sales keep to these limits from now on.");
}

/** As the audit log has them. */
function wordsOf({ dayCost, dayPurchases, balanceFloor, alarmBelow }: SupplierSettings) {
  return {
    cap: decimalText(dayCost),
    cap_sales: dayPurchases,
    floor: decimalText(balanceFloor),
    alarm_below: decimalText(alarmBelow),
  };
}

function decimalText(amount: bigint | null): string | null {
  return amount === null ? null : formatHundredths(amount);
}

function settingsIn(form: SentForm, hasBalance: boolean): SupplierSettings {
  return {
    dayCost: amountIn(form, "cap"),
    dayPurchases: countIn(form, "cap_sales"),
    balanceFloor: hasBalance ? amountIn(form, "floor") : null,
    alarmBelow: hasBalance ? amountIn(form, "alarm") : null,
  };
}

/** Empty: none. */
function amountIn(form: SentForm, field: string): SupplierSettings["dayCost"] {
  const typed = form.text(field);
  if (typed === "") return null;
  const amount = readAmount(typed);
  if (amount === null) throw refuseField("VALIDATION_ERROR", field, notAnAmount(typed));
  return amount;
}

function countIn(form: SentForm, field: string): number | null {
  const typed = ungrouped(form.text(field));
  if (typed === "") return null;
  const count = wholeNumber(typed) ?? purchasesMax + 1;
  if (count > purchasesMax) {
    throw refuseField("VALIDATION_ERROR", field, "Enter a whole number, such as 5,000, or leave it empty.");
  }
  return count;
}

/** `2,000,000`, or with its hundredths where there are some, whatever the currency. */
function amountText(amount: bigint | null): string {
  return amount === null ? "" : moneyText(amount).replace(/^₦|\.00$/g, "");
}

interface LimitFormProps {
  readonly supplier: Supplier;
  readonly settings: SupplierSettings;
  readonly currency: string;
  readonly typed: Typed;
}

/** The form for them. After a refusal it shows what was typed, and under it what is set now. */
export function LimitForm({ supplier, settings, currency, typed }: LimitFormProps) {
  const hintOf = (hint: string, set: string) =>
    typed.whole === null ? hint : `${hint} Set now: ${set === "" ? "none" : set}.`;
  const sales = settings.dayPurchases === null ? "" : String(settings.dayPurchases);
  const unit = currency === "NGN" ? "₦" : currency;
  const money = { unit, keys: "decimal", isRequired: false, isOptional: false } as const;
  return (
    <Sheet title="Limits and alarm" note="Empty: none">
      <Form
        action={`${supplierPath(supplier.name)}/limits`}
        submit="Save limits"
        hidden={{ shown: settingsText(settings) }}
      >
        <div class="fields">
          <TextField
            {...typed.field("cap", amountText(settings.dayCost))}
            {...money}
            unit="₦"
            label="Cap a day"
            hint={hintOf("What a day’s sales may cost us there.", amountText(settings.dayCost))}
          />
          <TextField
            {...typed.field("cap_sales", sales)}
            label="Sales a day"
            keys="numeric"
            hint={hintOf("How many sales a day it may get.", sales)}
            isRequired={false}
            isOptional={false}
          />
        </div>
        {addressOf(supplier.settings) === null ? null : (
          <div class="fields">
            <TextField
              {...typed.field("floor", amountText(settings.balanceFloor))}
              {...money}
              label="Floor"
              hint={hintOf("Below this balance it gets no new sale.", amountText(settings.balanceFloor))}
            />
            <TextField
              {...typed.field("alarm", amountText(settings.alarmBelow))}
              {...money}
              label="Low-balance alarm"
              hint={hintOf("Below this balance we alert people on call.", amountText(settings.alarmBelow))}
            />
          </div>
        )}
      </Form>
    </Sheet>
  );
}
