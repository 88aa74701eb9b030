-- Who changed what by an operator's command. An entry is written in the transaction of the change; each one's hash
-- covers the one before it, so that nobody changes, takes out or puts in an entry without all later hashes telling.

create table audit_log (
  number bigint primary key check (number > 0),
  at timestamptz not null,
  who text not null check (length(who) between 1 and 100),
  -- As it is typed, without its arguments: `supplier add`.
  command text not null check (length(command) between 1 and 100),
  -- Arguments and options as one JSON object; what is secret is left out.
  details text not null check (length(details) <= 8000),
  previous_hash bytea not null check (octet_length(previous_hash) = 32),
  hash bytea not null check (octet_length(hash) = 32)
);
comment on table audit_log is 'owner: operator. What operators changed by commands: one chain of hashes. Insert-only.';
