-- Changes of prices: previewed as a draft, then carried out all or none, now or at a time. What was done stays as the
-- history of each price, and may be undone by another change. Prices of lines are objects with the price's columns as
-- keys, without nulls.

create table price_changes (
  id integer generated always as identity primary key,
  state text not null check (state in ('draft', 'scheduled', 'done', 'stopped', 'cancelled')),
  made_by text check (length(made_by) between 1 and 400),
  reason text not null default '' check (length(reason) <= 200),
  undoes integer references price_changes,
  prices integer not null check (prices > 0),
  created_at timestamptz not null default now(),
  starts_at timestamptz,
  ended_at timestamptz,
  constraint price_changes_scheduled_have_a_time check (state <> 'scheduled' or starts_at is not null),
  constraint price_changes_end_once check ((ended_at is null) = (state in ('draft', 'scheduled')))
);
comment on table price_changes is
  'owner: catalogue. Changes of selling prices: drafts for a preview, scheduled ones, and the history.';
comment on column price_changes.id is 'Its number.';
comment on column price_changes.state is
  'draft: nothing is changed yet. stopped: a price had changed before its time came, so it did nothing.';
comment on column price_changes.made_by is
  'The person, as the audit log has it. Null: by a command, which the audit log names.';
comment on column price_changes.reason is 'Why, in the person''s words.';
comment on column price_changes.undoes is 'The change that it takes back.';
comment on column price_changes.prices is 'How many prices it sets.';
comment on column price_changes.created_at is 'When it was previewed. A draft is deleted after a week.';
comment on column price_changes.starts_at is 'The moment for which it was scheduled. Null: at once.';
comment on column price_changes.ended_at is 'When it was done, stopped or cancelled.';
create index price_changes_due on price_changes (starts_at) where state = 'scheduled';
create index price_changes_drafts on price_changes (created_at) where state = 'draft';
create index price_changes_undone on price_changes (undoes) where undoes is not null;

create table price_change_lines (
  change_id integer not null references price_changes on delete cascade,
  line integer not null check (line > 0),
  product_id integer not null references products,
  tier smallint check (tier between 1 and 9),
  merchant_id integer references merchants,
  before jsonb check (jsonb_typeof(before) = 'object'),
  after jsonb check (jsonb_typeof(after) = 'object'),
  primary key (change_id, line),
  constraint price_change_lines_have_one_scope check (num_nonnulls(tier, merchant_id) <= 1),
  constraint price_change_lines_keep_a_base_price
    check (num_nonnulls(tier, merchant_id) = 1 or num_nonnulls(before, after) = 2)
);
comment on table price_change_lines is 'owner: catalogue. The prices of a change, each before and after it.';
comment on column price_change_lines.change_id is 'The change.';
comment on column price_change_lines.line is 'Counts its prices from 1.';
comment on column price_change_lines.product_id is 'The product.';
comment on column price_change_lines.tier is 'The price tier whose own price it is.';
comment on column price_change_lines.merchant_id is
  'The merchant whose own price it is. Both null: it is the base price.';
comment on column price_change_lines.before is 'The price before. Null: the tier or merchant had none of its own.';
comment on column price_change_lines.after is 'The price after. Null: it has none of its own any more.';
create index price_change_lines_by_product on price_change_lines (product_id, change_id);
