import { findWallet } from "../../domain/wallet/queries.ts";
import { resetSandboxWallet, sandboxStartingBalance } from "../../domain/wallet/wallet.ts";
import { zeroKobo } from "../../kernel/money.ts";
import { type SandboxOutcome, unverifiableSuffix, verdictOfSuffix } from "../../providers/simulator.ts";
import { goTo, type PageAnswer, page } from "../kit/answer.tsx";
import { askFirst } from "../kit/ask-first.tsx";
import { CodeBlock, Figures } from "../kit/parts/data.tsx";
import { Flash } from "../kit/parts/form.tsx";
import { ButtonLink, Sheet } from "../kit/parts/layout.tsx";
import { Table } from "../kit/parts/list.tsx";
import { moneyText } from "../kit/parts/text.tsx";
import type { ModeRoutes, ModeVisit } from "./access.ts";
import { changing } from "./exports.ts";
import type { MerchantServices } from "./services.ts";

const here = "/test/sandbox";
const starting = moneyText(sandboxStartingBalance);
const capability = { test: "develop" } as const;

/** Play money, and numbers that make every outcome happen. There is one, whichever mode was looked at before. */
export function sandboxPages(routes: ModeRoutes, services: MerchantServices): void {
  const balanceOf = async ({ wallet }: ModeVisit) =>
    moneyText((await findWallet(services.database, wallet))?.balance ?? zeroKobo);

  routes.page("/sandbox", { capability, show: async (visit) => sandboxPage(visit, await balanceOf(visit)) });
  routes.both(
    "/sandbox/reset",
    askFirst({
      capability,
      doneAt: () => here,
      ask: async (visit) => ({
        title: "Reset the sandbox wallet",
        text: (
          <p>
            It holds {await balanceOf(visit)} and will hold {starting}, by one adjustment in its statement. Transactions
            stay; one that is pending may still be refunded on top.
          </p>
        ),
        submit: "Reset the wallet",
        kind: "main",
        cancelHref: here,
      }),
      async send(visit) {
        const database = changing(services, visit, { command: "console sandbox reset" });
        await database.transaction((tx) => resetSandboxWallet(tx, visit.wallet));
        return goTo(here, `The sandbox wallet holds ${starting} again.`);
      },
    }),
  );

  const elsewhere = { capability: { live: "develop" }, show: () => goTo(here) } as const;
  routes.page("/sandbox", elsewhere);
  routes.both("/sandbox/reset", { ...elsewhere, send: () => goTo(here), doneAt: () => here });
}

const effects: Readonly<Record<SandboxOutcome, string>> = {
  successful: "The purchase succeeds at once.",
  failed: "The purchase fails with SANDBOX_FORCED_FAILURE and is refunded at once.",
  pending_then_successful:
    "The purchase is pending, and succeeds some seconds later (20, unless the operator set others).",
  pending_then_failed: "The purchase is pending, and fails and is refunded some seconds later.",
};

const numbers = [
  ...Object.entries(verdictOfSuffix).map(([suffix, outcome]) => ({ suffix, effect: effects[outcome] })),
  { suffix: unverifiableSuffix, effect: "Nobody has this number: verify fails. Nothing else is different." },
  { suffix: "any other", effect: effects.successful },
];

function sandboxPage({ member, place }: ModeVisit, balance: string): PageAnswer {
  return page(
    {
      title: "Sandbox",
      note: "Play money, and a supplier that does what the number says",
      actions: <ButtonLink href={`${here}/reset`}>Reset the wallet</ButtonLink>,
    },
    <>
      {member.sandboxOn ? null : (
        <Flash kind="waiting">The operator has the sandbox off: test keys are refused until it is on again.</Flash>
      )}
      <Figures
        figures={[{ label: "Balance", value: balance, note: "of the sandbox wallet", href: "/test/transactions" }]}
      />
      <Sheet title="Numbers that decide" note="By their last four digits" isPadded={false}>
        <Table
          caption="Endings of numbers, and what they do"
          rows={numbers}
          columns={[
            { title: "Ends in", cell: ({ suffix }) => <code>{suffix}</code>, place: "lead" },
            { title: "What happens", cell: ({ effect }) => effect, place: "sub" },
          ]}
          empty={null}
        />
      </Sheet>
      <Sheet title="Try it">
        <p>
          The ending counts for whatever number is bought for: phone, meter, smartcard, account. Put a{" "}
          <a href="/test/keys">test key</a> in the place of <code>$DISPENSE_KEY</code>; a reference is good once.
          Without a program and without a key, <a href="/test/try">try the API</a> here.
        </p>
        {tries.map(({ label, phone, reference }) => (
          <CodeBlock key={label} label={label} code={airtimeCurl(place.origin, { phone, reference })} />
        ))}
        <CodeBlock
          label="How it ended"
          code={`curl "${place.origin}/api/v1/merchant/transactions/try-3" \\\n  -H "Authorization: Bearer $DISPENSE_KEY"`}
        />
      </Sheet>
    </>,
  );
}

const tries = [
  { label: "A sale", phone: "08031234567", reference: "try-1" },
  { label: "A failure", phone: "08031230002", reference: "try-2" },
  { label: "Pending, then a sale", phone: "08031230003", reference: "try-3" },
  { label: "Pending, then a failure", phone: "08031230004", reference: "try-4" },
];

function airtimeCurl(origin: string, { phone, reference }: { phone: string; reference: string }): string {
  const body = JSON.stringify({ reference, network: "MTN", phone, amount: "100.00" });
  return [
    `curl "${origin}/api/v1/merchant/airtime/purchase"`,
    `  -H "Authorization: Bearer $DISPENSE_KEY"`,
    `  -H "Content-Type: application/json"`,
    `  -d '${body}'`,
  ].join(" \\\n");
}
