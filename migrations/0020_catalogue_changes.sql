-- catalogue.updated: what changed of the catalogue is marked in the commit that changes it; a worker tells the
-- merchants whom it concerns, page by page, and takes the marks away.

create table catalogue_changes (
  -- In the order of their commits: changes of the catalogue wait for each other (administration.ts).
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('price', 'availability', 'visibility')),
  biller_slug text not null references billers,
  -- Null where a whole category was hidden or shown.
  product_id integer references products,
  -- Whom it concerns: a price tier, a merchant, or everyone.
  tier smallint check (tier between 1 and 9),
  merchant_id integer references merchants,
  changed_at timestamptz not null default now(),
  constraint catalogue_changes_concern_one_scope check (num_nonnulls(tier, merchant_id) <= 1),
  constraint catalogue_changes_name_their_product check ((product_id is null) = (kind = 'visibility'))
);
comment on table catalogue_changes is
  'owner: catalogue. What changed and is still to be told: price, availability or visibility, and whom it concerns.';

create table catalogue_round (
  is_only boolean primary key default true check (is_only),
  -- Changes up to this one are being told; null while nothing is.
  up_to_id bigint,
  -- Endpoints up to this one have been told; -1 and 0 before the first.
  bucket smallint not null default -1,
  merchant_id integer not null default 0
);
comment on table catalogue_round is
  'owner: webhooks. One row: how far the telling of catalogue changes got. Its lock is the right to tell.';
insert into catalogue_round (is_only) values (true);
