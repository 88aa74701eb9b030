-- On which day's limit a purchase counts is kept with it: a refund gives back to that day, whoever's clock says what.
alter table purchases
  -- In the deployment's zone. Null for those made before this column was.
  add column limit_day date;

drop function if exists settle_purchases(settlement[], text, text, further_delivery[], text, date, timestamptz);
