import { findOffer, joinStaff, type Offer } from "../../../domain/staff/staff.ts";
import { Refusal } from "../../../kernel/problems.ts";
import { type FrameAnswer, goTo } from "../../kit/answer.tsx";
import { changeEmailPages } from "../../kit/entrance/address-links.tsx";
import { endedLinkPage } from "../../kit/entrance/links.tsx";
import { type Typed, typedForm, untouched } from "../../kit/form.ts";
import type { GateServices } from "../../kit/gate.ts";
import type { GuestRoutes } from "../../kit/guest.ts";
import { NewPasswordField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { securityPath } from "../realm.tsx";

const here = "/operator/join";

/** Behind the printed link, and behind the link of an invitation: a name and a password, then the login. */
export function joinPages(routes: GuestRoutes, services: GateServices): void {
  const { people } = services;
  routes.page(here, async ({ query }) => {
    const token = query.get("token") ?? "";
    const offer = await findOffer(people, token);
    return offer === null ? expiredLinkPage() : joinPage(offer, token, untouched);
  });

  const expired = () => endedLinkPage("/operator", <p>Log in and ask for a new one under Security.</p>);
  changeEmailPages(routes, services, { base: "/operator", home: securityPath, expired });

  routes.form(here, async ({ form }) => {
    const token = form.raw("token");
    try {
      const given = { token, email: form.text("email"), name: form.text("name"), password: form.raw("password") };
      const joined = await joinStaff(people, given);
      if (joined.kind === "refused") return expiredLinkPage();
      return goTo("/operator/log-in", "Your account is ready. Log in with your password, then set up two-step login.");
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const offer = await findOffer(people, token);
      return offer === null ? expiredLinkPage() : joinPage(offer, token, typedForm(form, error));
    }
  });
}

function joinPage(offer: Offer, token: string, typed: Typed): FrameAnswer {
  return {
    title: offer.kind === "first" ? "Make the first admin" : "Join the company’s console",
    status: typed.refusal === null ? 200 : 400,
    body: (
      <Form action={here} submit="Create account" hidden={{ token }} error={typed.whole}>
        {offer.kind === "first" ? (
          <>
            <p>This account may do everything, and invites the others.</p>
            <TextField {...typed.field("email")} label="Email" type="email" autocomplete="username" isFocused />
          </>
        ) : (
          <p>
            {offer.email} is invited as {offer.role}. Choose a password to log in with.
          </p>
        )}
        <TextField {...typed.field("name")} label="Your name" autocomplete="name" isFocused={offer.kind !== "first"} />
        <NewPasswordField error={typed.error("password")} />
      </Form>
    ),
  };
}

function expiredLinkPage(): FrameAnswer {
  return endedLinkPage(
    "/operator",
    <p>
      An admin can invite you again. For the first admin, <code>staff first-link</code> prints a new link.
    </p>,
  );
}
