/**
 * What no name and no label holds: what can't be seen, ends a line, or turns the direction of writing, so that another
 * thing is read than stands there. Inside of a regular expression's brackets, and by numbers alone, as clients in every
 * language read the API's patterns.
 */
export const unseenLetters =
  "\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb";

const unseen = new RegExp(`[${unseenLetters}]`);

export function hasUnseenLetters(text: string): boolean {
  return unseen.test(text);
}
