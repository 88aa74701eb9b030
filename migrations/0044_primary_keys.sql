-- Logical replication tells a changed or deleted row by its table's replica identity, which a partial index cannot be.
-- So purchases and bulk orders get primary keys, in place of their partial unique indexes by reference.
--
-- The key begins with the reference, so that the planner cannot mistake it for the other one: a statement that names an
-- id has nothing to enter it with, and the index by id stays partial and is not offered to a statement that names a
-- reference. 0004 tells what happened when either was offered for the other's question.

alter table purchases add constraint purchases_pkey primary key (reference, bucket, merchant_id, mode);
drop index purchases_by_reference;

alter table bulk_orders add constraint bulk_orders_pkey primary key (reference, bucket, merchant_id, mode);
drop index bulk_orders_by_reference;
