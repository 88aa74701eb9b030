-- What a supplier's own page shows: how long answers took, why a breaker is open, and what its price list changes.

create table supplier_answer_times (
  supplier text not null references suppliers,
  hour timestamptz not null,
  category text not null check (length(category) <= 40),
  up_to_ms integer not null check (up_to_ms > 0),
  answers bigint not null,
  primary key (supplier, hour, category, up_to_ms)
);
comment on table supplier_answer_times is
  'owner: suppliers. How long first answers took, by the hour in which the attempts were sent: so many answers within so '
  'long. Percentiles come from it. Kept for 30 days.';
comment on column supplier_answer_times.supplier is 'The supplier.';
comment on column supplier_answer_times.hour is 'The first instant of the hour.';
comment on column supplier_answer_times.category is 'The category of what was bought.';
comment on column supplier_answer_times.up_to_ms is
  'They took at most so many milliseconds, and more than the next lower bound: the bounds stand in answer-times.ts.';
comment on column supplier_answer_times.answers is 'How many answers.';

alter table supplier_breakers
  add column opened_at timestamptz,
  add column last_trouble text;
comment on column supplier_breakers.opened_at is
  'Since when it has been open, by the first process that opened it. Null where an older release wrote it.';
comment on column supplier_breakers.last_trouble is
  'What the supplier answered last before it opened, or to the trial since, redacted: for the operator''s eyes.';

alter table supplier_catalogues add column differences json;
comment on column supplier_catalogues.differences is
  'The differences, worst first, the first 5,000 of them: the lines that a person accepts. Null where an older release '
  'asked.';
