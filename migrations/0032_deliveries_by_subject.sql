-- A purchase or bulk order is told of in the order in which it changed, and each of its events once. Its id says so as
-- well as its reference, is eight bytes, and grows with time: new rows lie together at the index's end.
create unique index webhook_deliveries_by_subject on webhook_deliveries (bucket, merchant_id, mode, subject_id, event)
 where subject_id is not null;
drop index webhook_deliveries_once;
