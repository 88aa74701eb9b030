import { findMoveHash } from "../../../domain/moving-in/move-in-queries.ts";
import { listMoveLines, type MoveLine } from "../../../domain/moving-in/move-line-queries.ts";
import { approvedMove, switchChange, switchingMove } from "../../../domain/moving-in/switch-move.ts";
import { undoChange, undoingMove } from "../../../domain/moving-in/undo-move.ts";
import { Flash } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { Table } from "../../kit/parts/list.tsx";
import { countText, Money, Status } from "../../kit/parts/text.tsx";
import type { TwoPeople } from "../approvals/two-people.ts";

/** Merchants that the second person's page shows. */
const shownMax = 200;

/** The switch of an older script's merchants, which a command asked for: all of it or nothing, as it was kept. */
export const movingIn: TwoPeople = {
  ...switchChange,
  by: ({ people }) => switchingMove(people),
  async show({ reads }, fields) {
    const { id, hash } = approvedMove(fields);
    if ((await findMoveHash(reads, id)) !== hash)
      return <Flash kind="bad">This move was switched, or was changed in the database after it was made.</Flash>;
    const lines = await listMoveLines(reads, id, shownMax);
    const all = Number(fields.merchants);
    return (
      <Sheet title="Merchants that are switched, all or none" note={countText(all, "merchant")} isPadded={false}>
        <Table
          caption="Merchants that are switched"
          rows={lines}
          columns={[
            { title: "Merchant", cell: ({ name }) => name, place: "lead" },
            { title: "Email", cell: ({ email }) => email, place: "sub" },
            { title: "Price tier", cell: ({ newTier, priceTier }) => newTier ?? priceTier, isExtra: true },
            { title: "Opening balance", cell: ({ balance }) => <Money amount={balance} />, place: "amount" },
            { title: "State", cell: (line) => <LineStatus {...line} />, place: "state" },
          ]}
          empty={null}
        />
        {all > lines.length ? <p class="hint">{`The first ${lines.length} are shown.`}</p> : null}
      </Sheet>
    );
  },
};

/** A move that is taken back, which a command asked for. */
export const movingBack: TwoPeople = { ...undoChange, by: ({ people }) => undoingMove(people) };

function LineStatus({ isLeftOut, blockedBy }: Pick<MoveLine, "isLeftOut" | "blockedBy">) {
  if (isLeftOut) return <Status kind="quiet">left out</Status>;
  return blockedBy === null ? <Status kind="good">active</Status> : <Status kind="waiting">suspended</Status>;
}
