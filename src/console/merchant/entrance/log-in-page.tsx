import type { FrameAnswer } from "../../kit/answer.tsx";
import { PasswordField, TextField } from "../../kit/parts/fields.tsx";
import { Flash, PasskeyForm } from "../../kit/parts/form.tsx";
import type { LogIn } from "../../kit/realm.ts";
import { ResumeField } from "../../kit/resume.tsx";

/** The log-in. A form that waits in it is sent after it. */
export function logInPage({ next, resume, email = "", error, status = 200 }: LogIn): FrameAnswer {
  return {
    title: "Log in",
    status,
    body: (
      <>
        {resume === null ? null : (
          <Flash kind="waiting">
            {resume === "too_long"
              ? "Your session has expired, and the form was too long to be kept. Log in, go back to it and send it again."
              : "Your session has expired. What you typed is kept, except passwords and codes: log in, and send it then."}
          </Flash>
        )}
        {error === undefined ? null : <Flash kind="bad">{error}</Flash>}
        <form class="form" method="post" action="/log-in" data-island="once">
          <input type="hidden" name="next" value={next} />
          <ResumeField resume={resume} />
          <TextField
            name="email"
            label="E-mail"
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
            <a href="/reset-password">Forgot the password?</a>
          </div>
        </form>
        <PasskeyForm action="/log-in/passkey" submit="Log in with a passkey">
          <input type="hidden" name="next" value={next} />
          <ResumeField resume={resume} />
        </PasskeyForm>
      </>
    ),
    footer: (
      <p>
        No account yet? <a href="/sign-up">Sign up</a>
      </p>
    ),
  };
}
