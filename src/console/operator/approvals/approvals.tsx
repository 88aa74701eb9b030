import type { ComponentChildren } from "preact";
import { type Approval, type ApprovalId, findApproval, listApprovals } from "../../../domain/staff/approval-queries.ts";
import { approve, refuseApproval, withdrawApproval } from "../../../domain/staff/approvals.ts";
import { listProposedCredits } from "../../../domain/wallet/credit-queries.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import { goBack, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { deedIn } from "../../kit/form.ts";
import { Facts } from "../../kit/parts/data.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Buttons, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { countText, Moment, Status } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import type { OperatorServices } from "../services.ts";
import { changeOf } from "./kinds.ts";
import { type Payload, sealedName } from "./two-people.ts";

const here = "/operator/approvals";
const shownMax = 100;

/** What one person asked for and another one decides. */
export function approvalPages(routes: StaffRoutes, services: OperatorServices): void {
  routes.page(here, { capability: "approve", show: (visit) => listPage(services, visit) });

  const show = (visit: StaffVisit) => approvalPage(services, visit);
  const atIt = (visit: StaffVisit) => `${here}/${visit.param("id")}`;
  routes.page(`${here}/:id`, { capability: "approve", show });
  routes.form(`${here}/:id`, {
    capability: "approve",
    doneAt: atIt,
    show,
    send: (visit, form) => decide(services, visit, deedIn(form, ["approve", "refuse", "withdraw"])),
  });
}

async function decide(services: OperatorServices, visit: StaffVisit, decision: "approve" | "refuse" | "withdraw") {
  const { people } = services;
  const id = idIn(visit);
  const by = visit.session.person;
  const isAllowed = (kind: string) => changeOf(kind)?.roles.includes(visit.staff.role) === true;
  if (decision === "withdraw") {
    const { kind } = await withdrawApproval(people, { id, by });
    return kind === "withdrawn"
      ? goTo(here, "Request withdrawn. It won’t be carried out.")
      : goBack(here, sentences[kind]);
  }
  if (decision === "refuse") {
    const { kind } = await refuseApproval(people, { id, by, isAllowed });
    return kind === "refused" ? goTo(here, "Refused. It won’t be carried out.") : goBack(here, sentences[kind]);
  }
  const approved = await approve(people, { id, by, isAllowed }, (database, { kind, payload }) => {
    const change = changeOf(kind);
    if (change === null) throw new Error(`no change of kind ${kind} is known`);
    return change.carryOut(services, database, JSON.parse(payload) as Payload, by.email);
  });
  return approved.kind === "done" ? goTo(here, approved.result) : goBack(here, sentences[approved.kind]);
}

const sentences = {
  unknown: "There is no such request.",
  decided: "Someone has decided this already.",
  expired: "This request has expired after 24 hours. Ask for it again.",
  own: "You asked for this yourself, so someone else has to decide.",
  changed: "This request was changed in the database after it was made, so it can’t be approved. Refuse it.",
  not_allowed: "Your role can’t decide this.",
} as const;

function idIn(visit: StaffVisit): ApprovalId {
  return (wholeNumber(visit.param("id")) ?? 0) as ApprovalId;
}

function StateOf({ approval, now }: { readonly approval: Approval; readonly now: number }) {
  const { status, endsAt, isAlone } = approval;
  if (status === "waiting") return endsAt > now ? <Status kind="waiting">waiting</Status> : <Status>expired</Status>;
  if (status === "done")
    return isAlone ? <Status kind="waiting">done alone</Status> : <Status kind="good">done</Status>;
  return <Status>{status === "refused" ? "refused" : "withdrawn"}</Status>;
}

async function listPage({ reads, people }: OperatorServices, visit: StaffVisit): Promise<PageAnswer> {
  const now = people.clock.now();
  const kind = visit.query.get("kind") ?? null;
  const [listed, credits] = await Promise.all([
    listApprovals(reads, now, shownMax, visit.may("see_approvals") ? null : visit.session.person.id),
    visit.may("see_money") ? listProposedCredits(reads, shownMax) : [],
  ]);
  // A number on another page leads to those of its kind that wait.
  const isSought = (one: Approval) => one.kind === kind && one.status === "waiting" && one.endsAt > now;
  const approvals = kind === null ? listed : listed.filter(isSought);
  return page(
    { title: "Approvals", note: "Changes that need a second person" },
    <>
      {credits.length === 0 || kind !== null ? null : (
        <Sheet title="Credits" note={<a href="/operator/money">See credits</a>}>
          {countText(credits.length, "credit waits", "credits wait")} for approval.
        </Sheet>
      )}
      <TableSheet
        caption="Approvals"
        rows={approvals}
        href={({ id }) => `${here}/${id}`}
        columns={[
          { title: "Change", cell: ({ summary }) => summary, place: "lead" },
          { title: "Asked by", cell: ({ makerName }) => makerName, place: "sub" },
          { title: "Asked", cell: ({ createdAt }) => <Moment at={createdAt} />, place: "sub" },
          { title: "Decided by", cell: ({ checkerName }) => checkerName, isExtra: true },
          { title: "State", cell: (approval) => <StateOf {...{ approval, now }} />, place: "state" },
        ]}
        empty={
          <Empty title="Nothing waits for approval">
            Credits, access, refunds and other changes that need a second person appear here.
          </Empty>
        }
      />
    </>,
  );
}

async function approvalPage(services: OperatorServices, visit: StaffVisit): Promise<PageAnswer | null> {
  const { reads, people } = services;
  const approval = await findApproval(reads, idIn(visit));
  const isOwn = approval?.makerId === visit.session.person.id;
  if (approval === null || !(isOwn || visit.may("see_approvals"))) return null;
  const now = people.clock.now();
  const isOpen = approval.status === "waiting" && approval.endsAt > now;
  const action = `${here}/${approval.id}`;
  const shown = await changeOf(approval.kind)?.show?.(services, JSON.parse(approval.payload) as Payload);
  return page(
    { title: approval.summary, note: approval.kind },
    <>
      <Sheet title="Request">
        <Facts
          facts={{
            "Asked by": approval.makerName,
            Asked: <Moment at={approval.createdAt} style="full" />,
            Expires: isOpen ? <Moment at={approval.endsAt} style="full" /> : null,
            "Decided by": approval.checkerName,
            Decided: approval.decidedAt === null ? null : <Moment at={approval.decidedAt} style="full" />,
            State: <StateOf {...{ approval, now }} />,
            ...payloadFacts(approval.payload),
          }}
        />
        {isOpen ? (
          <Buttons>
            {isOwn ? (
              <Form action={action} submit="Take back request" kind="plain" hidden={{ do: "withdraw" }} isInline />
            ) : (
              <>
                <Form action={action} submit="Approve and carry out" hidden={{ do: "approve" }} isInline />
                <Form action={action} submit="Refuse request" kind="danger" hidden={{ do: "refuse" }} isInline />
              </>
            )}
          </Buttons>
        ) : null}
      </Sheet>
      {shown}
    </>,
  );
}

/** A page of ours is a link: the whole of a change that is too long for a line. */
function linked(text: string): ComponentChildren {
  return /^\/operator\/[a-z0-9/]+$/.test(text) ? <a href={text}>{text}</a> : text;
}

/** A frozen plan is shown by its change; its number and hash tell people nothing. */
const unshown: readonly string[] = [sealedName, "plan", "plan_hash"];

/** What exactly is carried out. */
function payloadFacts(payload: string): Record<string, ComponentChildren> {
  const entries = Object.entries(JSON.parse(payload) as Payload).filter(
    ([name, value]) => value !== null && !unshown.includes(name),
  );
  return Object.fromEntries(
    entries.map(([name, value]) => [labelOf(name), typeof value === "string" ? linked(value) : JSON.stringify(value)]),
  );
}

/** `prices_hash` and `publicUrl` as people read them: Prices hash, Public url. */
function labelOf(name: string): string {
  const words = name.replace(/_|(?=[A-Z])/g, " ").toLowerCase();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
