import { hash, type Options, verify } from "@node-rs/argon2";

/** argon2id, the package's and OWASP's parameters: 19 MiB, two passes, one lane; some 25 ms of a core. */
const options: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashing on threads of its own, a few at a time. */
export interface PasswordHash {
  /** argon2id with its parameters and a salt of its own. @throws TooBusy */
  hash(password: string): Promise<string>;
  /** @throws TooBusy */
  verify(hashed: string, password: string): Promise<boolean>;
}

/** So many wait already that one more would wait for seconds. */
export class TooBusy extends Error {
  override readonly name = "TooBusy";
}

/** Each takes a core and 19 MiB while it lasts, which sales need. */
const atOnceMax = 2;
/** The last of them waits for a second on a slow machine. */
const waitingMax = 40;

/** Hashes passwords, two at once in this process; others wait in turn, and past `waitingMax` they are refused. */
export function openPasswordHash(): PasswordHash {
  const waiting: (() => void)[] = [];
  let active = 0;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (active >= atOnceMax) {
      if (waiting.length >= waitingMax) throw new TooBusy("too many passwords are being checked");
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else active += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) active -= 1;
      else next();
    }
  }

  return {
    hash: (password) => inTurn(() => hash(password, options)),
    verify: (hashed, password) => inTurn(() => verify(hashed, password)),
  };
}
