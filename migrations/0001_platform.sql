-- What the platform needs before any business: a number for each process, the counters that tell caches to reload, the
-- key that secrets are sealed under, and what processes share for a minute.

-- Purchase ids carry ten bits of process. A number that a process holds is nobody else's, however often others start.
create table process_claims (
  number integer primary key check (number between 0 and 1023),
  claimed_until timestamptz not null default '-infinity',
  claims bigint not null default 0
);
comment on table process_claims is
  'owner: purchases. The number of each process that sells, which its purchase ids carry. One row a number.';
comment on column process_claims.number is 'The number.';
comment on column process_claims.claimed_until is
  'Its process extends this while it runs. Afterwards the number is free, the longest unused one first.';
comment on column process_claims.claims is 'How often it was claimed: who knows another count has lost it.';
insert into process_claims (number) select generate_series(0, 1023);

-- Webhooks have a counter of their own: a merchant who changes its webhook a hundred times a minute makes no process
-- forget API keys.
create table revisions (
  subject text primary key check (
    subject in ('merchants', 'catalogue', 'webhooks', 'routes', 'company', 'payment_providers')
  ),
  revision bigint not null default 0
);
comment on table revisions is
  'owner: platform. Counts the changes of read-mostly rooms; every process asks several times a second and reloads.';
comment on column revisions.subject is 'What changed.';
comment on column revisions.revision is
  'The number of changes so far. Whoever changes the subject raises it in the same commit.';
insert into revisions (subject)
values ('merchants'), ('catalogue'), ('webhooks'), ('routes'), ('company'), ('payment_providers');

-- Every process follows this within a second, so that all seal under the new key from the moment an operator says so
-- (`keys rotate`), whatever order their settings name the keys in. The first start makes the row: a process that lacks
-- the key refuses to start, instead of sealing what no other process can open.
create table sealing_key (
  only_one boolean primary key default true check (only_one),
  key_id text not null check (key_id ~ '^[0-9a-f]{8}$')
);
comment on table sealing_key is 'owner: platform. The key that secrets are sealed under at present, by its id.';
comment on column sealing_key.only_one is 'Always true: the table has one row.';
comment on column sealing_key.key_id is 'The name of the key in sealed texts. It says nothing of the key itself.';

-- What is counted here is worth a minute, so the table is unlogged: it costs no WAL and no wait for a disk, and after a
-- crash of PostgreSQL the minute simply starts anew.
create unlogged table request_counts (
  key_id integer primary key,
  slot integer not null,
  counts integer[] not null check (array_length(counts, 1) = 13)
)
-- Each update rewrites the row and no index: half-empty pages keep it heap-only, early vacuums keep the table small.
with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 500);
comment on table request_counts is 'owner: platform. Requests of the last minute by key, counted when they are leased.';
comment on column request_counts.key_id is
  'The API key that calls: api_keys.id. Below zero, the members of the merchant with that number, from the console.';
comment on column request_counts.slot is
  'The newest slot counted. A slot is five seconds; slots are numbered since 1970, twelve to a minute.';
comment on column request_counts.counts is
  'Requests leased in the thirteen slots that end with it, oldest first: any 60 seconds touch at most thirteen.';

create table turns (
  name text primary key check (length(name) between 1 and 80),
  free_at timestamptz not null,
  figures json
);
comment on table turns is
  'owner: platform. What one process of all does or logs at a time, and from when on it is anybody''s turn again.';
comment on column turns.name is 'What is done or logged, with the supplier or product it is about.';
comment on column turns.free_at is
  'Until then it is the turn of the process that took it. Of backup: when the last one was finished.';
comment on column turns.figures is
  'What was found in the last turn: metrics that every process tells. Null where the turn is for something else.';

-- Kept here rather than in the environment, so that every process of a deployment accepts what another one answered,
-- and none accepts another deployment's. The key that signs verification ids follows from this and from the encryption
-- key, which is not in the database: this alone is no secret.
create table deployment_secrets (
  name text primary key check (name = 'verification'),
  secret bytea not null check (length(secret) = 32)
);
comment on table deployment_secrets is
  'owner: purchases. One row: the salt of the key of verification ids. Another salt ends all of them.';
comment on column deployment_secrets.name is 'Always verification: the table has one row.';
comment on column deployment_secrets.secret is 'The salt: 32 random bytes.';
-- Three UUIDs of version 4 bring 366 bits of the operating system's randomness; the hash makes 32 bytes of them.
insert into deployment_secrets (name, secret)
values (
  'verification',
  sha256(convert_to(concat(gen_random_uuid(), gen_random_uuid(), gen_random_uuid()), 'UTF8'))
);

-- Two databases make the same purchase ids: the number of a process begins at 0 in each. Without this, two deployments
-- with one account at a supplier send the same references, and each takes the other's sale for its own. A deployment's
-- number, drawn by chance, tells their transaction ids and references apart.
create table deployment_numbers (
  from_purchase_id bigint primary key check (from_purchase_id & 4194303 = 0),
  -- Copies of one database that was never started draw one number each.
  number bigint check (number between 0 and 4294967295)
);
comment on table deployment_numbers is
  'owner: purchases. What tells this deployment''s transaction ids from others'', by the first purchase that has it.';
comment on column deployment_numbers.from_purchase_id is
  'The number counts for purchases from this id on, up to the next row''s.';
comment on column deployment_numbers.number is 'The deployment''s number, 32 bits. Null until the next start draws it.';
insert into deployment_numbers (from_purchase_id) values (0);
