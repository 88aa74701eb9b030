interface MoneyProps {
  /** Kobo, or naira as the wire's decimal string: `"1284310.50"`. */
  readonly amount: bigint | string;
  /** With a plus or a minus: what came in and went out. */
  readonly isSigned?: boolean;
}

/** An amount of naira, `₦1,284,310.50`, that never breaks over two lines. */
export function Money({ amount, isSigned = false }: MoneyProps) {
  const text = isSigned ? signedMoney(amount) : moneyText(amount);
  return <span class={isSigned && text.startsWith("+") ? "money incoming" : "money"}>{text}</span>;
}

/** The same as text, for labels and titles. A negative amount begins with a true minus: `−₦500.00`. */
export function moneyText(amount: bigint | string): string {
  const text = typeof amount === "bigint" ? nairaOf(amount) : amount;
  const {
    sign = "",
    whole,
    cents = "",
  } = /^(?<sign>-)?(?<whole>\d+)(?:\.(?<cents>\d{1,2}))?$/.exec(text)?.groups ?? {};
  // A text that is no amount is shown as it is: a page is no place to fail for it.
  if (whole === undefined) return text;
  return `${sign === "" ? "" : "−"}₦${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${cents.padEnd(2, "0")}`;
}

/** The same with a plus before what came in. */
export function signedMoney(amount: bigint | string): string {
  const text = moneyText(amount);
  const isNothing = /^₦0\.00$/.test(text);
  return text.startsWith("₦") && !isNothing ? `+${text}` : text;
}

function nairaOf(kobo: bigint): string {
  const magnitude = kobo < 0n ? -kobo : kobo;
  return `${kobo < 0n ? "-" : ""}${magnitude / 100n}.${String(magnitude % 100n).padStart(2, "0")}`;
}
