import { describe, expect, test } from "vitest";
import { may } from "../../src/console/operator/access.ts";
import { staffRoles } from "../../src/domain/staff/roles.ts";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";

const service = closing(await startConsole());
const pathOf = (path: string) => path.replace(/:\w+/g, "nothing").replace("*", "nowhere");

describe.each(staffRoles)("whoever is %s", (role) => {
  test("comes to every route of the role by the matrix, and to none else", async () => {
    const client = await service.staff(role);
    const wrong: string[] = [];
    for (const { method, path, capability } of service.operatorRoutes) {
      const { status, text } = await (method === "GET" ? client.get(pathOf(path)) : client.send(pathOf(path)));
      const isRefused = status === 403 && text.includes("Not for your role");
      if (status >= 500 || status === 401 || isRefused === may(role, capability))
        wrong.push(`${method} ${path} (${capability}) answered ${status}`);
    }
    expect(wrong).toEqual([]);
  });

  test("finds no link and no form in a page that the role may not follow", async () => {
    const client = await service.staff(role);
    const wrong: string[] = [];
    for (const { path, capability } of service.operatorRoutes.filter(({ method }) => method === "GET")) {
      if (!may(role, capability)) continue;
      const { text } = await client.get(pathOf(path));
      for (const [, method, to = ""] of text.matchAll(/\s(href|action)="(\/operator\/[^"?#]*)/g)) {
        const target = service.operatorRoutes.find(
          (route) => route.method === (method === "action" ? "POST" : "GET") && matches(route.path, to),
        );
        if (target !== undefined && !may(role, target.capability)) wrong.push(`${path} leads to ${to}`);
      }
    }
    expect([...new Set(wrong)]).toEqual([]);
  });
});

function matches(route: string, path: string): boolean {
  return route !== "/operator/*" && new RegExp(`^${route.replace(/:\w+/g, "[^/]+")}$`).test(path);
}
