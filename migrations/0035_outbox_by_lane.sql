-- What is owed stands in one index, lane by lane, instead of two: each merchant's newest entries lie on a page of
-- their own, so that entering an event into an index is mostly waiting for memory. Due events are taken by their ids,
-- which is the order of their making.
--
-- That a delivery stands in one lane only is no longer the index's doing. Rows are made for new deliveries, and for old
-- ones under the lock of their merchant's webhook_logs row alone (resend_webhook_delivery, recover_webhook_deliveries).

drop index webhook_outbox_due;

-- Has the lane among its arguments now.
drop function if exists finish_webhook_attempts(
  smallint[], integer[], text[], uuid[], integer[], integer[], integer[], text[], boolean[], smallint[], integer[],
  text[], text[], text[]
);

alter table webhook_outbox
  drop constraint webhook_outbox_pkey,
  add constraint webhook_outbox_pkey primary key (lane, bucket, merchant_id, mode, delivery_id);
