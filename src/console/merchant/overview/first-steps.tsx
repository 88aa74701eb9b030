import type { ComponentChildren } from "preact";
import { countPurchasesByFacts } from "../../../domain/history/lists/count-queries.ts";
import { noFilter } from "../../../domain/history/lists/list.ts";
import { findBusinessDetails } from "../../../domain/members/live-access-queries.ts";
import { listApiKeys } from "../../../domain/merchants/key-queries.ts";
import { findWallet } from "../../../domain/wallet/queries.ts";
import { listSetEndpoints } from "../../../domain/webhooks/endpoints/endpoints.ts";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Buttons, Sheet } from "../../kit/parts/layout.tsx";
import { Moment } from "../../kit/parts/text.tsx";
import type { ModeVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";

/** One step of the way from an empty account to the first live sale. */
interface Step {
  readonly title: string;
  readonly isDone: boolean;
  /** What it is good for, while it is not done. */
  readonly text: ComponentChildren;
  /** The one thing to press; null where the person's role can't, or others have to act first. */
  readonly act: ComponentChildren;
  /** Where it is done, or what came of it, in few words. */
  readonly link: { readonly href: string; readonly text: string } | null;
  /** A shop that sells by hand alone never needs it: it is never the next one. */
  readonly isOptional?: boolean;
}

/** The steps of whoever has a part in them, by what is really there; null once the first live sale was made. */
export async function firstStepsFor(services: MerchantServices, visit: ModeVisit): Promise<readonly Step[] | null> {
  const { member, session, may } = visit;
  if (!may("develop") && !may("buy")) return null;
  const { reads, people } = services;
  const { merchantId } = member;
  const [live, test] = [{ merchantId, mode: "live" } as const, { merchantId, mode: "test" } as const];
  const sales = (wallet: typeof live | typeof test) =>
    countPurchasesByFacts(reads, wallet, { ...noFilter, status: "successful" });
  const soldLive = await sales(live);
  if (member.apiApproved && soldLive > 0) return null;
  const [soldTest, keys, endpoints, details, wallet, company] = await Promise.all([
    sales(test),
    listApiKeys(reads, merchantId),
    listSetEndpoints(reads, { merchantId }),
    findBusinessDetails(reads, merchantId),
    findWallet(reads, live),
    people.company(),
  ]);
  return [
    emailStep(session.person),
    sandboxStep(visit, soldTest > 0),
    ...developerSteps(visit, { hasKey: keys.some(({ mode }) => mode === test.mode), hasWebhook: endpoints.length > 0 }),
    accessStep(visit, { company: company.name, requestedAt: details?.requestedAt ?? null }),
    moneyStep(visit, wallet !== null && (wallet.balance > 0n || wallet.purchaseCount > 0n)),
    liveStep(visit, soldLive > 0),
  ];
}

function emailStep({
  email,
  emailVerifiedAt,
}: {
  readonly email: string;
  readonly emailVerifiedAt: number | null;
}): Step {
  return {
    title: "Confirm your email",
    isDone: emailVerifiedAt !== null,
    text: `Follow the link we sent to ${email}. It works for 24 hours.`,
    act: <Form action="/account/security/verify" submit="Send the link again" />,
    link: null,
  };
}

function sandboxStep({ may }: ModeVisit, isDone: boolean): Step {
  const sell = (
    <ButtonLink href="/test/buy" kind="main">
      Sell in the sandbox
    </ButtonLink>
  );
  const call = (
    <ButtonLink href="/test/try" kind="main">
      Try the API
    </ButtonLink>
  );
  return {
    title: "Sell something in the sandbox",
    isDone,
    text: "Everything works as it does live, and nothing costs money.",
    act: may("buy") ? sell : call,
    link: isDone ? { href: "/test/transactions", text: "See the sale" } : null,
  };
}

function developerSteps({ may }: ModeVisit, { hasKey, hasWebhook }: { hasKey: boolean; hasWebhook: boolean }): Step[] {
  if (!may("develop")) return [];
  const optional = { act: null, isOptional: true } as const;
  return [
    {
      ...optional,
      title: "Create a test key",
      isDone: hasKey,
      text: "Only if you sell from your own app or website.",
      link: { href: "/test/keys", text: hasKey ? "See keys" : "Create key" },
    },
    {
      ...optional,
      title: "Get notified by webhook",
      isDone: hasWebhook,
      text: "Your server hears of each result the moment we know it.",
      link: hasWebhook
        ? { href: "/test/webhooks", text: "See webhooks" }
        : { href: "/test/webhooks/endpoints/new", text: "Add webhook" },
    },
  ];
}

function accessStep(
  { may, member }: ModeVisit,
  { company, requestedAt }: { readonly company: string; readonly requestedAt: number | null },
): Step {
  const isRequested = requestedAt !== null;
  return {
    title: "Ask for live access",
    isDone: member.apiApproved,
    text: isRequested ? (
      <>
        You asked on <Moment at={requestedAt} />. {company} checks your details; we’ll email you.
      </>
    ) : (
      `Fill in your business details. ${company} approves them.`
    ),
    act:
      isRequested || !may("run_business") ? null : (
        <ButtonLink href="/account/business" kind="main">
          Fill in details
        </ButtonLink>
      ),
    link: may("run_business")
      ? { href: "/account/business", text: isRequested || member.apiApproved ? "See details" : "Fill in details" }
      : null,
  };
}

function moneyStep({ may }: ModeVisit, isDone: boolean): Step {
  return {
    title: "Add money",
    isDone,
    text: "Live sales are paid from your wallet.",
    act: may("see_money") ? (
      <ButtonLink href="/live/wallet" kind="main">
        Add money
      </ButtonLink>
    ) : null,
    link: isDone && may("see_money") ? { href: "/live/wallet", text: "See wallet" } : null,
  };
}

function liveStep({ may, member }: ModeVisit, isDone: boolean): Step {
  return {
    title: "Make your first live sale",
    isDone,
    text: "A real number, real money: start with a small airtime sale.",
    act:
      may("buy") && member.apiApproved ? (
        <ButtonLink href="/live/buy" kind="main">
          Sell live
        </ButtonLink>
      ) : null,
    link: isDone ? { href: "/live/transactions", text: "See the sale" } : null,
  };
}

/** What is done has a tick; the next one is open, with its one button. */
export function FirstSteps({ steps }: { readonly steps: readonly Step[] }) {
  const next = steps.find(({ isDone, isOptional, act }) => !isDone && isOptional !== true && act !== null);
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Sheet title="Get started" note={`${done} of ${steps.length} done`} isPadded={false}>
      <ol class="steps">
        {steps.map((step) => (
          <li key={step.title} class={step.isDone ? "done" : step === next ? "now" : undefined}>
            <div>
              <strong>
                {step.title}
                {step.isDone ? <span class="unseen"> (done)</span> : null}
              </strong>
              {step.isDone ? null : <p>{step.text}</p>}
              {step === next ? <Buttons>{step.act}</Buttons> : null}
            </div>
            {step.link === null || step === next ? null : <a href={step.link.href}>{step.link.text}</a>}
          </li>
        ))}
      </ol>
    </Sheet>
  );
}
