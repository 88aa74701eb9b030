import { execFile, spawnSync } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

/** A language that the documentation has programs in, and how files of it become one that runs. */
export interface ProgramLanguage {
  readonly name: string;
  /** How its code is marked in Markdown, and how its files end. */
  readonly fence: string;
  readonly ending: string;
  /** Each of these must succeed where the language is at hand. */
  readonly tools: readonly (readonly [string, ...string[]])[];
  /** Makes a program of all files in a folder, begun by the one that is named. @returns what runs it */
  readonly build: (folder: string, main: string) => Promise<readonly [string, ...string[]]>;
}

const execute = promisify(execFile);

/** Compilers keep what they made in the folder itself: there may be no home, and none is to be littered. */
export function buildEnvironment(folder: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    HOME: folder,
    GOCACHE: path.join(folder, "go-cache"),
    GOPROXY: "off",
    GOTOOLCHAIN: "local",
    DOTNET_CLI_TELEMETRY_OPTOUT: "1",
    DOTNET_NOLOGO: "1",
  };
}

async function compile(folder: string, program: string, ...words: readonly string[]): Promise<void> {
  await execute(program, words, { cwd: folder, env: buildEnvironment(folder) });
}

const filesIn = async (folder: string, ending: string) =>
  (await readdir(folder)).filter((name) => name.endsWith(ending));

const interpreted =
  (...program: [string, ...string[]]): ProgramLanguage["build"] =>
  async (_folder, main) => [...program, main];

const project = (version: number) => `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup>
<OutputType>Exe</OutputType><TargetFramework>net${version}.0</TargetFramework><AssemblyName>program</AssemblyName>
</PropertyGroup></Project>`;

const csharp = { fence: "csharp", ending: ".cs" };

export const dotnet: ProgramLanguage = {
  ...csharp,
  name: "C#",
  tools: [["dotnet", "--version"]],
  async build(folder) {
    const version = spawnSync("dotnet", ["--version"], { encoding: "utf8", env: buildEnvironment(folder) }).stdout;
    await writeFile(path.join(folder, "program.csproj"), project(Number.parseInt(version, 10)));
    await compile(folder, "dotnet", "build", "--nologo", "--verbosity", "quiet", "--output", "built");
    return ["dotnet", "built/program.dll"];
  },
};

export const mono: ProgramLanguage = {
  ...csharp,
  name: "C# (Mono)",
  tools: [
    ["mcs", "--version"],
    ["mono", "--version"],
    ["test", "-e", "/usr/lib/mono/4.5/System.Net.Http.dll"],
    ["test", "-e", "/usr/lib/mono/4.5/System.Web.Extensions.dll"],
  ],
  async build(folder) {
    const libraries = ["-r:System.Net.Http.dll", "-r:System.Web.Extensions.dll"];
    await compile(folder, "mcs", ...libraries, "-out:program.exe", ...(await filesIn(folder, ".cs")));
    return ["mono", "program.exe"];
  },
};

export const programLanguages: readonly ProgramLanguage[] = [
  { name: "Node", fence: "js", ending: ".mjs", tools: [], build: interpreted(process.execPath) },
  { name: "PHP", fence: "php", ending: ".php", tools: [["php", "--version"]], build: interpreted("php") },
  { name: "Python", fence: "python", ending: ".py", tools: [["python3", "--version"]], build: interpreted("python3") },
  {
    name: "Go",
    fence: "go",
    ending: ".go",
    tools: [["go", "version"]],
    async build(folder) {
      await compile(folder, "go", "build", "-o", "program", ...(await filesIn(folder, ".go")));
      return ["./program"];
    },
  },
  {
    name: "Java",
    fence: "java",
    ending: ".java",
    tools: [
      ["javac", "-version"],
      ["java", "-version"],
    ],
    async build(folder, main) {
      await compile(folder, "javac", "-d", "classes", ...(await filesIn(folder, ".java")));
      return ["java", "-cp", "classes", main.replace(".java", "")];
    },
  },
  dotnet,
];

/** Says so aloud where it is not. */
export function isAtHand({ name, tools }: ProgramLanguage): boolean {
  const missing = tools.find(([program, ...words]) => spawnSync(program, words).status !== 0);
  if (missing !== undefined) console.warn(`SKIPPED in ${name}: \`${missing.join(" ")}\` does not succeed here`);
  return missing === undefined;
}
