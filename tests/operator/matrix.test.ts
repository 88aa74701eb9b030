import { expect, test } from "vitest";
import type { OperatorRoute } from "../../src/console/operator/access.ts";
import { type StaffRole, staffRoles } from "../../src/domain/staff/roles.ts";
import type { ConsoleAnswer, StaffClient } from "../support/console.ts";
import { sharedConsole } from "../support/shared-console.ts";

const service = await sharedConsole();

const everybody = "admin finance catalogue support";

/**
 * Roles that may do each thing below `/operator/`, as it was decided, apart from the code: the first line that fits a route
 * holds. With a third word its forms ask for a fresh factor.
 */
const decided: readonly (readonly [routes: RegExp, roles: string, fresh?: "fresh"])[] = [
  [/^GET (|today|today\/feed|search|sales|sales\/:id|merchants|merchants\/:id)$/, everybody],
  [/^GET sales\.csv$/, "admin finance"],
  [/^POST sales\/:id\/ask$/, "admin finance support"],
  [/^POST sales\/:id\//, "admin finance support", "fresh"],
  [/^(GET review|GET review\/:id|POST review\/:id\/ask)$/, "admin finance support"],
  [/^(GET|POST) review\//, "admin finance", "fresh"],
  [/^(GET|POST) approvals/, everybody, "fresh"],
  [/^(GET|POST) merchants\/:id\/access(\/refuse)?$/, "admin support"],
  [/^GET merchants\/:id\/statement/, "admin finance"],
  [/^POST (merchants\/:id\/view|views\/end)$/, "admin finance support"],
  [/^(GET|POST) (merchants\/|new-merchant)/, "admin", "fresh"],
  [/^GET (money|moving-in|transfers|transfers\/(lines|imports|announced).*)$/, "admin finance"],
  [/^(GET|POST) transfers\/(import|layout)/, "admin finance"],
  [/^POST transfers\//, "admin finance", "fresh"],
  [/^(GET|POST) money\//, "admin finance", "fresh"],
  [/^GET (payments(\/:number)?|payment-providers(\/:provider)?)$/, "admin finance support"],
  [/^GET payments\.csv$/, "admin finance"],
  [/^(GET|POST) payments\/:number\/(match|contradiction)/, "admin finance", "fresh"],
  [/^(GET|POST) payment-(providers|connectors)\//, "admin finance", "fresh"],
  [/^GET (float|ledger|incidents|reconciliation|reports|closed-days)/, "admin finance support"],
  [/^POST (ledger|reconciliation)/, "admin finance", "fresh"],
  [/^GET (suppliers|suppliers\/:supplier|suppliers\/:supplier\/prices.*)$/, everybody],
  [/^GET routes(\/routes\.csv|\/:product|\/:product\/explain)?$/, everybody],
  [/^(GET|POST) (suppliers|connectors|routes)\//, "admin catalogue", "fresh"],
  [/^GET vouchers(\/products\/:id|\/imports\/:id)?$/, everybody],
  [/^POST vouchers\/(products\/|imports\/:id\/sell)/, "admin catalogue", "fresh"],
  [/^(GET|POST) vouchers\/import/, "admin catalogue"],
  [/^GET prices\/(products\/new|upload)$/, "admin catalogue"],
  [/^GET prices/, everybody],
  [/^POST prices\//, "admin catalogue"],
  [/^GET (staff|alerts)$/, "admin"],
  [/^(GET|POST) (staff|alerts|company|settings|emails)/, "admin", "fresh"],
  [/^(GET|POST) audit/, "admin finance"],
  [/^(GET security|GET \*|POST security\/(verify|sessions))$/, everybody],
  [/^POST security\//, everybody, "fresh"],
];

function decisionOn({ method, path }: Pick<OperatorRoute, "method" | "path">) {
  const named = `${method} ${path.replace(/^\/operator\/?/, "")}`;
  const [, who, fresh] = decided.find(([routes]) => routes.test(named)) ?? [];
  if (who === undefined) throw new Error(`nobody has decided who may ${named}: add its line`);
  return { mayGo: (role: StaffRole) => who.split(" ").includes(role), isFresh: fresh !== undefined };
}

function ask(client: StaffClient, { method, path }: OperatorRoute): Promise<ConsoleAnswer> {
  const named = path.replace(/:\w+/g, "nothing").replace("*", "nowhere");
  return method === "GET" ? client.get(named) : client.send(named);
}

test.each(staffRoles)(
  "whoever is %s comes to every route that was decided, and to none else, nor to a link to one",
  async (role) => {
    const client = await service.staff(role);
    const wrong = new Set<string>();
    for (const route of service.operatorRoutes) {
      const { status, text } = await ask(client, route);
      const isLetIn = !(status === 403 && text.includes("Not for your role"));
      if (status >= 500 || status === 401 || isLetIn !== decisionOn(route).mayGo(role))
        wrong.add(`${route.method} ${route.path} (${route.capability}) answered ${status}`);
      if (route.method === "GET" && isLetIn)
        for (const to of linkedFrom(text))
          if (!decisionOn(to).mayGo(role)) wrong.add(`${route.path} leads to ${to.path}`);
    }
    expect([...wrong]).toEqual([]);
  },
);

const ledTo = service.operatorRoutes
  .filter(({ path }) => path !== "/operator/*")
  .map((route) => ({ route, form: new RegExp(`^${route.path.replace(/:\w+/g, "[^/]+")}$`) }));

/** The routes that links and forms of a page lead to. */
function linkedFrom(text: string): OperatorRoute[] {
  const links = new Set(text.match(/\s(href|action)="\/operator\/[^"?#]*/g));
  return [...links].flatMap((link) => {
    const [by, to = ""] = link.trim().split('="');
    const method = by === "action" ? "POST" : "GET";
    return ledTo.find(({ route, form }) => route.method === method && form.test(to))?.route ?? [];
  });
}

test("an old factor is asked for anew by just the forms that were decided", async () => {
  const admin = await service.staff("admin");
  await service.age(admin);
  const forms = service.operatorRoutes.filter(({ method }) => method === "POST");
  const asking: string[] = [];
  for (const route of forms) {
    const { status, text } = await ask(admin, route);
    if (status === 403 && text.includes("Confirm it’s you")) asking.push(route.path);
  }
  expect(asking).toEqual(forms.filter((route) => decisionOn(route).isFresh).map(({ path }) => path));
});
