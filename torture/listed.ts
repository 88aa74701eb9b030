import type { AnsweredPurchase } from "./answers.ts";
import type { Ground } from "./ground.ts";
import { openMerchantClient } from "./merchant-client.ts";
import type { Merchant } from "./merchants.ts";

/** A purchase as its merchant's list shows it. */
export interface Listed extends AnsweredPurchase {
  readonly reference: string;
  /** On how many lines. */
  times: number;
}

const perPage = 100;
const pagesMax = 10_000;

/** Every page of every merchant's list, by transaction id. */
export async function listAll(ground: Ground, merchants: readonly Merchant[]): Promise<Map<string, Listed>> {
  const client = openMerchantClient();
  const listed = new Map<string, Listed>();
  try {
    for (const { key } of merchants) await listOne({ ground, key, client, listed });
  } finally {
    await client.close();
  }
  return listed;
}

async function listOne(options: {
  readonly ground: Ground;
  readonly key: string;
  readonly client: ReturnType<typeof openMerchantClient>;
  readonly listed: Map<string, Listed>;
}): Promise<void> {
  const { ground, key, client, listed } = options;
  const [api] = ground.apis;
  if (api === undefined) throw new Error("there is no API");
  for (let page = 1; page <= pagesMax; page++) {
    const { status, body } = await client.ask(api, key, `/transactions?page=${page}&per_page=${perPage}`);
    if (status !== 200) throw new Error(`a list answered ${status} ${JSON.stringify(body)}`);
    const rows = body.transactions as Listed[];
    for (const row of rows) {
      const before = listed.get(row.transaction_id);
      if (before === undefined) listed.set(row.transaction_id, { ...row, times: 1 });
      else before.times += 1;
    }
    if (rows.length < perPage) return;
  }
}
