import type { StubAnswer, StubRecord } from "./stub-dialect.ts";

// What Reloadly answers with, as its documentation and its sandbox show it.

export const reloadlySecret = "k3SxP0-Qh7wMz2-RrT5vB8nC1dFg6JkL9-AaEeIiOo";
/** As long as theirs. */
export const tokenFor = (service: string) => `eyJraWQiOiI1N2${service}.${"a1B2c3D4".repeat(120)}`;

export function cardAt(n: number) {
  return {
    cardNumber: `AMZQ-K7M9${n}-WXYZ`,
    pinCode: `EFSD${n}CEA`,
    redemptionUrl: `https://redeem.example/k7m9qxr2/${n}`,
  };
}

export function transaction(record: StubRecord, status: string): Record<string, unknown> {
  const { body } = record.calls;
  const common = { transactionId: Number(record.id), status, customIdentifier: record.reference, fee: 1 };
  if (body.service === "topups") {
    return {
      ...common,
      operatorTransactionId: null,
      recipientPhone: Number(record.number),
      countryCode: "NG",
      operatorId: body.operatorId,
      operatorName: "MTN Nigeria",
      requestedAmount: body.amount,
      requestedAmountCurrencyCode: body.useLocalAmount === true ? "NGN" : "USD",
      deliveredAmount: body.amount,
      deliveredAmountCurrencyCode: "NGN",
      transactionDate: "2026-11-20 07:00:31",
      pinDetail: null,
    };
  }
  const { productId, quantity, unitPrice, recipientEmail = null } = body;
  const brand = { brandId: 2, brandName: "Amazon" };
  return {
    ...common,
    amount: 22.20932,
    currencyCode: "USD",
    discount: 0,
    smsFee: 0,
    recipientEmail,
    transactionCreatedTime: "2026-11-20 07:00:31",
    product: {
      productId,
      productName: "Amazon US",
      countryCode: "US",
      quantity,
      unitPrice,
      currencyCode: "USD",
      brand,
    },
  };
}

export function page(content: readonly unknown[]) {
  return { content, totalElements: content.length, totalPages: 1, number: 0, first: true, last: true };
}

export function refusal(status: number, errorCode: string | null, message: string): StubAnswer {
  const path = "/orders";
  return { status, body: { timeStamp: "2026-11-20 07:00:31", message, path, errorCode, infoLink: null, details: [] } };
}
