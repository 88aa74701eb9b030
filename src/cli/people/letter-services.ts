import { readCompany } from "../../domain/identity/company/company.ts";
import type { PeopleServices } from "../../domain/identity/people/people-services.ts";
import type { Session } from "../session.ts";

/** What is needed to write letters from a command. @throws StartError without the service's key */
export async function letterServices(
  session: Session,
): Promise<Pick<PeopleServices, "database" | "clock" | "randomness" | "secretBox" | "company">> {
  const { database, clock, randomness } = session;
  return {
    database,
    clock,
    randomness: (bytes) => Buffer.from(randomness(bytes)),
    secretBox: await session.secretBox(),
    company: () => readCompany(database),
  };
}
