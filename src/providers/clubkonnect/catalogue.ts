import type { Json } from "../../kernel/json.ts";
import type { ListedProduct } from "../contract.ts";
import type { CatalogueList } from "../dialect.ts";
import { at, firstText, koboOf, objectOf, textAt } from "../reply.ts";
import { scriptOf } from "./codes.ts";

/** How a list tells its products. */
interface Naming {
  /** The list's own name, below which it stands; absent where nobody has shown it. */
  readonly root?: string;
  /** Seen without any product. Elsewhere a list of nothing is no answer. */
  readonly mayBeEmpty?: true;
  readonly id: string;
  readonly name: string;
  readonly amount: string | null;
  /** The first half of our codes, where each group of the list does not tell its own. */
  readonly prefix?: string;
}

const packages = { id: "PACKAGE_ID", name: "PACKAGE_NAME", amount: "PACKAGE_AMOUNT" } as const;
const exams = { root: "EXAM_TYPE", id: "PRODUCT_CODE", name: "PRODUCT_DESCRIPTION", amount: "PRODUCT_AMOUNT" } as const;

/** Airtime and its e-PINs are not here: nobody has shown how their lists look. */
export const catalogue: readonly CatalogueList[] = [
  list("data", "APIDatabundlePlansV2", {
    root: "MOBILE_NETWORK",
    id: "PRODUCT_ID",
    name: "PRODUCT_NAME",
    amount: "PRODUCT_AMOUNT",
  }),
  list("cable", "APICableTVPackagesV2", { root: "TV_ID", ...packages }),
  list("electricity", "APIElectricityDiscosV2", { root: "ELECTRIC_COMPANY", id: "ID", name: "NAME", amount: null }),
  list("betting", "APIBettingTypeV2", { id: "PRODUCT_CODE", name: "PRODUCT_NAME", amount: null }),
  list("education", "APIWAECPackagesV2", { ...exams, prefix: "waec" }),
  list("education", "APIJAMBPackagesV2", { ...exams, prefix: "jamb", mayBeEmpty: true }),
  list("internet", "APISmilePackagesV2", { root: "MOBILE_NETWORK", ...packages, prefix: "smile-direct" }),
  list("internet", "APISpectranetPackagesV2", { root: "MOBILE_NETWORK", ...packages, prefix: "spectranet" }),
];

function list(category: string, script: string, naming: Naming): CatalogueList {
  return {
    category,
    question: scriptOf(script),
    read({ json }) {
      const root = naming.root === undefined ? json : json[naming.root];
      if (typeof root !== "object" || root === null) return null;
      const rows = rowsIn(root, naming, { group: naming.prefix ?? null, biller: naming.prefix ?? "" }, 0);
      const products = rows.map((row) => productOf(category, naming, row)).filter((product) => product !== null);
      const isWhole = products.length === rows.length && (rows.length > 0 || naming.mayBeEmpty === true);
      return isWhole ? { products, next: null } : null;
    },
  };
}

interface Row {
  readonly received: Json;
  /** The `ID` of the network or operator in whose list it stands. */
  readonly group: string | null;
  readonly biller: string;
}

const depthMax = 6;

/** Lists are nested in various ways; a product is what has the id. */
function rowsIn(node: Json, naming: Naming, above: Omit<Row, "received">, depth: number): readonly Row[] {
  if (depth > depthMax) return [];
  if (Array.isArray(node)) return node.flatMap((inner: Json) => rowsIn(inner, naming, above, depth + 1));
  const object = objectOf(node);
  if (object === null) return [];
  if (object[naming.id] !== undefined) return [{ received: object, ...above }];
  const group = naming.prefix ?? textAt(object, "ID") ?? above.group;
  return Object.entries(object).flatMap(([name, inner]) => {
    const biller = name === "PRODUCT" || naming.prefix !== undefined ? above.biller : name;
    return rowsIn(inner, naming, { group, biller }, depth + 1);
  });
}

/** Null for what can be bought under no code: an id that is a number has lost what stood behind its point. */
function productOf(category: string, naming: Naming, { received, group, biller }: Row): ListedProduct | null {
  const id = at(received, naming.id);
  if (typeof id !== "string" || id.trim() === "") return null;
  const isInGroup = category === "data" || category === "cable" || naming.prefix !== undefined;
  if (isInGroup && group === null) return null;
  const amount = naming.amount === null ? null : koboOf(textAt(received, naming.amount));
  const naira = amount === null ? null : { currency: "NGN", hundredths: amount };
  const name = firstText(received, [naming.name]) ?? id;
  return {
    category,
    supplierCode: isInGroup ? `${group}/${id.trim()}` : id.trim(),
    name,
    biller: category === "electricity" || category === "betting" ? name : biller,
    // A bouquet's amount is the operator's price, of which they take less: how much less is agreed with each customer.
    face: category === "cable" ? naira : null,
    // Before discounts: it may be less.
    cost: category === "cable" || naira === null ? null : { kind: "fixed", ...naira },
  };
}
