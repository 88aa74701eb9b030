import type { ProductId } from "../../../kernel/ids.ts";
import type { Database } from "../../../platform/database/database.ts";
import { bumpRevision } from "../../../platform/revisions.ts";
import { insertProductChanges } from "../changes/change-queries.ts";
import { rowOfProduct } from "../product-row.ts";
import { insertBillers, insertProducts } from "../queries.ts";
import type { StartingPart } from "../starting-product.ts";
import { airtime } from "./airtime.ts";
import { betting } from "./betting.ts";
import { cable } from "./cable.ts";
import { airtelData, gloData, t2Data } from "./data-plans.ts";
import { education } from "./education.ts";
import { electricity } from "./electricity.ts";
import { esims } from "./esims.ts";
import { giftCards } from "./gift-cards.ts";
import { internet } from "./internet.ts";
import { mtnData } from "./mtn-data.ts";
import { rechargePins } from "./recharge-pins.ts";
import { sms } from "./sms.ts";
import { voice } from "./voice.ts";

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

/** The products of a new deployment. Figures are samples from public pages; the operator sets its own. */
export const startingCatalogue: StartingPart = {
  billers: parts.flatMap((part) => part.billers),
  products: parts.flatMap((part) => part.products),
};

/**
 * Adds what is missing of the starting catalogue; what is there stays as its operator left it, prices included. Two
 * statements in one transaction. Safe to repeat and to run from several processes at once.
 * @returns how many products were added
 */
export async function loadStartingCatalogue(database: Database, catalogue = startingCatalogue): Promise<number> {
  return database.transaction(async (tx) => {
    const billers = await tx.query(insertBillers, [JSON.stringify(catalogue.billers)]);
    const products = await tx.query<{ id: ProductId }>(insertProducts, [
      JSON.stringify(catalogue.products.map(rowOfProduct)),
    ]);
    if (billers.length + products.length > 0) await bumpRevision(tx, "catalogue");
    // A catalogue that is all new has no readers yet.
    const isNew = products.length === catalogue.products.length;
    if (!isNew) await insertProductChanges(tx, "availability", products.map(idOf));
    return products.length;
  });
}

const idOf = ({ id }: { readonly id: ProductId }) => id;
