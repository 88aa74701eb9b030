import { randomBytes } from "node:crypto";
import { buildConsole, type ConsoleRoutes, type ConsoleServices } from "../../src/console/build-console.ts";
import type { MerchantRoute } from "../../src/console/merchant/access.ts";
import type { OperatorRoute } from "../../src/console/operator/access.ts";
import type { Realm } from "../../src/domain/identity/people/person.ts";
import { hashToken } from "../../src/domain/identity/people/sessions.ts";
import type { Role } from "../../src/domain/members/roles.ts";
import { formatMerchantId } from "../../src/domain/merchants/merchant.ts";
import type { StaffRole } from "../../src/domain/staff/roles.ts";
import { wallTime } from "../../src/kernel/clock.ts";
import type { MerchantId } from "../../src/kernel/ids.ts";
import { kobo } from "../../src/kernel/money.ts";
import { forConsole } from "../../src/main/build-http.ts";
import { openPasswordHash } from "../../src/platform/password-hash.ts";
import { startApp, type TestApp } from "./app.ts";

/** What a page answered. */
export interface ConsoleAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Where it leads; null where it leads nowhere. */
  readonly location: string | null;
}

/** A browser without JavaScript: it keeps cookies and says where its forms come from. */
export interface ConsoleClient {
  /** Cookies by name, as the browser would send them. */
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<ConsoleAnswer>;
  /** Sends a form of a page of ours: with a token that is good once, and the merchant of the page. */
  send(path: string, fields?: Fields, headers?: Record<string, string>): Promise<ConsoleAnswer>;
  /** Sends a form with a file, as a browser does: its name and its type are the browser's word. */
  upload(path: string, fields: Readonly<Record<string, string>>, file: UploadedFile): Promise<ConsoleAnswer>;
  /** Follows redirects to the page they lead to. */
  follow(answer: ConsoleAnswer): Promise<ConsoleAnswer>;
}

type Fields = Readonly<Record<string, string | readonly string[]>>;

export interface UploadedFile {
  readonly field: string;
  readonly name: string;
  readonly type?: string;
  readonly bytes: Uint8Array | string;
}

/** A person who is logged in, at both levels. */
export interface MemberClient extends ConsoleClient {
  readonly merchantId: MerchantId;
  readonly role: Role;
  readonly email: string;
  readonly password: string;
}

/** A person of the company who is logged in with two steps. */
export interface StaffClient extends ConsoleClient {
  readonly role: StaffRole;
  readonly email: string;
  readonly personId: number;
}

export interface TestConsole {
  readonly app: TestApp;
  readonly url: string;
  /** All routes behind the log-in, each with its line of the access matrix. */
  readonly routes: readonly MerchantRoute[];
  /** All routes of the company's console. */
  readonly operatorRoutes: readonly OperatorRoute[];
  /** A new person of the company, logged in with two steps. */
  staff(role: StaffRole): Promise<StaffClient>;
  /** A browser that nobody has logged in with. */
  guest(): ConsoleClient;
  /** A new member of the app's merchant, or of the one given, logged in. */
  member(role: Role, merchantId?: MerchantId): Promise<MemberClient>;
  /** Makes the member's factor older than a quarter of an hour. */
  age(member: Pick<MemberClient, "email">): Promise<void>;
  close(): Promise<void>;
}

export const consolePassword = "correct horse battery";
let people = 0;
/** Hashed once for all consoles of this process: it is meant to take long. */
let passwordHash: Promise<string> | undefined;

type ConsoleOptions = Parameters<typeof startApp>[0] & {
  readonly supplierOrigins?: readonly string[];
  readonly timeZone?: string;
};
type OwnServices = Partial<Pick<ConsoleServices, "findCommitBlock" | "readings">>;

/** Starts the service with its console, on a database of its own with the starting catalogue and one approved merchant. */
export async function startConsole(
  { supplierOrigins = [], timeZone = "Africa/Lagos", ...options }: ConsoleOptions = {},
  pagesPerMinute = 1_000_000,
  own: OwnServices = {},
): Promise<TestConsole> {
  let routes: ConsoleRoutes = { merchant: [], operator: [] };
  const app = await startApp({
    wayIn: { canSignUp: async () => true },
    wallTime: wallTime(timeZone),
    ...options,
    async onBuilt(server, services) {
      const more = {
        ...{
          publicUrl: null,
          timeZone,
          pagesPerMinute,
          pageShare: 1,
          creditAloneMax: kobo(100_000_00n),
        },
        supplierOrigins,
      };
      routes = await buildConsole(server, { ...services, ...forConsole(server, services), ...more, ...own });
    },
  });
  return consoleOf(app, routes);
}

/** The console of an app, for the app's merchant. */
export function consoleOf(app: TestApp, routes: ConsoleRoutes): TestConsole {
  const { url, fresh } = app;

  async function member(role: Role, merchantId: MerchantId = app.merchant.id): Promise<MemberClient> {
    const { email, personId, token } = await insertPerson(app, "merchant", role);
    await fresh.pool.query(
      "insert into members (merchant_id, person_id, role, created_at) values ($1, $2, $3, now())",
      [merchantId, personId, role],
    );
    const client = openClient(url, merchantId);
    client.cookies.set("merchant", token);
    return { ...client, merchantId, role, email, password: consolePassword };
  }

  async function staff(role: StaffRole): Promise<StaffClient> {
    const { email, personId, token } = await insertPerson(app, "staff", role);
    const addTotp = "update people set totp_seed = 'a.b.c', totp_confirmed_at = now() where id = $1";
    await fresh.pool.query(addTotp, [personId]);
    await fresh.pool.query("insert into staff (person_id, role, created_at) values ($1, $2, now())", [personId, role]);
    const client = openClient(url, app.merchant.id);
    client.cookies.set("staff", token);
    return { ...client, role, email, personId };
  }

  return {
    app,
    url,
    routes: routes.merchant,
    operatorRoutes: routes.operator,
    staff,
    guest: () => openClient(url, app.merchant.id),
    member,
    async age({ email }) {
      await fresh.pool.query(
        `update sessions s
            set factor_at = now() - interval '16 minutes'
           from people p
          where p.id = s.person_id
            and p.email = $1`,
        [email],
      );
    },
    close: () => app.close(),
  };
}

/** A new person with a session of both levels, as a log-in of just now left it. `token` is what its cookie holds. */
async function insertPerson({ fresh, services }: TestApp, realm: Realm, role: string) {
  people += 1;
  const email = `${role}-${people}@${realm === "staff" ? "company" : "shop"}.example`;
  const name = `${realm === "staff" ? "Tunde" : "Ada"} ${role}`;
  passwordHash ??= openPasswordHash().hash(consolePassword);
  const token = randomBytes(32).toString("base64url");
  const { rows } = await fresh.pool.query<{ id: number }>(
    `with person as (
       insert into people (realm, email, name, password_hash, email_verified_at, created_at)
       values ($1, $2, $3, $4, now(), now())
       returning id
     )
     insert into sessions (
       token_hash, person_id, realm, level, factor_at, created_at, seen_at, ends_at, address, agent
     )
     select $5, id, $1, 'second_factor', $6::timestamptz, $6, $6, $6 + interval '1 day', '', 'a test'
       from person
     returning person_id as id`,
    [realm, email, name, await passwordHash, hashToken(token), new Date(services.people.clock.now())],
  );
  return { email, personId: rows[0]?.id ?? 0, token };
}

/** An amount's kobo have an element of their own, for their colour; tests read amounts as people do. */
function withoutKoboMarks(text: string): string {
  return text.replaceAll(/<span class="kobo">(\.\d\d)<\/span>/g, "$1");
}

function openClient(url: string, merchantId: MerchantId): ConsoleClient {
  const cookies = new Map<string, string>();

  async function ask(path: string, init: RequestInit, headers: Record<string, string> = {}): Promise<ConsoleAnswer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(`${url}${path}`, {
      redirect: "manual",
      ...init,
      headers: { ...(cookie === "" ? {} : { cookie }), ...headers },
    });
    for (const line of response.headers.getSetCookie()) keep(line);
    const text = withoutKoboMarks(await response.text());
    return { status: response.status, headers: response.headers, text, location: response.headers.get("location") };
  }

  function keep(line: string): void {
    const [pair = ""] = line.split(";", 1);
    const name = pair.slice(0, pair.indexOf("="));
    const value = pair.slice(pair.indexOf("=") + 1);
    if (value === "" || /max-age=0|expires=thu, 01 jan 1970/i.test(line)) cookies.delete(name);
    else cookies.set(name, value);
  }

  const client: ConsoleClient = {
    cookies,
    // A feed goes on for ever: its head alone is asked for.
    get: (path, headers) => ask(path, path.endsWith("/feed") ? { method: "HEAD" } : {}, headers),
    send(path, fields = {}, headers) {
      const body = new URLSearchParams();
      const all = { once: randomBytes(32).toString("base64url"), merchant: formatMerchantId(merchantId), ...fields };
      for (const [name, value] of Object.entries(all)) for (const each of [value].flat()) body.append(name, each);
      return ask(path, { method: "POST", body }, { origin: url, "sec-fetch-site": "same-origin", ...headers });
    },
    upload(path, fields, { field, name, type = "", bytes }) {
      const body = new FormData();
      const all = { once: randomBytes(32).toString("base64url"), merchant: formatMerchantId(merchantId), ...fields };
      for (const [key, value] of Object.entries(all)) body.append(key, value);
      body.append(field, new Blob([bytes as BlobPart], { type }), name);
      return ask(path, { method: "POST", body }, { origin: url, "sec-fetch-site": "same-origin" });
    },
    async follow(answer) {
      return answer.location === null ? answer : client.follow(await client.get(answer.location));
    },
  };
  return client;
}
