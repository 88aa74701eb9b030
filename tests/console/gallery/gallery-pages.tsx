import { renderEntrancePage, renderPage } from "../../../src/console/kit/page.tsx";
import { PasswordField, TextField } from "../../../src/console/kit/parts/fields.tsx";
import { Form } from "../../../src/console/kit/parts/form.tsx";
import type { Theme } from "../../../src/console/kit/shell.ts";
import { Forms } from "./forms.tsx";
import { galleryShell, gallerySurroundings as surroundings } from "./gallery-shell.ts";
import { Overview, overviewActions } from "./overview.tsx";
import { Transactions } from "./transactions.tsx";

/** Pages that show every part in every state, by name. */
export function galleryPages(theme: Theme): Readonly<Record<string, string>> {
  const shell = { ...galleryShell, theme };
  const test = { ...shell, mode: "test", liveHref: "/live/transactions", testHref: "/test/transactions" } as const;
  return {
    overview: renderPage({ title: "Overview", shell, body: <Overview />, actions: overviewActions, surroundings }),
    transactions: renderPage({ title: "Transactions", shell: test, body: <Transactions />, surroundings }),
    forms: renderPage({ title: "Parts", shell, body: <Forms />, surroundings }),
    entrance: renderEntrancePage({
      title: "Log in",
      surroundings,
      company: shell.company,
      theme,
      body: (
        <Form action="/log-in" submit="Log in">
          <TextField name="email" label="E-mail" type="email" autocomplete="username" isFocused />
          <PasswordField name="password" label="Password" autocomplete="current-password" />
        </Form>
      ),
      footer: (
        <>
          New here? <a href="/sign-up">Sign up</a>
        </>
      ),
    }),
  };
}
