-- Errors that the request log has no row of, because too many came at once, are counted all the same.

alter table request_error_days
  add column not_kept bigint not null default 0,
  add constraint request_error_days_not_kept_check check (not_kept between 0 and requests);
comment on column request_error_days.not_kept is
  'How many of these requests have no row in the log: too many came in a second, or the database was away.';
comment on column request_error_days.requests is
  'How many requests were answered so, with a row in the log or without one.';
