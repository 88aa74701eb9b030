import type { Database } from "../../src/platform/database/database.ts";
import { readCatalog } from "./catalog-queries.ts";
import { renderDatabaseDoc } from "./database-doc.ts";
import { renderErrorsDoc } from "./errors-doc.ts";
import { renderExamplesPage } from "./examples-page.ts";
import { renderLists } from "./generated-lists.ts";
import { readStatements } from "./named-statements.ts";
import { renderOpenApi } from "./openapi-doc.ts";
import { renderPlan } from "./plan.ts";
import { renderPostmanCollection } from "./postman.ts";
import { renderSampleAnswers } from "./sample-answers.ts";
import { renderSampleEvents } from "./sample-events.ts";
import { renderSchema } from "./schema-dump.ts";
import { renderNodeOperations, renderNodeTypes } from "./sdk/node.ts";
import { renderPhpOperations } from "./sdk/php.ts";
import { renderPythonOperations, renderPythonTypes } from "./sdk/python.ts";
import { renderStartingProductIds } from "./starting-product-ids.ts";
import { readTouching, renderStatementsDoc } from "./statements-doc.ts";

/** A file that is generated and checked in: as a whole, or the lists in it (`generated-lists.ts`). */
export interface GeneratedFile {
  /** Relative to the project's folder. */
  readonly path: string;
  /** What the file has to contain. `database` is freshly migrated; nothing else of the outside is read. */
  readonly render: (database: Database) => string | Promise<string>;
}

/** What the other files are made by: it comes first. */
export const filesWithLists = [
  "src/domain/purchases/purchase.ts",
  "migrations/functions/accept_purchases.sql",
  "migrations/functions/place_bulk_order.sql",
].map((path) => ({ path, render: () => renderLists(path) }));

/** One line a file: `npm run generate` writes them all, and a test compares them all. */
export const generatedFiles: readonly GeneratedFile[] = [
  ...filesWithLists,
  { path: "docs/architecture.mmd", render: () => renderPlan() },
  { path: "docs/database.md", render: async (database) => renderDatabaseDoc(await readCatalog(database)) },
  { path: "docs/errors.md", render: () => renderErrorsDoc() },
  {
    path: "docs/statements.md",
    async render(database) {
      const statements = await readStatements();
      return renderStatementsDoc(statements, await database.transaction((tx) => readTouching(tx, statements)));
    },
  },
  { path: "src/http/openapi/generated/sample-answers.json", render: () => renderSampleAnswers() },
  { path: "src/http/openapi/generated/sample-events.json", render: () => renderSampleEvents() },
  { path: "docs/openapi.json", render: () => renderOpenApi() },
  { path: "docs/examples.md", render: () => renderExamplesPage() },
  { path: "docs/dispense.postman_collection.json", render: () => renderPostmanCollection() },
  // Of the document as it is checked in: where that was written anew, `npm run generate` goes round once more.
  { path: "sdk/node/src/generated/types.ts", render: () => renderNodeTypes() },
  { path: "sdk/node/src/generated/operations.ts", render: () => renderNodeOperations() },
  { path: "sdk/python/src/dispense/generated/types.py", render: () => renderPythonTypes() },
  { path: "sdk/python/src/dispense/generated/operations.py", render: () => renderPythonOperations() },
  { path: "sdk/php/src/Generated/Operations.php", render: () => renderPhpOperations() },
  { path: "tests/fixtures/starting-product-ids.json", render: () => renderStartingProductIds() },
  { path: "migrations/schema.sql", render: async (database) => renderSchema(await readCatalog(database)) },
];
