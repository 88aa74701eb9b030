import { isRenewable, renewChange } from "../../../domain/staff/ask-change.ts";
import type { Fields } from "../../../domain/staff/change-kinds.ts";
import { listChanges, type Seen } from "../../../domain/staff/change-list-queries.ts";
import { type Change, type ChangeId, findChange } from "../../../domain/staff/change-queries.ts";
import { agreeToChange, notDecidedTexts, refuseChange, withdrawChange } from "../../../domain/staff/decide-change.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import { type Answer, goBack, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { deedIn, type Form as SentForm, type Typed, untouched, wrong } from "../../kit/form.ts";
import { list } from "../../kit/list.tsx";
import { choiceFilter } from "../../kit/list-page.tsx";
import { Facts } from "../../kit/parts/data.tsx";
import { TextField } from "../../kit/parts/fields.tsx";
import { Form, Live } from "../../kit/parts/form.tsx";
import { Buttons, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { Moment, momentText } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import type { OperatorServices } from "../services.ts";
import { StateOf } from "./change-state.tsx";
import { changeOf, kindNames, kindsOf, kindsSeenBy } from "./kinds.ts";
import { fieldFacts, HowFar, RestsOn } from "./request-facts.tsx";
import { answerRequest, type TwoPeople } from "./two-people.ts";

const here = "/operator/approvals";
const shownMax = 100;

/** What one person asked for and another one decides. */
export function approvalPages(routes: StaffRoutes, services: OperatorServices): void {
  const now = () => services.people.clock.now();
  list(routes, {
    at: here,
    may: "approve",
    title: "Approvals",
    // A number on another page leads to those of its kind that wait.
    filters: { kind: { ...choiceFilter("Waiting", kindNames), isRare: true } },
    async read({ visit, values: { kind } }) {
      const listed = await listChanges(services.reads, now(), shownMax, seenBy(visit));
      const isSought = (one: Change) => one.kind === kind && one.state === "waiting" && one.endsAt > now();
      return { rows: kind === null ? listed : listed.filter(isSought) };
    },
    href: ({ id }) => `${here}/${id}`,
    columns: (column) => [
      column.lead("Change", ({ summary }) => summary),
      column.sub("Asked by", ({ requesterName }) => requesterName),
      column.when("Asked", ({ requestedAt }) => requestedAt),
      column.extra("Decided by", ({ decidedByName }) => decidedByName),
      column.status("State", (change) => <StateOf {...{ change, now: now() }} />),
    ],
    note: "Changes that need a second person",
    empty: (
      <Empty title="Nothing waits for approval">
        Credits, access, refunds and other changes that need a second person appear here.
      </Empty>
    ),
  });

  const show = (visit: StaffVisit, typed?: Typed) => approvalPage(services, visit, typed);
  const atIt = (visit: StaffVisit) => `${here}/${visit.param("id")}`;
  routes.page(`${here}/:id`, { capability: "approve", show });
  routes.form(`${here}/:id`, {
    capability: "approve",
    doneAt: atIt,
    show,
    send: (visit, form) => decide(services, visit, form),
  });
}

async function decide(services: OperatorServices, visit: StaffVisit, form: SentForm): Promise<Answer> {
  const { people } = services;
  const id = idIn(visit);
  const by = visit.session.person;
  const at = `${here}/${id}`;
  const find = kindsOf(services);
  switch (deedIn(form, ["approve", "refuse", "withdraw", "renew"])) {
    case "withdraw": {
      const { kind } = await withdrawChange(people, { id, by });
      return kind === "withdrawn"
        ? goTo(here, "Request withdrawn. It won’t be carried out.")
        : goBack(here, notDecidedTexts[kind]);
    }
    case "refuse": {
      const { kind } = await refuseChange(people, { id, by, reason: reasonIn(form) }, changeOf);
      return kind === "refused" ? goTo(here, "Refused. It won’t be carried out.") : goBack(here, notDecidedTexts[kind]);
    }
    case "renew": {
      const result = await renewChange(people, { id, by }, find);
      if (result.kind === "unknown" || result.kind === "not_allowed") return goBack(at, notDecidedTexts[result.kind]);
      return answerRequest(result, { me: by.id, doneAt: here });
    }
    case "approve": {
      const decided = await agreeToChange(people, { id, by }, find);
      if (decided.kind === "done") return goTo(here, decided.outcome);
      if (decided.kind === "agreed") return goTo(at, agreedText(services, await findChange(services.reads, id)));
      return goBack(decided.kind === "stale" ? at : here, notDecidedTexts[decided.kind]);
    }
  }
}

function agreedText({ format, people }: OperatorServices, change: Change | null): string {
  const dueAt = change?.dueAt ?? null;
  return dueAt !== null && dueAt > people.clock.now()
    ? `Approved. It’s carried out ${momentText(format, dueAt, "full")}.`
    : "Approved. It’s being carried out; this page shows how far it is.";
}

const reasonMax = 200;

function reasonIn(form: SentForm): string | null {
  const reason = form.text("reason");
  if (reason.length > reasonMax) throw wrong("reason", `Use up to ${reasonMax} characters.`);
  return reason === "" ? null : reason;
}

function idIn(visit: StaffVisit): ChangeId {
  return (wholeNumber(visit.param("id")) ?? 0) as ChangeId;
}

/** What one asked for oneself, and what one's role has to do with. */
function seenBy(visit: StaffVisit): Seen {
  return {
    requesterId: visit.session.person.id,
    kinds: visit.may("see_approvals") ? kindsSeenBy(visit.staff.role) : [],
  };
}

function isSeen({ requesterId, kinds }: Seen, change: Change): boolean {
  return change.requesterId === requesterId || kinds === null || kinds.includes(change.kind);
}

async function approvalPage(
  services: OperatorServices,
  visit: StaffVisit,
  typed: Typed = untouched,
): Promise<PageAnswer | null> {
  const { reads, people } = services;
  const change = await findChange(reads, idIn(visit));
  const isOwn = change?.requesterId === visit.session.person.id;
  if (change === null || !isSeen(seenBy(visit), change)) return null;
  const now = people.clock.now();
  const kind = changeOf(change.kind);
  const fields = JSON.parse(change.fields) as Fields;
  const isOpen = change.state === "waiting" && change.endsAt > now;
  const [shown, present] = await Promise.all([
    kind?.show?.(services, fields, change.lines === null ? null : JSON.parse(change.lines)),
    isOpen || change.state === "stale" ? kind?.by(services).readFacts?.(reads, fields) : null,
  ]);
  return page(
    {
      title: change.summary,
      note: change.kind,
      actions: (
        <Live
          tableId="request"
          everySeconds={2}
          isOn={change.state === "agreed" && (change.dueAt === null || change.dueAt <= now)}
        />
      ),
    },
    <div id="request">
      <Sheet title="Request">
        <Facts
          facts={{
            "Asked by": change.requesterName,
            Asked: <Moment at={change.requestedAt} style="full" />,
            Expires: isOpen ? <Moment at={change.endsAt} style="full" /> : null,
            "Decided by": change.decidedByName,
            Decided: change.decidedAt === null ? null : <Moment at={change.decidedAt} style="full" />,
            State: <StateOf {...{ change, now }} />,
            "Decided because": change.reason,
            Result: change.outcome,
            ...fieldFacts(fields),
          }}
        />
        <HowFar {...{ change, now }} />
        <Decide {...{ visit, change, kind, isOwn, isOpen, now, typed }} />
      </Sheet>
      <RestsOn change={change} present={present ?? null} />
      {shown}
    </div>,
  );
}

interface DecideProps {
  readonly visit: StaffVisit;
  readonly change: Change;
  readonly kind: TwoPeople | null;
  readonly isOwn: boolean;
  readonly isOpen: boolean;
  readonly now: number;
  readonly typed: Typed;
}

/** What the reader may do with it: no more is offered than would be taken. */
function Decide({ visit, change, kind, isOwn, isOpen, now, typed }: DecideProps) {
  const action = `${here}/${change.id}`;
  const { role } = visit.staff;
  if (!isOpen) {
    return isRenewable(change, now) && kind?.ask.includes(role) === true ? (
      <Form action={action} submit="Ask again" hidden={{ do: "renew" }} isInline />
    ) : null;
  }
  if (isOwn) {
    return <Form action={action} submit="Take back request" kind="plain" hidden={{ do: "withdraw" }} isInline />;
  }
  if (kind?.approve.includes(role) !== true) {
    return <p class="hint">{`Decided by ${kind?.approve.join(" or ") ?? "another release of this program"}.`}</p>;
  }
  return (
    <>
      <Buttons>
        <Form action={action} submit="Approve and carry out" hidden={{ do: "approve" }} isInline />
      </Buttons>
      <Form action={action} submit="Refuse request" kind="danger" hidden={{ do: "refuse" }}>
        <TextField
          {...typed.field("reason")}
          label="Reason"
          lengthMax={reasonMax}
          isRequired={false}
          hint="Whoever asked is emailed it."
        />
      </Form>
    </>
  );
}
