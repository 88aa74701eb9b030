import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import type { NetworkNumbers } from "../../domain/merchants/legacy-settings.ts";
import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import { findMerchant } from "../../domain/merchants/queries.ts";
import { findWallet } from "../../domain/wallet/queries.ts";
import { type CatalogueView, viewOf } from "../../http/catalogue-view.ts";
import { principalOf, walletOf } from "../../http/request-context.ts";
import { integer, money, text } from "../../http/schemas/schemas.ts";
import { assert } from "../../kernel/assert.ts";
import { formatNaira } from "../../kernel/money.ts";
import type { Network } from "../../kernel/phone.ts";
import { forReaders } from "../../platform/database/database.ts";
import { refuseWhenAway } from "../../platform/database/refuse-when-away.ts";
import { legacyRoute } from "../operation.ts";
import { cablePlansOf, cableplan, dataPlansOf, onSale, plans } from "../plan-lists.ts";
import type { LegacyServices } from "../services.ts";

const percent = Type.Number({
  minimum: 0,
  maximum: 200,
  description:
    "Of the airtime's value: what it costs, with a fee that is a percentage (where that has a cap: at most). A fee that is an amount comes on top.",
  examples: [96.8],
});
const nothing = Type.Literal("", { description: "Always empty." });

function perNetwork<Schema extends typeof percentRow | typeof topupRow>(row: Schema) {
  return Type.Object({ MTN: row, GLO: row, "9MOBILE": row, AIRTEL: row });
}
const percentRow = Type.Object({ percent, phone: nothing });
const topupRow = Type.Object({ VTU: percent });

const userAnswer = Type.Object(
  {
    user: Type.Object({
      id: integer({ minimum: 1, maximum: 2_147_483_647 }, "The account.", 1),
      email: text(255, "The account's e-mail address.", "shop@example.ng"),
      username: text(100, "The account, by name.", "mer_1"),
      FullName: text(200, "The account's name.", "Corner Shop"),
      Phone: nothing,
      user_type: Type.Literal("API"),
      Account_Balance: Type.Number({ description: "The balance, as a number.", examples: [100_000] }),
      wallet_balance: money("The balance, as text.", "100000.00"),
      bonus_balance: money("Always 0.00.", "0.00"),
    }),
    percentage: perNetwork(percentRow),
    topuppercentage: perNetwork(topupRow),
    Dataplans: Type.Object({
      MTN_PLAN: Type.Object({ ALL: plans, SME: plans, GIFTING: plans, CORPORATE: plans }),
      GLO_PLAN: Type.Object({ ALL: plans }),
      AIRTEL_PLAN: Type.Object({ ALL: plans }),
      "9MOBILE_PLAN": Type.Object({ ALL: plans }),
    }),
    Cableplan: cableplan,
  },
  { "x-component": "LegacyUser" },
);

/** `/api/user`: the account, its balance, and what it pays for airtime and data. */
export function legacyUserRoutes(app: FastifyInstance, services: LegacyServices): void {
  const reads = forReaders(services.database);
  for (const method of ["GET", "POST"] as const) {
    const handler = (request: FastifyRequest) => answerUser(request).catch(refuseWhenAway);
    legacyRoute(app, { method, task: "read", notes: notesOf(method), handler });
  }

  async function answerUser(request: FastifyRequest) {
    const key = walletOf(request);
    const [merchant, wallet, view] = await Promise.all([
      findMerchant(reads, key.merchantId),
      findWallet(reads, key),
      viewOf(services, request),
    ]);
    assert(merchant !== null && wallet !== null, "a principal has its merchant, and that its wallets");
    const balance = formatNaira(wallet.balance);
    return {
      user: {
        id: merchant.id,
        email: merchant.email,
        username: formatMerchantId(merchant.id),
        FullName: merchant.name,
        Phone: "",
        user_type: "API",
        Account_Balance: Number(balance),
        wallet_balance: balance,
        bonus_balance: "0.00",
      },
      ...pricesOf(view, principalOf(request).legacy.networks.data),
    };
  }
}

/** Some clients send a body with the question, which nobody reads. */
function notesOf(method: "GET" | "POST") {
  return {
    id: method === "GET" ? "legacyGetUser" : "legacyPostUser",
    summary: `Account, balance and plans, as older clients ${method === "GET" ? "read" : "ask for"} them`,
    description:
      "Who the key belongs to, what its wallet holds, and every data plan and TV bouquet that can be bought now, at this account's price.",
    responses: { 200: userAnswer },
  };
}

function pricesOf(view: CatalogueView, numbers: NetworkNumbers): Omit<Static<typeof userAnswer>, "user"> {
  const share = (network: Network) => airtimePercent(view, network);
  const [MTN, GLO, T2, AIRTEL] = [share("MTN"), share("GLO"), share("9MOBILE"), share("AIRTEL")];
  const of = dataPlansOf(view, numbers);
  const mtnOf = (planType: string) => of("MTN").filter((row) => row.plan_type === planType);
  return {
    percentage: {
      MTN: { percent: MTN, phone: "" },
      GLO: { percent: GLO, phone: "" },
      "9MOBILE": { percent: T2, phone: "" },
      AIRTEL: { percent: AIRTEL, phone: "" },
    },
    topuppercentage: { MTN: { VTU: MTN }, GLO: { VTU: GLO }, "9MOBILE": { VTU: T2 }, AIRTEL: { VTU: AIRTEL } },
    Dataplans: {
      MTN_PLAN: {
        ALL: of("MTN"),
        SME: mtnOf("SME"),
        GIFTING: mtnOf("GIFTING"),
        CORPORATE: mtnOf("CORPORATE GIFTING"),
      },
      GLO_PLAN: { ALL: of("GLO") },
      AIRTEL_PLAN: { ALL: of("AIRTEL") },
      "9MOBILE_PLAN": { ALL: of("9MOBILE") },
    },
    Cableplan: cablePlansOf(view),
  };
}

/** Price and fee together. 100 where no airtime of the network is on sale: nothing is cheaper than its value then. */
function airtimePercent(view: CatalogueView, network: Network): number {
  const product = onSale(view, "airtime").find(
    ({ biller, amountType }) => biller.network === network && amountType === "variable",
  );
  const price = product === undefined ? null : view.snapshot.priceOf(product, view.buyer);
  if (price?.kind !== "percent") return 100;
  const fee = price.fee?.kind === "percent" ? price.fee.basisPoints : 0n;
  return Number(price.basisPoints + fee) / 100;
}
