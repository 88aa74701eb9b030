import { wallTime } from "../../../../src/kernel/clock.ts";
import { openPredictedAnswers } from "../../../../src/legacy/shadow/predicted-answers.ts";
import { openReport, type ShadowReport } from "../../../../src/legacy/shadow/report.ts";
import { reportText } from "../../../../src/legacy/shadow/report-text.ts";
import { openShadowServer } from "../../../../src/legacy/shadow/shadow-server.ts";
import { openShadowServices } from "../../../../src/main/services/shadow-services.ts";
import { openLog } from "../../../../src/platform/telemetry/log.ts";
import { clock, type TestApp } from "../../../support/app.ts";
import { connectorsAtHand, type FakeSupplier } from "../../../support/fake-supplier.ts";
import type { OldScript } from "../../../support/old-script.ts";
import { testWebhooks } from "../../../support/webhooks.ts";

export interface Shadow {
  readonly url: string;
  /** What was compared, once every request is. */
  report(): Promise<ShadowReport>;
  /** As far as it is. */
  current(): ShadowReport;
  text(): string;
  close(): Promise<void>;
}

/** A shadow of `old` over the app's database, whose suppliers it could reach. */
export async function openShadow(
  { fresh }: TestApp,
  old: OldScript,
  {
    supplier,
    deadlineMs,
    rateLimitPerMinute = 100_000,
  }: {
    readonly supplier: FakeSupplier;
    readonly deadlineMs?: number;
    readonly rateLimitPerMinute?: number;
  },
): Promise<Shadow> {
  const undo: (() => Promise<void>)[] = [];
  const zone = wallTime("Africa/Lagos");
  const log = openLog({ level: "silent" });
  const services = await openShadowServices(
    {
      timeZone: "Africa/Lagos",
      rateLimitPerMinute,
      sandboxPendingSeconds: 20,
      trustedProxies: [],
      supplierOrigins: [],
    },
    {
      ...{ connectionString: fresh.url, secretBox: testWebhooks.secretBox, clock, log, undo },
      openConnector: connectorsAtHand([supplier]),
    },
  );
  const predicted = await openPredictedAnswers(services);
  const report = openReport(clock.now(), zone);
  let compared = 0;
  const server = await openShadowServer(
    {
      ...{ old: new URL(old.url), predict: predicted.predict, clock, monotonicMs: () => performance.now(), log },
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
      onCompared(request) {
        compared += 1;
        report.add(request);
      },
    },
    { port: 0, host: "127.0.0.1" },
  );
  return {
    url: `http://127.0.0.1:${server.port}`,
    async report() {
      while (compared < old.requests.length) await new Promise((resolve) => setTimeout(resolve, 5));
      return report.current();
    },
    current: report.current,
    text: () => reportText(report.current(), "now"),
    async close() {
      await server.close();
      await predicted.close();
      for (const step of undo.reverse()) await step();
    },
  };
}
