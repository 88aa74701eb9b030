-- A purchase names the event about its end itself: it has one at most, and finds it without an index that every event
-- would have to be entered into. The only other subject is a bulk order, of which there are few.

alter table purchases
  -- Written in the commit that ended it; null while it is pending, and where its merchant wanted none.
  add column delivery_id uuid;

update purchases p
   set delivery_id = d.id
  from webhook_deliveries d
 where p.event_owed
   and d.bucket = p.bucket
   and d.merchant_id = p.merchant_id
   and d.mode = p.mode
   and d.subject_id = p.id
   and d.event = 'transaction.' || p.status;

alter table purchases
  drop column event_owed;

create unique index webhook_deliveries_of_bulk_orders on webhook_deliveries (bucket, merchant_id, mode, subject_id)
 where event = 'bulk.completed';
drop index webhook_deliveries_by_subject;
