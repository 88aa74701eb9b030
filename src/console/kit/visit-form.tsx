import type { ComponentChildren } from "preact";
import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import { isSecretField, type Form as SentForm } from "./form.ts";
import { Form } from "./parts/form.tsx";
import type { ButtonKind } from "./parts/layout.tsx";
import type { Visit } from "./visit.ts";

interface VisitFormProps {
  readonly visit: Visit;
  readonly action: string;
  readonly submit: string;
  readonly kind?: ButtonKind;
  readonly error?: string | null | undefined;
  readonly cancelHref?: string;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly isInline?: boolean;
  readonly children?: ComponentChildren;
}

/**
 * A form of a page behind the log-in: it is carried out once, and for the merchant whom the page was about, so that a form
 * of another tab is refused after the person went on to another merchant there.
 */
export function VisitForm({ visit, hidden = {}, ...form }: VisitFormProps) {
  const merchant = formatMerchantId(visit.member.merchantId);
  return <Form {...form} onceToken={visit.formToken} hidden={{ ...hidden, merchant }} />;
}

/** The fields of a form that was sent, to wait unseen in another form, but for secrets. */
export function KeptFields({ form, without }: { readonly form: SentForm; readonly without: readonly string[] }) {
  const left = [...form.fields].filter(([name]) => !without.includes(name) && !isSecretField(name));
  return (
    <>
      {left.flatMap(([name, values]) =>
        values.map((value, at) => <input key={`${name} ${at}`} type="hidden" name={name} value={value} />),
      )}
    </>
  );
}
