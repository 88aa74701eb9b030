import { readFileSync } from "node:fs";
import { Dispense, DispenseError } from "dispense";

const scenario = JSON.parse(readFileSync(new URL("scenario.json", import.meta.url), "utf8"));
const sales = Number(process.env.SALES ?? 100);
const dispense = new Dispense({ timeoutMs: { purchase: 1_500, other: 1_500 } });

/** What became of a sale, however often its answer stays away. */
async function sell(n) {
  const phone = scenario.phones[n % scenario.phones.length];
  const body = { network: scenario.network, amount: scenario.amount, phone, metadata: { n } };
  for (let reference; ; ) {
    try {
      const sale = await dispense.buyAirtime(reference === undefined ? body : { ...body, reference });
      return sale.status === "pending" ? await waited(sale.reference) : sale;
    } catch (error) {
      if (!(error instanceof DispenseError)) throw error;
      // Whether it was bought is not known, or it was not: the same reference again is safe both times.
      reference = error.reference;
    }
  }
}

async function waited(reference) {
  for (;;) {
    try {
      return await dispense.waitFor(reference);
    } catch (error) {
      if (!(error instanceof DispenseError)) throw error;
    }
  }
}

let next = 0;
async function sellOn() {
  while (next < sales) {
    const n = next++;
    const { reference, status, total_deducted } = await sell(n);
    console.log(JSON.stringify({ n, reference, status, total_deducted }));
  }
}
await Promise.all(Array.from({ length: scenario.concurrency }, sellOn));
