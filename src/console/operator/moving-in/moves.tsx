import type { ComponentChildren } from "preact";
import { listMoves, type MoveIn } from "../../../domain/moving-in/move-in-queries.ts";
import { listChangedWallets } from "../../../domain/moving-in/move-line-queries.ts";
import { subjectOfMove } from "../../../domain/moving-in/switch-move.ts";
import { findChangeAbout } from "../../../domain/staff/change-subject-queries.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { Facts } from "../../kit/parts/data.tsx";
import { Empty, Sheet } from "../../kit/parts/layout.tsx";
import { grouped, Moment, Money } from "../../kit/parts/text.tsx";
import { states } from "../../kit/states.tsx";
import type { StaffRoutes } from "../access.ts";
import type { OperatorServices } from "../services.ts";

/** Where the moves of older scripts' merchants stand, and what comes next. Commands carry them out. */
export function movePages(routes: StaffRoutes, services: OperatorServices): void {
  routes.page("/operator/moving-in", { capability: "see_money", show: () => movesPage(services) });
}

async function movesPage({ reads, people }: OperatorServices): Promise<PageAnswer> {
  const now = people.clock.now();
  const moves = await Promise.all(
    (await listMoves(reads)).map(async (move) => ({
      ...move,
      approval: (await findChangeAbout(reads, [subjectOfMove(move.id)], now))?.id ?? null,
      hasMoved: move.state === "undone" || (await listChangedWallets(reads, move)).length > 0,
    })),
  );
  return page(
    {
      title: "Moving in",
      note: "Merchants of an older script. Commands move them; the guide “Move in from an older script” has every step.",
      crumbs: [["Merchants", "/operator/merchants"]],
    },
    moves.length === 0 ? (
      <Empty title="Nobody has moved in yet">
        Export users, tokens and plans from the older script, then run <code>move-in plan</code> with the files. It says
        what would move and changes nothing.
      </Empty>
    ) : (
      moves.map((move) => <Move key={move.id} move={move} />)
    ),
  );
}

interface ShownMove extends MoveIn {
  readonly approval: number | null;
  /** Money of its merchants has moved by something else. */
  readonly hasMoved: boolean;
}

const moveStates = states<MoveIn["state"]>({
  prepared: ["merchants are here, not switched", "waiting"],
  waiting: ["switch not approved yet", "waiting"],
  moved: ["switched", "good"],
  undone: ["taken back", "quiet"],
});

function Move({ move }: { readonly move: ShownMove }) {
  const { id, state, merchants, tokens, balance, prices, madeAt, madeBy, movedAt, undoneAt } = move;
  const people = move.approvedBy === null ? move.switchedBy : `${move.switchedBy} and ${move.approvedBy}`;
  const isCounted = state === "waiting" || movedAt !== null;
  return (
    <Sheet title={`Move ${id}`} note={moveStates.status(state)}>
      <Facts
        facts={{
          Next: nextOf(move),
          Merchants: grouped(merchants),
          "Tier prices": grouped(prices),
          Came: <By at={madeAt} people={madeBy} />,
          Balances: isCounted ? <Money amount={balance} /> : null,
          Tokens: isCounted ? grouped(tokens) : null,
          Switched: movedAt === null ? null : <By at={movedAt} people={people ?? ""} />,
          "Taken back": undoneAt === null ? null : <Moment at={undoneAt} />,
        }}
      />
    </Sheet>
  );
}

function By({ at, people }: { readonly at: MoveIn["madeAt"]; readonly people: string }) {
  return (
    <>
      <Moment at={at} />, {people}
    </>
  );
}

function nextOf({ state, approval, hasMoved }: ShownMove): ComponentChildren {
  switch (state) {
    case "prepared":
      return (
        <>
          Compare with <code>move-in shadow</code> while the old deployment sells. Then stop sales there, export again,
          and run <code>move-in switch</code>. Until then nobody can spend here.
        </>
      );
    case "waiting":
      if (approval === null)
        return (
          <>
            The approval expired or was refused. Run <code>move-in switch</code> again.
          </>
        );
      return (
        <>
          <a href={`/operator/approvals/${approval}`}>Approve the switch</a>. Until then nobody can spend here.
        </>
      );
    case "moved":
      if (hasMoved) return "Sales have begun here, so this move can’t be taken back.";
      return (
        <>
          Point the old host name here. <code>move-in undo</code> takes everything back until the first sale.
        </>
      );
    case "undone":
      return null;
  }
}
