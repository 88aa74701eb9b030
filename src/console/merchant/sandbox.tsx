import { memberDatabase } from "../../domain/memberships/owners.ts";
import { findWallet } from "../../domain/wallet/queries.ts";
import { resetSandboxWallet, sandboxStartingBalance } from "../../domain/wallet/wallet.ts";
import { formatNaira, zeroKobo } from "../../kernel/money.ts";
import { problems } from "../../kernel/problem-catalogue.ts";
import type { Refusal } from "../../kernel/problems.ts";
import { type SandboxOutcome, unverifiableSuffix, verdictOfSuffix } from "../../providers/simulator.ts";
import { type Answer, goTo, type PageAnswer, page } from "../kit/answer.ts";
import type { GateServices } from "../kit/gate.ts";
import { CodeBlock, Figures } from "../kit/parts/data.tsx";
import { Flash } from "../kit/parts/form.tsx";
import { ButtonLink, PageHead, Sheet } from "../kit/parts/layout.tsx";
import { Table } from "../kit/parts/list.tsx";
import { moneyText } from "../kit/parts/text.tsx";
import type { ModeRoutes } from "../kit/routes.ts";
import type { ModeVisit } from "../kit/visit.ts";
import { VisitForm } from "../kit/visit-form.tsx";

export type SandboxPageServices = GateServices;

const here = "/test/sandbox";
const starting = moneyText(formatNaira(sandboxStartingBalance));

/** Play money, and numbers that make every outcome happen. There is one, whichever mode was looked at before. */
export function sandboxPages(routes: ModeRoutes, { people }: SandboxPageServices): void {
  const inTest = (visit: ModeVisit, answer: () => Promise<PageAnswer>): Promise<Answer> | Answer =>
    visit.mode === "test" ? answer() : goTo(here);

  const show = async (visit: ModeVisit) => {
    const wallet = await findWallet(people.database, visit.wallet);
    return sandboxPage(visit, moneyText(formatNaira(wallet?.balance ?? zeroKobo)));
  };

  const ask = async (visit: ModeVisit, refusal: Refusal | null = null) => {
    const wallet = await findWallet(people.database, visit.wallet);
    return resetPage(visit, moneyText(formatNaira(wallet?.balance ?? zeroKobo)), refusal);
  };

  routes.page("/sandbox", { capability: "develop", show: (visit) => inTest(visit, () => show(visit)) });
  routes.page("/sandbox/reset", { capability: "develop", show: (visit) => inTest(visit, () => ask(visit)) });

  routes.form("/sandbox/reset", {
    capability: "develop",
    doneAt: () => here,
    refused: (visit, _form, refusal) => ask(visit, refusal),
    async send(visit) {
      if (visit.mode !== "test") return goTo(here);
      const { wallet, member, session } = visit;
      const by = session.person;
      const change = { by, merchantId: member.merchantId, command: "console sandbox reset" };
      await memberDatabase(people, change).transaction((tx) => resetSandboxWallet(tx, wallet));
      return goTo(here, `The sandbox wallet holds ${starting} again.`);
    },
  });
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

function sandboxPage(visit: ModeVisit, balance: string): PageAnswer {
  return page(
    "Sandbox",
    <>
      <PageHead title="Sandbox" actions={<ButtonLink href={`${here}/reset`}>Reset the wallet</ButtonLink>}>
        Play money, and a supplier that does what the number says
      </PageHead>
      {visit.member.sandboxOn ? null : (
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
            { title: "What happens", cell: ({ effect }) => effect, place: "under" },
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
          <CodeBlock key={label} label={label} code={airtimeCurl(visit.place.origin, { phone, reference })} />
        ))}
        <CodeBlock
          label="How it ended"
          code={`curl "${visit.place.origin}/api/v1/merchant/transactions/try-3" \\\n  -H "Authorization: Bearer $DISPENSE_KEY"`}
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

function resetPage(visit: ModeVisit, balance: string, refusal: Refusal | null): PageAnswer {
  const title = "Reset the sandbox wallet";
  return page(
    title,
    <>
      <PageHead title={`${title}?`} />
      <Sheet>
        <p>
          It holds {balance} and will hold {starting}, by one adjustment in its statement. Transactions stay; one that
          is pending may still be refunded on top.
        </p>
        <VisitForm
          visit={visit}
          action={`${here}/reset`}
          submit="Reset the wallet"
          cancelHref={here}
          error={refusal?.message}
        />
      </Sheet>
    </>,
    { status: refusal === null ? 200 : problems[refusal.code].status },
  );
}
