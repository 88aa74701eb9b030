import { may } from "../merchant/access.ts";
import { type PageAnswer, page } from "./answer.ts";
import { type Form, isSecretField } from "./form.ts";
import { PasswordField } from "./parts/fields.tsx";
import { onceField, PasskeyForm, Form as PlainForm } from "./parts/form.tsx";
import { ButtonLink, Empty, PageHead, Sheet } from "./parts/layout.tsx";
import type { FrameAnswer } from "./send.tsx";
import type { Visit } from "./visit.ts";
import { KeptFields } from "./visit-form.tsx";

/** The form's field that holds the password or code where a fresh factor was asked for. */
export const factorField = "factor";

/** For a change that none of our pages sent. */
export function foreignFormPage(): FrameAnswer {
  return {
    title: "This was not sent from here",
    status: 403,
    body: (
      <>
        <p>
          The form came from another site, or your browser did not say where from, so nothing was done. Open the page
          here and send it again.
        </p>
        <ButtonLink href="/log-in">To the console</ButtonLink>
      </>
    ),
  };
}

/** For a person who belongs to no merchant, or no longer. */
export function noMerchantPage(email: string): FrameAnswer {
  return {
    title: "No business yet",
    status: 403,
    body: (
      <>
        <p>
          {email} belongs to no business here. Ask its owner for an invitation to this address, or sign up with a
          business of your own.
        </p>
        <form class="form" method="post" action="/log-out">
          <div class="buttons">
            <button class="button" type="submit">
              Log out
            </button>
          </div>
        </form>
      </>
    ),
  };
}

/** For a page or a change that the person's role does not have. */
export function notAllowedPage({ member }: Visit): PageAnswer {
  const title = "Not for your role";
  return page(
    title,
    <>
      <PageHead title={title} />
      <Sheet>
        <Empty title={`As ${member.role} you can't do this.`}>
          {may(member.role, "change_members")
            ? "Nobody here can."
            : `An owner of ${member.name} can, and can change your role under Members.`}
        </Empty>
      </Sheet>
    </>,
    { status: 403 },
  );
}

/** For a form of a tab that is about another merchant than the one chosen since. */
export function otherMerchantPage(visit: Visit, form: Form): PageAnswer {
  const title = "That form was for another business";
  return page(
    title,
    <>
      <PageHead title={title} />
      <Sheet>
        <p>
          In another tab you went on to {visit.member.name}, so nothing was done. Choose the other business again in the
          menu and send the form anew.
        </p>
        <Typed form={form} />
      </Sheet>
    </>,
    { status: 409 },
  );
}

/** For a person whose address may be somebody else's: nothing of theirs sells live. */
export function unconfirmedPage(): PageAnswer {
  const title = "Confirm your email first";
  return page(
    title,
    <>
      <PageHead title={title} />
      <Sheet>
        <Empty title="Live needs a confirmed email.">
          Follow the link we emailed you, or get a new one under <a href="/account/security">Security</a>. The sandbox
          is open.
        </Empty>
      </Sheet>
    </>,
    { status: 403 },
  );
}

/** For a suspended merchant, which reads and changes nothing. */
export function suspendedPage({ member }: Visit): PageAnswer {
  const title = "The account is suspended";
  return page(
    title,
    <>
      <PageHead title={title} />
      <Sheet>
        <Empty title={`${member.name} is suspended.`}>
          You can read everything, but nothing is bought or changed until the operator of this service resumes the
          account.
        </Empty>
      </Sheet>
    </>,
    { status: 403 },
  );
}

/** Asks for a code, a passkey or else the password before something sensitive; the form that was sent waits in it. */
export function confirmPage(visit: Visit, form: Form, error: string | null): PageAnswer {
  const title = "Confirm that it is you";
  const { hasTotp, hasPasskey } = visit.session.person;
  const action = visit.request.url;
  return page(
    title,
    <>
      <PageHead title={title}>Confirm it’s you to finish. We kept what you sent, except passwords and codes.</PageHead>
      <Sheet>
        {hasPasskey && !hasTotp ? null : (
          <PlainForm action={action} onceToken={null} submit="Confirm and go on">
            <KeptFields form={form} without={[factorField]} />
            <PasswordField
              name={factorField}
              label={hasTotp ? "Code of your authenticator app, or a backup code" : "Password"}
              error={error}
              autocomplete={hasTotp ? "one-time-code" : "current-password"}
              isFocused
            />
          </PlainForm>
        )}
        {hasPasskey ? <ConfirmByPasskey {...{ form, action, error: hasTotp ? null : error }} /> : null}
      </Sheet>
    </>,
    { status: 403 },
  );
}

/** What the form of a passkey brings under `factorField`: its answer is in fields of its own. */
export const byPasskey = "passkey";

function ConfirmByPasskey(props: { readonly form: Form; readonly action: string; readonly error: string | null }) {
  return (
    <>
      {props.error === null ? null : <p class="error">{props.error}</p>}
      <PasskeyForm action={props.action} submit="Confirm with your passkey">
        <KeptFields form={props.form} without={[factorField, "token", "response"]} />
        <input type="hidden" name={factorField} value={byPasskey} />
      </PasskeyForm>
      <p class="hint">
        Passkey lost? <a href="/reset-password">Reset your password</a> and remove your passkeys there.
      </p>
    </>
  );
}

/** What a form held, to be copied: nothing that was typed is lost, but for secrets. */
function Typed({ form }: { readonly form: Form }) {
  const typed = [...form.fields].filter(([name]) => name !== onceField && name !== "merchant" && !isSecretField(name));
  return (
    <dl class="facts">
      {typed.map(([name, values]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{values.join(", ")}</dd>
        </div>
      ))}
    </dl>
  );
}

/** For an address of the console that leads nowhere. */
export function notFoundPage(): PageAnswer {
  const title = "Not found";
  return page(
    title,
    <>
      <PageHead title={title} />
      <Sheet>
        <Empty title="There is nothing here.">
          It may have been removed, or belong to the other mode or another business. The search above takes any id.
        </Empty>
      </Sheet>
    </>,
    { status: 404 },
  );
}
