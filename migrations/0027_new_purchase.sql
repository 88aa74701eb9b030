-- A purchase as it is handed to accept_purchases and place_bulk_order: what is known of it before the charge, and what
-- has to be decided with it. One array of these instead of thirty arrays takes a tenth less work a purchase.
-- Programs of two versions may run side by side, so a column more is a type more: this one stays as it is.
create type new_purchase as (
  bucket smallint,
  merchant_id integer,
  mode text,
  id bigint,
  reference text,
  fingerprint uuid,
  channel text,
  product_id integer,
  customer_ref text,
  phone text,
  quantity integer,
  unit_amount bigint,
  face_amount bigint,
  fee bigint,
  total bigint,
  supplier text,
  supplier_code text,
  cost bigint,
  route_reason text,
  details text,
  metadata text,
  bulk_reference text,
  bulk_line integer,
  -- Whether its success is certain already, and what came of it.
  settled boolean,
  provider_reference text,
  fulfilment text,
  -- What the due-work loop does unless it is settled before, and when.
  step text,
  due_seconds integer,
  -- Kobo that the wallet may spend on the day; null where no limit applies.
  day_limit bigint
);
