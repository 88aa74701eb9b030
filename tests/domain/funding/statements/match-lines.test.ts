import fc from "fast-check";
import { expect, test } from "vitest";
import type { AnnouncedTransfer } from "../../../../src/domain/funding/statements/announcement-queries.ts";
import type { KeptLine } from "../../../../src/domain/funding/statements/line-queries.ts";
import { matchLines } from "../../../../src/domain/funding/statements/match-lines.ts";
import {
  formatTransferReference,
  merchantsNamedIn,
} from "../../../../src/domain/funding/statements/transfer-reference.ts";
import type { BankReference } from "../../../../src/domain/wallet/credit-queries.ts";
import type { MerchantId } from "../../../../src/kernel/ids.ts";
import { kobo } from "../../../../src/kernel/money.ts";

const id = (number: number) => number as MerchantId;
const merchants = fc.integer({ min: 1, max: 28_629_150 }).map(id);
const letters = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";

test("a merchant's reference is found in whatever a bank makes of a narration, and is nobody else's", () => {
  fc.assert(
    fc.property(merchants, fc.constantFrom("-", " ", "", "/", ": "), (merchant, between) => {
      const [, code = ""] = formatTransferReference(merchant).split("-");
      expect(code).toMatch(/^[2-9A-HJKMNP-Z]{6}$/);
      expect(merchantsNamedIn(`nip/gtb/ada dsp${between}${code.toLowerCase()}/to kobo`)).toEqual([merchant]);
    }),
  );
});

test("one wrong letter, or two that changed places, make a reference nobody's", () => {
  const wrong = fc.record({ merchant: merchants, at: fc.integer({ min: 0, max: 5 }), to: fc.constantFrom(...letters) });
  fc.assert(
    fc.property(wrong, ({ merchant, at, to }) => {
      const code = [...(formatTransferReference(merchant).split("-")[1] ?? "")];
      const mistyped = code.with(at, to);
      const swapped = code.with(at, code[(at + 1) % 6] ?? "").with((at + 1) % 6, code[at] ?? "");
      for (const each of [mistyped, swapped]) {
        const isSame = each.join() === code.join();
        expect(merchantsNamedIn(`DSP-${each.join("")}`)).toEqual(isSame ? [merchant] : []);
      }
    }),
  );
});

const line = (number: number, narration: string, amount = 50_000n, paidOn = "2026-11-26") => {
  return { number, narration, amount: kobo(amount), paidOn, bankReference: `REF${number}` as BankReference };
};
const announced = (number: number, merchant: number, senderName: string, amount = 50_000n, day = "2026-11-26") =>
  ({
    ...{ number, merchantId: id(merchant), amount: kobo(amount), senderName, bank: "UBA", slipType: null },
    ...{ announcedBy: "", announcedAt: Date.parse(`${day}T09:00:00Z`), state: "waiting", lineNumber: null },
    endedBecause: null,
  }) satisfies AnnouncedTransfer as AnnouncedTransfer;

function shown(lines: readonly ReturnType<typeof line>[], waiting: readonly AnnouncedTransfer[]) {
  const found = matchLines(lines as unknown as readonly KeptLine[], waiting);
  return [...found].map(([number, { merchantId, announcement, by }]) => [
    number,
    merchantId,
    announcement?.number ?? null,
    by,
  ]);
}

test("a reference decides before amounts do, whether or not its merchant announced anything", () => {
  const reference = formatTransferReference(id(7));
  expect(shown([line(1, `TRF ${reference}`)], [announced(1, 8, "TRF")])).toEqual([[1, 7, null, "reference"]]);
  expect(shown([line(1, `TRF ${reference}`)], [announced(1, 8, "X"), announced(2, 7, "Y")])).toEqual([
    [1, 7, 2, "reference"],
  ]);
  expect(shown([line(1, `${reference} ${formatTransferReference(id(8))}`)], [])).toEqual([]);
  expect(shown([line(1, "FOR MER_17 THANKS")], [])).toEqual([[1, 17, null, "reference"]]);
});

test("without one the amount, the sender and the time decide; where two fit alike, nobody is proposed", () => {
  const ada = announced(1, 7, "Adébáyò Stores Ltd");
  expect(shown([line(1, "NIP ADEBAYO STORES LIMITED")], [ada])).toEqual([[1, 7, 1, "amount_and_sender"]]);
  expect(shown([line(1, "CASH DEPOSIT")], [ada])).toEqual([[1, 7, 1, "amount"]]);
  expect(shown([line(1, "CASH DEPOSIT"), line(2, "POS")], [ada])).toEqual([]);
  expect(shown([line(1, "CASH DEPOSIT")], [ada, announced(2, 8, "Bola")])).toEqual([]);
  expect(shown([line(1, "ADEBAYO STORES"), line(2, "POS")], [ada, announced(2, 8, "Bola Foods")])).toEqual([
    [1, 7, 1, "amount_and_sender"],
    [2, 8, 2, "amount"],
  ]);
  expect(shown([line(1, "ADEBAYO STORES", 50_001n)], [ada])).toEqual([]);
  expect(shown([line(1, "ADEBAYO STORES", 50_000n, "2026-12-20")], [ada])).toEqual([]);
});

test("an announcement is proposed for one line at most", () => {
  const reference = formatTransferReference(id(7));
  const lines = [line(1, reference), line(2, reference)];
  expect(shown(lines, [announced(1, 7, "Ada")])).toEqual([
    [1, 7, 1, "reference"],
    [2, 7, null, "reference"],
  ]);
});
