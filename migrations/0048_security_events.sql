-- What whoever looks after a deployment's security asks: who used which key from where, and what operators did.

-- Beside the keys: a change of those makes every process read its accounts anew.
create table api_key_uses (
  key_id integer primary key references api_keys,
  used_at timestamptz not null,
  -- Null where it was unreadable.
  address inet
);
comment on table api_key_uses is 'owner: merchants. Last use of each API key, some ten seconds late.';

create table audit_log_told (
  -- One row.
  id smallint primary key check (id = 1),
  number bigint not null
);
comment on table audit_log_told is 'owner: operator. The last entry of the audit log that some process has logged.';
insert into audit_log_told (id, number) select 1, coalesce(max(number), 0) from audit_log;
