-- Closed days: what was sold on a day, summed once when it is over. Reports over a year read these sums, not ten
-- million purchases. Rows are only inserted: what changes afterwards shows beside them as a difference.

create table closed_days (
  day date primary key,
  closed_at timestamptz not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  broken_invariants text[] not null
);
comment on table closed_days is 'owner: history. Days that were closed. Only inserted.';
comment on column closed_days.day is 'The day in the deployment''s time zone.';
comment on column closed_days.closed_at is 'When it was closed.';
comment on column closed_days.starts_at is 'Its first instant, as the time zone was then.';
comment on column closed_days.ends_at is 'The first instant after it.';
comment on column closed_days.broken_invariants is
  'The promises of the books that didn''t hold at that moment, in words. Empty where all did.';

create table closed_day_sales (
  day date not null references closed_days,
  dimension text not null check (dimension in ('all', 'hour', 'category', 'product', 'merchant', 'supplier')),
  name text not null,
  sold bigint not null check (sold >= 0),
  failed bigint not null check (failed >= 0),
  pending bigint not null check (pending >= 0),
  reversed bigint not null check (reversed >= 0),
  sales bigint not null,
  cost bigint not null,
  fees bigint not null,
  without_cost bigint not null check (without_cost >= 0),
  primary key (day, dimension, name)
);
comment on table closed_day_sales is
  'owner: history. Live sales of closed days, by one thing at a time. Only inserted. Amounts in kobo.';
comment on column closed_day_sales.day is 'The day.';
comment on column closed_day_sales.dimension is 'What it is told apart by; all: the day as a whole.';
comment on column closed_day_sales.name is
  'Which one: an hour of 00 to 23, a category, the number of a product or merchant, a supplier. '
  'Empty for all, and for none.';
comment on column closed_day_sales.sold is 'Purchases that were delivered, and not taken back since.';
comment on column closed_day_sales.failed is 'Purchases that failed and were refunded.';
comment on column closed_day_sales.pending is 'Purchases that had not ended when the day was closed.';
comment on column closed_day_sales.reversed is
  'Delivered purchases that were taken back by the time that the day was closed.';
comment on column closed_day_sales.sales is 'What merchants paid for what was sold.';
comment on column closed_day_sales.cost is 'What suppliers took for it.';
comment on column closed_day_sales.fees is 'The fees within the sales.';
comment on column closed_day_sales.without_cost is 'How many of the sold have no recorded cost.';
