-- The audit log: who changed what by an operator's command or in a console. An entry is written in the transaction of
-- the change; its hash covers the entry before it, so that no entry is changed, removed or added without all later
-- hashes showing it.

create table audit_log (
  number bigint primary key check (number > 0),
  at timestamptz not null,
  who text not null check (length(who) between 1 and 300),
  command text not null check (length(command) between 1 and 100),
  details text not null check (length(details) <= 8000),
  previous_hash bytea not null check (octet_length(previous_hash) = 32),
  hash bytea not null check (octet_length(hash) = 32)
);
comment on table audit_log is
  'owner: audit. Changes by operators'' commands and in the consoles: one chain of hashes. Insert-only.';
comment on column audit_log.number is 'Counts the entries from 1.';
comment on column audit_log.at is 'When the command changed it.';
comment on column audit_log.who is
  'The name of the operator, or member:<address> or staff:<address> of a person in a console.';
comment on column audit_log.command is
  'The command as it is typed, without its arguments: supplier add. In a console: console key create.';
comment on column audit_log.details is 'Arguments and options as one JSON object; what is secret is left out.';
comment on column audit_log.previous_hash is 'The hash of the entry before; 32 zero bytes in the first.';
comment on column audit_log.hash is 'SHA-256 of this entry and previous_hash (audit_hash).';

-- An owner reads what the team did, newest first, also of one person.
create index audit_log_by_merchant
  on audit_log ((substring(details from '"merchant":"(mer_[0-9]+)"')), number)
  where who like 'member:%';
create index audit_log_by_person
  on audit_log ((substring(details from '"merchant":"(mer_[0-9]+)"')), who, number)
  where who like 'member:%';

-- Looks at a sale: entries of the company's people that name it, found by its transaction id.
create index audit_log_by_sale
  on audit_log ((substring(details from '"sale":"([A-Z0-9]+)"')), number)
  where who like 'staff:%';

-- What the company did about a merchant: changes of its people, by commands and in the console, and who looked.
create index audit_log_of_company
  on audit_log ((substring(details from '"merchant":"(mer_[0-9]+)"')), number)
  where who not like 'member:%';

-- A client with the service's role is refused a change. The table's owner can still lift the trigger, on
-- purpose and by its name; that entries were then changed tells `audit check`, with a hash that was kept elsewhere. A
-- trigger needs its function; what it says in full is in functions/refuse_audit_change.sql, applied behind this.
create function refuse_audit_change() returns trigger
language plpgsql
as $$
begin
  raise exception 'The audit log only grows.';
end
$$;

create trigger audit_log_only_grows
  before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_change();

create table audit_log_forwarded (
  id smallint primary key check (id = 1),
  number bigint not null
);
comment on table audit_log_forwarded is 'owner: audit. The last entry of the audit log that some process has logged.';
comment on column audit_log_forwarded.id is 'Always 1: the table has one row.';
comment on column audit_log_forwarded.number is 'That entry''s number; 0 before the first.';
insert into audit_log_forwarded (id, number) values (1, 0);
