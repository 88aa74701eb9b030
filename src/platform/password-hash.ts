import { hash, type Options, verify } from "@node-rs/argon2";

/** argon2id, the package's and OWASP's parameters: 19 MiB, two passes, one lane; some 25 ms of a core. */
const options: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashing on threads of its own, a few at a time. */
export interface PasswordHash {
  /** argon2id with its parameters and a salt of its own. @throws TooBusy */
  hash(password: string, place?: HashingPlace): Promise<string>;
  /** @throws TooBusy */
  verify(hashed: string, password: string, place?: HashingPlace): Promise<boolean>;
}

/** A place in the queue. Sources that failed leave places to those that did not, and these to those that logged in before. */
export interface HashingPlace {
  readonly source: string;
  readonly rank: keyof typeof waitingMax;
}

/** Somebody who is logged in, or has a link of ours. */
const trusted: HashingPlace = { source: "", rank: "known" };

/** So many wait already that one more would wait for seconds. */
export class TooBusy extends Error {
  override readonly name = "TooBusy";
}

/** Each takes a core and 19 MiB while it lasts, which sales need. */
const atOnceMax = 2;
/** The last of them waits for a second on a slow machine. Each rank has places after those of the ranks before. */
const waitingMax = { failed: 20, new: 30, known: 40 } as const;
/** Of one source, unless it logged in before. */
const ofSourceMax = 8;

/** Hashes passwords, two at once in this process; others wait in turn, and past `waitingMax` they are refused. */
export function openPasswordHash(): PasswordHash {
  const waiting: { readonly source: string; readonly begin: () => void }[] = [];
  let active = 0;

  function isFull({ source, rank }: HashingPlace): boolean {
    if (waiting.length >= waitingMax[rank]) return true;
    return rank !== "known" && waiting.filter((other) => other.source === source).length >= ofSourceMax;
  }

  async function inTurn<T>(place: HashingPlace, work: () => Promise<T>): Promise<T> {
    if (active >= atOnceMax) {
      if (isFull(place)) throw new TooBusy("too many passwords are being checked");
      await new Promise<void>((begin) => waiting.push({ source: place.source, begin }));
    } else active += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) active -= 1;
      else next.begin();
    }
  }

  return {
    hash: (password, place = trusted) => inTurn(place, () => hash(password, options)),
    verify: (hashed, password, place = trusted) => inTurn(place, () => verify(hashed, password)),
  };
}
