import { expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { electricityWish, type Sold, startReview } from "../support/review-sales.ts";

// What a statement's lines may not do together, and what becomes of those that can't be read.

const review = closing(await startReview());
const { parked, sell, present, statusOf, waiting, approve, ada, bola } = review;
const path = "/operator/review/statement";
const evidence = "first’s statement of today, by email from Bola";
const statementOf = (...lines: string[]) => ["reference,state,amount,token,units,receipt_number", ...lines].join("\n");

/** The look before, then the request with exactly what was seen. */
async function askFor(statement: string): Promise<string> {
  const fields = { supplier: "first", by: "reference", statement, evidence };
  const { text } = await bola.send(path, fields);
  const seen = /name="seen" value="([^"]*)"/.exec(text)?.[1] ?? "";
  await bola.send(`${path}/ask`, { ...fields, seen });
  return text;
}

test("a token on two lines is doubtful on both, as is one that was sold before; a person's hand can't give it either", async () => {
  const electricity = "/electricity/purchase";
  const metered = async () => parked(electricity, electricityWish);
  const [one, other, third, plain] = [await metered(), await metered(), await metered(), await metered()];
  const sold = await sell(electricity, electricityWish);
  const { token } = await present(sold);
  const line = ({ id }: Sold, code: string) => `${id}-1,delivered,4500.00,${code},22.20,4711`;
  const statement = statementOf(
    line(one, "1111-2222-3333-4444-5555"),
    line(other, "11112222333344445555"),
    line(third, token),
    line(plain, "66667777888899990000"),
    "THEIRS-9,delivered,4500.00,1111 2222 3333 4444 5555,22.20,4712",
  );
  const look = await askFor(statement);
  expect(look.split("Lines 2 and 3 hand over one token, PIN or code")).toHaveLength(3);
  expect(look).toContain(`sold before, with ${sold.id}`);
  expect(look).toContain("end 1 sale");
  // Meanwhile the supplier sells the one plain token to somebody else.
  const { delivery } = await present(sold);
  const tokens = [{ ...delivery.tokens[0], value: "66667777888899990000" }];
  const goods = { ...delivery, token: tokens[0].value, token_formatted: "6666-7777-8888-9999-0000", tokens };
  review.supplier.answer = { kind: "vended", providerReference: "S-1", fulfilment: goods };
  expect((await present(await sell(electricity, electricityWish))).status).toBe("successful");
  expect((await approve(ada)).text).toContain("would hand over what another sale got before");
  await ada.send(await waiting(), { do: "refuse" });
  const queue = (await bola.get(`/operator/review/${plain.id}`)).text;
  const fields = queue.matchAll(/<label for="(fulfilment-\d+)">([^<]*)/g);
  const names = new Map([...fields].map(([, name = "", label = ""]) => [label, name]));
  const given = { Token: token, "Token again": token, Units: "22.20", "Receipt number": "4711" };
  const named = Object.fromEntries(Object.entries(given).map(([label, value]) => [names.get(label), value]));
  const hand = await bola.send(`/operator/review/${plain.id}/resolve`, { result: "vended", evidence, ...named });
  expect(hand.text).toContain(`sold before, with ${sold.id}`);
  for (const sale of [one, other, third, plain]) expect(await statusOf(sale)).toBe("pending");
});

test("lines that can't be read are named with what is wrong, and the others go on", async () => {
  const sale = await parked();
  const wrong = ["TXN-1,maybe", ",delivered", "1.5E+20,delivered"];
  const look = await askFor(statementOf(...wrong, `${sale.id}-1,not delivered`));
  const reasons = [
    "Its state is “maybe”",
    "It names no sale",
    "A spreadsheet keeps 15 digits",
    "3 wrong",
    "end 1 sale",
  ];
  for (const words of reasons) expect(look).toContain(words);
  await approve(ada);
  expect(await statusOf(sale)).toBe("failed");
});
