-- Who hears of changes alone was sent bulk.completed for orders that had told their end in their own response.

alter table bulk_orders
  -- Every line's end was in the order's own response.
  add column over_at_once boolean not null default false;
