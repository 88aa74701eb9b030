import { expect, test } from "vitest";
import {
  formatNetworkNumbers,
  parseNetworkNumbers,
  usualNetworkNumbers,
} from "../../../src/domain/merchants/legacy-settings.ts";

test.each([
  ["1=mtn,2=glo,3=9mobile,4=airtel", "1=MTN,2=GLO,3=9MOBILE,4=AIRTEL"],
  [" 4 = Airtel, 1=MTN,2=Glo,3=T2", "1=MTN,2=GLO,3=9MOBILE,4=AIRTEL"],
  ["99=mtn,2=airtel,3=glo,10=etisalat", "2=AIRTEL,3=GLO,10=9MOBILE,99=MTN"],
])("%s is read, and told as %s", (text, reply) => {
  const numbers = parseNetworkNumbers(text);
  expect(numbers && formatNetworkNumbers(numbers)).toBe(reply);
  expect(parseNetworkNumbers(reply)).toEqual(numbers);
});

test("the usual numbers are the contract's", () => {
  expect(formatNetworkNumbers(usualNetworkNumbers)).toBe("1=MTN,2=GLO,3=9MOBILE,4=AIRTEL");
});

test.each([
  "",
  "1=mtn",
  "1=mtn,2=glo,3=9mobile",
  "1=mtn,2=glo,3=9mobile,3=airtel",
  "1=mtn,2=glo,3=9mobile,4=mtn",
  "1=mtn,2=glo,3=9mobile,4=airtel,5=mtn",
  "0=mtn,2=glo,3=9mobile,4=airtel",
  "100=mtn,2=glo,3=9mobile,4=airtel",
  "1=mtn,2=glo,3=9mobile,4=vodafone",
  "mtn=1,glo=2,9mobile=3,airtel=4",
])("%j is no numbering", (text) => {
  expect(parseNetworkNumbers(text)).toBeNull();
});
