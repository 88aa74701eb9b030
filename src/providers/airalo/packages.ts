import type { Json } from "../../kernel/json.ts";
import type { ListedProduct } from "../contract.ts";
import type { CatalogueList, Question } from "../dialect.ts";
import { listAt, objectOf, textAt } from "../reply.ts";

const placesOnPage = 50;

/** By places, operators and packages. */
export const packageList: CatalogueList = {
  category: "esim",
  question: pageOf(1),
  read({ json }) {
    const places = placesIn(json.data);
    const page = Number(textAt(json, "meta", "current_page") ?? Number.NaN);
    const last = Number(textAt(json, "meta", "last_page") ?? Number.NaN);
    if (places === null || !Number.isSafeInteger(page) || !Number.isSafeInteger(last)) return null;
    return { products: places.flatMap(productsOf), next: page < last ? pageOf(page + 1) : null };
  },
};

function pageOf(page: number): Question {
  return { method: "GET", path: `/packages?limit=${placesOnPage}&page=${page}` };
}

/** From the second page on it is no list any more, but an object by the places' numbers. */
function placesIn(data: Json | undefined): readonly Json[] | null {
  if (Array.isArray(data)) return data;
  const byNumber = objectOf(data);
  return byNumber === null ? null : Object.values(byNumber);
}

function productsOf(place: Json): readonly ListedProduct[] {
  const biller = textAt(place, "title") ?? textAt(place, "slug") ?? "";
  return listAt(place, "operators").flatMap((operator) =>
    listAt(operator, "packages").flatMap((sold) => {
      const supplierCode = textAt(sold, "id");
      if (supplierCode === null || textAt(sold, "type") === "topup") return [];
      const words = [biller, textAt(operator, "title"), textAt(sold, "title")].filter((word) => word !== null);
      const hundredths = hundredthsCeiling(textAt(sold, "net_price"));
      const cost = hundredths === null ? null : { kind: "fixed" as const, currency: "USD", hundredths };
      return [{ category: "esim", supplierCode, name: words.join(" ").slice(0, 200), biller, face: null, cost }];
    }),
  );
}

/** What we pay, in dollars, must not look less than it is. */
function hundredthsCeiling(received: string | null): bigint | null {
  const [, whole, fraction = ""] = /^([0-9]{1,9})(?:\.([0-9]{1,9}))?$/.exec(received ?? "") ?? [];
  if (whole === undefined) return null;
  const isCut = /[1-9]/.test(fraction.slice(2));
  return BigInt(`${whole}${`${fraction}00`.slice(0, 2)}`) + (isCut ? 1n : 0n);
}
