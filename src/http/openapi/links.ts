/** Which answer names what another operation is asked for. */
interface Link {
  /** An operation's id, or a tag: then every operation under it that answers a 201. */
  readonly from: { readonly operation: string } | { readonly tag: string };
  readonly to: string;
  readonly parameter: string;
  /** In the answer, a JSON pointer; the field of the parameter's name unless told. */
  readonly pointer?: string;
}

const links: readonly Link[] = [
  { from: { tag: "Purchases" }, to: "getTransaction", parameter: "reference" },
  { from: { tag: "Bulk" }, to: "getBulkOrder", parameter: "reference" },
  { from: { operation: "listBillers" }, to: "listProducts", parameter: "slug", pointer: "/billers/0/slug" },
  { from: { operation: "createBeneficiary" }, to: "updateBeneficiary", parameter: "id" },
  { from: { operation: "createBeneficiary" }, to: "deleteBeneficiary", parameter: "id" },
  { from: { operation: "createEndpoint" }, to: "getEndpoint", parameter: "id" },
  { from: { operation: "createEndpoint" }, to: "changeEndpoint", parameter: "id" },
  { from: { operation: "createEndpoint" }, to: "deleteEndpoint", parameter: "id" },
  { from: { operation: "sendTestEvent" }, to: "getDelivery", parameter: "delivery_id" },
  { from: { operation: "sendTestEvent" }, to: "resendDelivery", parameter: "delivery_id" },
  ...["Data", "Airtime", "Cable", "Electricity", "ExamPins", "RechargePins"].map((noun) => ({
    from: { operation: `legacyBuy${noun}` },
    to: `legacyGet${noun}`,
    parameter: "id",
  })),
];

/** The OpenAPI links of an operation's successful answers; undefined where it has none. */
export function linksOf(id: string, operationTags: readonly string[]) {
  const own = links.filter(({ from }) => ("tag" in from ? operationTags.includes(from.tag) : from.operation === id));
  if (own.length === 0) return undefined;
  return Object.fromEntries(
    own.map(({ to, parameter, pointer = `/${parameter}` }) => {
      return [to, { operationId: to, parameters: { [parameter]: `$response.body#${pointer}` } }] as const;
    }),
  );
}

/** Every operation that a link leads to or comes from. */
export const linkedOperations: readonly string[] = links.flatMap(({ from, to }) =>
  "operation" in from ? [from.operation, to] : [to],
);
