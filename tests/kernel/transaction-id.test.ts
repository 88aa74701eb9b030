import { expect, it } from "vitest";
import { formatTransactionId, type PurchaseId, parseTransactionId } from "../../src/kernel/ids.ts";
import type { Mode } from "../../src/kernel/mode.ts";

const handedOut: readonly [PurchaseId, Mode, string][] = [
  [0n as PurchaseId, "live", "TXN01DXF6DT0000000GBPCPEBATEY"],
  [912345678901234567n as PurchaseId, "live", "TXN01M81ST9MX0AJW72S1M6G4D8M8"],
  [912345678901234568n as PurchaseId, "live", "TXN01M81ST9MX0AJW82Z3V7CM302W"],
  [9223372036854775807n as PurchaseId, "test", "SBX03DXF6DSZZ3ZZZZ3CVVRWMKSQT"],
];

it.each(handedOut)("purchase %s in %s mode keeps the name that merchants have stored: %s", (id, mode, name) => {
  expect(formatTransactionId(id, mode)).toBe(name);
  expect(parseTransactionId(name, mode)).toBe(id);
});

it("a name with one character changed names nothing", () => {
  const [, , name] = handedOut[1] as (typeof handedOut)[number];
  const changed = Array.from(name.slice(3), (character, i) => {
    const other = character === "7" ? "8" : "7";
    return `${name.slice(0, 3 + i)}${other}${name.slice(4 + i)}`;
  });

  expect(changed.filter((text) => parseTransactionId(text, "live") !== null)).toEqual([]);
});
