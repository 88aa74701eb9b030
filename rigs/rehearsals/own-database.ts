import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import path from "node:path";
import { type OwnPostgres, startOwnPostgres } from "../base/own-postgres.ts";
import type { Stage } from "./stage.ts";

/** One PostgreSQL of the installed packages, which ends with the stage. */
export async function startDatabase(
  stage: Stage,
  { name = "database", settings = {} as Readonly<Record<string, string>>, folder = stage.folder } = {},
): Promise<OwnPostgres> {
  stage.say("starting PostgreSQL");
  const postgres = await startOwnPostgres(path.join(folder, name), settings);
  stage.after(() => postgres.stop());
  return postgres;
}

/** The port of this machine by which the database is reached by users that may not enter the folder of its socket. */
export async function openPort(stage: Stage, socketNow: () => string): Promise<number> {
  const way = createServer((client) => {
    const database = connect(socketNow());
    for (const end of [client, database]) end.on("error", () => {});
    client.pipe(database).pipe(client);
  }).listen(0, "127.0.0.1");
  await once(way, "listening");
  stage.after(async () => void way.close());
  return (way.address() as AddressInfo).port;
}
