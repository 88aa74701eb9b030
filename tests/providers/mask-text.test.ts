import { expect, test } from "vitest";
import { maskText } from "../../src/providers/evidence/mask-text.ts";

test.each([
  ["Token : 2636-2054-4059-8275-7802", "Token : [20 digits]"],
  ["call 0803 123 4567 or ada@example.com", "call [11 digits] or [e-mail]"],
  ["units 79.9 kWh, code 011", "units 79.9 kWh, code 011"],
  ["Your PIN is ABCD-EFGH-JKLM and serial X9Y8Z7", "Your PIN is [12 characters] and serial [6 characters]"],
  ["Pin : AB12CD34EF", "Pin : [10 characters]"],
  [
    "Serial No:WRN12379050A, pin: 37382A||Serial No:B1C2",
    "Serial No:[12 characters], pin: [6 characters]||Serial No:[4 characters]",
  ],
  ["PIN Serial: X9Y8Z7; ePIN AB12 CD34 EF56 for ada", "PIN Serial: [6 characters]; ePIN [12 characters] for ada"],
  ["tokens are A1B2C3, D4E5F6 and 4 more", "tokens are [12 characters] and 4 more"],
  ["pin AB12CD<=>X9Y8Z7", "pin [12 characters]"],
  ['{"user_pin":"qw12er34"}', '{"user_pin":"[8 characters]"}'],
  ["your code is 9K7M-QXR2T-7HWP", "your code is [13 characters]"],
  ["PIN 4821", "PIN [4 characters]"],
  ["INVALID TOKEN PROVIDED, 2 PINs missing", "INVALID TOKEN PROVIDED, 2 PINs missing"],
  ["VARIATION CODE DOES NOT EXIST", "VARIATION CODE DOES NOT EXIST"],
  ["variation code mtn-10mb-100, error code: ERR-1001", "variation code mtn-10mb-100, error code: ERR-1001"],
  ["Token generation failed: pin is re-issued", "Token generation failed: pin is re-issued"],
])("%s is kept as %s", (text, kept) => {
  expect(maskText(text)).toBe(kept);
});

test.each(["PIN ABCDEFGH1234", "ada.lovelace@example.com", "2636-2054-4059-8275-7802"])(
  "wherever a long text is cut, no part of %s shows",
  (secret) => {
    const parts = [secret.slice(4, 7), secret.slice(0, 7)];
    for (let before = 4_000 - secret.length; before <= 4_000; before++) {
      const masked = maskText(`${"x ".repeat(before).slice(0, before - 1)} ${secret} ${"y ".repeat(3_000)}`);
      for (const part of parts) expect(masked).not.toContain(part);
      expect(masked).toMatch(/… of [0-9]+ characters$/);
    }
  },
);
