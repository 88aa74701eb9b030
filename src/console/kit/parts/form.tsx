import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";
import { Button, type ButtonKind, ButtonLink, type ButtonSize } from "./layout.tsx";
import { type Fault, useSurroundings } from "./surroundings.ts";

interface FormProps {
  /** Needed where boxes outside of it are sent with it. */
  readonly id?: string;
  readonly action: string;
  readonly submit: string;
  readonly kind?: ButtonKind;
  readonly size?: ButtonSize;
  /** It brings the fields of another form, which the page's own would double. */
  readonly isBare?: boolean;
  /** What is wrong as a whole, for the summary over the page; what is wrong with a field stands at the field as well. */
  readonly error?: string | null | undefined;
  readonly cancelHref?: string;
  /** Sent along unseen. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** Fields side by side where there is room, with the button at the end: one or two of them. */
  readonly isInline?: boolean;
  /** One of its fields is a file. */
  readonly isUpload?: boolean;
  readonly children?: ComponentChildren;
}

/** Something to be changed. A double click is harmless: an island disables the button, the token is good once. */
export function Form(props: FormProps) {
  const { action, submit, kind = "main", size, error, cancelHref, hidden = {}, isInline, isBare } = props;
  const encType = props.isUpload ? "multipart/form-data" : undefined;
  const { formFields, faults } = useSurroundings();
  if (error) faults?.push({ text: error, field: null });
  return (
    <form
      id={props.id}
      class={isInline ? "form inline" : "form"}
      method="post"
      {...{ action, encType }}
      data-island="once"
    >
      <HiddenFields fields={isBare ? hidden : { ...hidden, ...formFields }} />
      {props.children}
      <div class="buttons">
        <Button {...{ kind, size }}>{submit}</Button>
        {cancelHref === undefined ? null : <ButtonLink href={cancelHref}>Cancel</ButtonLink>}
      </div>
    </form>
  );
}

export function HiddenFields({ fields }: { readonly fields: Readonly<Record<string, string>> }) {
  return Object.entries(fields).map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);
}

/** Over a page whose form was refused: what to mend, with the way to each field. It has the focus, and is read aloud. */
export function ErrorSummary({ faults }: { readonly faults: readonly Fault[] }) {
  const [first] = faults;
  if (first === undefined) return null;
  const isOne = faults.length === 1 && first.field === null;
  const wrong = faults.filter(({ field }) => field !== null).length;
  return (
    <div class="error-summary" role="alert" tabIndex={-1} autofocus>
      <h2>{isOne ? first.text : `${Math.max(1, wrong)} ${wrong > 1 ? "things" : "thing"} to fix`}</h2>
      {isOne ? null : (
        <ul>
          {faults.map(({ text, field }) => (
            <li key={`${field?.id} ${text}`}>
              {field === null ? text : <a href={`#${field.id}`}>{`${field.label}: ${text}`}</a>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** What is wrong where no form says it: it stands in the summary alone. */
export function PageFault({ text }: { readonly text: string }) {
  useSurroundings().faults?.push({ text, field: null });
  return null;
}

interface FlashProps {
  readonly kind: "good" | "bad" | "waiting" | "note";
  readonly children: ComponentChildren;
}

const flashClasses = { good: "notice good", bad: "notice bad", waiting: "notice wait", note: "notice" } as const;
const flashIcons = { good: "check", bad: "alert", waiting: "clock", note: "alert" } as const;

/** What has just happened, or is wrong with a whole form: read aloud when the page comes. */
export function Flash({ kind, children }: FlashProps) {
  return (
    <div class={flashClasses[kind]} role={kind === "bad" ? "alert" : "status"}>
      <Icon name={flashIcons[kind]} />
      <div>{children}</div>
    </div>
  );
}

/** What a new passkey answers, with the token that its answer comes back with. */
interface Begun {
  readonly options: object;
  readonly token: string;
}

/** A form that a passkey answers: one that logs in or confirms, or with `begun` a new one. Its script shows it. */
export function PasskeyForm(props: {
  readonly action: string;
  readonly submit: string;
  readonly begun?: Begun;
  /** Where a log-in's challenge is fetched. */
  readonly options?: string;
  readonly cancelHref?: string;
  readonly children: ComponentChildren;
}) {
  const { action, submit, begun, options = "/log-in/passkey/options", cancelHref, children } = props;
  const { formFields } = useSurroundings();
  const island = useIsland("passkey");
  const requested = begun === undefined ? { "data-options": options } : { "data-begun": JSON.stringify(begun.options) };
  return (
    <form class="form" method="post" action={action} hidden={begun === undefined} {...island} {...requested}>
      {begun === undefined ? null : <HiddenFields fields={formFields} />}
      {children}
      <input type="hidden" name="token" value={begun?.token} />
      <input type="hidden" name="response" />
      <p class="error" role="alert" hidden />
      <div class="buttons">
        <button class={begun === undefined ? "button" : "button main"} type="submit">
          {submit}
        </button>
        {cancelHref === undefined ? null : <ButtonLink href={cancelHref}>Cancel</ButtonLink>}
      </div>
    </form>
  );
}

interface LiveProps {
  /** The `id` of the table whose rows are looked for anew, or several parts' with spaces between. */
  readonly tableId: string;
  readonly everySeconds?: number;
  /** The address of a feed that sends the parts as they change; without it, the page is asked every few seconds. */
  readonly feed?: string;
  /** False where nothing is to come. */
  readonly isOn?: boolean;
  /** What stands under it, where it does not stand in a page's head. */
  readonly children?: ComponentChildren;
}

/** Keeps the rows of a table fresh while the page is looked at. It can be paused, and is still without JavaScript. */
export function Live({ tableId, everySeconds = 5, feed, isOn = true, children }: LiveProps) {
  const island = useIsland("live");
  return (
    <>
      {isOn ? (
        <p class="live" {...island} data-table={tableId} data-seconds={everySeconds} data-feed={feed} hidden>
          Updating
          <button class="button small plain" type="button" aria-pressed="false">
            Pause
          </button>
        </p>
      ) : null}
      {children}
    </>
  );
}

/** An island that is loaded where it stands, from `islands/on-demand`. */
function useIsland(island: string) {
  const { assetUrl } = useSurroundings();
  return { "data-island": island, "data-script": assetUrl(`${island}.js`) };
}
