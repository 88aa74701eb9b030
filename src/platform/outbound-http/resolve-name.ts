import { Resolver } from "node:dns/promises";

/** The domain name system's answer for a name. */
export type NameAnswer =
  | { readonly kind: "addresses"; readonly addresses: readonly string[] }
  /** There is no such name, or it has no address. */
  | { readonly kind: "no_address" }
  /** No server answered in time, or it refused: nothing is known. */
  | { readonly kind: "no_answer" };

/** Every IPv4 and IPv6 address of a name. Never throws. */
export type ResolveName = (hostname: string) => Promise<NameAnswer>;

/** Addresses of one name beyond these are not looked at: who needs more is not a receiver of webhooks. */
const addressesMax = 64;

/**
 * Asks the system's name servers, with one deadline over everything. Not `dns.lookup`: that runs on threads, of which
 * there are four, and names that never answer would hold up everybody's; nor does it stop at a deadline. Unlike it,
 * this does not read the hosts file.
 */
export function nameResolver(options: {
  readonly deadlineMs: number;
  /** Instead of the system's: `127.0.0.1:5353`. */
  readonly servers?: readonly string[];
}): ResolveName {
  return async (hostname) => {
    const resolver = new Resolver({ timeout: options.deadlineMs / 2, tries: 2 });
    if (options.servers !== undefined) resolver.setServers(options.servers);
    const deadline = setTimeout(() => resolver.cancel(), options.deadlineMs);
    try {
      const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
      return answerOf(answers);
    } finally {
      clearTimeout(deadline);
    }
  };
}

function answerOf(answers: readonly PromiseSettledResult<string[]>[]): NameAnswer {
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  if (addresses.length > 0) return { kind: "addresses", addresses: addresses.slice(0, addressesMax) };
  const isAbsent = answers.every((answer) => answer.status === "rejected" && absences.has(answer.reason?.code));
  return { kind: isAbsent ? "no_address" : "no_answer" };
}

const absences = new Set(["ENOTFOUND", "ENODATA"]);
