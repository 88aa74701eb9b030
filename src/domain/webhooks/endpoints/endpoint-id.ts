import type { EndpointKey } from "./endpoint.ts";

export const endpointIdPattern = "^whe_[0-9a-z]{2,20}$";

/** Letters that stand between the two numbers; base 30 writes none of them. */
const between = "x";
const base = 30;

/** The public name of an endpoint. Follows from its key, so that the log can name one that was removed. */
export function formatEndpointId({ merchantId, endpointNumber }: Omit<EndpointKey, "bucket">): string {
  return `whe_${merchantId.toString(base)}${between}${endpointNumber.toString(base)}`;
}

/** The number of this merchant's endpoint; null for another merchant's, and for what is no id. */
export function parseEndpointId(text: string, { merchantId }: Pick<EndpointKey, "merchantId">): number | null {
  const endpointNumber = Number.parseInt(text.slice(text.indexOf(between) + 1), base);
  if (!(endpointNumber > 0 && endpointNumber <= 2_147_483_647)) return null;
  return formatEndpointId({ merchantId, endpointNumber }) === text ? endpointNumber : null;
}
