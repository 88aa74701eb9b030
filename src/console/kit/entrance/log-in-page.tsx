import type { FrameAnswer } from "../answer.tsx";
import { PasswordField, TextField } from "../parts/fields.tsx";
import { Flash, PasskeyForm } from "../parts/form.tsx";
import type { LogIn, RealmEntrance } from "../realm.ts";
import { ResumeField } from "../resume.tsx";

/** The log-in. A form that waits in it is sent after it. */
export function logInPage({ base, logInFooter }: RealmEntrance, waiting: LogIn): FrameAnswer {
  const { next, resume, email = "", error, status = 200 } = waiting;
  return {
    title: "Log in",
    status,
    body: (
      <>
        {resume === null ? null : (
          <Flash kind="waiting">
            {resume === "too_long"
              ? "You were logged out, and what you sent was too long to keep. Log in, go back and send it again."
              : "You were logged out. Log in to finish; we kept what you typed, except passwords and codes."}
          </Flash>
        )}
        {error === undefined ? null : <Flash kind="bad">{error}</Flash>}
        <form class="form" method="post" action={`${base}/log-in`} data-island="once">
          <input type="hidden" name="next" value={next} />
          <ResumeField resume={resume} />
          <TextField
            name="email"
            label="Email"
            type="email"
            value={email}
            autocomplete="username"
            isFocused={email === ""}
          />
          <PasswordField name="password" label="Password" autocomplete="current-password" isFocused={email !== ""} />
          <div class="buttons">
            <button class="button main" type="submit">
              Log in
            </button>
            <a href={`${base}/reset-password`}>Forgot your password?</a>
          </div>
        </form>
        <PasskeyForm
          action={`${base}/log-in/passkey`}
          options={`${base}/log-in/passkey/options`}
          submit="Log in with a passkey"
        >
          <input type="hidden" name="next" value={next} />
          <ResumeField resume={resume} />
        </PasskeyForm>
      </>
    ),
    footer: logInFooter(),
  };
}
