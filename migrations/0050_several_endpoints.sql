-- Up to five endpoints a merchant. What each wants is its own, with the modes that it hears of.

alter table webhook_endpoints
  add column mode text not null default 'both' check (mode in ('live', 'test', 'both')),
  add column description text check (length(description) <= 200),
  -- From its question mark on, sealed like a secret: people put tokens there. The url itself ends before it.
  add column url_query text,
  -- Counts the URLs that were set. An attempt names the one that it went to, so that the log can show its query.
  add column url_version integer not null default 1,
  -- In the row of number 1, which is made with the first endpoint: the highest number given so far. Numbers are never
  -- given again, as deliveries to a removed endpoint keep its number.
  add column last_endpoint_number integer not null default 1,
  add constraint webhook_endpoints_query_has_url check (url_query is null or url is not null);

alter table webhook_deliveries
  -- Somebody asked for it, to try out a receiver: one attempt, and nothing happened that it tells.
  add column is_example boolean not null default false;
update webhook_deliveries
   set is_example = true
 where event = 'webhook.test';

alter table webhook_attempts
  -- 0: not known.
  add column url_version integer not null default 0;
update webhook_attempts
   set url = split_part(url, '?', 1)
 where position('?' in url) > 0;

-- A bulk order's end is told to each endpoint once.
drop index webhook_deliveries_of_bulk_orders;
create unique index webhook_deliveries_of_bulk_orders
  on webhook_deliveries (bucket, merchant_id, mode, subject_id, endpoint_number)
  where event = 'bulk.completed';

-- What a purchase's end owes to other endpoints than the first. Most merchants have no other: then it is null, takes no
-- room, and settle_purchases does nothing for it.
alter table purchases
  add column further_delivery_ids uuid[];

drop function if exists settle_purchases(settlement[], text, text, date, timestamptz);
alter type settlement
  add attribute further_delivery_ids uuid[];

-- One of them, beside the items of settle_purchases.
create type further_delivery as (
  -- Which item of the batch it is about, from 1.
  ordinal integer,
  endpoint_number integer,
  id uuid
);

-- These tell of tests, or of URLs' versions, from now on.
drop function if exists claim_webhook_deliveries(
  text, text, smallint, integer, integer, integer, integer, integer, integer, jsonb
);
drop function if exists finish_webhook_attempts(
  smallint[], integer[], text[], integer[], uuid[], text[], integer[], integer[], integer[], text[], boolean[],
  smallint[], integer[], text[], text[], text[]
);
drop function if exists record_webhook_attempts(
  smallint[], integer[], text[], integer[], uuid[], integer[], text[], boolean[], smallint[], integer[], text[], text[],
  text[]
);
drop function if exists recover_webhook_deliveries(smallint, integer, text, uuid, integer);
