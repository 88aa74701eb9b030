import { renderToString } from "preact-render-to-string";
import { expect, test } from "vitest";
import { Money, moneyText } from "../../../src/console/kit/parts/text.tsx";

test.each([
  ["1284310.50", "₦1,284,310.50"],
  ["1284310.5", "₦1,284,310.50"],
  ["999", "₦999.00"],
  ["0.07", "₦0.07"],
  ["-500.00", "−₦500.00"],
  [128431050n, "₦1,284,310.50"],
  [5n, "₦0.05"],
  [0n, "₦0.00"],
  [-123456789n, "−₦1,234,567.89"],
  [9_007_199_254_740_993n, "₦90,071,992,547,409.93"],
])("%s is shown as naira with two decimals: %s", (amount, shown) => {
  expect(moneyText(amount)).toBe(shown);
});

test("a text that is no amount is shown as it is", () => {
  expect(moneyText("1e9")).toBe("1e9");
});

test("a signed amount says whether money came in or went out, and nothing has no sign", () => {
  const signed = (amount: string) => renderToString(<Money amount={amount} isSigned />);
  expect(signed("500000.00")).toBe('<span class="money ink-good">+₦500,000<span class="kobo">.00</span></span>');
  expect(signed("-1240.00")).toBe('<span class="money">−₦1,240<span class="kobo">.00</span></span>');
  expect(signed("0.00")).toBe('<span class="money">₦0<span class="kobo">.00</span></span>');
});
