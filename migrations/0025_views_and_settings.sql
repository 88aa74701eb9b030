-- The company sees a merchant's dashboard, read only; names of tiers; who may sign up; why a merchant may not sell.

create table merchant_views (
  session_hash bytea primary key references sessions (token_hash) on delete cascade,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  merchant_id integer not null references merchants (id),
  paths text[] not null default '{}' check (cardinality(paths) <= 500),
  created_at timestamptz not null,
  ends_at timestamptz not null
);
comment on table merchant_views is
  'owner: members. People of the company who see a merchant''s dashboard, read only. It ends with their own session.';
comment on column merchant_views.session_hash is 'The session at the company''s console. It has one view at a time.';
comment on column merchant_views.token_hash is 'SHA-256 of the view''s cookie: the table alone lets nobody in.';
comment on column merchant_views.merchant_id is 'The merchant.';
comment on column merchant_views.paths is 'Pages that were seen: the audit log has each once.';
comment on column merchant_views.created_at is 'When it began.';
comment on column merchant_views.ends_at is 'When it ends whatever happens.';

alter table merchants
  add column suspended_because text check (length(suspended_because) between 1 and 200),
  drop constraint merchants_limit_tier_check;
comment on column merchants.suspended_because is
  'Why it is suspended, in words that its people read. Null: nobody said.';

alter table limit_tiers
  add column name text check (length(name) between 1 and 40),
  drop constraint limit_tiers_tier_check,
  add constraint limit_tiers_tier_check check (tier between 1 and 9);
comment on column limit_tiers.name is 'What the company calls it: Gold. Null: by its number.';

create table price_tier_names (
  tier smallint primary key check (tier between 1 and 9),
  name text not null check (length(name) between 1 and 40)
);
comment on table price_tier_names is 'owner: merchants. What the company calls its price tiers, where not by number.';
comment on column price_tier_names.tier is 'The tier: merchants.price_tier.';
comment on column price_tier_names.name is 'Its name.';

alter table live_access_requests
  add column refused_because text check (length(refused_because) between 1 and 200);
comment on column live_access_requests.refused_because is
  'Why live access was refused last, in words that the merchant reads. Null: it was not, or is asked for anew.';

create table sign_up_policy (
  id smallint primary key default 1 check (id = 1),
  policy text not null check (policy in ('open', 'confirm', 'closed')),
  changed_at timestamptz not null
);
comment on table sign_up_policy is
  'owner: members. Who may sign up, as the company set it: one row, or none where SIGN_UP says it.';
comment on column sign_up_policy.id is 'Always 1.';
comment on column sign_up_policy.policy is 'open, confirm (each begins suspended) or closed (by invitation alone).';
comment on column sign_up_policy.changed_at is 'When it was set last.';
