import path from "node:path";
import { inScratchFolder } from "../../base/scratch-folder.ts";
import { tortureFunding } from "../funding/torture-funding.ts";
import { tortureSuppliers } from "../suppliers/torture-suppliers.ts";
import { type TortureOptions, torture } from "../torture.ts";
import type { Check } from "../verdict.ts";
import { type PlantedFault, plantedFaults, supplierFaults } from "./faults.ts";
import { fundingFaults } from "./funding-faults.ts";
import { plant } from "./plant.ts";

const projectRoot = path.resolve(import.meta.dirname, "../../..");

/** As long as it may take until a fault is seen. */
const seedsMax = 5;
const minutesMax = 5;
/** Most faults are seen at once. What is rare needs a longer storm more than another start and verdict. */
const stormSeconds = { first: 40, later: 90 } as const;
/** What has not ended by then tells as much as what never ends. */
const quietSecondsMax = 60;

/** Few, so that whoever takes over has time for what was left behind. */
const requestsPerSecond = 25;

/** What is planted, and the run that must notice it. */
interface Trial {
  readonly faults: readonly PlantedFault[];
  readonly torture: (options: TortureOptions) => Promise<{ readonly checks: readonly Check[] }>;
}

export const trials = {
  storm: { faults: plantedFaults, torture },
  suppliers: { faults: supplierFaults, torture: tortureSuppliers },
  funding: { faults: fundingFaults, torture: tortureFunding },
} as const satisfies Record<string, Trial>;

type Given = Pick<TortureOptions, "pauseMs" | "report">;

/** Plants each fault in a copy and lets it be tortured until it is seen. @returns the names of those that stay green */
export async function runPlanted(
  trial: Trial,
  name: string | null,
  { firstSeed, ...given }: Given & { readonly firstSeed: number },
): Promise<string[]> {
  const { faults } = trial;
  const chosen = faults.filter((fault) => name === null || fault.name === name);
  if (chosen.length === 0) throw new Error(`there is none of: ${faults.map((fault) => fault.name).join(", ")}`);
  const green: string[] = [];
  for (const fault of chosen) {
    if (!(await isSeen(trial, fault, { ...given, firstSeed }))) green.push(fault.name);
  }
  return green;
}

function isSeen(
  trial: Trial,
  fault: PlantedFault,
  { firstSeed, ...given }: Given & { readonly firstSeed: number },
): Promise<boolean> {
  return inScratchFolder(async (folder) => {
    const source = path.join(folder, "source");
    await plant(fault, projectRoot, source);
    const startedAt = performance.now();
    for (let seed = firstSeed; seed < firstSeed + seedsMax; seed++) {
      if (performance.now() - startedAt > minutesMax * 60_000) break;
      given.report(`${fault.name}: seed ${seed}`);
      const report = await trial.torture({
        ...given,
        requestsPerSecond,
        seed,
        seconds: seed === firstSeed ? stormSeconds.first : stormSeconds.later,
        quietSecondsMax,
        source,
        keeps: false,
      });
      const seen = violationsOf(report);
      if (seen.length > 0) {
        const seconds = Math.round((performance.now() - startedAt) / 1_000);
        console.log(`${fault.name}: RED, as it must be, after ${seconds} s with seed ${seed}`);
        for (const line of seen) console.log(`  ${line}`);
        return true;
      }
    }
    console.log(`${fault.name}: stays GREEN, though ${fault.shows}`);
    return false;
  });
}

function violationsOf({ checks }: { readonly checks: readonly Check[] }): string[] {
  return checks
    .filter(({ broken }) => broken.length > 0)
    .map(({ promise, broken }) => `${promise} (${broken.length}): ${broken[0]?.slice(0, 200)}`);
}
