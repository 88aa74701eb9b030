import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** The project's folder; every path in these tests is relative to it, with forward slashes. */
export const projectRoot = fileURLToPath(new URL("../..", import.meta.url));

/** A file as the style rules look at it. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** The text with every comment blanked out, so that a rule about code is not broken by prose. Lines stay in place. */
  readonly code: string;
  /** Every piece of SQL: string literals that begin like a statement, or the whole of an `.sql` file, without comments. */
  readonly sql: readonly SqlText[];
  /** Every name that the file declares: variables, parameters, functions, types; not property names, which may be wire. */
  readonly names: readonly string[];
}

export interface SqlText {
  /** Without comments and without the contents of quoted strings. */
  readonly text: string;
  readonly raw: string;
  /** A template with `${…}` in it that is not a constant text of the same file: a statement glued together at run time. */
  readonly glued: boolean;
}

const statementStart =
  /^\s*(select\s|insert\s+into\s|update\s+[\w.]+(\s+(as\s+)?\w+)?\s+set\s|delete\s+from\s|with\s+(recursive\s+)?\w+\s+(\([^)]*\)\s+)?as\s|values\s*\(|truncate\s|(create|alter|drop)\s+\w+\s+\w|lock\s+table\s|merge\s+into\s|copy\s+\w+\s+(from|to)\s)/i;

/** SQL is written in one case: `Select a product` is prose. */
const looksLikeSql = (text: string): boolean => /^\s*([a-z]+|[A-Z]+)\s/.test(text) && statementStart.test(text);

/** Reads and analyses one file's text. The path decides how: TypeScript and JavaScript, SQL, or prose. */
export function analyse(path: string, text: string): SourceFile {
  if (path.endsWith(".sql")) {
    const code = withoutSqlComments(text);
    return { path, text, code, sql: [{ text: code, raw: text, glued: false }], names: [] };
  }
  if (!/\.(ts|tsx|mjs|cjs)$/.test(path)) return { path, text, code: text, sql: [], names: [] };
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  return { path, text, code: withoutComments(tree), sql: sqlTexts(tree), names: declaredNames(tree) };
}

/** All files below the given folders (or the files themselves) whose names end in one of the endings, sorted. */
export function listFiles(roots: readonly string[], endings: readonly string[]): string[] {
  const skipped = new Set(["node_modules", "dist", "data", "coverage", ".git", ".tmp", "generated"]);
  const found: string[] = [];
  const visit = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (skipped.has(entry.name)) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) visit(path);
      else if (endings.some((ending) => entry.name.endsWith(ending))) found.push(path);
    }
  };
  for (const root of roots) {
    const path = join(projectRoot, root);
    if (isFolder(path)) visit(path);
  }
  return found.map((path) => relative(projectRoot, path).split(sep).join("/")).sort();
}

export function readSource(path: string): SourceFile {
  return analyse(path, readFileSync(join(projectRoot, path), "utf8"));
}

/** SQL without `--` and block comments and without quoted strings' contents; line breaks stay. */
export function withoutSqlComments(sql: string): string {
  return sql.replace(/'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\//g, (match) =>
    match.startsWith("'") ? "''" : match.replace(/[^\n]/g, " "),
  );
}

function isFolder(path: string): boolean {
  try {
    readdirSync(path);
    return true;
  } catch {
    return false;
  }
}

/** For the text between two nodes that have none below them: there only punctuation stands, which looks like no comment. */
const comment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

function withoutComments(tree: ts.SourceFile): string {
  const { text } = tree;
  let code = "";
  let end = 0;
  const visit = (node: ts.Node): void => {
    // Not by getChildren, which scans every file once more: that took three times as long.
    if (node.kind > ts.SyntaxKind.LastToken) return void ts.forEachChild(node, visit);
    const start = node.getStart(tree);
    code +=
      text.slice(end, start).replace(comment, (match) => match.replace(/[^\n]/g, " ")) + text.slice(start, node.end);
    end = node.end;
  };
  visit(tree);
  return code;
}

function sqlTexts(tree: ts.SourceFile): SqlText[] {
  const constants = constantTexts(tree);
  const found: SqlText[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      if (looksLikeSql(node.text)) found.push({ text: withoutSqlComments(node.text), raw: node.text, glued: false });
    } else if (ts.isTemplateExpression(node) && looksLikeSql(node.head.text)) {
      const raw = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join("$1");
      // A list of columns may come from the room that owns the table, so that its rows are read in one way.
      const fixed = node.templateSpans.every(({ expression }) => {
        const name = expression.getText(tree);
        return constants.has(name) || /^[a-z]\w*Columns$/.test(name);
      });
      found.push({ text: withoutSqlComments(raw), raw, glued: !fixed });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Names of the file's top-level `const name = "text"`: a list of columns, a clause that two statements share. */
function constantTexts(tree: ts.SourceFile): ReadonlySet<string> {
  const declarations = tree.statements
    .filter(ts.isVariableStatement)
    .filter(({ declarationList }) => (declarationList.flags & ts.NodeFlags.Const) !== 0)
    .flatMap(({ declarationList }) => declarationList.declarations);
  const texts = declarations.filter(
    ({ initializer }) =>
      initializer !== undefined && (ts.isStringLiteral(initializer) || ts.isNoSubstitutionTemplateLiteral(initializer)),
  );
  return new Set(texts.map(({ name }) => name.getText(tree)));
}

function declaredNames(tree: ts.SourceFile): string[] {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isMethodDeclaration(node) ||
      ts.isMethodSignature(node)
    ) {
      if (node.name !== undefined && ts.isIdentifier(node.name)) found.add(node.name.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return [...found];
}
