-- GET /events lists ends of purchases and bulk orders in an order that never changes, though they end in several
-- processes and their commits become visible out of turn. Neither C1 nor C2 writes here: who reads the list lengthens
-- it first (list_new_ends), so a merchant that never reads it has no rows.

create table event_lists (
  wallet_id integer not null,
  read_seq bigint not null,
  last_position bigint not null default 0,
  looked_to bigint not null default 0,
  primary key (wallet_id)
)
with (fillfactor = 40);
comment on table event_lists is
  'owner: history. One row a wallet whose events were asked for: how far its list goes. Its lock is the list''s.';
comment on column event_lists.wallet_id is 'The wallet.';
comment on column event_lists.read_seq is 'Entries of the wallet''s ledger up to this one were read.';
comment on column event_lists.last_position is 'The position of the last event in the list.';
comment on column event_lists.looked_to is
  'What is awaited was looked at up to this subject; the next look begins behind it.';

create table awaited_ends (
  wallet_id integer not null,
  subject_id bigint not null,
  is_order boolean not null,
  primary key (wallet_id, subject_id)
);
comment on table awaited_ends is
  'owner: history. Ends found in the ledger of a wallet of event_lists that are not in its list yet.';
comment on column awaited_ends.wallet_id is 'The wallet.';
comment on column awaited_ends.subject_id is 'The purchase or the bulk order.';
comment on column awaited_ends.is_order is 'It is a bulk order.';

create table listed_events (
  wallet_id integer not null,
  position bigint not null check (position > 0),
  event text not null,
  subject_id bigint not null,
  happened_at timestamptz not null,
  primary key (wallet_id, position),
  unique (wallet_id, subject_id),
  constraint listed_events_event_check
    check (event in ('transaction.successful', 'transaction.failed', 'bulk.completed'))
);
comment on table listed_events is
  'owner: history. Ends of purchases and bulk orders in the order of the list, for 30 days.';
comment on column listed_events.wallet_id is 'The wallet.';
comment on column listed_events.position is 'The place in the list, from 1. Never given twice, and never changed.';
comment on column listed_events.event is 'The event''s name.';
comment on column listed_events.subject_id is 'The purchase or the bulk order.';
comment on column listed_events.happened_at is 'When it ended.';

-- One for each event: a list of all of them could be mistaken by a planner for one of a wallet's.
create index listed_events_successful on listed_events (wallet_id, position)
  where event = 'transaction.successful';
create index listed_events_failed on listed_events (wallet_id, position)
  where event = 'transaction.failed';
create index listed_events_of_orders on listed_events (wallet_id, position)
  where event = 'bulk.completed';

-- Lists of the console with their filters, kept by name: each person's own, for each business.

create table saved_views (
  merchant_id integer not null,
  person_id integer not null,
  -- Numbered, so that the key holds the cap of 20.
  position smallint not null check (position between 1 and 20),
  list text not null check (length(list) between 1 and 40),
  name text not null check (length(name) between 1 and 60),
  query text not null check (length(query) between 1 and 1000),
  primary key (merchant_id, person_id, position),
  constraint saved_views_once_a_name unique (merchant_id, person_id, list, name),
  foreign key (merchant_id, person_id) references members on delete cascade
);
comment on table saved_views is 'owner: history. Lists with their filters that a member keeps by name, at most 20.';
comment on column saved_views.merchant_id is 'The merchant whose lists they are.';
comment on column saved_views.person_id is 'Whose they are: nobody else sees them.';
comment on column saved_views.position is 'The number of the entry, from 1.';
comment on column saved_views.list is 'Which list: its page below the mode, transactions.';
comment on column saved_views.name is 'What the person calls it.';
comment on column saved_views.query is 'The filters as they stand in the list''s address.';

-- Ends that people decide: of many sales in review at once, and of each difference between our books and a supplier's.

create table reconciliation_differences (
  id integer generated always as identity primary key,
  supplier text not null,
  key bytea not null check (octet_length(key) = 32),
  kind text not null check (kind in ('ours_only', 'theirs_only', 'amounts_differ')),
  reference text,
  purchase_id bigint,
  attempt smallint,
  provider_reference text,
  ours bigint,
  theirs bigint,
  note text not null,
  from_day date not null,
  to_day date not null,
  found_at timestamptz not null default now(),
  found_by text not null,
  seen_at timestamptz not null default now(),
  ended_as text check (ended_as in ('ours', 'theirs', 'written_off')),
  act text check (act in ('fulfil', 'review', 'refund', 'take_back', 'accept')),
  reason text,
  case_number text,
  ended_at timestamptz,
  ended_by text,
  approved_by text,
  constraint reconciliation_differences_once unique (supplier, key),
  constraint reconciliation_differences_end_whole check (
    (ended_as is null) = (ended_at is null) and (ended_as is null) = (ended_by is null)
    and (ended_as is null) = (reason is null)
  ),
  constraint reconciliation_differences_acts check ((ended_as is not distinct from 'ours') = (act is not null)),
  constraint reconciliation_differences_claims
    check ((ended_as is not distinct from 'theirs') = (case_number is not null))
);
comment on table reconciliation_differences is
  'owner: history. Differences between our books and a supplier''s statement that were kept, each with its end.';
comment on column reconciliation_differences.id is 'Its number.';
comment on column reconciliation_differences.supplier is 'Whose statement.';
comment on column reconciliation_differences.key is
  'SHA-256 of kind, names, amounts and which of several alike: by it the same difference is found in a later upload.';
comment on column reconciliation_differences.kind is 'ours_only, theirs_only or amounts_differ.';
comment on column reconciliation_differences.reference is
  'How the statement calls the sale, or would; null where unknown.';
comment on column reconciliation_differences.purchase_id is 'Our sale. Null where there is none.';
comment on column reconciliation_differences.attempt is
  'The attempt at the supplier. Null where there is no sale of ours.';
comment on column reconciliation_differences.provider_reference is
  'The supplier''s own name for it; null where unknown.';
comment on column reconciliation_differences.ours is
  'Kobo by our books, or hundredths of the supplier''s currency. Null: none.';
comment on column reconciliation_differences.theirs is
  'The same by the statement. Null: none, or not readable.';
comment on column reconciliation_differences.note is 'Why the two sides differ, as the comparison said it.';
comment on column reconciliation_differences.from_day is 'The first day that was compared.';
comment on column reconciliation_differences.to_day is 'The last day that was compared.';
comment on column reconciliation_differences.found_at is 'When it was kept first.';
comment on column reconciliation_differences.found_by is 'The person who kept it.';
comment on column reconciliation_differences.seen_at is 'When an upload had it last.';
comment on column reconciliation_differences.ended_as is
  'ours: we were wrong. theirs: claimed from the supplier. written_off. Null while it is open.';
comment on column reconciliation_differences.act is
  'Where we were wrong, what was done: fulfil, review, refund, take_back, or accept the supplier''s amount.';
comment on column reconciliation_differences.reason is 'Why it ended so, in a person''s words.';
comment on column reconciliation_differences.case_number is 'The supplier''s number of our claim.';
comment on column reconciliation_differences.ended_at is 'When it ended. Null while it is open.';
comment on column reconciliation_differences.ended_by is 'The person who decided the end.';
comment on column reconciliation_differences.approved_by is
  'The second person. Null where none was needed, or there was none.';
create index reconciliation_differences_open on reconciliation_differences (id) where ended_as is null;
create unique index reconciliation_differences_moved_once on reconciliation_differences (purchase_id, act)
  where act in ('refund', 'take_back');

-- Closed days: what was sold on a day, summed once when it is over. Reports over a year read these sums, not ten
-- million purchases. Rows are only inserted: what changes afterwards shows beside them as a difference.

create table closed_days (
  day date primary key,
  closed_at timestamptz not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  broken_invariants text[] not null,
  time_zone text not null default current_setting('timezone'),
  books_checked_at timestamptz not null default now(),
  summed_at timestamptz
);
comment on table closed_days is 'owner: history. Days that were closed. Only inserted.';
comment on column closed_days.day is 'The day in the deployment''s time zone.';
comment on column closed_days.closed_at is 'When it was closed.';
comment on column closed_days.starts_at is 'Its first instant, as the time zone was then.';
comment on column closed_days.ends_at is 'The first instant after it.';
comment on column closed_days.broken_invariants is
  'The promises of the books that didn''t hold at that moment, in words. Empty where all did.';
comment on column closed_days.time_zone is
  'The deployment''s time zone when it was closed: by it hours are told apart.';
comment on column closed_days.books_checked_at is
  'When broken_invariants was found: of several days that are closed one after the other the ledger is read '
  'once.';
comment on column closed_days.summed_at is
  'When it was closed by the database''s clock: entries that were booked later are not in its movements. Null where an '
  'older release closed it, without them.';

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
  goodwill bigint not null default 0,
  refunded_later bigint not null default 0,
  taken_back bigint not null default 0,
  cost_changes bigint not null default 0,
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
comment on column closed_day_sales.reversed is 'Delivered purchases that were taken back by the end of the day.';
comment on column closed_day_sales.sales is 'What merchants paid for what was sold.';
comment on column closed_day_sales.cost is 'What suppliers took for it.';
comment on column closed_day_sales.fees is 'The fees within the sales.';
comment on column closed_day_sales.without_cost is 'How many of the sold have no recorded cost.';
comment on column closed_day_sales.goodwill is 'Goodwill that was given on the day, for sales of any day.';
comment on column closed_day_sales.refunded_later is 'Refunds on the day of delivered sales of earlier days.';
comment on column closed_day_sales.taken_back is
  'What merchants paid back on the day for sales that were refunded and had been delivered after all.';
comment on column closed_day_sales.cost_changes is
  'What suppliers took beyond the recorded cost, by differences that were accepted or written off on the day, less the '
  'cost of refunded_later. Below zero where they took less.';

create table closed_day_movements (
  day date not null references closed_days,
  kind text not null,
  entries bigint not null check (entries > 0),
  credited bigint not null check (credited >= 0),
  debited bigint not null check (debited >= 0),
  primary key (day, kind)
);
comment on table closed_day_movements is
  'owner: history. What was booked in live wallets on closed days, by kind of entry. Only inserted. Amounts in kobo.';
comment on column closed_day_movements.day is 'The day.';
comment on column closed_day_movements.kind is 'The kind of the entries, as in ledger_entries.';
comment on column closed_day_movements.entries is 'How many there were.';
comment on column closed_day_movements.credited is 'What they added to wallets.';
comment on column closed_day_movements.debited is 'What they took from wallets.';
