import type { Queryable } from "../../platform/database/database.ts";
import { type SecretBox, Unopenable } from "../../platform/sealing/secret-box.ts";
import type { AccessToken, TokenStore } from "../../providers/access-token.ts";
import { findSupplierToken, insertSupplierToken } from "./queries.ts";

/**
 * Suppliers' access tokens in the database, sealed, so that all processes of the deployment share them. `database` is
 * asked for with every use: connectors are made before it is connected.
 */
export function openTokenStore(services: {
  readonly database: () => Queryable;
  readonly secretBox: SecretBox;
}): TokenStore {
  const { database, secretBox } = services;
  return {
    async find(supplier, audience) {
      const [row] = await database().query<{ sealed: string }>(findSupplierToken, [supplier, audience]);
      if (row === undefined) return null;
      try {
        return JSON.parse(secretBox.open(row.sealed, identityOf(supplier, audience))) as AccessToken;
      } catch (error) {
        if (error instanceof Unopenable) return null;
        throw error;
      }
    },
    async save(supplier, audience, token) {
      const sealed = secretBox.seal(JSON.stringify(token), identityOf(supplier, audience));
      await database().query(insertSupplierToken, [supplier, audience, sealed]);
    },
  };
}

function identityOf(supplier: string, audience: string): string {
  return `supplier_tokens/${supplier}/${audience}`;
}
