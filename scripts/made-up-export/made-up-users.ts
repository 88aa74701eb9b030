import { createHash } from "node:crypto";

/** A user of a made-up older script. */
export interface MadeUpUser {
  readonly id: number;
  readonly username: string;
  readonly fullName: string;
  readonly email: string;
  readonly phone: string;
  readonly userType: string;
  /** As the script's database would write it. */
  readonly balance: string;
  /** Null: it never asked for one. */
  readonly token: string | null;
  readonly isActive: boolean;
}

/** What does not fit in a made-up export: how many users, tokens and prices are left out for it. */
export const planted = {
  merchantsLeftOut: 9,
  tokensLeftOut: 6,
  phonesLeftOut: 1,
  pricesLeftOut: 3,
};

const firstNames = ["Ada", "Bola", "Chidi", "Danjuma", "Efe", "Fatima", "Gozie", "Halima", "Ifeoma", "Jide"];
const lastNames = ["Okafor", "Balogun", "Musa", "Eze", "Adeyemi", "Sani", "Nwosu", "Bello", "Obi", "Lawal"];

/** The same users each time: what looks like chance follows from the number. */
export function madeUpUsers(count: number): MadeUpUser[] {
  const users = Array.from({ length: count }, (_, at) => madeUpUser(at + 1));
  return users.map((user) => ({ ...user, ...faultOf(user, users) }));
}

/**
 * The same script after its last sale, some days later: every third user has spent half, two have come, one is gone, one was
 * blocked, one let in again, and one has got another type.
 */
export function madeUpUsersLater(count: number): MadeUpUser[] {
  const later: Readonly<Record<number, Partial<MadeUpUser>>> = {
    31: { isActive: false },
    140: { isActive: true },
    32: { userType: "API" },
  };
  return madeUpUsers(count + 2)
    .filter(({ id }) => id !== 30)
    .map((user) => ({ ...user, balance: hasSpent(user) ? half(user.balance) : user.balance, ...later[user.id] }));
}

/** Beyond those with planted faults. */
const hasSpent = ({ id }: MadeUpUser) => id % 3 === 0 && id > 26;

function half(balance: string): string {
  return balance === "0" ? balance : decimal(Math.floor(Number(balance.replace(".", "")) / 2));
}

function madeUpUser(id: number): MadeUpUser {
  const [first = "", last = ""] = [firstNames[id % 10], lastNames[Math.floor(id / 10) % 10]];
  const kobo = drawn(id, "balance", 5_000_000);
  return {
    id,
    username: `${first.toLowerCase()}${id}`,
    fullName: `${first} ${last} ${id}`,
    email: `${first.toLowerCase()}.${last.toLowerCase()}${id}@shop.example`,
    phone: `0803${String(drawn(id, "phone", 10_000_000)).padStart(7, "0")}`,
    userType: ["Smart Earner", "Smart Earner", "Affilliate", "TopUser", "API"][id % 5] ?? "",
    balance: id % 7 === 0 ? "0" : decimal(kobo),
    token: id % 9 === 0 ? null : tokenOf(id),
    isActive: id % 140 !== 0,
  };
}

function decimal(kobo: number): string {
  return `${Math.floor(kobo / 100)}.${String(kobo % 100).padStart(2, "0")}`;
}

/** Forty hexadecimal digits, as Django REST framework makes them. */
export function tokenOf(id: number): string {
  return createHash("sha1").update(`token ${id}`).digest("hex");
}

function drawn(id: number, what: string, below: number): number {
  return createHash("sha256").update(`${what} ${id}`).digest().readUInt32BE() % below;
}

/** The faults that such exports have. Users 11 to 26 have them, and nobody else. */
function faultOf({ id }: MadeUpUser, users: readonly MadeUpUser[]): Partial<MadeUpUser> {
  const email = (of: number) => users[of - 1]?.email ?? "";
  const faults: Readonly<Record<number, Partial<MadeUpUser>>> = {
    11: { email: email(12).toUpperCase() },
    13: { email: "no address" },
    14: { email: "" },
    15: { balance: "-250.50" },
    16: { balance: "1250.4999999999998" },
    17: { balance: "1.23457e6" },
    19: { userType: "Gold" },
    20: { balance: "12,50" },
    21: { phone: "8.03E+09" },
    22: { token: tokenOf(23) },
    24: { token: "" },
    25: { token: "1234567890" },
    26: { token: "a token with blanks in it, of 40 letters" },
  };
  return faults[id] ?? {};
}
