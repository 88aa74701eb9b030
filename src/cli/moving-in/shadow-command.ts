import { rename, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { JsonObject } from "../../kernel/json.ts";
import { openPredictedAnswers } from "../../legacy/shadow/predicted-answers.ts";
import { openReport, type ShadowReport } from "../../legacy/shadow/report.ts";
import { reportJson, reportText } from "../../legacy/shadow/report-text.ts";
import { openShadowServer } from "../../legacy/shadow/shadow-server.ts";
import type { ShadowServices } from "../../main/services/shadow-services.ts";
import { probeOrigin } from "../../platform/outbound-http/probe-origin.ts";
import { ageValue, orComplain } from "../arguments.ts";
import {
  type Interruption,
  interruptible,
  type OperatorCommand,
  type Session,
  sentenceFor,
  wrong,
} from "../operator-command.ts";
import { type JsonOption, printJson, printLine, printStep, printWarning } from "../printing.ts";

interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

interface ShadowChoices extends JsonOption {
  readonly old: URL;
  readonly listen: ListenAddress;
  /** Milliseconds. */
  readonly for: number;
  readonly report?: string;
}

/** The command that compares an older deployment with this one, by the requests that its clients send anyway. */
export function addShadowCommand(moveIn: OperatorCommand): void {
  moveIn
    .command("shadow")
    .description(
      "pass older clients' requests on to the old deployment, and report what Dispense would answer otherwise",
    )
    .requiredOption("--old <url>", "the old deployment, such as https://old.example.ng", oldValue)
    .requiredOption("--listen <address>", "the port to listen at, or with its address 0.0.0.0:8080", listenValue)
    .requiredOption("--for <time>", "for how long, such as 90m or 24h", durationValue)
    .option("--report <file>", "write the report to this file as well, every minute and at the end")
    .does((session, choices: ShadowChoices) =>
      interruptible((interruption) =>
        session.withShadowServices((services) => shadow(session, services, choices, interruption)),
      ),
    );
}

async function shadow(
  session: Session,
  services: ShadowServices,
  choices: ShadowChoices,
  interruption: Interruption,
): Promise<number> {
  const { clock, wallTime, monotonicMs } = session;
  const { old, listen, report: file, json } = choices;
  await requireReached(old);
  const report = openReport(clock.now(), wallTime);
  const now = () => wallTime.format(clock.now());
  const write = () => (file === undefined ? null : replaceFile(file, reportText(report.current(), now())));
  await write();
  await services.refresh();
  const { predict, close } = await openPredictedAnswers(services);
  const { log } = services;
  const server = await openShadowServer(
    { old, predict, onCompared: report.add, clock, monotonicMs, log },
    listen,
  ).catch((error: NodeJS.ErrnoException) => refuseListening(error, listen));
  const until = clock.now() + choices.for;
  printWarning(
    `Passing requests at ${listen.host}:${server.port} on to ${old.origin} until ${wallTime.format(until)}. Ctrl-C ends it.`,
  );
  for (let looks = 1; clock.now() < until && !interruption.signal.aborted; looks++) {
    await delay(Math.min(lookMs, until - clock.now()), null, interruption).catch(() => null);
    printStep(stepOf(report.current()));
    // Neither a database nor a disk that is away for a while ends what clients go through.
    if (looks % looksPerWriting === 0) await Promise.all([services.refresh(), write()]).catch(warn);
  }
  printStep("");
  await server.close();
  await close();
  if (json) printJson(reportJson(report.current(), now()) as JsonObject);
  else printLine(reportText(report.current(), now()).trimEnd());
  await write();
  return interruption.exitCode();
}

const lookMs = 2_000;
const looksPerWriting = 30;

function stepOf({ requests, differences }: ShadowReport): string {
  const kinds = differences.size === 1 ? "1 kind of difference" : `${differences.size} kinds of difference`;
  return `${requests} requests, ${kinds}`;
}

function warn(error: unknown): void {
  printWarning(sentenceFor(error));
}

/** @throws Refusal where no connection comes about: clients would be cut off one by one */
async function requireReached(old: URL): Promise<void> {
  const probed = await probeOrigin(old);
  if (probed.kind === "reached") return;
  throw wrong(`${old.origin} is not reached (${probed.error}). Check --old; nothing was started.`);
}

function refuseListening(error: NodeJS.ErrnoException, { host, port }: ListenAddress): never {
  if (error.code === "EADDRINUSE")
    throw wrong(`Port ${port} is in use: stop what listens there, or choose another one.`);
  if (error.code === "EACCES") throw wrong(`Port ${port} needs more rights: choose one above 1023.`);
  throw wrong(`Nothing can listen at ${host}:${port} (${error.code ?? error.message}): check --listen.`);
}

/** Its reader never sees half of it. It shows what merchants pay: only its owner may read it. */
async function replaceFile(file: string, text: string): Promise<void> {
  try {
    await writeFile(`${file}.new`, text, { mode: 0o600 });
    await rename(`${file}.new`, file);
  } catch (error) {
    throw wrong(
      `The report can't be written to ${file} (${(error as NodeJS.ErrnoException).code}): choose another file.`,
    );
  }
}

function oldValue(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  return orComplain(isOrigin ? url : null, "It must be an address without a path, such as https://old.example.ng.");
}

function listenValue(text: string): ListenAddress {
  const [, host = "127.0.0.1", digits = ""] = /^(?:\[?([0-9A-Za-z.:_-]+?)\]?:)?([0-9]{1,5})$/.exec(text) ?? [];
  const port = digits === "" ? null : Number(digits);
  const address = port !== null && port <= 65_535 ? { host, port } : null;
  return orComplain(address, "It must be a port such as 8080, or an address and a port such as 0.0.0.0:8080.");
}

const durationMaxMs = 30 * 86_400_000;

function durationValue(text: string): number {
  const ms = ageValue(text);
  return orComplain(ms <= durationMaxMs ? ms : null, "It must be 30d at most.");
}
