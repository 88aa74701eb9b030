import type { ComponentChildren } from "preact";
import { type FrameAnswer, goTo, type RedirectAnswer } from "../answer.tsx";
import { Form } from "../parts/form.tsx";

/** Ends the session, for whoever has no other way on from a page. */
export function LogOut({ base, text = "Log out" }: { readonly base: string; readonly text?: string }) {
  return (
    <form method="post" action={`${base}/log-out`}>
      <button class="button quiet" type="submit">
        {text}
      </button>
    </form>
  );
}

/** For a link that was used before, or has expired. `another`: how to get a new one. */
export function endedLinkPage(base: string, another: ComponentChildren): FrameAnswer {
  return {
    title: "This link has expired",
    status: 410,
    body: (
      <>
        <p>Links work once and expire.</p>
        {another}
      </>
    ),
    footer: <a href={`${base}/log-in`}>Log in</a>,
  };
}

/** The page behind a link in an email: it has a button, as programs that look at emails open links and would use them up. */
export function tokenPage(link: Readonly<Record<"title" | "action" | "token" | "submit", string>>): FrameAnswer {
  const { title, action, token, submit } = link;
  return {
    title,
    body: (
      <Form action={action} submit={submit} hidden={{ token }}>
        <p>The link works once.</p>
      </Form>
    ),
  };
}

/** To the log-in, and on to a link afterwards. */
export function logInFor(base: string, next: string, flash?: string): RedirectAnswer {
  return goTo(`${base}/log-in?next=${encodeURIComponent(next)}`, flash);
}

/** For a link that belongs to another account than the one that is logged in. */
export function otherAddressPage(base: string, email: string): FrameAnswer {
  return {
    title: "This link is for another account",
    status: 403,
    body: (
      <Form action={`${base}/log-out`} submit="Log out">
        <p>You’re logged in as {email}. Log out, then open the link again and log in with the account it’s for.</p>
      </Form>
    ),
  };
}
