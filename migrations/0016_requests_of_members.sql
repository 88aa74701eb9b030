-- Members try the API out in the console: such a request is in the log and counted, and came with no key.

alter table request_log alter column key_id drop not null;
comment on column request_log.key_id is
  'The key that it came with, let in or not: api_keys.id. Null: a member sent it from the console.';
comment on column request_counts.key_id is
  'The API key that calls: api_keys.id. Below zero, the members of the merchant with that number, from the console.';
