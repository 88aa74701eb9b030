/** Pages that links in letters lead to, each with a button. */
export type LinkedPage = "/verify-email" | "/change-email" | "/reset-password" | "/accept-invitation" | "/log-in/link";

/** A link into the console. `publicUrl` is an origin: the one that the operator set, or this machine's own, never what a client claims. */
export function linkTo(publicUrl: string, page: LinkedPage, token: string): string {
  return `${publicUrl}${page}?token=${token}`;
}
