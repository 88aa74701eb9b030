import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { invariants } from "../../src/domain/wallet/invariants.ts";
import { projectRoot } from "../../src/platform/data-directory/data-directory.ts";

/** A statement of the program, as it is sent. */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
  readonly file: string;
}

/** Every statement that a file of the source names, and the invariants of the ledger. */
export async function readStatements(): Promise<readonly NamedStatement[]> {
  const root = projectRoot();
  const files = readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" })
    .map((file) => `src/${file}`)
    .filter((file) => /\.tsx?$/.test(file))
    .sort();
  const found: NamedStatement[] = [];
  for (const file of files) {
    const text = readFileSync(path.join(root, file), "utf8");
    if (!/\bstatement\(|: Statement = /.test(text)) continue;
    const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
    for (const [name, sql] of namedIn(tree)) {
      const values = { name: await textOf(tree, name), text: await textOf(tree, sql) };
      if (values.name !== null && values.text !== null) found.push({ name: values.name, text: values.text, file });
    }
  }
  const ofLedger = invariants.map(({ name, text }) => ({ name: `invariant_${name}`, text, file: invariantsFile }));
  return [...found, ...ofLedger];
}

const invariantsFile = "src/domain/wallet/invariants.ts";

/** Names and texts: of `statement("name", "text")`, and of `{ name: "name", text: "text" }`. */
function namedIn(tree: ts.SourceFile): [ts.Expression, ts.Expression][] {
  const found: [ts.Expression, ts.Expression][] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText(tree) === "statement") {
      const [name, text] = node.arguments;
      if (name !== undefined && text !== undefined) found.push([name, text]);
    }
    if (ts.isVariableDeclaration(node) && node.type?.getText(tree) === "Statement") {
      const [name, text] = ["name", "text"].map((key) => propertyOf(node.initializer, key));
      if (name !== undefined && text !== undefined) found.push([name, text]);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function propertyOf(object: ts.Expression | undefined, key: string): ts.Expression | undefined {
  if (object === undefined || !ts.isObjectLiteralExpression(object)) return undefined;
  return object.properties.filter(ts.isPropertyAssignment).find(({ name }) => name.getText() === key)?.initializer;
}

/** The text of an expression; what it is made of is a constant of the file, or of the one that exports it. Null: neither. */
async function textOf(tree: ts.SourceFile, expression: ts.Expression): Promise<string | null> {
  if (ts.isStringLiteral(expression) || ts.isNoSubstitutionTemplateLiteral(expression)) return expression.text;
  if (ts.isTemplateExpression(expression)) {
    let text = expression.head.text;
    for (const span of expression.templateSpans) {
      const value = await textOf(tree, span.expression);
      if (value === null) return null;
      text += value + span.literal.text;
    }
    return text;
  }
  if (!ts.isIdentifier(expression)) return null;
  const constant = tree.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .find(({ name }) => name.getText(tree) === expression.text)?.initializer;
  const own = constant === undefined ? null : await textOf(tree, constant);
  return own ?? importedValue(tree, expression.text);
}

async function importedValue(tree: ts.SourceFile, name: string): Promise<string | null> {
  const from = tree.statements
    .filter(ts.isImportDeclaration)
    .find(({ importClause }) => importClause?.namedBindings?.getText(tree).match(`\\b${name}\\b`));
  // What it makes at run time itself it exports.
  const file =
    from === undefined
      ? tree.fileName
      : path.join(path.dirname(tree.fileName), (from.moduleSpecifier as ts.StringLiteral).text);
  const exported: Record<string, unknown> = await import(path.join(projectRoot(), file));
  return typeof exported[name] === "string" ? exported[name] : null;
}
