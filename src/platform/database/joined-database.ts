import type { Database, Tx } from "./database.ts";

/** The same database, but that `step` comes last in each of its transactions: it stands or falls with them. */
export function withLastStep(database: Database, step: (tx: Tx) => Promise<void>): Database {
  return {
    query: (sql, values) => database.query(sql, values),
    transaction: (work) =>
      database.transaction(async (tx) => {
        const result = await work(tx);
        await step(tx);
        return result;
      }),
    afterCommit: (act) => database.afterCommit(act),
  };
}

const savepoint = { name: "savepoint_step", text: "savepoint step" };
const release = { name: "release_step", text: "release savepoint step" };
const rollBack = { name: "roll_back_step", text: "rollback to savepoint step" };

/**
 * One transaction for functions that open transactions of their own: by `joined` each is a step of it. A step that fails is
 * undone by itself; nothing is committed, and nothing told, before all of it is.
 */
export async function inOneTransaction<T>(
  database: Database,
  work: (tx: Tx, joined: Database) => Promise<T>,
): Promise<T> {
  const acts: (() => void)[] = [];
  const result = await database.transaction((tx) => work(tx, joinedTo(tx, acts)));
  for (const act of acts) database.afterCommit(act);
  return result;
}

function joinedTo(tx: Tx, acts: (() => void)[]): Database {
  return {
    query: (sql, values) => tx.query(sql, values),
    async transaction(work) {
      await tx.query(savepoint);
      try {
        const result = await work(tx);
        await tx.query(release);
        return result;
      } catch (error) {
        // Where the connection is lost, all of it is undone, and the first error is the one to be told.
        await tx
          .query(rollBack)
          .then(() => tx.query(release))
          .catch(() => undefined);
        throw error;
      }
    },
    afterCommit: (act) => void acts.push(act),
  };
}
