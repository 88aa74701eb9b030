/** Characters that move a terminal's cursor, clear or colour it, or turn the direction of writing: none is printed. */
export const terminalControls = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Text as a person may see it on a terminal: what a supplier or a merchant wrote for it to obey is spelt out. */
export function terminalText(text: string): string {
  return text.replace(terminalControls, (found) => (found === "\n" ? found : `\\u{${codeOf(found)}}`));
}

/** A character's number in hexadecimal digits. */
export function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16);
}
