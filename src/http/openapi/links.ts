/** Which answer names what another operation is asked for. */
interface Link {
  /** An operation's id, or a tag: then every operation under it that answers a 201. */
  readonly from: { readonly operation: string } | { readonly tag: string };
  readonly to: string;
  readonly parameter: string;
  /** In the answer, a JSON pointer. */
  readonly pointer: string;
}

const links: readonly Link[] = [
  { from: { tag: "Purchases" }, to: "getTransaction", parameter: "reference", pointer: "/reference" },
  { from: { tag: "Bulk" }, to: "getBulkOrder", parameter: "reference", pointer: "/reference" },
  { from: { operation: "listBillers" }, to: "listProducts", parameter: "slug", pointer: "/billers/0/slug" },
  { from: { operation: "createBeneficiary" }, to: "updateBeneficiary", parameter: "id", pointer: "/id" },
  { from: { operation: "createBeneficiary" }, to: "deleteBeneficiary", parameter: "id", pointer: "/id" },
  { from: { operation: "createEndpoint" }, to: "getEndpoint", parameter: "id", pointer: "/id" },
  { from: { operation: "createEndpoint" }, to: "changeEndpoint", parameter: "id", pointer: "/id" },
  { from: { operation: "createEndpoint" }, to: "deleteEndpoint", parameter: "id", pointer: "/id" },
  { from: { operation: "sendTestEvent" }, to: "getDelivery", parameter: "delivery_id", pointer: "/delivery_id" },
  { from: { operation: "sendTestEvent" }, to: "resendDelivery", parameter: "delivery_id", pointer: "/delivery_id" },
  { from: { operation: "legacyBuyData" }, to: "legacyGetData", parameter: "id", pointer: "/id" },
  { from: { operation: "legacyBuyAirtime" }, to: "legacyGetAirtime", parameter: "id", pointer: "/id" },
  { from: { operation: "legacyBuyCable" }, to: "legacyGetCable", parameter: "id", pointer: "/id" },
  { from: { operation: "legacyBuyElectricity" }, to: "legacyGetElectricity", parameter: "id", pointer: "/id" },
  { from: { operation: "legacyBuyExamPins" }, to: "legacyGetExamPins", parameter: "id", pointer: "/id" },
  { from: { operation: "legacyBuyRechargePins" }, to: "legacyGetRechargePins", parameter: "id", pointer: "/id" },
];

/** The OpenAPI links of an operation's successful answers; undefined where it has none. */
export function linksOf(id: string, operationTags: readonly string[]) {
  const own = links.filter(({ from }) => ("tag" in from ? operationTags.includes(from.tag) : from.operation === id));
  if (own.length === 0) return undefined;
  return Object.fromEntries(
    own.map(({ to, parameter, pointer }) => {
      return [to, { operationId: to, parameters: { [parameter]: `$response.body#${pointer}` } }] as const;
    }),
  );
}

/** Every operation that a link leads to or comes from. */
export const linkedOperations: readonly string[] = links.flatMap(({ from, to }) =>
  "operation" in from ? [from.operation, to] : [to],
);
