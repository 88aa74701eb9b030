import type { PlantedFault } from "./faults.ts";
import { plantedFaults, unknownIsTrouble } from "./faults.ts";

const again = plantedFaults.filter(({ name }) => name === "reroute-on-unknown");

/** What `npm run torture -- --suppliers` must notice: connectors that believe what is no word of their supplier. */
export const supplierFaults: readonly PlantedFault[] = [
  {
    name: "error-page-believed",
    shows: "a supplier answers 502 after vending, with the words of a refusal: refunded, or sent on, and vended",
    edits: [
      {
        file: "src/providers/conversation.ts",
        from: "status < 200 || status >= 500 ||",
        to: "status < 200 ||",
      },
    ],
  },
  {
    name: "unknown-code-is-a-refusal",
    shows: "one supplier has a code that its documentation lacks, after vending",
    edits: [
      {
        file: "src/providers/vtpass/dialect.ts",
        from: "statusIn(json);\n  // A refusal that comes with a transaction was none",
        to: `statusIn(json);
  if (meaning === undefined) return { kind: "declined", errorCode: "PROVIDER_DECLINED" };
  // A refusal that comes with a transaction was none`,
      },
    ],
  },
  {
    name: "silence-counts-only-where-it-can-be-asked-about",
    shows: "suppliers that cannot be asked what became of a purchase go on getting all of them while they answer 502",
    edits: [
      {
        file: "src/domain/suppliers/routing/breaker.ts",
        from: unknownIsTrouble,
        to: "      return outcome.askNobody === true ? null : true;\n",
      },
    ],
  },
  ...again,
];
