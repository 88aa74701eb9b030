import { mkdir } from "node:fs/promises";
import path from "node:path";
import { purchaseFrames } from "../base/merchants.ts";
import { inScratchFolder } from "../base/scratch-folder.ts";
import { openShop, type Shop } from "../base/shop.ts";
import { breakIn } from "./database.ts";
import { describeMachine } from "./machine.ts";
import { measurePurchases, type Rig, settled } from "./measure.ts";
import { brokenPromises, type PurchaseOptions } from "./purchase.ts";
import { openSheet, progress, report } from "./report.ts";

/** `API_PROCESSES`, each with a service and a database of its own. */
const counts = [1, 2, 4] as const;
const nameOf = (count: number) => `${count} process${count === 1 ? "" : "es"}`;

/** Purchases through one, two and four processes that answer, in turn within each round. */
export async function benchProcesses(options: PurchaseOptions): Promise<void> {
  const sheet = openSheet();
  const reported = await inScratchFolder(async (folder, undo) => {
    const rigs = new Map<number, Rig & Shop>();
    for (const count of counts) {
      const environment = { API_PROCESSES: String(count) };
      const own = path.join(folder, String(count));
      await mkdir(own);
      const shop = await openShop({ folder: own, undo, progress, environment });
      await breakIn(shop.database);
      rigs.set(count, { ...shop, sheet, seconds: options.seconds });
    }
    const first = rigs.get(1) as Rig;
    const machine = await describeMachine(folder, first.database);
    progress("warming up\n");
    for (const rig of rigs.values()) await buy({ ...rig, sheet: openSheet(), seconds: 4 }, options, "warm-");
    for (let round = 1; round <= options.rounds; round++) {
      progress(`round ${round}\n`);
      for (const [count, rig] of rigs) {
        await sheet.step(nameOf(count), async () => (await buy(rig, options, `r${round}-`)).sample);
      }
    }
    for (const rig of rigs.values()) sheet.complaints.push(...(await brokenPromises(rig)));
    const bounds = [2, 4].map((count) => ({
      what: `${nameOf(count)} ÷ one, with ${machine.cores} cores for all`,
      measured: sheet.ratio("perSecond", nameOf(count), nameOf(1)),
      atLeast: Math.min(count, machine.cores / 2),
    }));
    const notes = [
      `Phases of ${options.seconds} s, ${options.connections} connections, 1,000 merchants; from two on a worker besides.`,
      "Driver and PostgreSQL share the cores: more processes sell more only where cores are idle.",
    ];
    return { benchmark: "processes", machine, notes, bounds };
  });
  report(sheet, reported, options);
}

async function buy(rig: Rig & Shop, { connections }: Pick<PurchaseOptions, "connections">, prefix: string) {
  const measured = await measurePurchases(rig, {
    frames: purchaseFrames(rig.spread, rig.basket, prefix),
    prefix,
    connections,
  });
  await settled();
  return measured;
}
