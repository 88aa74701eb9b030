-- Requests counted by key. What is counted here is worth a minute, so the table is unlogged: it costs no WAL and no
-- wait for a disk, and after a crash of PostgreSQL the minute simply starts anew.

create unlogged table request_counts (
  key_id integer primary key,
  -- The newest slot counted: five-second slots since 1970, twelve to each minute.
  slot integer not null,
  -- Requests leased in the thirteen slots that end with it, oldest first: any 60 seconds touch at most thirteen.
  counts integer[] not null check (array_length(counts, 1) = 13)
)
-- Each update rewrites the row and no index: half-empty pages keep it heap-only, early vacuums keep the table small.
with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 500);
comment on table request_counts is 'owner: platform. Requests of the last minute by key, counted when they are leased.';
