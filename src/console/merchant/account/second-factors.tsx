import { addPasskey, beginPasskey, removePasskey, siteOf } from "../../../domain/identity/people/passkeys.ts";
import {
  beginTotp,
  confirmTotp,
  renewBackupCodes,
  type SetUp,
  turnOffTotp,
} from "../../../domain/identity/people/totp.ts";
import { type Answer, goBack, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { passkeyAnswerIn } from "../../kit/form.ts";
import { CodeBlock } from "../../kit/parts/data.tsx";
import { TextField } from "../../kit/parts/fields.tsx";
import { Form, PasskeyForm } from "../../kit/parts/form.tsx";
import { ButtonLink, Sheet } from "../../kit/parts/layout.tsx";
import type { AccountRoutes } from "../access.ts";
import type { MerchantServices } from "../services.ts";

const here = "/account/security";
export const staleSentence = "It’s over 15 minutes since you confirmed it’s you. Try again.";

/** What every change of one's own factors shares. */
type Change = Pick<Parameters<AccountRoutes["form"]>[1], "capability" | "doneAt" | "show">;

/** An authenticator app and its backup codes. */
export function totpForms(routes: AccountRoutes, { people }: MerchantServices, change: Change): void {
  routes.form(`${here}/app`, {
    ...change,
    async send(visit) {
      const begun = await beginTotp(people, visit.session);
      switch (begun.kind) {
        case "begun":
          return appPage(begun, null);
        case "in_use":
          return goBack(here, "You already use an authenticator app.");
        case "unverified":
          return goBack(here, "Confirm your email first.");
        case "stale":
          return goBack(here, staleSentence);
      }
    },
  });

  routes.form(`${here}/app/confirm`, {
    ...change,
    async send(visit, form) {
      const confirmed = await confirmTotp(people, visit.session, form.text("code").replace(/\s/g, ""));
      switch (confirmed.kind) {
        case "confirmed":
          return codesPage("Two-step login is on", confirmed.backupCodes);
        case "wrong":
          return appPage(confirmed, "That code didn’t match. Check your phone’s clock and try the next code.");
        case "not_begun":
          return goBack(here, "Set up the authenticator app first.");
        case "in_use":
          return goBack(here, "You already use an authenticator app.");
        case "stale":
          return goBack(here, staleSentence);
      }
    },
  });

  routes.form(`${here}/app/off`, {
    ...change,
    async send(visit) {
      const { kind } = await turnOffTotp(people, visit.session);
      return kind === "stale" ? goBack(here, staleSentence) : goTo(here, "Authenticator app removed.");
    },
  });

  routes.form(`${here}/codes`, {
    ...change,
    async send(visit) {
      const made = await renewBackupCodes(people, visit.session);
      if (made.kind === "made") return codesPage("New backup codes", made.backupCodes);
      return goBack(
        here,
        made.kind === "stale" ? staleSentence : "Set up an authenticator app first. Backup codes replace it.",
      );
    },
  });
}

/** Passkeys: added in two steps, as the browser signs in between. */
export function passkeyForms(routes: AccountRoutes, { people }: MerchantServices, change: Change): void {
  routes.form(`${here}/passkeys/begin`, {
    ...change,
    async send(visit) {
      const begun = await beginPasskey(people, visit.session, siteOf(visit.place.origin));
      if (begun.kind === "begun") return passkeyPage(begun);
      return goBack(here, begun.kind === "stale" ? staleSentence : "Confirm your email first.");
    },
  });

  routes.form(`${here}/passkeys/add`, {
    ...change,
    async send(visit, form) {
      const { kind } = await addPasskey(people, visit.session, {
        token: form.raw("token"),
        response: passkeyAnswerIn(form),
        label: form.text("label"),
        site: siteOf(visit.place.origin),
      });
      if (kind === "added") return goTo(here, "Passkey added. You can log in with it.");
      return goBack(here, kind === "stale" ? staleSentence : "Your browser’s answer didn’t match. Try again.");
    },
  });

  routes.form(`${here}/passkeys/remove`, {
    ...change,
    async send(visit, form) {
      const { kind } = await removePasskey(people, visit.session, form.text("id"));
      return kind === "stale" ? goBack(here, staleSentence) : goTo(here, "Passkey removed.");
    },
  });
}

/** What draws it is loaded when the first one is asked for. */
async function qrCodeOf(uri: string): Promise<string> {
  const { toDataURL } = await import("qrcode");
  return toDataURL(uri, { margin: 1, width: 220 });
}

async function appPage({ secret, uri }: SetUp, error: string | null): Promise<Answer> {
  const qrCode = await qrCodeOf(uri);
  const note = "Scan the code with an app such as Google Authenticator, or type the key into it.";
  return page(
    { title: "Set up an authenticator app", note, status: error === null ? 200 : 400 },
    <Sheet>
      <img src={qrCode} width={220} height={220} alt="QR code for the authenticator app" />
      <CodeBlock code={secret} label="Key" />
      <Form action={`${here}/app/confirm`} submit="Turn on two-step login" cancelHref={here}>
        <TextField
          name="code"
          label="6-digit code from the app"
          error={error}
          keys="numeric"
          autocomplete="one-time-code"
          isCode
          isFocused
        />
      </Form>
    </Sheet>,
  );
}

function codesPage(title: string, codes: readonly string[]): PageAnswer {
  return page(
    { title, note: "Your backup codes. Each one logs you in once if you lose the app. You won’t see them again." },
    <Sheet>
      <CodeBlock code={codes.join("\n")} label="Backup codes" />
      <p>Print them, or keep them where you keep your passwords.</p>
      <ButtonLink href={here} kind="main">
        I’ve saved my codes
      </ButtonLink>
    </Sheet>,
  );
}

function passkeyPage(begun: { readonly options: object; readonly token: string }): PageAnswer {
  return page(
    { title: "Add a passkey", note: "Your browser asks for your fingerprint, face or PIN." },
    <Sheet>
      <PasskeyForm action={`${here}/passkeys/add`} submit="Add passkey" begun={begun} cancelHref={here}>
        <TextField name="label" label="Name" value="This device" lengthMax={60} />
      </PasskeyForm>
      <noscript>A passkey needs JavaScript.</noscript>
    </Sheet>,
  );
}
