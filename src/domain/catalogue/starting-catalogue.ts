import type { ProductId } from "../../kernel/ids.ts";
import type { Database } from "../../platform/database.ts";
import { bumpRevision } from "../../platform/revisions.ts";
import { insertProductChanges } from "./change-queries.ts";
import { rowOfBiller, rowOfProduct } from "./product-row.ts";
import { insertBillers, insertProducts } from "./queries.ts";
import { airtelData } from "./starting-catalogue/airtel-data.ts";
import { airtime } from "./starting-catalogue/airtime.ts";
import { betting } from "./starting-catalogue/betting.ts";
import { cable } from "./starting-catalogue/cable.ts";
import { education } from "./starting-catalogue/education.ts";
import { electricity } from "./starting-catalogue/electricity.ts";
import { esims } from "./starting-catalogue/esims.ts";
import { giftCards } from "./starting-catalogue/gift-cards.ts";
import { gloData } from "./starting-catalogue/glo-data.ts";
import { internet } from "./starting-catalogue/internet.ts";
import { mtnData } from "./starting-catalogue/mtn-data.ts";
import { rechargePins } from "./starting-catalogue/recharge-pins.ts";
import { sms } from "./starting-catalogue/sms.ts";
import type { StartingPart } from "./starting-catalogue/starting-product.ts";
import { t2Data } from "./starting-catalogue/t2-data.ts";
import { voice } from "./starting-catalogue/voice.ts";

const parts: readonly StartingPart[] = [
  mtnData,
  gloData,
  t2Data,
  airtelData,
  airtime,
  electricity,
  cable,
  education,
  betting,
  internet,
  voice,
  sms,
  rechargePins,
  giftCards,
  esims,
];

/** What a new deployment sells. Figures are samples from public pages; the operator sets its own. */
export const startingCatalogue: StartingPart = {
  billers: parts.flatMap((part) => part.billers),
  products: parts.flatMap((part) => part.products),
};

/**
 * Adds what is missing of the starting catalogue; what is there stays as its operator left it, prices included. Two
 * statements in one transaction. Safe to repeat and to run from several processes at once.
 * @returns how many products were added
 */
export async function loadStartingCatalogue(database: Database): Promise<number> {
  return database.transaction(async (tx) => {
    const billers = await tx.query(insertBillers, [JSON.stringify(startingCatalogue.billers.map(rowOfBiller))]);
    const products = await tx.query<{ id: ProductId }>(insertProducts, [
      JSON.stringify(startingCatalogue.products.map(rowOfProduct)),
    ]);
    if (billers.length + products.length > 0) await bumpRevision(tx, "catalogue");
    // A catalogue that is all new has no readers yet.
    const isNew = products.length === startingCatalogue.products.length;
    if (!isNew) await insertProductChanges(tx, "availability", products.map(idOf));
    return products.length;
  });
}

const idOf = ({ id }: { readonly id: ProductId }) => id;
