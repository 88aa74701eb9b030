-- Which key secrets are sealed under at present. Every process follows it within a second, so that all seal under the
-- new key from the moment an operator says so (`keys rotate`), whatever order their settings name the keys in. Made by
-- the first start: a process that lacks the key refuses to start, instead of sealing what nobody else can open.

create table sealing_key (
  only_one boolean primary key default true check (only_one),
  -- What sealed texts call it; says nothing of the key itself.
  key_id text not null check (key_id ~ '^[0-9a-f]{8}$'),
  since timestamptz not null default now()
);
comment on table sealing_key is 'owner: platform. The key that secrets are sealed under at present, by its id.';
