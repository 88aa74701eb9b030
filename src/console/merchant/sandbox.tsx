import type { ComponentChildren } from "preact";
import { findWallet } from "../../domain/wallet/queries.ts";
import { resetSandboxWallet, sandboxStartingBalance } from "../../domain/wallet/wallet.ts";
import { type Kobo, zeroKobo } from "../../kernel/money.ts";
import { type SandboxOutcome, unverifiableSuffix, verdictOfSuffix } from "../../providers/simulator.ts";
import { goTo, type PageAnswer, page } from "../kit/answer.tsx";
import { askFirst } from "../kit/ask-first.tsx";
import { CodeBlock, Figures } from "../kit/parts/data.tsx";
import { Flash } from "../kit/parts/form.tsx";
import { ButtonLink, Columns, Sheet } from "../kit/parts/layout.tsx";
import { TableSheet } from "../kit/parts/list.tsx";
import { Money, moneyText } from "../kit/parts/text.tsx";
import type { ModeRoutes, ModeVisit } from "./access.ts";
import { changing, requestCurl } from "./exports.ts";
import type { MerchantServices } from "./services.ts";

const here = "/test/sandbox";
const starting = moneyText(sandboxStartingBalance);
const capability = { test: "develop" } as const;

/** Play money, and numbers that make every outcome happen. There is one, whichever mode was looked at before. */
export function sandboxPages(routes: ModeRoutes, services: MerchantServices): void {
  const balanceOf = async ({ wallet }: ModeVisit) => (await findWallet(services.database, wallet))?.balance ?? zeroKobo;

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
            The sandbox wallet has <Money amount={await balanceOf(visit)} />; after the reset it has {starting}.
            Transactions stay, and a pending one may still be refunded on top.
          </p>
        ),
        submit: "Reset sandbox wallet",
        kind: "main",
        cancelHref: here,
      }),
      async send(visit) {
        const database = changing(services, visit, { command: "console sandbox reset" });
        await database.transaction((tx) => resetSandboxWallet(tx, visit.wallet));
        return goTo(here, `Sandbox wallet reset. It has ${starting}.`);
      },
    }),
  );

  const elsewhere = { capability: { live: "develop" }, show: () => goTo(here) } as const;
  routes.page("/sandbox", elsewhere);
  routes.both("/sandbox/reset", { ...elsewhere, send: () => goTo(here), doneAt: () => here });
}

const effects: Readonly<Record<SandboxOutcome, ComponentChildren>> = {
  successful: "Delivered at once.",
  failed: (
    <>
      Fails with <code>SANDBOX_FORCED_FAILURE</code> and is refunded at once.
    </>
  ),
  pending_then_successful: "Pending first, delivered after some 20 s.",
  pending_then_failed: "Pending first, fails and is refunded after some 20 s.",
};

const numbers = [
  ...Object.entries(verdictOfSuffix).map(([suffix, outcome]) => ({ suffix, effect: effects[outcome] })),
  { suffix: unverifiableSuffix, effect: "Verification finds nobody. A sale is delivered all the same." },
  { suffix: "Any other", effect: effects.successful },
];

function sandboxPage({ member, place }: ModeVisit, balance: Kobo): PageAnswer {
  return page(
    {
      title: "Sandbox",
      note: "Play money, and numbers that decide what happens",
      actions: <ButtonLink href={`${here}/reset`}>Reset sandbox wallet</ButtonLink>,
    },
    <>
      {member.sandboxOn ? null : (
        <Flash kind="waiting">The sandbox is turned off for you. Test keys are refused until it’s on again.</Flash>
      )}
      <Figures
        figures={[
          { label: "Balance", value: <Money amount={balance} />, note: "in the sandbox", href: "/test/transactions" },
        ]}
      />
      <Columns kind="even">
        <TableSheet
          title="Numbers that decide"
          note="By their last four digits"
          caption="Endings of numbers, and what they do"
          rows={numbers}
          columns={[
            { title: "Ends in", cell: ({ suffix }) => <code class="tight">{suffix}</code>, place: "lead" },
            { title: "What happens", cell: ({ effect }) => effect, place: "sub" },
          ]}
          isPlain
        />
        <Sheet title="Try it with curl">
          <p>
            Any number works: phone, meter, smartcard, account. Put your <a href="/test/keys">test key</a> in place of{" "}
            <code>$DISPENSE_KEY</code>, and use each reference once. Without a key, <a href="/test/try">try the API</a>{" "}
            here.
          </p>
          {tries.map(({ label, phone, reference }) => (
            <CodeBlock key={label} label={label} code={requestCurl(airtimeSale(phone, reference), place.origin)} />
          ))}
          <CodeBlock
            label="See the result"
            code={requestCurl({ method: "GET", path: `${api}/transactions/try-3`, body: null }, place.origin)}
          />
        </Sheet>
      </Columns>
    </>,
  );
}

const tries = [
  { label: "Delivered", phone: "08031234567", reference: "try-1" },
  { label: "Failed", phone: "08031230002", reference: "try-2" },
  { label: "Pending, then delivered", phone: "08031230003", reference: "try-3" },
  { label: "Pending, then failed", phone: "08031230004", reference: "try-4" },
];

const api = "/api/v1/merchant";

function airtimeSale(phone: string, reference: string) {
  // With blanks, by which a narrow page breaks it: no number stands on two lines.
  const body = JSON.stringify({ reference, network: "MTN", phone, amount: "100.00" }, null, 1).replace(/\n\s*/g, " ");
  return { method: "POST", path: `${api}/airtime/purchase`, body };
}
