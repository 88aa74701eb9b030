import { findLimitRequest, limitFields, limitingSupplier } from "../../../domain/history/suppliers/stopping.ts";
import { addressOf } from "../../../domain/suppliers/asking.ts";
import type { Supplier } from "../../../domain/suppliers/routing/route.ts";
import { changeSettings, type SupplierSettings, settingsText } from "../../../domain/suppliers/settings.ts";
import { notAnAmount, readAmount } from "../../../kernel/money.ts";
import { ungrouped, wholeNumber } from "../../../kernel/typed-text.ts";
import { type Answer, goTo } from "../../kit/answer.tsx";
import { type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { moneyText } from "../../kit/parts/text.tsx";
import type { StaffVisit } from "../access.ts";
import { askForTwo, twoPeopleOf } from "../approvals/two-people.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import { supplierPath } from "./found-supplier.ts";

const purchasesMax = 100_000_000;

export const limitsStop = twoPeopleOf(limitingSupplier);

/** Changes cap, floor and alarm of a supplier together, where nobody else changed them meanwhile. */
export async function saveLimits(
  services: OperatorServices,
  visit: StaffVisit,
  supplier: Supplier,
  form: SentForm,
): Promise<Answer> {
  const settings = settingsIn(form, addressOf(supplier.settings) !== null);
  const { name } = supplier;
  const shown = form.text("shown");
  const { reads, people, wallTime } = services;
  const asking = { database: reads, clock: people.clock, wallTime };
  const request = await findLimitRequest(asking, name, { shown, settings });
  if (request !== null) {
    const { fields: payload, ...requested } = request;
    return askForTwo(services, visit, limitsStop, { ...requested, payload, doneAt: supplierPath(name) });
  }
  const database = changing(services, visit, "console supplier limits", { supplier: name, ...limitFields(settings) });
  await changeSettings(database, name, { shown, settings });
  return goTo(supplierPath(name), "Saved. New sales keep to these limits from now on.");
}

/** The fields of the form; the last two are of suppliers that hold our money. */
const fields = [
  { name: "cap", key: "dayCost", label: "Cap a day", hint: "What a day’s sales may cost us there." },
  { name: "cap_sales", key: "dayPurchases", label: "Sales a day", hint: "How many sales a day it may get." },
  { name: "floor", key: "balanceFloor", label: "Floor", hint: "Below this balance it gets no new sale." },
  { name: "alarm", key: "alarmBelow", label: "Low-balance alarm", hint: "Below this balance we alert people on call." },
] as const;

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
  const amount = readAmount(typed);
  if (amount === null && typed !== "") throw wrong(field, notAnAmount(typed));
  return amount;
}

function countIn(form: SentForm, field: string): number | null {
  const typed = ungrouped(form.text(field));
  const count = typed === "" ? null : (wholeNumber(typed) ?? purchasesMax + 1);
  if (count === null || count <= purchasesMax) return count;
  throw wrong(field, "Enter a whole number, such as 5,000, or leave it empty.");
}

/** `2,000,000`, or with its hundredths where there are some, whatever the currency. */
function shownText(value: bigint | number | null): string {
  if (typeof value !== "bigint") return String(value ?? "");
  return moneyText(value).replace(/^₦|\.00$/g, "");
}

interface LimitFormProps {
  readonly supplier: Supplier;
  readonly settings: SupplierSettings;
  readonly currency: string;
  readonly typed: Typed;
}

/** The form for them. After a refusal it shows what was typed, and under it what is set now. */
export function LimitForm({ supplier, settings, currency, typed }: LimitFormProps) {
  const hasBalance = addressOf(supplier.settings) !== null;
  const units = { dayCost: "₦", balanceFloor: currency === "NGN" ? "₦" : currency };
  return (
    <Sheet title="Limits and alarm" note="Empty: none">
      <Form
        action={`${supplierPath(supplier.name)}/limits`}
        submit="Save limits"
        hidden={{ shown: settingsText(settings) }}
      >
        <div class="fields">
          {fields.slice(0, hasBalance ? 4 : 2).map(({ name, key, label, hint }) => {
            const set = shownText(settings[key]);
            const unit = { ...units, alarmBelow: units.balanceFloor, dayPurchases: undefined }[key];
            return (
              <TextField
                key={name}
                {...typed.field(name, set)}
                {...(unit === undefined ? ({ keys: "numeric" } as const) : ({ unit, keys: "decimal" } as const))}
                label={label}
                hint={typed.whole === null ? hint : `${hint} Set now: ${set || "none"}.`}
                isRequired={false}
                isOptional={false}
              />
            );
          })}
        </div>
      </Form>
    </Sheet>
  );
}
