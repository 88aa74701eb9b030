-- Changes of prices are changes like others (0019). Here is what comes before one, and what it left behind: previews,
-- and each price that was set. Prices are objects with the price's columns as keys, without nulls.

create table price_drafts (
  id integer primary key default nextval('changes_id_seq'),
  made_by text not null check (length(made_by) between 1 and 400),
  undoes integer references changes on delete set null,
  lines text not null check (length(lines) <= 12000000),
  created_at timestamptz not null default now()
);
comment on table price_drafts is
  'owner: catalogue. Previews of new prices. Gone once one is asked for or made, else after a week.';
comment on column price_drafts.id is 'The number that the change has afterwards.';
comment on column price_drafts.made_by is 'The person, as the audit log has it.';
comment on column price_drafts.undoes is 'The change that it takes back.';
comment on column price_drafts.lines is 'The prices as JSON, each before and after.';
comment on column price_drafts.created_at is 'When it was made.';
create index price_drafts_by_age on price_drafts (created_at);
create index price_drafts_undoing on price_drafts (undoes) where undoes is not null;

create table price_history (
  id bigint generated always as identity primary key,
  change_id integer references changes on delete set null deferrable initially deferred,
  product_id integer not null references products,
  tier smallint check (tier between 1 and 9),
  merchant_id integer references merchants,
  before jsonb check (jsonb_typeof(before) = 'object'),
  after jsonb check (jsonb_typeof(after) = 'object'),
  set_at timestamptz not null default now(),
  made_by text check (length(made_by) between 1 and 400),
  reason text not null check (length(reason) <= 200),
  constraint price_history_has_one_scope check (num_nonnulls(tier, merchant_id) <= 1),
  constraint price_history_keeps_a_base_price
    check (num_nonnulls(tier, merchant_id) = 1 or num_nonnulls(before, after) = 2)
);
comment on table price_history is 'owner: catalogue. Each price that was set, before and after. Never changed.';
comment on column price_history.id is 'Its number, in the order in which prices were set.';
comment on column price_history.change_id is 'The change that set it. Null once that is purged.';
comment on column price_history.product_id is 'The product.';
comment on column price_history.tier is 'The price tier whose own price it is.';
comment on column price_history.merchant_id is
  'The merchant whose own price it is. Both null: it is the base price.';
comment on column price_history.before is 'The price before. Null: the tier or merchant had none of its own.';
comment on column price_history.after is 'The price after. Null: it has none of its own any more.';
comment on column price_history.set_at is 'When it was set.';
comment on column price_history.made_by is
  'The person, as the audit log has it. Null: by a command, which the audit log names.';
comment on column price_history.reason is 'Why, in the person''s words.';
create index price_history_of_product on price_history (product_id, set_at);
create index price_history_of_change on price_history (change_id, id);
