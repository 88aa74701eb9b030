import { type FrameAnswer, type PageAnswer, page } from "./answer.tsx";
import { type Form, isSecretField } from "./form.ts";
import { PasswordField } from "./parts/fields.tsx";
import { PasskeyForm, Form as PlainForm } from "./parts/form.tsx";
import { ButtonLink, Empty, Sheet } from "./parts/layout.tsx";
import type { RealmEntrance } from "./realm.ts";
import type { Visit } from "./visit.ts";

/** The form's field that holds the password or code where a fresh factor was asked for. */
export const factorField = "factor";

/** For a change that none of our pages sent. */
export function foreignFormPage({ base }: Pick<RealmEntrance, "base">): FrameAnswer {
  return {
    title: "Not sent from this console",
    status: 403,
    body: (
      <>
        <p>
          This form came from another site, or your browser didn’t say where from. Nothing was done. Open the page here
          and send it again.
        </p>
        <ButtonLink href={`${base}/log-in`}>Go to console</ButtonLink>
      </>
    ),
  };
}

/** Asks for a code, a passkey or else the password before something sensitive; the form that was sent waits in it. */
export function confirmPage(
  { base }: Pick<RealmEntrance, "base">,
  visit: Visit,
  form: Form,
  error: string | null,
): PageAnswer {
  const { hasTotp, hasPasskey } = visit.session.person;
  const action = visit.request.url;
  const note = "We kept what you sent, except passwords and codes.";
  return page(
    { title: "Confirm it’s you", note, status: 403 },
    <Sheet>
      {hasPasskey && !hasTotp ? null : (
        <PlainForm action={action} isBare submit="Confirm">
          <KeptFields form={form} without={[factorField]} />
          <PasswordField
            name={factorField}
            label={hasTotp ? "Code from your authenticator app, or a backup code" : "Password"}
            error={error}
            autocomplete={hasTotp ? "one-time-code" : "current-password"}
            isFocused
          />
        </PlainForm>
      )}
      {hasPasskey ? <ConfirmByPasskey {...{ base, form, action, error: hasTotp ? null : error }} /> : null}
    </Sheet>,
  );
}

/** What the form of a passkey brings under `factorField`: its answer is in fields of its own. */
export const byPasskey = "passkey";

function ConfirmByPasskey(props: {
  readonly base: string;
  readonly form: Form;
  readonly action: string;
  readonly error: string | null;
}) {
  return (
    <>
      {props.error === null ? null : <p class="error">{props.error}</p>}
      <PasskeyForm action={props.action} options={`${props.base}/log-in/passkey/options`} submit="Confirm with passkey">
        <KeptFields form={props.form} without={[factorField, "token", "response"]} />
        <input type="hidden" name={factorField} value={byPasskey} />
      </PasskeyForm>
      <p class="hint">
        Passkey lost? <a href={`${props.base}/reset-password`}>Reset your password</a> and remove your passkeys there.
      </p>
    </>
  );
}

/** The fields of a form that was sent, to wait unseen in another form, but for secrets. */
export function KeptFields({ form, without }: { readonly form: Form; readonly without: readonly string[] }) {
  const left = [...form.fields].filter(([name]) => !without.includes(name) && !isSecretField(name));
  return (
    <>
      {left.flatMap(([name, values]) =>
        values.map((value, at) => <input key={`${name} ${at}`} type="hidden" name={name} value={value} />),
      )}
    </>
  );
}

/** For an address of the console that leads nowhere. */
export function notFoundPage(): PageAnswer {
  return page(
    { title: "Page not found", status: 404 },
    <Sheet>
      <Empty title="Nothing has this address" icon="search">
        It may have been removed, or belong to the other mode or another business. Search above with any ID.
      </Empty>
    </Sheet>,
  );
}
