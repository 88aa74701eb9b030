import { expect, test } from "vitest";
import { type MerchantRoute, may, needsFreshFactor } from "../../src/console/merchant/access.ts";
import { type Role, roles } from "../../src/domain/members/roles.ts";
import { sharedConsole } from "../support/shared-console.ts";

const service = await sharedConsole();

const everybody = "owner developer finance cashier viewer";
const insiders = "owner developer finance viewer";

/**
 * Roles that may do each thing, as it was decided, apart from the code: the first line that fits a route holds. Without a third word a
 * form asks for no fresh factor.
 */
const decided: readonly (readonly [routes: RegExp, roles: string, fresh?: "always" | "live"])[] = [
  [/^POST MODE\/transactions\/:name\/reveal$/, "owner finance", "always"],
  [/^POST MODE\/(transactions\/:name\/receipt|buy\/bought\/:reference)$/, "owner finance cashier", "always"],
  [/^GET MODE\/transactions\.csv$/, "owner finance"],
  [/^GET MODE\/(overview|\*|transactions\/:name\/receipt)$/, everybody],
  [/^GET MODE\/(search|transactions.*|prices.*)$/, insiders],
  [/^(GET|POST) MODE\/views/, insiders],
  [/^(GET|POST) MODE\/wallet/, "owner finance"],
  [/^(GET|POST) MODE\/(buy|my-sales)/, "owner finance cashier", "live"],
  [/^GET MODE\/team-sales$/, "owner"],
  [/^(GET|POST) MODE\/bulk/, "owner finance", "live"],
  [/^(GET|POST) MODE\/beneficiaries/, "owner finance"],
  [/^GET MODE\/webhooks\/deliveries\.csv$/, "owner"],
  [/^(GET|POST) MODE\/webhooks/, "owner developer"],
  [/^(GET|POST) MODE\/keys\/addresses/, "owner developer", "always"],
  [/^(GET|POST) MODE\/keys/, "owner developer", "live"],
  [/^GET MODE\/(requests|errors)/, "owner developer viewer"],
  [/^(GET|POST) MODE\/(sandbox|try)/, "owner developer"],
  [/^GET \/account\/members$/, "owner"],
  [/^POST \/account\/members/, "owner", "always"],
  [/^(GET|POST) \/account\/business/, "owner"],
  [/^GET \/account\/log$/, "owner"],
  [/^(GET|POST) \/account\/notifications$/, everybody],
  [/^POST \/account\/security\/(verify|sessions)$/, everybody],
  [/^POST \/account\/security\//, everybody, "always"],
  [/^GET \/account\/(security|\*)$/, everybody],
];

function decisionOn({ method, mode, path }: MerchantRoute) {
  const named = `${method} ${mode === null ? path : path.replace(`/${mode}/`, "MODE/")}`;
  const [, who, fresh] = decided.find(([routes]) => routes.test(named)) ?? [];
  if (who === undefined) throw new Error(`nobody has decided who may ${named}: add its line`);
  const mayGo = (role: Role) => who.split(" ").includes(role);
  return { mayGo, isFresh: method === "POST" && (fresh === "always" || (fresh === "live" && mode === "live")) };
}

test("every route has the roles that were decided, and asks for a fresh factor where it was", () => {
  for (const route of service.routes) {
    const { mayGo, isFresh } = decisionOn(route);
    const { method, path, mode, capability } = route;
    const asks = method === "POST" && needsFreshFactor(capability, mode);
    expect([method, path, roles.filter((role) => may(role, capability)), asks]).toEqual([
      method,
      path,
      roles.filter(mayGo),
      isFresh,
    ]);
  }
});

test("an old factor is asked for anew by just the forms that need a fresh one", async () => {
  const owner = await service.member("owner");
  await service.age(owner);
  for (const route of service.routes.filter(({ method }) => method === "POST")) {
    const { status, text } = await owner.send(route.path.replace(/:\w+/g, "nothing"));
    const isRequested = status === 403 && text.includes("Confirm it’s you");
    expect([route.path, isRequested]).toEqual([route.path, decisionOn(route).isFresh]);
  }
});
