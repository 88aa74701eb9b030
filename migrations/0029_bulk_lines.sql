-- What one line of a bulk order is handed to place_bulk_order with: what differs from line to line. Everything else is
-- the same for all lines of a kind, of which an order has few, and is handed over once.
-- Programs of two versions may run side by side: the place_bulk_order that took whole purchases stays for the older.
create type bulk_line as (
  id bigint,
  reference text,
  fingerprint uuid,
  -- The customer's number, and the phone.
  phone text,
  provider_reference text,
  -- Which of the kinds it is of, from 1.
  kind integer
);
