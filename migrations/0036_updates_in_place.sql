-- A live purchase is stored pending and updated once, when it ends. Pages were filled to four fifths, so that three in
-- five found no room beside their first version: they moved to another page, and were entered into every index again.
-- Now there is room for both versions of all: no index hears of the end, and the space of the first version is used
-- again at once.
alter table purchases set (fillfactor = 45);

-- Attempts are looked up by their purchase alone. Ids grow with time, so the newest lie on one page of the index
-- instead of on one for each merchant.
alter table vend_attempts
  drop constraint vend_attempts_pkey,
  add constraint vend_attempts_pkey primary key (purchase_id, attempt, bucket, merchant_id, mode);
