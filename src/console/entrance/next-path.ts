/** A path of this console to go on to after the log-in; the overview for anything else, such as another site's address. */
export function nextPath(text: string | undefined): string {
  return text !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(text) ? text : "/live/overview";
}
