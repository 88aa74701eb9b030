import type { ComponentChildren } from "preact";
import type { FrameAnswer } from "../answer.tsx";

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
