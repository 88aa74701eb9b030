import { connectorKinds } from "../../../src/providers/registry.ts";
import type { ConnectorUnderTest } from "./connector-under-test.ts";

/** Every connector that speaks to a supplier over HTTP: the registry demands a stub `<connector>-stub.ts` of each. */
export const connectorsUnderTest: readonly ConnectorUnderTest[] = await Promise.all(
  connectorKinds.filter(({ isHttp }) => isHttp).map(({ connector }) => stubOf(connector)),
);

async function stubOf(connector: string): Promise<ConnectorUnderTest> {
  const { underTest } = (await import(`./${connector}-stub.ts`)) as { readonly underTest: ConnectorUnderTest };
  return underTest;
}
