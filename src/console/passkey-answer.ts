import type { Form } from "./form.ts";

/** What the browser's authenticator answered, from the field that its island fills; null where that is no JSON. */
export function passkeyAnswerIn(form: Form): unknown {
  try {
    return JSON.parse(form.raw("response"));
  } catch {
    return null;
  }
}
