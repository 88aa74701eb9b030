const shape = /^(-?)(\d{1,15})(?:\.(\d{1,2}))?$/;

/** Kobo in an amount as the API writes it: `toKobo("1240.50")` is `124050n`. @throws TypeError for anything else */
export function toKobo(amount: string): bigint {
  const [, sign, naira = "", kobo = ""] = shape.exec(amount) ?? [];
  if (sign === undefined) throw new TypeError(`Not an amount of naira: ${JSON.stringify(amount)}`);
  const total = BigInt(naira) * 100n + BigInt(kobo.padEnd(2, "0"));
  return sign === "-" ? -total : total;
}

/** An amount as the API takes it: `fromKobo(124050n)` is `"1240.50"`. */
export function fromKobo(kobo: bigint): string {
  const digits = String(kobo < 0n ? -kobo : kobo).padStart(3, "0");
  return `${kobo < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The sum of amounts, without a float in between: `addAmounts("0.10", "0.20")` is `"0.30"`. */
export function addAmounts(...amounts: readonly string[]): string {
  return fromKobo(amounts.reduce((sum, amount) => sum + toKobo(amount), 0n));
}
