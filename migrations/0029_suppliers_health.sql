-- What a supplier's own page shows: how long answers took, why a breaker is open, and what its price list changes.

create table supplier_category_hours (
  supplier text not null references suppliers,
  hour timestamptz not null,
  category text not null check (length(category) <= 40),
  vended bigint not null,
  declined bigint not null,
  unknown bigint not null,
  cost bigint not null,
  answers bigint[] not null,
  primary key (supplier, hour, category)
);
comment on table supplier_category_hours is
  'owner: suppliers. supplier_hours by category, with how long answers took: as many rows whatever is sold. Kept for '
  '30 days.';
comment on column supplier_category_hours.supplier is 'The supplier.';
comment on column supplier_category_hours.hour is 'The first instant of the hour.';
comment on column supplier_category_hours.category is 'The category of what was bought.';
comment on column supplier_category_hours.vended is 'Attempts that it vended at once.';
comment on column supplier_category_hours.declined is 'Attempts that it declined at once, or that did not leave.';
comment on column supplier_category_hours.unknown is 'Attempts whose end was not known at first.';
comment on column supplier_category_hours.cost is 'What the attempts cost us that were not declined at once.';
comment on column supplier_category_hours.answers is
  'How many answers took how long: one number for each bound in answer-times.ts. Empty for hours before this table.';

insert into supplier_category_hours
select h.supplier, h.hour, b.category, sum(h.vended), sum(h.declined), sum(h.unknown), sum(h.cost), '{}'
  from supplier_hours h
  join products i on i.id = h.product_id
  join billers b on b.slug = i.biller_slug
 group by h.supplier, h.hour, b.category;

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
