import { renderToString } from "preact-render-to-string";
import { describe, expect, test } from "vitest";
import {
  CheckField,
  PasswordField,
  RadioField,
  SelectField,
  TextAreaField,
  TextField,
} from "../../../src/console/kit/parts/fields.tsx";
import { Filters } from "../../../src/console/kit/parts/filters.tsx";
import { Form } from "../../../src/console/kit/parts/form.tsx";
import { renderPart } from "./render-part.tsx";

describe("a field", () => {
  test("is tied to its label, its hint and its error, and keeps what was sent", () => {
    const html = renderToString(
      <TextField name="phone" label="Phone" hint="Eleven digits" error="Too short." value="0803" type="tel" />,
    );
    expect(html).toContain('<label for="phone">');
    expect(html).toContain('id="phone-hint"');
    expect(html).toContain('id="phone-error"');
    expect(html).toMatch(/<input[^>]* aria-describedby="phone-hint phone-error"[^>]* aria-invalid="true"/);
    expect(html).toMatch(/<input[^>]* value="0803"/);
  });

  test("that is well says nothing of errors", () => {
    const html = renderToString(<TextField name="phone" label="Phone" error={null} />);
    expect(html).not.toContain("aria-");
    expect(html).not.toContain("error");
  });

  test("that may stay empty says so", () => {
    expect(renderToString(<TextField name="note" label="Note" isRequired={false} />)).toContain(" optional</small>");
    expect(renderToString(<TextField name="note" label="Note" />)).toMatch(/<input[^>]* required/);
  });

  test("of a password never keeps what was sent, and tells password managers what it is", () => {
    const html = renderToString(
      <PasswordField name="password" label="Password" value="hunter2hunter2" autocomplete="current-password" />,
    );
    expect(html).not.toContain("hunter2");
    expect(html).toContain('autocomplete="current-password"');
    expect(html).toContain('data-island="reveal"');
  });

  test("of several lines keeps its text, the first line break too", () => {
    expect(renderToString(<TextAreaField name="lines" label="Lines" value={"a\nb"} />)).toContain(">a\nb</textarea>");
  });

  test("of choices shows the chosen one as chosen", () => {
    const choices = [
      { value: "mtn", label: "MTN" },
      { value: "glo", label: "Glo" },
    ];
    const select = renderToString(<SelectField name="network" label="Network" choices={choices} value="glo" />);
    expect(select).toContain('<option value="mtn">MTN</option>');
    expect(select).toMatch(/<option[^>]* selected[^>]*>Glo/);
    const radio = renderToString(<RadioField name="network" label="Network" choices={choices} value="glo" />);
    expect(radio.match(/ checked/g)).toHaveLength(1);
    expect(radio).toContain("<legend>Network</legend>");
  });

  test("of yes or no is not required unless it is said", () => {
    expect(renderToString(<CheckField name="sure" label="Sure" />)).not.toContain("required");
    expect(renderToString(<CheckField name="sure" label="Sure" isRequired isChecked />)).toMatch(/required.* checked/);
  });
});

describe("a form", () => {
  test("carries what every form of its page does, such as a token, and what is sent along unseen", () => {
    const html = renderPart(<Form action="/buy" submit="Buy" hidden={{ product: "1" }} />, { once: "t1" });
    expect(html).toContain('<form class="form" method="post" action="/buy" data-island="once">');
    expect(html).toContain('<input type="hidden" name="once" value="t1"');
    expect(html).toContain('<input type="hidden" name="product" value="1"');
    expect(html).toContain('<button class="button main" type="submit">Buy</button>');
  });

  test("that is bare brings its own fields alone", () => {
    expect(renderPart(<Form action="/buy" submit="Buy" isBare />, { once: "t1" })).not.toContain('name="once"');
  });
});

describe("filters", () => {
  const filters = (status: string) =>
    renderToString(
      <Filters
        action="/live/transactions"
        kept={{ order: "oldest" }}
        filters={[
          {
            kind: "choice",
            name: "status",
            label: "Status",
            value: status,
            options: [{ value: "failed", label: "failed" }],
          },
        ]}
      />,
    );

  test("are a form that sends them in the address, and keep what else stands there", () => {
    expect(filters("")).toContain('method="get" action="/live/transactions"');
    expect(filters("")).toContain('<input type="hidden" name="order" value="oldest"');
  });

  test("lose one of them by its cross, which a filter that is not set has not", () => {
    expect(filters("failed")).toContain(
      '<a class="remove" href="/live/transactions?order=oldest" aria-label="Remove filter: Status failed">',
    );
    expect(filters("failed")).toContain('<input type="hidden" name="status" value="failed"');
    expect(filters("")).not.toContain("Remove filter");
    expect(filters("")).toContain('href="/live/transactions?order=oldest&amp;status=failed"');
  });

  test("of a period lead to the last days by one click, which takes days of one's own away", () => {
    const html = renderPart(
      <Filters
        action="/live/transactions"
        filters={[
          { kind: "days", name: "days", label: "Period", value: "", options: [{ value: "7", label: "7 days" }] },
          { kind: "date", name: "from", label: "From", value: "2026-11-23" },
        ]}
      />,
    );
    expect(html).toContain('<a href="/live/transactions?days=7">7 days</a>');
    expect(html).toContain('<summary aria-current="true">From 23 Nov</summary>');
    expect(html).toContain('<a href="/live/transactions">All</a>');
  });
});
