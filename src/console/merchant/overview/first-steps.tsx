import type { ComponentChildren } from "preact";
import { countPurchasesByFacts } from "../../../domain/history/lists/count-queries.ts";
import { noFilter } from "../../../domain/history/lists/list.ts";
import { findBusinessDetails } from "../../../domain/members/live-access-queries.ts";
import { listApiKeys } from "../../../domain/merchants/key-queries.ts";
import { findWallet } from "../../../domain/wallet/queries.ts";
import { listSetEndpoints } from "../../../domain/webhooks/endpoints/endpoints.ts";
import { whereEmailsLie } from "../../kit/account/emails-from.ts";
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
  /** The one thing to press; false where the person's role can't, or others have to act first. */
  readonly act: ComponentChildren;
  /** Where it is done, or what came of it, in few words. */
  readonly link: ComponentChildren;
  /** A shop that sells by hand alone never needs it: it is never the next one. */
  readonly isOptional?: boolean;
}

/** The steps of whoever has a part in them, by what is really there; null once the first live sale was made. */
export async function firstStepsFor(services: MerchantServices, visit: ModeVisit): Promise<readonly Step[] | null> {
  const { member, may } = visit;
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
  return stepsOf(visit, {
    hasSoldTest: soldTest > 0,
    hasKey: keys.some(({ mode }) => mode === test.mode),
    hasWebhook: endpoints.length > 0,
    companyName: company.name,
    emailsLie: whereEmailsLie(people),
    requestedAt: details?.requestedAt ?? null,
    hasMoney: wallet !== null && (wallet.balance > 0n || wallet.purchaseCount > 0n),
    hasSoldLive: soldLive > 0,
  });
}

interface Known
  extends Readonly<Record<"hasSoldTest" | "hasKey" | "hasWebhook" | "hasMoney" | "hasSoldLive", boolean>> {
  readonly companyName: string;
  /** Where the email lies that confirms an address: `whereEmailsLie`. */
  readonly emailsLie: string;
  /** When live access was asked for; null where it wasn't. */
  readonly requestedAt: number | null;
}

function stepsOf({ member, session, may }: ModeVisit, known: Known): readonly Step[] {
  const { hasSoldTest, hasKey, hasWebhook, hasMoney, hasSoldLive, companyName, emailsLie, requestedAt } = known;
  const { email, emailVerifiedAt } = session.person;
  const isRequested = requestedAt !== null;
  const developerSteps: readonly Step[] = [
    {
      title: "Create a test key",
      isDone: hasKey,
      text: "Only if you sell from your own app or website.",
      act: false,
      link: hasKey ? <a href="/test/keys">See keys</a> : <a href="/test/keys">Create key</a>,
      isOptional: true,
    },
    {
      title: "Get notified by webhook",
      isDone: hasWebhook,
      text: "We notify your server when a sale ends.",
      act: false,
      link: hasWebhook ? (
        <a href="/test/webhooks">See webhooks</a>
      ) : (
        <a href="/test/webhooks/endpoints/new">Add webhook</a>
      ),
      isOptional: true,
    },
  ];
  return [
    {
      title: "Confirm your email",
      isDone: emailVerifiedAt !== null,
      text: `Follow the link we sent to ${email}. It works for 24 hours.${emailsLie}`,
      act: <Form action="/account/security/verify" submit="Send the link again" />,
      link: false,
    },
    {
      title: "Sell something in the sandbox",
      isDone: hasSoldTest,
      text: "Everything works as it does live, and nothing costs money.",
      act: may("buy") ? press("/test/buy", "Sell in the sandbox") : press("/test/try", "Try the API"),
      link: hasSoldTest && <a href="/test/transactions">See the sale</a>,
    },
    ...(may("develop") ? developerSteps : []),
    {
      title: "Ask for live access",
      isDone: member.apiApproved,
      text: isRequested ? (
        <>
          You asked on <Moment at={requestedAt} />. {companyName} checks your details; we’ll email you.
        </>
      ) : (
        `Fill in your business details. ${companyName} approves them.`
      ),
      act: !isRequested && may("run_business") && press(business, "Fill in details"),
      link:
        may("run_business") &&
        (isRequested || member.apiApproved ? (
          <a href={business}>See details</a>
        ) : (
          <a href={business}>Fill in details</a>
        )),
    },
    {
      title: "Add money",
      isDone: hasMoney,
      text: "Live sales are paid from your wallet.",
      act: may("see_money") && press("/live/wallet", "Add money"),
      link: hasMoney && may("see_money") && <a href="/live/wallet">See wallet</a>,
    },
    {
      title: "Make your first live sale",
      isDone: hasSoldLive,
      text: "A real number, real money: start with a small airtime sale.",
      act: may("buy") && member.apiApproved && press("/live/buy", "Sell live"),
      link: hasSoldLive && <a href="/live/transactions">See the sale</a>,
    },
  ];
}

const business = "/account/business";

function press(href: string, text: string) {
  return (
    <ButtonLink href={href} kind="main">
      {text}
    </ButtonLink>
  );
}

/** What is done has a tick; the next one is open, with its one button. */
export function FirstSteps({ steps }: { readonly steps: readonly Step[] }) {
  const next = steps.find(({ isDone, isOptional, act }) => !isDone && isOptional !== true && act !== false);
  const done = steps.filter(({ isDone }) => isDone).length;
  const note = (
    <>
      {done} of {steps.length} done · <a href="?steps=close">Close</a>
    </>
  );
  return (
    <Sheet title="Get started" note={note} isPadded={false}>
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
            {step === next ? null : step.link}
          </li>
        ))}
      </ol>
    </Sheet>
  );
}
