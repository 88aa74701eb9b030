import { principalOf, sellingGate } from "../../../domain/memberships/membership.ts";
import type { Principal } from "../../../domain/merchants/merchant.ts";
import { problems } from "../../../kernel/problem-catalogue.ts";
import { refuse } from "../../../kernel/problems.ts";
import { type PageAnswer, page } from "../../kit/answer.ts";
import { ButtonLink, Empty, PageHead, Sheet } from "../../kit/parts/layout.tsx";
import type { ModeVisit } from "../../kit/visit.ts";
import { may } from "../access.ts";

/** The merchant that the visit buys for. */
export function buyerOf({ member, mode }: ModeVisit): Principal {
  return principalOf(member, mode);
}

/** The page instead of one that sells, where the merchant can't buy in this mode; null where it can. */
export function closedPage(visit: ModeVisit, title: string): PageAnswer | null {
  const code = sellingGate(visit.member, visit.mode);
  if (code === null) return null;
  const isUnapproved = code === "API_ACCESS_NOT_APPROVED";
  const mayAsk = isUnapproved && may(visit.member.role, "run_business");
  return page(
    title,
    <>
      <PageHead title={title} />
      <Sheet>
        <Empty
          title={isUnapproved ? "Live selling is not approved yet" : problems[code].title}
          action={
            mayAsk ? (
              <ButtonLink href="/account/business">Ask for live access</ButtonLink>
            ) : isUnapproved ? (
              <ButtonLink href="/test/buy">Buy in the sandbox</ButtonLink>
            ) : null
          }
        >
          {isUnapproved
            ? `${mayAsk ? "Fill in the business details and ask for it" : "An owner asks for it under Business"}. Until the operator approves, everything can be tried in the sandbox.`
            : `${problems[code].next}`}
        </Empty>
      </Sheet>
    </>,
  );
}

/** The same for what a form wants to change. @throws Refusal */
export function refuseWhenClosed({ member, mode }: ModeVisit): void {
  const code = sellingGate(member, mode);
  if (code !== null) throw refuse(code);
}
