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
