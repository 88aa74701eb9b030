import { isDeepStrictEqual } from "node:util";
import {
  changingProvider,
  checkProvider,
  fingerprint,
  keptCredentials,
  providerRequest,
  providerRules,
} from "../../../domain/funding/change-provider.ts";
import type { FeeBearer } from "../../../domain/funding/payment.ts";
import type { PaymentProvider } from "../../../domain/funding/provider-queries.ts";
import { refuseUnusableProvider } from "../../../domain/funding/providers.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { EnteredFields } from "../../../providers/connector-kind.ts";
import { paymentKinds } from "../../../providers/payments/registry.ts";
import { type Answer, goBack, type PageAnswer, page } from "../../kit/answer.tsx";
import { type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { CheckField, RadioField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Sheet } from "../../kit/parts/layout.tsx";
import { refuseStale, seen } from "../../kit/stale.ts";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { askForTwo, type TwoPeople } from "../approvals/two-people.ts";
import type { OperatorServices } from "../services.ts";
import { AccountFields, accountIn } from "../suppliers/account-fields.tsx";
import { askingOf } from "../suppliers/found-supplier.ts";
import { providerPath, providersPath } from "./words.ts";

const connectorsPath = "/operator/payment-connectors";

/** Where merchants' money is received, and whose word is credited: two people, also for a provider that is new. */
export const providerChange: TwoPeople = { ...providerRules, by: changingProvider };

/** A provider is entered by what its connector declares, and asked with it before anybody is asked to agree. */
export function providerAddition(routes: StaffRoutes, services: OperatorServices): void {
  routes.both(`${connectorsPath}/:connector`, {
    capability: "change_payment_providers",
    doneAt: () => providersPath,
    show: (visit, typed) => addPage(kindOf(visit.param("connector")), typed),
    send: (visit, form) => saveProvider(services, visit, { connector: visit.param("connector"), name: null }, form),
  });
}

/** @throws Refusal NOT_FOUND */
export function kindOf(connector: string): EnteredFields {
  const kind = paymentKinds.find((each) => each.connector === connector);
  if (kind === undefined) throw refuse("NOT_FOUND");
  return kind;
}

const consent = "unchecked";
const bearers: Readonly<Record<FeeBearer, string>> = {
  company: "We do: the merchant is credited all that was sent",
  merchant: "The merchant: it’s credited what the provider leaves",
};

/** Asks for a provider as it was typed. `name`: of one that is changed; null for a new one, whose name was typed. */
export async function saveProvider(
  services: OperatorServices,
  visit: StaffVisit,
  of: { readonly connector: string; readonly name: string | null },
  form: SentForm,
): Promise<Answer> {
  const { secretBox, database } = services;
  const kind = kindOf(of.connector);
  const name = of.name ?? form.text("name");
  const { present, credentials: kept } = await keptCredentials(database, secretBox, name);
  if (of.name === null && present !== null) {
    throw wrong("name", "There’s a provider of this name. Change it on its own page.");
  }
  if (present !== null) refuseStale(form, fingerprint(present), JSON.stringify(present.settings));
  const feeBearer = (Object.keys(bearers) as FeeBearer[]).find((each) => each === form.text("fee"));
  const account = accountIn(form, kind, kept, {
    ...(/^[a-z0-9][a-z0-9-]{0,39}$/.test(name) ? {} : { name: ["Lower-case letters, digits and dashes."] }),
    ...(feeBearer === undefined ? { fee: ["Choose who bears it."] } : {}),
  });
  const credentials = isDeepStrictEqual(account.credentials, kept) ? null : account.credentials;
  const entered = { name, connector: of.connector, ...account, credentials, feeBearer: feeBearer ?? "company" };
  const isSame = isDeepStrictEqual(account.settings, present?.settings) && feeBearer === present?.feeBearer;
  if (credentials === null && isSame) return goBack(providerPath(name), "Nothing was changed.");
  refuseUnusableProvider(secretBox, entered, present);
  const fault = form.has(consent) ? null : await checkProvider(askingOf(services), { ...entered, ...account });
  if (fault !== null) throw wrong(consent, `Nothing was saved. We asked it: ${fault}`);
  const doneAt = of.name === null ? providersPath : providerPath(name);
  return askForTwo(services, visit, providerChange, { ...providerRequest(entered, present), doneAt });
}

/** The ways to add a provider, by who it is. */
export function AddProvider() {
  return (
    <Sheet title="Add a payment provider" note="Who receives merchants’ transfers for you?">
      <p class="buttons">
        {paymentKinds.map(({ connector, title }) => (
          <ButtonLink key={connector} href={`${connectorsPath}/${connector}`}>
            {title}
          </ButtonLink>
        ))}
      </p>
    </Sheet>
  );
}

function addPage(kind: EnteredFields, typed: Typed): PageAnswer {
  return page(
    {
      title: `Add ${kind.title}`,
      crumbs: [["Payment providers", providersPath]],
      note: "We ask it for its transfers with what you type. Then a second person approves",
    },
    <Sheet>
      <ProviderForm
        {...{ kind, typed, provider: null, action: `${connectorsPath}/${kind.connector}`, cancelHref: providersPath }}
      />
    </Sheet>,
  );
}

interface ProviderFormProps {
  readonly kind: EnteredFields;
  readonly typed: Typed;
  /** Null for one that is new. */
  readonly provider: PaymentProvider | null;
  readonly action: string;
  readonly cancelHref?: string;
}

export function ProviderForm({ kind, typed, provider, action, cancelHref }: ProviderFormProps) {
  return (
    <Form
      {...{ action, ...(cancelHref === undefined ? {} : { cancelHref }) }}
      submit="Check and ask for approval"
      hidden={provider === null ? {} : seen(fingerprint(provider))}
    >
      {provider === null ? (
        <TextField
          {...typed.field("name", kind.connector)}
          label="Name"
          hint="What payments and reports call it: lower-case letters, digits and dashes. It can’t be changed later."
          lengthMax={40}
        />
      ) : null}
      <AccountFields {...{ kind, typed }} settings={provider?.settings ?? null} />
      <RadioField
        {...typed.field("fee", provider?.feeBearer ?? "company")}
        label="Who bears the provider’s fee?"
        choices={Object.entries(bearers).map(([value, label]) => ({ value, label }))}
      />
      {typed.error(consent) === null && !typed.form.has(consent) ? null : (
        <CheckField {...typed.box(consent)} label="Ask for approval all the same" />
      )}
    </Form>
  );
}
