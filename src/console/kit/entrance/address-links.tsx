import { changeEmail } from "../../../domain/identity/people/addresses.ts";
import { isLinkGood, type OwnToken } from "../../../domain/identity/people/one-time-tokens.ts";
import { type FrameAnswer, goTo, type RedirectAnswer } from "../answer.tsx";
import type { GateServices } from "../gate.ts";
import type { GuestRoutes } from "../guest.ts";
import { logInFor, otherAddressPage, tokenPage } from "./links.tsx";

interface AddressLink {
  /** What the realm's addresses begin with. */
  readonly base: string;
  readonly path: string;
  readonly purpose: "verify_email" | "change_email";
  readonly title: string;
  readonly submit: string;
  readonly expired: () => FrameAnswer;
  readonly follow: (own: OwnToken) => Promise<FrameAnswer | RedirectAnswer>;
}

/**
 * The page behind a link to an address, and its button: for a person who is logged in to the account that asked. The one
 * who reads the mailbox may be another one, whose address a stranger typed.
 */
export function addressLink(routes: GuestRoutes, { people }: GateServices, link: AddressLink): void {
  const { base, path, purpose, title, submit } = link;

  routes.page(path, async ({ query, session }) => {
    const token = query.get("token") ?? "";
    if (!(await isLinkGood(people, purpose, token))) return link.expired();
    if (session?.level !== "second_factor") return logInFor(base, `${path}?token=${token}`);
    return tokenPage({ title, action: path, token, submit });
  });

  routes.form(path, ({ form, session }) => {
    const token = form.raw("token");
    if (session?.level !== "second_factor") return logInFor(base, `${path}?token=${encodeURIComponent(token)}`);
    return link.follow({ token, session });
  });
}

/** Another address to log in with, in the realm that asked for it. */
export function changeEmailPages(
  routes: GuestRoutes,
  services: GateServices,
  { base, home, expired }: Pick<AddressLink, "base" | "expired"> & { readonly home: string },
): void {
  const taken: FrameAnswer = {
    title: "That email is in use",
    status: 409,
    body: <p>Another account uses that email, so yours stays as it is.</p>,
    footer: <a href={home}>Back to security</a>,
  };
  addressLink(routes, services, {
    ...{ base, expired, path: `${base}/change-email`, purpose: "change_email" },
    title: "Log in with this email",
    submit: "Change email",
    async follow(own) {
      const changed = await changeEmail(services.people, own);
      if (changed.kind === "other_account") return otherAddressPage(base, own.session.person.email);
      if (changed.kind !== "changed") return changed.kind === "taken" ? taken : expired();
      return goTo(home, `You now log in with ${changed.person.email}.`);
    },
  });
}
