/** Pages that links in letters lead to, each with a button. */
export type LinkedPage = "/verify-email" | "/change-email" | "/reset-password" | "/accept-invitation" | "/log-in/link";

/** A link into the console. `publicUrl` is an origin; see `letterOrigin`. */
export function linkTo(publicUrl: string, page: LinkedPage, token: string): string {
  return `${publicUrl}${page}?token=${token}`;
}

const loopback = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;

/**
 * The origin that links in letters begin with: the one that the operator set, or where none is set the address of this
 * machine that was reached. Never what a client claims the host to be: null for every other address.
 */
export function letterOrigin(publicUrl: string | null, reached: string): string | null {
  if (publicUrl !== null) return publicUrl;
  return loopback.test(reached) ? reached : null;
}
